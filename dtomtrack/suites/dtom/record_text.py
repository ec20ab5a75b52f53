"""The tracker's records in words, and what reached whom together, from which chains of minds follow."""

from __future__ import annotations

from collections.abc import Iterator

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.hearing import NOWHERE, Reach
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.beliefs.transcript_text import and_list
from dtomtrack.llm.prompts import as_data

__all__ = ["reach_lines", "record_lines"]


def record_lines(dialogue: Dialogue) -> Iterator[str]:
    """A line for each record."""
    labels = _labels(dialogue)
    last = max((turn.index for turn in dialogue.turns), default=0)
    for record in dialogue.beliefs:
        yield _record(record, labels.get(record.topic, record.topic), last)


def reach_lines(dialogue: Dialogue) -> Iterator[str]:
    """A line for each time that something that was said of a state reached several people together."""
    labels = _labels(dialogue)
    kinds = {topic.id: topic.mental_state.value for topic in dialogue.scenario.topics}
    for one in BeliefTracker.of(dialogue.turns, names=dialogue.scenario.names).together():
        topic = one.saying.topic
        yield _reach(one, kinds.get(topic, "state"), labels.get(topic, topic))


def _labels(dialogue: Dialogue) -> dict[str, str]:
    return {topic.id: topic.label for topic in dialogue.scenario.topics}


def _record(record: BeliefRecord, label: str, last: int) -> str:
    end = last if record.superseded_at is None else record.superseded_at - 1
    turns = f"turn {end}" if end == record.source_turn else f"turns {record.source_turn} to {end}"
    holder, topic, content = as_data(record.holder), as_data(label), as_data(record.content)
    if record.about is None:
        return f"At {turns}, {record.mental_state.value} of {holder} about {topic}: {content}"
    about = as_data(record.about)
    return f"At {turns}, what {holder} took for the {record.mental_state.value} of {about} about {topic}: {content}"


def _reach(one: Reach, kind: str, label: str) -> str:
    saying = one.saying
    names, holder = and_list(one.names, as_data), as_data(saying.holder)
    since = "as nobody had said it" if one.source_turn == NOWHERE else f"as said at turn {one.source_turn}"
    by = "" if saying.own else f", {'presumed' if saying.presumed else 'told'} by {as_data(saying.speaker)}"
    return (
        f"At turn {one.turn}, to {names} together, {since}{by}: {kind} of {holder} about {as_data(label)}: "
        f"{as_data(saying.content)}"
    )
