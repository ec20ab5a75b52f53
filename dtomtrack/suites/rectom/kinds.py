"""The ten files of RecToM: what each asks, of whom, with which options, and how its official release is recognised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from dtomtrack.items.item import Select
from dtomtrack.suites.published.folder import KnownFile
from dtomtrack.suites.rectom.labels import ATTITUDES, COARSE, FINE, Role

__all__ = ["BY_FILE", "BY_TYPE", "KINDS", "KNOWN_FILES", "REBUILT", "Asks", "Kind"]

Asks = Literal["coarse intention", "fine intention", "belief", "desire", "prediction", "judgement"]

REBUILT = "fine_intention_seeker_rebuilt"
"""The type of the seeker's fine intentions that are built anew from IARD where the published file is missing."""


@dataclass(frozen=True)
class Kind:
    """A file of RecToM, all of whose items are of one type.

    Attributes:
        file: its name; ``blob``: the first digits of its git blob's SHA-1 in the official release.
        role: of whom it asks.
        options: how many options its items have.
        gold: the field of the right letters.
    """

    type: str
    file: str
    role: Role
    asks: Asks
    options: int
    select: Select
    gold: str
    blob: str

    @property
    def is_intention(self) -> bool:
        """Whether it asks for the labels of an utterance that is shown."""
        return self.asks in {"coarse intention", "fine intention"}

    @property
    def says_yes(self) -> bool:
        """Whether its options are yes and no."""
        return self.asks in {"desire", "judgement"}


def _intention(role: Role, file: str, asks: Literal["coarse intention", "fine intention"], blob: str) -> Kind:
    fine = asks == "fine intention"
    name = f"{asks.replace(' ', '_')}_{_SHORT[role]}"
    size = len(FINE[role] if fine else COARSE[role])
    return Kind(name, file, role, asks, size, "any", "answer_fine" if fine else "answer_coarse", blob)


_SHORT: Mapping[Role, str] = {"recommender": "rec", "seeker": "seeker"}

KINDS = (
    _intention("recommender", "1_coarse_intent_rec.json", "coarse intention", "34e36e6e70bb"),
    _intention("recommender", "1_intent_rec.json", "fine intention", "b72e2365fc0d"),
    _intention("seeker", "2_coarse_intent_seeker.json", "coarse intention", "9920d80dbfed"),
    _intention("seeker", "2_intent_seeker.json", "fine intention", "c0df3a577789"),
    Kind("prediction_rec", "3_pred_rec.json", "recommender", "prediction", 5, "any", "answer", "1c4aed6c5779"),
    Kind("prediction_seeker", "4_pred_seeker.json", "seeker", "prediction", 4, "any", "answer", "f3d7597a154a"),
    Kind("judgement_rec", "5_reverse_judge_rec.json", "recommender", "judgement", 2, "one", "answer", "95a14478cfde"),
    Kind("judgement_seeker", "6_judge_seeker.json", "seeker", "judgement", 2, "one", "answer", "850425ee4155"),
    Kind("desire", "7_desire_seeker_com.json", "seeker", "desire", 2, "one", "answer", "2a2700e0a14e"),
    Kind("belief", "8_belief_rec_2_com.json", "recommender", "belief", len(ATTITUDES), "one", "answer", "2acbe9d9a356"),
)
"""In the order of the files' names."""

BY_TYPE: Mapping[str, Kind] = {one.type: one for one in KINDS}
KNOWN_FILES = tuple(KnownFile(kind.file, kind.blob) for kind in KINDS)
BY_FILE: Mapping[str, Kind] = {one.file: one for one in KINDS}
