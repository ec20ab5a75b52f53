"""Steps: what a plan has still to bring, and about when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.mental_state import Trigger
from dtomtrack.scenarios.pack import PackTopic

__all__ = ["Kind", "Step"]


class Kind(StrEnum):
    """What a step brings."""

    INTRODUCE = "introduce"
    REVISE = "revise"
    RESIST = "resist"
    RECALL = "recall"
    MUSE = "muse"
    SLIP = "slip"
    PRESUME = "presume"
    MISATTRIBUTE = "misattribute"
    JOIN = "join"
    COME_BACK = "come_back"
    ACT = "act"
    READ = "read"
    TELL = "tell"
    MISLEAD = "mislead"


@dataclass(frozen=True)
class Step:
    """One thing to bring about at about turn ``due``.

    Attributes:
        value: what is voiced, taken up, presumed, argued for or said untruly.
        old: what is given up.
        way: how somebody is to be left behind by it.
        marker: id of the marker that signals a change; empty for none.
        own_reason: the change comes of itself, without anybody's reason.
        who: who presumes, acts, reads, joins, comes back or tells, or is misled.
        to: who is told; garbled: what they are told suffers on the way.
        note: the turn of the note that is read.
    """

    kind: Kind
    due: float
    holder: str = ""
    topic: PackTopic | None = None
    value: str = ""
    old: str = ""
    way: Way | None = None
    marker: str = ""
    trigger: Trigger | None = None
    own_reason: bool = False
    who: str = ""
    to: str = ""
    garbled: bool = False
    note: int = -1
    last_try: bool = False

    @property
    def about(self) -> PackTopic:
        """The topic; every step that a holder takes part in has one."""
        if self.topic is None:
            raise ValueError(f"a step of kind {self.kind} is about no topic")
        return self.topic

    @property
    def state(self) -> tuple[str, str]:
        """Whose state it is about, on which topic: (holder, id of the topic)."""
        return self.holder, self.about.id
