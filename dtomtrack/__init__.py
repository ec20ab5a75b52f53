"""dtomtrack: benchmarks of dynamic Theory of Mind.

What somebody believed, wanted, felt, intended or knew, before and after they changed their mind in a conversation.
Public names are imported when they are first used, so that ``import dtomtrack`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtomtrack.api import GeneratedDialogue, agenerate, dialogues, generate
    from dtomtrack.auditing import audit_benchmark
    from dtomtrack.beliefs.conversations import Utterance, ask_about, to_turns
    from dtomtrack.beliefs.dialogue import Dialogue, Turn
    from dtomtrack.beliefs.question import Question
    from dtomtrack.beliefs.questions import QuestionBuilder
    from dtomtrack.beliefs.reading import DistinctiveWordReader, Reading
    from dtomtrack.beliefs.scenario import PlannedUpdate, Scenario, Topic
    from dtomtrack.beliefs.tracker import BeliefTracker, FalseBelief, StateKey
    from dtomtrack.dataset import Dataset, load
    from dtomtrack.errors import DtomtrackError, InputError, ModelError, PackError, PlanError, WriteError
    from dtomtrack.library import aevaluate, compare, evaluate, export_dataset, make_report, rescore
    from dtomtrack.runs.manifest import Manifest
    from dtomtrack.scenarios.difficulty import Difficulty
    from dtomtrack.scenarios.pack import DomainPack
    from dtomtrack.suites.items.importing import import_items
    from dtomtrack.suites.published.importing import import_published
    from dtomtrack.suites.trajectories.importing import import_trajectories

_ROOT = Path(__file__).parents[1]
if (_ROOT / "pyproject.toml").is_file() and (_ROOT / "scenarios").is_dir():
    # Python that starts in a clone finds this folder first, whatever is installed: three packages stand beside it
    __path__.append(str(_ROOT))

_HOMES = {
    "dtomtrack.api": ("GeneratedDialogue", "agenerate", "dialogues", "generate"),
    "dtomtrack.auditing": ("audit_benchmark",),
    "dtomtrack.dataset": ("Dataset", "load"),
    "dtomtrack.beliefs.conversations": ("Utterance", "ask_about", "to_turns"),
    "dtomtrack.errors": ("DtomtrackError", "InputError", "ModelError", "PackError", "PlanError", "WriteError"),
    "dtomtrack.library": ("aevaluate", "compare", "evaluate", "export_dataset", "make_report", "rescore"),
    "dtomtrack.beliefs.questions": ("QuestionBuilder",),
    "dtomtrack.beliefs.reading": ("DistinctiveWordReader", "Reading"),
    "dtomtrack.scenarios.difficulty": ("Difficulty",),
    "dtomtrack.scenarios.pack": ("DomainPack",),
    "dtomtrack.suites.items.importing": ("import_items",),
    "dtomtrack.suites.published.importing": ("import_published",),
    "dtomtrack.suites.trajectories.importing": ("import_trajectories",),
    "dtomtrack.beliefs.dialogue": ("Dialogue", "Turn"),
    "dtomtrack.beliefs.question": ("Question",),
    "dtomtrack.beliefs.scenario": ("PlannedUpdate", "Scenario", "Topic"),
    "dtomtrack.runs.manifest": ("Manifest",),
    "dtomtrack.beliefs.tracker": ("BeliefTracker", "FalseBelief", "StateKey"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "BeliefTracker",
    "Dataset",
    "Dialogue",
    "Difficulty",
    "DistinctiveWordReader",
    "DomainPack",
    "DtomtrackError",
    "FalseBelief",
    "GeneratedDialogue",
    "InputError",
    "Manifest",
    "ModelError",
    "PackError",
    "PlanError",
    "PlannedUpdate",
    "Question",
    "QuestionBuilder",
    "Reading",
    "Scenario",
    "StateKey",
    "Topic",
    "Turn",
    "Utterance",
    "WriteError",
    "aevaluate",
    "agenerate",
    "ask_about",
    "audit_benchmark",
    "compare",
    "dialogues",
    "evaluate",
    "export_dataset",
    "generate",
    "import_items",
    "import_published",
    "import_trajectories",
    "load",
    "make_report",
    "rescore",
    "to_turns",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from dtomtrack.version import VERSION

        return VERSION
    if name not in _HOME:
        raise AttributeError(f"module 'dtomtrack' has no attribute {name!r}")
    from dtomtrack.runs.garbage import rare_collections

    with rare_collections():
        return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
