"""The hidden side of a generated dialogue, line by line: for people to look at, and for nobody who is asked."""

from __future__ import annotations

from typing import Literal

from dtomtrack.records import Count, Record, Text
from dtomtrack.scenarios.recommendation.director import SessionPlan
from dtomtrack.scenarios.recommendation.minds import Attitude
from dtomtrack.suites.rectom.generation.heard import HeardSession

__all__ = ["STATES", "AttitudeRecord", "LineState", "StateRecord", "state_record"]

STATES = "states.jsonl"


class AttitudeRecord(Record):
    """What the seeker has to do with a title from a line on; None of what is not known, or not yet decided."""

    title: Text
    proposer: Literal["recommender", "seeker"]
    seen: bool | None
    liked: bool | None
    wanted: bool | None


class LineState(Record):
    """A line, counted from 1, with its labels and the attitudes that are others than before it.

    Attributes:
        hidden: the seeker's own.
        believed: as the recommender has heard them; where the two differ, a belief is false.
    """

    line: Count
    labels: tuple[Text, ...]
    hidden: tuple[AttitudeRecord, ...]
    believed: tuple[AttitudeRecord, ...]


class StateRecord(Record):
    """A line of ``states.jsonl``: the states of a dialogue.

    Attributes:
        likes, dislikes: the seeker's taste.
        heeded, ignored: the respects in which the recommender gives what is asked for, or does not.
        habits: what each does after what, as "recommender after feedback".
        false_beliefs: lines after which the recommender believes something else than the seeker wants.
    """

    id: Text
    likes: tuple[Text, ...]
    dislikes: tuple[Text, ...]
    heeded: Text
    ignored: Text
    habits: dict[str, tuple[Text, ...]]
    lines: tuple[LineState, ...]
    false_beliefs: tuple[Count, ...]


def state_record(name: str, plan: SessionPlan, session: HeardSession) -> StateRecord:
    """The hidden states of a dialogue beside what was heard of them."""
    lines: list[LineState] = []
    false = []
    before: tuple[dict[str, Attitude], dict[str, Attitude]] = {}, {}
    for number, (hidden, line) in enumerate(zip(plan.hidden, session.lines, strict=True), 1):
        now = dict(hidden), dict(line.attitudes)
        changed = (tuple(_changed(old, new)) for old, new in zip(before, now, strict=True))
        own, believed = changed
        lines.append(LineState(line=number, labels=tuple(sorted(line.labels)), hidden=own, believed=believed))
        if any(_is_false(now[0].get(title), mind) for title, mind in now[1].items()):
            false.append(number)
        before = now
    return StateRecord(
        id=name,
        likes=plan.likes,
        dislikes=plan.dislikes,
        heeded=plan.heeded,
        ignored=plan.ignored,
        habits={f"{role} after {after}": moves for (role, after), moves in plan.habits.items()},
        lines=tuple(lines),
        false_beliefs=tuple(false),
    )


def _changed(old: dict[str, Attitude], new: dict[str, Attitude]) -> list[AttitudeRecord]:
    return [
        AttitudeRecord(title=title, proposer=mind.proposer, seen=mind.seen, liked=mind.liked, wanted=mind.wanted)
        for title, mind in new.items()
        if old.get(title) != mind
    ]


def _is_false(own: Attitude | None, believed: Attitude) -> bool:
    return own is not None and believed.wanted is not None and own.wanted is not believed.wanted
