"""The context beside a question: nothing, what was said, what was thought, or the tracker's records.

Each text by others stands in quotation marks, as one line that it can't end. Goals and private information are in
none of it; inner speech only where the context is named after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.transcript import Event, Transcript, transcript_of
from dtomtrack.beliefs.transcript_text import and_list, event_words, line_heading
from dtomtrack.llm.prompts import as_data, prompt

__all__ = ["CONDITIONS", "context_text"]

CONDITIONS = ("utterances", "none", "own-thoughts", "thoughts", "tracker")
"""A subject sees beside the question: what was said; nothing; what was said and the inner speech of the agent whose
state is asked about; the same and the inner speech of all; or the tracker's records as text."""

_PACKAGE = "dtomtrack.suites.dtom"
_PAIR = 2


def context_text(condition: str, dialogue: Dialogue, agent: str) -> str:
    """The text that is shown of a dialogue.

    Args:
        agent: whose state is asked about.
    """
    if condition == "none":
        return prompt(_PACKAGE, "none").fill()
    if condition == "utterances":
        return prompt(_PACKAGE, "conversation").fill(turns=_transcript(dialogue, frozenset()))
    if condition == "tracker":
        return prompt(_PACKAGE, "tracker").fill(records="\n".join(_records(dialogue)))
    names = [one.name for one in dialogue.scenario.agents if condition == "thoughts" or one.name == agent]
    return prompt(_PACKAGE, "thoughts").fill(
        thinkers=" and ".join(map(as_data, names)), turns=_transcript(dialogue, frozenset(names))
    )


def _transcript(dialogue: Dialogue, thinkers: Set[str]) -> str:
    """The transcript, behind who takes part and how to read it where not everything is for everybody."""
    transcript = transcript_of(dialogue.turns, dialogue.scenario)
    lines = "\n".join(_lines(transcript, dialogue, thinkers))
    if not transcript.has_company and len(transcript.names) <= _PAIR:
        return lines
    return f"{prompt(_PACKAGE, 'company').fill(names=and_list(transcript.names, as_data))}\n\n{lines}"


def _lines(transcript: Transcript, dialogue: Dialogue, thinkers: Set[str]) -> Iterator[str]:
    thoughts = {turn.index: turn.inner_speech for turn in dialogue.turns if turn.speaker in thinkers}
    for line in transcript.lines:
        if isinstance(line, Event):
            yield f"[Turn {line.turn}: {event_words(line, as_data)}]"
            continue
        for thought in thoughts.get(line.turn, ()):
            yield f"Turn {line.turn}, {as_data(line.speaker)} thinks: {as_data(thought.text)}"
        yield f"{line_heading(line, as_data)}: {as_data(line.text)}"


def _records(dialogue: Dialogue) -> Iterator[str]:
    labels = {topic.id: topic.label for topic in dialogue.scenario.topics}
    last = max((turn.index for turn in dialogue.turns), default=0)
    for record in dialogue.beliefs:
        yield _record(record, labels.get(record.topic, record.topic), last)


def _record(record: BeliefRecord, label: str, last: int) -> str:
    end = last if record.superseded_at is None else record.superseded_at - 1
    turns = f"turn {end}" if end == record.source_turn else f"turns {record.source_turn} to {end}"
    holder, topic, content = as_data(record.holder), as_data(label), as_data(record.content)
    if record.about is None:
        return f"At {turns}, {record.mental_state.value} of {holder} about {topic}: {content}"
    about = as_data(record.about)
    return f"At {turns}, what {holder} took for the {record.mental_state.value} of {about} about {topic}: {content}"
