"""Stage directions in words, for actors that are language models (``prompts/directions.yaml``).

Each direction becomes a sentence or two, and what a turn has to bring (`TurnRequirements`) comes from the same
directions, so that what is asked for and what is checked can't part ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from dtomtrack.beliefs.inner_speech import PREFIXES, VERBS
from dtomtrack.beliefs.markers import marker
from dtomtrack.beliefs.scenario import MentalState, Personality, PlannedUpdate, Topic, Trigger
from dtomtrack.llm.prompts import Prompt, as_data
from dtomtrack.scenarios.acting.character import Character
from dtomtrack.scenarios.script import Direction, Move
from dtomtrack.verifiers.turn_requirements import TurnRequirements

__all__ = ["DirectionText", "ThoughtWanted", "manner"]

_LOW, _HIGH = 0.25, 0.75
_FAREWELL = "farewell"


@dataclass(frozen=True)
class _Words:
    moves: Mapping[str, Prompt]
    triggers: Mapping[str, str]
    manners: Mapping[str, Sequence[str]]


@cache
def _words() -> _Words:
    text = (resources.files("dtomtrack.scenarios.acting") / "prompts" / "directions.yaml").read_text(encoding="utf-8")
    read = yaml.safe_load(text)
    moves = {name: Prompt(sentence) for name, sentence in read["moves"].items()}
    return _Words(moves, read["triggers"], read["manners"])


def manner(personality: Personality) -> str:
    """How somebody with these traits comes across, in words."""
    traits = [(getattr(personality, name), words) for name, words in _words().manners.items()]
    marked = [words[trait >= _HIGH] for trait, words in traits if trait >= _HIGH or trait <= _LOW]
    return ", ".join(marked) or "nothing that stands out"


def _name_of(direction: Direction) -> str:
    """The name of the sentence that says a direction."""
    if direction.move is Move.UPDATE and not direction.marker:
        return "update_unmarked"
    if direction.move is Move.RESTATE and direction.marker:
        return "restate_marked"
    if direction.move is Move.REVEAL and direction.named:
        return "reveal_since"
    if direction.move is Move.REVEAL and direction.hearsay:
        return "pass_on"
    # a marker that gives something up is asked for only with what it gives up, and a slip gives up anything
    return Move.ASIDE.value if direction.move is Move.SLIP else direction.move.value


@dataclass(frozen=True)
class ThoughtWanted:
    """A thought that a turn has to have.

    Attributes:
        prefix: how it begins ("I believe that").
        content: what follows, where that is laid down; else ``on`` says what it is about, and ``or_else`` what follows
            where nothing usable is thought.
    """

    prefix: str
    content: str = ""
    on: str = ""
    or_else: str = ""

    def words(self) -> str:
        """The thought as it is asked for."""
        whole = as_data(f"{self.prefix} {self.content or '...'}")
        return f"{whole} ({self.on})" if self.on else whole

    @property
    def sentence(self) -> str:
        """The thought itself, as far as the program knows it."""
        return f"{self.prefix} {self.content or self.or_else}."


class DirectionText:
    """The directions of one character in words."""

    def __init__(self, character: Character) -> None:
        self._name = character.name
        self._company = character.company
        self._topics = character.topics
        self._reasons = character.reasons
        self._goal = character.agent.goal
        self._initial = {one.topic: one.content for one in character.agent.initial_states}

    def sentences(self, directions: Sequence[Direction], *, last: bool = False) -> list[str]:
        """A sentence for each direction, in their order; ``last`` of the turn that ends the dialogue."""
        return [self._sentence(direction, last=last) for direction in directions]

    def _sentence(self, direction: Direction, *, last: bool) -> str:
        move = _FAREWELL if last and direction.move is Move.CLOSE else _name_of(direction)
        template = _words().moves[move]
        return template.fill(**{name: _FILLINGS[name](self, direction) for name in template.placeholders})

    def _partner(self, direction: Direction) -> str:
        """Whom a direction is towards: who is named, the holder of what it is about, or everybody who is there."""
        topic = self._topics.get(direction.topic)
        if topic is None or direction.move in _OF_A_THIRD:
            return direction.to or self._company
        holder = self._holder(direction, topic)
        return direction.to or self._company if holder == self._name else holder

    def _holder(self, direction: Direction, topic: Topic) -> str:
        """Name of the agent whose state a direction is about."""
        if direction.move in _ONES_OWN and self._name in topic.holders:
            return self._name
        return direction.holder or topic.holder

    def told_of(self, directions: Sequence[Direction]) -> tuple[tuple[str, str, str], ...]:
        """(holder, topic, value) of all that is to be said of a third."""
        return tuple((self._meant(one), one.topic, one.value) for one in directions if one.move in _OF_A_THIRD)

    def _meant(self, direction: Direction) -> str:
        """Name of the agent whose state a direction is about, by its topic."""
        return self._holder(direction, self._topics[direction.topic])

    def _reason(self, direction: Direction) -> str:
        """The fact that changes a mind; a mere argument has none of its own, so it names what it argues for."""
        return self._reasons.get(direction.topic, {}).get(direction.value) or f"much speaks for this: {direction.value}"

    def thoughts(self, directions: Sequence[Direction], heard: Sequence[tuple[str, str, str]]) -> list[ThoughtWanted]:
        """The thoughts to have, those about others first.

        Args:
            heard: (holder, topic, value) of others' states of which they have just said something.
        """
        wanted = [ThoughtWanted(_of_holder(holder, self._topics[topic]), value) for holder, topic, value in heard]
        wanted += [one for one in map(self._thought_of, directions) if one is not None]
        goal = ThoughtWanted(PREFIXES[MentalState.DESIRE], on=f"your goal: {self._goal}", or_else=self._goal)
        return wanted or [goal]

    def _thought_of(self, direction: Direction) -> ThoughtWanted | None:
        """The thought behind a direction, where it has one."""
        topic = self._topics.get(direction.topic)
        if topic is None:
            return None
        if direction.move in _VOICED:
            return ThoughtWanted(PREFIXES[topic.mental_state], direction.value)
        if direction.move is Move.MISLEAD:
            return ThoughtWanted(PREFIXES[topic.mental_state], direction.old)
        if direction.move in _OF_OTHERS:
            return ThoughtWanted(_of_holder(self._holder(direction, topic), topic), direction.value)
        return None

    def beginning(self, directions: Sequence[Direction]) -> str:
        """How what is said has to begin: with the marker, where a mind changes; as a statement, where one presumes."""
        for one in directions:
            if one.move in _MARKED and one.marker:
                return marker(one.marker).beginning(self._as_said(one))
            if one.move is Move.PRESUME:
                topic = self._topics[one.topic]
                address = "" if len(topic.holders) == 1 else f"{self._holder(one, topic)}, "
                start = _PRESUMED[topic.mental_state]
                return f"{address}{start[0].lower()}{start[1:]}" if address else start
        return ""

    def _as_said(self, direction: Direction) -> str:
        """What is given up, as it fits behind the words of a marker: "I mistakenly said I will have tea"."""
        state = self._topics[direction.topic].mental_state
        sentence = direction.marker in _BEFORE_A_SENTENCE and state in _NEEDS_A_SUBJECT
        return f"{PREFIXES[state]} {direction.old}" if sentence else direction.old

    def revealed(self, directions: Mapping[int, Sequence[Direction]]) -> tuple[tuple[int, str], ...]:
        """(turn, fact) of what is told in these directions by turn."""
        return tuple(
            (turn, self._reason(one)) for turn, there in directions.items() for one in there if one.move is Move.REVEAL
        )

    def held_before(self, turn: int, directions: Mapping[int, Sequence[Direction]]) -> dict[str, str]:
        """The values of the character's own that are held before a turn, by topic, with these directions by turn."""
        held = dict(self._initial)
        for one in (one for earlier in sorted(directions) if earlier < turn for one in directions[earlier]):
            if one.move in _VOICED or one.move is Move.MISLEAD:
                held[one.topic] = one.old if one.move is Move.MISLEAD else one.value
        return held

    def requirements(
        self,
        directions: Sequence[Direction],
        turn: int,
        agent: str,
        reserved: Sequence[str],
        said: Sequence[str],
        current: Mapping[str, str],
    ) -> TurnRequirements:
        """All that the turn has to bring.

        Args:
            current: the values that are held before the turn, by topic.
            reserved: the facts of the turns to come, which are not to be told yet.
            said: the sentences of the directions, which nobody says aloud.
        """
        update = next((one for one in directions if one.move is Move.UPDATE), None)
        return TurnRequirements(
            held=tuple([(one.topic, one.value) for one in directions if one.move in _HELD]),
            update=None if update is None else self._update(update, turn, agent),
            presumed=tuple([(one.topic, one.value) for one in directions if one.move in _GRANTED]),
            told=tuple([(one.topic, one.value) for one in directions if one.move is Move.TELL]),
            untrue=tuple([(one.topic, one.old, one.value) for one in directions if one.move is Move.MISLEAD]),
            decoys=tuple([one.marker for one in directions if one.move is Move.RESTATE and one.marker]),
            facts=tuple([self._reason(one) for one in directions if one.move is Move.REVEAL]),
            reserved=tuple(reserved),
            secret=tuple(said),
            asked=tuple([(one.topic, one.named) for one in directions if one.move in _ASKING and one.topic]),
            current=tuple(current.items()),
        )

    def _update(self, direction: Direction, turn: int, agent: str) -> PlannedUpdate:
        return PlannedUpdate(
            turn=turn,
            agent=agent,
            trigger=direction.trigger or Trigger.NEW_INFORMATION,
            mental_state=self._topics[direction.topic].mental_state,
            topic=direction.topic,
            old=direction.old,
            new=direction.value,
            marker=direction.marker or None,
        )


