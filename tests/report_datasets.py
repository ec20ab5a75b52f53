"""What tests of reports share: datasets that nobody, somebody and somebody hostile has answered."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hostile_dataset import make_hostile
from planted_subjects import plant

import dtomtrack
from dtomtrack.library import make_report
from dtomtrack.report.figures import Figures
from dtomtrack.suites.items.importing import import_items


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of a dozen dialogues that nobody has answered."""
    out = tmp_path_factory.mktemp("made") / "restaurant"
    dtomtrack.generate("restaurant", n=12, out=out)
    return out


@pytest.fixture(scope="session")
def answered(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, answered by six subjects, with its report."""
    out = tmp_path_factory.mktemp("answered") / "restaurant"
    shutil.copytree(made, out)
    plant(out)
    make_report(out, audit=False)
    return out


@pytest.fixture(scope="session")
def hostile(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with hostile text everywhere, and its report."""
    out = tmp_path_factory.mktemp("hostile") / "restaurant"
    shutil.copytree(made, out)
    make_hostile(out)
    make_report(out, audit=False)
    return out


@pytest.fixture
def copy(answered: Path, tmp_path: Path) -> Path:
    """An answered dataset of the test's own."""
    return Path(shutil.copytree(answered, tmp_path / "copy"))


@pytest.fixture
def bare(made: Path, tmp_path: Path) -> Path:
    """A dataset of the test's own that nobody has answered, of which a report has nothing to draw."""
    return Path(shutil.copytree(made, tmp_path / "bare"))


@pytest.fixture
def quick(tmp_path: Path) -> Path:
    """A dataset of four questions of a type, answered by one subject: a report of it has few figures to draw."""
    rows = [{"question": f"{place}?", "options": ["a", "b"], "gold": "A", "type": "place"} for place in range(4)]
    (tmp_path / "items.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    import_items(
        tmp_path / "items.jsonl", tmp_path / "quick", {"group.type" if one == "type" else one: one for one in rows[0]}
    )
    dtomtrack.evaluate(tmp_path / "quick", "baseline/random")
    return tmp_path / "quick"


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports without figures, for who reads the page alone: drawing them takes nine tenths of the time."""
    monkeypatch.setattr("dtomtrack.report.writing.draw_figures", lambda *_: Figures())
