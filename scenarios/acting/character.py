"""A part: what an actor, scripted or a language model, knows of the character it plays; and what it makes of a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from dtomtrack.beliefs.company import ReadAt
from dtomtrack.beliefs.dialogue import Expression, InnerSpeech
from dtomtrack.beliefs.scenario import Agent, Topic
from dtomtrack.scenarios.acting.line_book import LineBook
from dtomtrack.scenarios.acting.occasions import with_occasions
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.roles import role_of
from dtomtrack.scenarios.script import DirectedScenario, Direction
from dtomtrack.scenarios.threads import persuader

__all__ = ["Character", "Heard", "Other", "Performance", "characters"]


@dataclass(frozen=True)
class Heard:
    """A line as it reached a character; or something that it saw happen, which has no speaker.

    Attributes:
        turn: at which it was said or written, or before which it happened.
        to: names of those to whom alone it was said or written; empty where it was for everybody there.
        note: it was written.
    """

    turn: int
    speaker: str
    text: str
    to: tuple[str, ...] = ()
    note: bool = False


@dataclass(frozen=True)
class Other:
    """Somebody else in the scenario, as every character knows them: by name, role in the pack, and what they are."""

    name: str
    role: str
    known_as: str


@dataclass(frozen=True, eq=False)
class Character:
    """A part as its actor knows it: with nothing that only another character knows. It is equal to itself alone.

    Attributes:
        agent: the character itself, with its own private information.
        role: by which letter the pack knows it: "a", "b", ...
        others: everybody else, in the order of the scenario.
        topics: what is talked about, by id, with the values that there are, but not which of them anybody else holds.
        fillings: the words that fill the placeholders of the pack's lines.
        reasons: what this character knows that can change another's mind, by topic and content.
        directions: by turn, what to do.
        audiences: by turn of its own, names of those to whom it then speaks.
        read_at: by turn of its own in which it writes a note instead, when that is read, by name.
        length: how many turns the dialogue has.
        attempt: at which slot, and which attempt at it.
        random: makes the generator of random numbers of a turn.
        book: lines that were said in the dialogue, one book for all its parts; whoever speaks lines of a pack opens it.
    """

    domain: str
    agent: Agent
    role: str
    others: tuple[Other, ...]
    context: str
    topics: Mapping[str, Topic]
    fillings: Mapping[str, str]
    situation: str
    reasons: Mapping[str, Mapping[str, str]]
    directions: Mapping[int, tuple[Direction, ...]]
    audiences: Mapping[int, tuple[str, ...]]
    read_at: Mapping[int, ReadAt]
    difficulty: Difficulty
    length: int
    attempt: tuple[int, int]
    random: Callable[[int], Random]
    book: LineBook

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.agent.name

    @cached_property
    def everybody(self) -> tuple[str, ...]:
        """Names of all who take part, in the order of the scenario."""
        names = {self.role: self.name, **{other.role: other.name for other in self.others}}
        return tuple(names[role] for role in sorted(names))

    @property
    def company(self) -> str:
        """Names of the others within a sentence: "Ben", "Ben and Cleo"."""
        *names, last = (other.name for other in self.others)
        return f"{', '.join(names)} and {last}" if names else last

    def hearers(self, turn: int) -> tuple[str, ...]:
        """Names of those to whom the character speaks or writes at a turn of its own."""
        return tuple(name for name in self.audiences[turn] if name != self.name)

    def audience(self, turn: int) -> tuple[str, ...]:
        """The audience of a turn of its own as turns have it: empty where that is everybody."""
        names = self.audiences[turn]
        return () if len(names) == len(self.others) + 1 and turn not in self.read_at else names

    def speaks_last(self, turn: int) -> bool:
        """Whether the dialogue ends with this turn."""
        return turn + 1 == self.length


def characters(
    directed: DirectedScenario, attempt: tuple[int, int], random: Callable[[int], Random]
) -> tuple[Character, ...]:
    """The parts of a scenario, each with nothing of the others' but name, role and what may be talked about.

    Args:
        attempt: slot, and number of the attempt.
    """
    positions, book = range(len(directed.scenario.agents)), LineBook()
    directed = replace(directed, script=with_occasions(directed))
    return tuple(_character(directed, position, attempt, random, book) for position in positions)


def _character(
    directed: DirectedScenario,
    position: int,
    attempt: tuple[int, int],
    random: Callable[[int], Random],
    book: LineBook,
) -> Character:
    scenario = directed.scenario
    agent = scenario.agents[position]
    own = [turn for turn in range(len(directed.script)) if scenario.speaks_at(turn) == position]
    return Character(
        domain=scenario.domain,
        agent=agent,
        role=role_of(position),
        others=tuple(
            Other(one.name, role_of(at), one.role) for at, one in enumerate(scenario.agents) if at != position
        ),
        context=scenario.context,
        topics={topic.id: topic for topic in scenario.topics},
        fillings=directed.fillings,
        situation=directed.situation,
        reasons=_reasons_of(agent, directed),
        directions={turn: directed.script[turn] for turn in own},
        audiences={turn: scenario.audience(turn) for turn in own},
        read_at={turn: read for turn in own if (read := scenario.read_at(turn))},
        difficulty=directed.difficulty,
        length=len(directed.script),
        attempt=attempt,
        random=random,
        book=book,
    )


def _reasons_of(agent: Agent, directed: DirectedScenario) -> Mapping[str, Mapping[str, str]]:
    """The reasons that this agent is to give."""
    own: dict[str, dict[str, str]] = {}
    for one in directed.scenario.updates:
        reason = directed.reasons.get((one.topic, one.new))
        if reason is not None and persuader(directed.scenario, one) == agent.name:
            own.setdefault(one.topic, {})[one.new] = reason
    return own


@dataclass(frozen=True)
class Performance:
    """A turn as an actor plays it: its thought, in the paper's text form ``(I want ... )``, and its words.

    ``thoughts`` is what the actor read from its own inner speech, where the words alone don't tell the topic; ``said``,
    the states that the utterance expresses, where they are not just those that are thought of as one's own;
    ``overreaching``, how often the turn was asked for again because a thought knew what the character can't know.
    """

    inner_speech: str
    utterance: str
    thoughts: tuple[InnerSpeech, ...] | None = None
    said: tuple[Expression, ...] | None = None
    overreaching: int = 0
