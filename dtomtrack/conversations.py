"""Conversations that were not generated: from lines of text to turns, and to questions.

Who brings a conversation brings its topics, too: what can be held about each, and by whom. Thoughts may be given in the
paper's form, ``(I want a quiet table. I think that Ben believes we are four.)``; where they are not, they are read from
what is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dtomtrack.errors import InputError
from dtomtrack.inner_speech import parse_thoughts, second_order, thought
from dtomtrack.questions import QuestionBuilder
from dtomtrack.reading import Act, CueReader, Reader, Reading, read_all
from dtomtrack.schema import InnerSpeech, MentalState, Question, Topic, Turn
from dtomtrack.slots import Slot
from dtomtrack.tracker import BeliefTracker

__all__ = ["Line", "ask_about", "to_turns"]


@dataclass(frozen=True)
class Line:
    """A line of a conversation; ``thoughts`` is inner speech in words, or None where nobody wrote it down."""

    speaker: str
    utterance: str
    thoughts: str | None = None


def to_turns(lines: Sequence[Line], topics: Sequence[Topic], reader: Reader | None = None) -> tuple[Turn, ...]:
    """Turns with inner speech.

    Where thoughts are given, those whose content is a value of a topic are matched to it. Where they are not, who
    states something thinks so, who takes something for granted of the other thinks that the other thinks so, and who
    hears something thinks so of the other in the next turn.

    Raises:
        InputError: there are not exactly two speakers, or a topic is held by nobody who speaks.
    """
    agents = _agents(lines, topics)
    reader = reader or CueReader(topics)
    readings = read_all(reader, [(line.speaker, line.utterance) for line in lines])
    states = {topic.id: topic.mental_state for topic in topics}
    return tuple(
        Turn(
            index=index,
            speaker=line.speaker,
            inner_speech=_given(line, agents, topics) if line.thoughts is not None else _read(index, readings, states),
            utterance=line.utterance,
        )
        for index, line in enumerate(lines)
    )


def _agents(lines: Sequence[Line], topics: Sequence[Topic]) -> list[str]:
    agents = list(dict.fromkeys(line.speaker for line in lines))
    if len(agents) != 2:
        raise InputError(f"the conversation has {len(agents)} speakers ({', '.join(agents)}); it needs two")
    for topic in topics:
        if topic.holder not in agents:
            raise InputError(f"topic {topic.id!r} is held by {topic.holder!r}, who says nothing")
    return agents


def _given(line: Line, agents: Sequence[str], topics: Sequence[Topic]) -> tuple[InnerSpeech, ...]:
    known = {(topic.holder, topic.mental_state, value): topic.id for topic in topics for value in topic.values}

    def find_topic(who: str, mental_state: MentalState, content: str) -> str | None:
        return known.get((who, mental_state, content))

    others = [name for name in agents if name != line.speaker]
    return parse_thoughts(line.thoughts or "", line.speaker, others, find_topic)


def _read(index: int, readings: Sequence[Reading], states: dict[str, MentalState]) -> tuple[InnerSpeech, ...]:
    thoughts = []
    for reading in readings:
        state = states[reading.topic]
        if reading.turn == index - 1 and reading.act is Act.STATE:
            thoughts.append(second_order(reading.holder, state, reading.content, reading.topic))
        elif reading.turn == index and reading.act is Act.STATE:
            thoughts.append(thought(state, reading.content, reading.topic))
        elif reading.turn == index and reading.act is Act.PRESUME:
            thoughts.append(second_order(reading.holder, state, reading.content, reading.topic))
    return tuple(thoughts)


def ask_about(
    turns: Sequence[Turn],
    topics: Sequence[Topic],
    *,
    name: str = "conversation",
    seed: int = 0,
    index: int = 0,
    reader: Reader | None = None,
) -> list[Question]:
    """Questions about a conversation, gold answers from a tracker that reads its inner speech.

    Args:
        name: goes into the ids.
        index: the conversation's number in your collection; letters balance over each four.
        reader: reads the utterances; by default by the words that tell the values of a topic apart.
    """
    agents = list(dict.fromkeys(turn.speaker for turn in turns))
    readings = read_all(reader or CueReader(topics), [(turn.speaker, turn.utterance) for turn in turns])
    slot = Slot(seed, index, name, index // 4, index % 4)
    return QuestionBuilder(BeliefTracker.of(turns), topics, agents, readings, slot).build(slot.dialogue_id)
