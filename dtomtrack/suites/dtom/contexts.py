"""The context beside a question: nothing, what was said, what was thought, or the tracker's records.

Each text by others stands in quotation marks, as one line that it can't end. Goals and private information are in
none of it; inner speech only where the context is named after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.transcript import Event, Transcript, transcript_of
from dtomtrack.beliefs.transcript_text import and_list, event_words, line_heading
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.suites.dtom.record_text import reach_lines, record_lines

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
        # by the alphabet, as the cast begins with those who hear most
        return prompt(_PACKAGE, "none").fill(people=_people(sorted(dialogue.scenario.names), "two people"))
    if condition == "utterances":
        return prompt(_PACKAGE, "conversation").fill(turns=_transcript(dialogue, frozenset()))
    if condition == "tracker":
        return _records(dialogue)
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
            yield _event(line)
            continue
        for thought in thoughts.get(line.turn, ()):
            yield f"Turn {line.turn}, {as_data(line.speaker)} thinks: {as_data(thought.text)}"
        yield f"{line_heading(line, as_data)}: {as_data(line.text)}"


def _people(names: Sequence[str], two: str) -> str:
    """The names of those who take part, where they are more than two."""
    return two if len(names) <= _PAIR else and_list(names, as_data)


def _records(dialogue: Dialogue) -> str:
    """The tracker's records; among several, with who came and went, and what reached whom together."""
    records = "\n".join(record_lines(dialogue))
    if len(dialogue.scenario.names) <= _PAIR:
        return prompt(_PACKAGE, "tracker").fill(records=records)
    events = transcript_of(dialogue.turns, dialogue.scenario).events
    return prompt(_PACKAGE, "tracker_company").fill(
        names=_people(dialogue.scenario.names, ""),
        records=records,
        events="\n".join(map(_event, events)) or "Nobody came or went.",
        reached="\n".join(reach_lines(dialogue)),
    )


def _event(event: Event) -> str:
    return f"[Turn {event.turn}: {event_words(event, as_data)}]"