_HELD = frozenset({Move.VOICE, Move.RESTATE})
_VOICED = _HELD | {Move.UPDATE}
_MARKED = frozenset({Move.UPDATE, Move.RESTATE})
_GRANTED = frozenset({Move.PRESUME, Move.ACT})
_OF_OTHERS = _GRANTED | {Move.TELL}
_ASKING = frozenset({Move.ASK, Move.WONDER})
_BEFORE_A_SENTENCE = frozenset({"mistakenly_said", "was_wrong", "a_minute_ago"})
"""Markers behind which what is given up stands as a sentence."""
_NEEDS_A_SUBJECT = frozenset({MentalState.INTENTION, MentalState.DESIRE, MentalState.EMOTION})
_PRESUMED = {
    MentalState.BELIEF: "As you believe that",
    MentalState.INTENTION: "As you will",
    MentalState.DESIRE: "As you want",
    MentalState.EMOTION: "As you feel",
    MentalState.KNOWLEDGE: "As you know",
}
"""Beginnings of statements: asked to presume, a weak model asks."""
_OF_A_THIRD = frozenset({Move.TELL, Move.ACT})
_ONES_OWN = _VOICED | {Move.MISLEAD, Move.CORRECT, Move.STAY, Move.NEITHER, Move.PONDER, Move.LET_STAND}
"""Moves about a state of one's own."""


