"""Conversations that were not generated: from lines of text to turns, and to questions.

Who brings a conversation brings its topics, too: what can be held about each, and by whom. Thoughts may be given in the
paper's form, ``(I want a quiet table. I think that Ben believes we are four.)``; where they are not, they are read from
what is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dtomtrack.beliefs.dialogue import Expression, InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import parse_thoughts, second_order, thought
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.questions import QuestionBuilder
from dtomtrack.beliefs.reading import Act, DistinctiveWordReader, Reader, Reading, distinctive_words, read_all
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.errors import InputError
from dtomtrack.runs.slots import BLOCK, Slot

__all__ = ["Utterance", "ask_about", "to_turns"]


@dataclass(frozen=True)
class Utterance:
    """One thing said in a conversation; ``thoughts`` is inner speech in words, or None where nobody wrote it down."""

    speaker: str
    text: str
    thoughts: str | None = None


def to_turns(
    utterances: Sequence[Utterance], topics: Sequence[Topic], reader: Reader | None = None
) -> tuple[Turn, ...]:
    """Turns with inner speech.

    Where thoughts are given, those whose content is a value of a topic are matched to it. Where they are not, who
    states something thinks so, who takes something for granted of another thinks that the other thinks so, and who
    hears something thinks so of the speaker when next they speak.

    Raises:
        InputError: there are fewer than two speakers, an utterance is empty, a topic is held by nobody who speaks, or
            a value has no word of its own and no reader is given, or a thought is a value of two topics of one holder.
    """
    agents = _agents(utterances, topics)
    readings = read_all(reader or _word_reader(topics, agents), [(one.speaker, one.text) for one in utterances])
    states = {topic.id: topic.mental_state for topic in topics}
    turns = []
    spoke: dict[str, int] = {}
    for index, one in enumerate(utterances):
        if one.thoughts is None:
            thoughts = _read(one.speaker, spoke.get(one.speaker, -1), index, readings, states)
        else:
            thoughts = _given(one.thoughts, one.speaker, agents, topics)
        said = said_aloud(thoughts, [reading for reading in readings if reading.turn == index])
        turns.append(Turn(index=index, speaker=one.speaker, inner_speech=thoughts, utterance=one.text, said=said))
        spoke[one.speaker] = index
    return tuple(turns)


def said_aloud(thoughts: Sequence[InnerSpeech], readings: Sequence[Reading]) -> tuple[Expression, ...] | None:
    """The states that a turn expresses: those thought of as one's own, and those of others of which it speaks.

    None where there are none of the latter.
    """
    of_others = tuple(
        Expression(topic=one.topic, content=one.content, about=one.holder, presumed=one.act is Act.PRESUME)
        for one in readings
        if one.act in {Act.PRESUME, Act.TELL}
    )
    own = (one for one in thoughts if one.order == 1 and one.topic is not None)
    return (*(Expression(topic=one.topic or "", content=one.content) for one in own), *of_others) if of_others else None


def _agents(utterances: Sequence[Utterance], topics: Sequence[Topic]) -> list[str]:
    for index, one in enumerate(utterances):
        if not one.text.strip():
            raise InputError(f"utterance {index} of the conversation says nothing; leave it out")
    agents = list(dict.fromkeys(one.speaker for one in utterances))
    if len(agents) < 2:
        raise InputError(f"the conversation has {len(agents)} speakers ({', '.join(agents)}); it needs two or more")
    for topic in topics:
        if silent := next((name for name in topic.holders if name not in agents), None):
            raise InputError(f"topic {topic.id!r} is held by {silent!r}, who says nothing")
    return agents


def _word_reader(topics: Sequence[Topic], names: Iterable[str]) -> DistinctiveWordReader:
    for topic in topics:
        if silent := next((value for value, own in distinctive_words(topic.values).items() if not own), None):
            raise InputError(
                f"topic {topic.id!r}: its value {silent!r} has no word that no other of its values has, so nobody can "
                "be heard to say it; reword it, or bring a reader of your own"
            )
    return DistinctiveWordReader(topics, names)


def _given(thoughts: str, thinker: str, agents: Sequence[str], topics: Sequence[Topic]) -> tuple[InnerSpeech, ...]:
    def find_topic(who: str, mental_state: MentalState, content: str) -> str | None:
        known = [
            topic.id
            for topic in topics
            if who in topic.holders and topic.mental_state is mental_state and content in topic.values
        ]
        if len(known) > 1:
            raise InputError(
                f"the thought {content!r} of {thinker!r} may be about {known[0]!r} or {known[1]!r}: reword the "
                "value of one of these topics, so that it can be told which is meant"
            )
        return next(iter(known), None)

    return parse_thoughts(thoughts, thinker, [name for name in agents if name != thinker], find_topic)


def _read(
    thinker: str, last_spoke: int, index: int, readings: Sequence[Reading], states: dict[str, MentalState]
) -> tuple[InnerSpeech, ...]:
    """Thoughts of what others said of themselves since the thinker last spoke, and of what the thinker says now."""
    heard = [one for one in readings if last_spoke < one.turn < index and one.act is Act.STATE]
    thoughts = [
        second_order(one.holder, states[one.topic], one.content, one.topic) for one in heard if one.holder != thinker
    ]
    for one in readings:
        if one.turn == index and one.act is Act.STATE:
            thoughts.append(thought(states[one.topic], one.content, one.topic))
        elif one.turn == index and one.act is Act.PRESUME:
            thoughts.append(second_order(one.holder, states[one.topic], one.content, one.topic))
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
        index: the conversation's number in your collection; letters balance over each block of four.
        reader: reads the utterances; by default by the words that tell the values of a topic apart.

    Raises:
        InputError: a value has no word of its own, and no reader is given.
    """
    readings = read_all(
        reader or _word_reader(topics, {turn.speaker for turn in turns}),
        [(turn.speaker, turn.utterance) for turn in turns],
    )
    slot = Slot(seed, index, name, index // BLOCK, index % BLOCK)
    return QuestionBuilder(BeliefTracker.of(turns), topics, readings, slot).build(slot.dialogue_id)
