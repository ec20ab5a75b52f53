"""What worker processes get of a job."""

from __future__ import annotations

import pickle

from dtomtrack.api import make_job
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.suites.dtom.job import DtomJob


def _restaurant() -> DomainPack:
    """The pack as nobody has used it yet."""
    written = load_pack(find_pack("restaurant")).model_dump(mode="json", exclude_unset=True)
    return DomainPack.model_validate(written)


def test_packs_are_sent_with_what_each_worker_would_make_of_them() -> None:
    job = make_job([_restaurant()], n=4, seed=0, difficulty="apart")
    sent: DtomJob = pickle.loads(pickle.dumps(job))  # noqa: S301 - packed just here
    assert sent == job
    pack = sent.packs["restaurant"]
    assert "lines" in vars(pack)
    assert "lines" in vars(vars(pack)["among_several"])
