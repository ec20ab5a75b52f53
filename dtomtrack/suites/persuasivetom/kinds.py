"""The eight kinds of questions of PersuasiveToM, and the files that hold them (paper, Tables 2 to 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dtomtrack.suites.published.folder import KnownFile

__all__ = ["KINDS", "KNOWN_FILES", "RELEASE", "Kind", "kind_of_file"]

RELEASE = "Yu-Fangxu/PersuasiveToM at daade8f (2025-06-25)"


@dataclass(frozen=True)
class Kind:
    """A kind of question.

    Attributes:
        name: of the type in datasets.
        label: in words; ``column``: in the paper's Table 5.
        file: without its ending; ``blob``: of the official release.
        holder: whose mind it asks about: "er" for the persuader, "ee" for the persuadee; empty for the application.
        options: how many there are in the paper; ``paper``: how many items it counts.
    """

    name: str
    label: str
    column: str
    file: str
    blob: str
    holder: str
    options: int
    paper: int

    @property
    def state(self) -> str:
        """The mental state that it asks about; its own name where it asks about none."""
        return self.name.partition("_")[0]


_ALL = (
    Kind("desire_er", "Desire of the persuader", "Desire er", "desire_er", "a47390f4d0e1", "er", 2, 2568),
    Kind("belief_er", "Belief of the persuader", "Belief er", "belief_er", "baf5b29c0120", "er", 4, 2580),
    Kind("intention_er", "Intention of the persuader", "Intention er", "intent_er", "0cb67b73fcb1", "er", 6, 2568),
    Kind("desire_ee", "Desire of the persuadee", "Desire ee", "desire_ee", "a4789f81de2b", "ee", 3, 2459),
    Kind("belief_ee", "Belief of the persuadee", "Belief ee", "belief_ee", "4683a6c643b3", "ee", 4, 2580),
    Kind("intention_ee", "Intention of the persuadee", "Intention ee", "intent_ee", "735692518f06", "ee", 4, 2041),
    Kind("prediction", "Prediction of the strategy", "Strategy", "behavior_qa", "b0f13f4b817f", "", 4, 2041),
    Kind("judgement", "Judgement of the strategy", "Judgement", "judge_qa", "1d518b22bd56", "", 2, 2041),
)

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}
"""By name, in the order of the paper's Table 5."""
KNOWN_FILES = tuple(KnownFile(f"{kind.file}.json", kind.blob) for kind in _ALL)


def kind_of_file(name: str) -> Kind:
    """The kind of question that a file holds.

    Raises:
        KeyError: it is none of the benchmark's.
    """
    return next(kind for kind in _ALL if f"{kind.file}.json" == name)