_FILLINGS: Mapping[str, Callable[[DirectionText, Direction], str]] = {
    "partner": lambda text, one: text._partner(one),
    "label": lambda text, one: text._topics[one.topic].label,
    "verb": lambda text, one: VERBS[text._topics[one.topic].mental_state],
    "state": lambda text, one: _thought(text._topics[one.topic], one.value),
    "old": lambda text, one: _thought(text._topics[one.topic], one.old),
    "new": lambda text, one: _thought(text._topics[one.topic], one.value),
    "value": lambda text, one: as_data(one.value),
    "trigger": lambda text, one: _words().triggers[(one.trigger or Trigger.NEW_INFORMATION).value],
    "marker": lambda text, one: as_data(marker(one.marker).beginning("...")) if one.marker else "",
    "fact": lambda text, one: as_data(text._reason(one)),
    "first": lambda text, one: as_data(_named(one, 0)),
    "second": lambda text, one: as_data(_named(one, 1)),
    "holder": lambda text, one: text._meant(one),
    "from": lambda text, one: _named(one, 0),
    "untrue": lambda text, one: as_data(one.old),
    "to": lambda text, one: one.to,
}
"""What fills each placeholder of the sentences."""


def _named(direction: Direction, position: int) -> str:
    return direction.named[position] if len(direction.named) > position else ""


def _of_holder(holder: str, topic: Topic) -> str:
    return f"I think that {holder} {VERBS[topic.mental_state]}"


def _thought(topic: Topic, value: str) -> str:
    return as_data(f"{PREFIXES[topic.mental_state]} {value}")
