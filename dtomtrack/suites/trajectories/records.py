"""A conversation with the states that were annotated in it: a line of the generic JSON Lines form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import Field, model_validator

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.records import Count, NotBoolean, Record, Text

__all__ = ["AnnotatedState", "AnnotatedTopic", "AnnotatedTurn", "Trajectory"]


class AnnotatedTurn(Record):
    """A turn of a conversation."""

    speaker: Text
    utterance: str


class AnnotatedState(Record):
    """A state from a turn on, until another entry for it.

    Attributes:
        turn: its place among the turns, counted from 0.
        about: whose state it is about, where it is one about somebody else's.
        topic: the id of a topic; what somebody believes and what they want are two topics.
        content: one of the topic's values; None where it is not known from here on.
    """

    turn: Annotated[Count, NotBoolean]
    holder: Text
    about: Text | None = None
    mental_state: MentalState
    topic: Text
    content: Text | None


class AnnotatedTopic(Record):
    """Something that can be held in one of several ways.

    Attributes:
        label: in words, as in "about {label}".
        values: what can be held, in the order in which options stand.
        question: the question that the values answer, if they don't speak for themselves ("Is Ben likely to come?");
            where several people's answers to it are annotated, it is asked whose is meant.
        unsettled: the value that says that nothing is held yet, if there is one: when that ended is asked about, and
            no question about a time before has it as its answer.
    """

    id: Text
    label: Text
    values: Annotated[tuple[Text, ...], Field(min_length=2, max_length=26)]
    question: Text | None = None
    unsettled: Text | None = None


class Trajectory(Record):
    """A conversation with its states; no entry for a state at a turn says that it stays as it is."""

    id: Text
    turns: Annotated[tuple[AnnotatedTurn, ...], Field(min_length=1)]
    states: tuple[AnnotatedState, ...]
    topics: tuple[AnnotatedTopic, ...]

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        problem = next(self._problems(), None)
        if problem is not None:
            raise ValueError(problem)
        return self

    def _problems(self) -> Iterator[str]:
        topics = {topic.id: topic for topic in self.topics}
        if len(topics) < len(self.topics):
            yield "two topics have the same id"
        for topic in self.topics:
            if len(set(topic.values)) < len(topic.values):
                yield f"topic {topic.id!r} has a value twice"
            if topic.unsettled is not None and topic.unsettled not in topic.values:
                yield f"topic {topic.id!r}: unsettled {topic.unsettled!r} is none of its values"
        for number, state in enumerate(self.states):
            if state.topic not in topics:
                yield f"states.{number}: topic {state.topic!r} is not among the topics"
            elif state.content is not None and state.content not in topics[state.topic].values:
                yield f"states.{number}: content {state.content!r} is no value of topic {state.topic!r}"
            elif state.turn >= len(self.turns):
                yield f"states.{number}: turn {state.turn} is behind the last, {len(self.turns) - 1}, from 0"
            elif state.about == state.holder:
                yield f"states.{number}: {state.holder} is holder and about; a state of one's own has no about"
        yield from self._mixed_states()

    def _mixed_states(self) -> Iterator[str]:
        """A topic is held in one way by whoever holds it: a desire is no change of a belief, nor an idea of one."""
        first: dict[tuple[str, str], tuple[int, MentalState]] = {}
        for number, state in enumerate(self.states):
            owner = state.about or state.holder
            place, kind = first.setdefault((owner, state.topic), (number, state.mental_state))
            if kind != state.mental_state:
                yield (
                    f"states.{number}: the {state.mental_state} of {owner} on topic {state.topic!r} would be taken for "
                    f"the {kind} in states.{place}; give each mental state a topic of its own"
                )

    def topic(self, name: str) -> AnnotatedTopic:
        """The topic of this id."""
        return next(topic for topic in self.topics if topic.id == name)
