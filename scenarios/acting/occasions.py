"""Occasions: what a direction meets with where it is carried out, as far as its words depend on it.

Whether a line fits depends on what those who hear it have heard before: a reason that says "it" needs its topic on the
table, "that was a quick turn" somebody who knew how it was. It is worked out from the script and from who hears what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import inf

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.scenarios.script import DirectedScenario, Direction, Move, Occasion, Script

__all__ = ["with_occasions"]

_OWN_WORDS = frozenset({Move.VOICE, Move.UPDATE, Move.RESTATE, Move.MISLEAD})
_TELLS = _OWN_WORDS | {Move.TELL}
"""Moves from which others learn what somebody holds, or take it that they do."""
_OF_THE_WORLD = frozenset({MentalState.BELIEF, MentalState.KNOWLEDGE})
"""States of which a reason given to one may be taken back by one given to another; of plans each has their own."""
_RECENT = 10
"""Turns for which something was just now."""
_NEAR = 5
"""Turns for which "it" may still be what was spoken of, if nothing else was."""
_PAIR = 2
"""Those who hear what is said to one."""


def with_occasions(directed: DirectedScenario) -> Script:
    """The script, each direction with its occasion."""
    past = _Past(directed.scenario, several=directed.difficulty.several)
    script = []
    for turn, directions in enumerate(directed.script):
        past.begin(turn)
        script.append(tuple(past.all_met(turn, [one for one in directions if not _belies(one, directions)])))
        past.add(turn, directions)
    return tuple(script)


def _belies(one: Direction, directions: tuple[Direction, ...]) -> bool:
    """Whether somebody would take note of what one person holds, and take another for that person in the same turn."""
    presumed = {(other.topic, other.holder) for other in directions if other.move is Move.PRESUME}
    return one.move is Move.ACKNOWLEDGE and any(
        topic == one.topic and holder != one.holder for topic, holder in presumed
    )


class _Past:
    """What was said up to a turn, by who heard it."""

    def __init__(self, scenario: Scenario, *, several: bool) -> None:
        self._scenario = scenario
        self._several = several
        self._spoken: dict[tuple[str, str], int] = {}
        """By (name, topic): the turn at which somebody last heard of it."""
        self._latest: dict[str, str] = {}
        """By name: the topic of which somebody heard last."""
        self._heard: dict[tuple[str, str, str], list[tuple[int, str]]] = defaultdict(list)
        """By (name, holder, topic): the values of a state that somebody has heard of, and the turns."""
        self._argued: dict[tuple[str, str, str], list[tuple[int, Direction]]] = defaultdict(list)
        """By (who gave them, who heard them, topic): reasons, and their turns."""
        self._unread: list[tuple[int, str, tuple[Direction, ...]]] = []
        """Of notes: when each of their readers reads them."""
        self._reasoned: frozenset[str] = frozenset()
        """The topics on which somebody has just given a reason."""
        self._changed: dict[str, str] = {}
        """By topic, what its holder has just taken up."""

    def begin(self, turn: int) -> None:
        """Notes that are read in this turn reach their readers."""
        for at, name, directions in self._unread:
            if at == turn:
                self._hear(name, turn, directions)

    def add(self, turn: int, directions: tuple[Direction, ...]) -> None:
        """These are carried out in this turn."""
        speaker, read_at = self._scenario.speaker(turn), self._scenario.read_at(turn)
        self._unread += [(at, name, directions) for name, at in read_at.items() if at is not None and at > turn]
        at_once = [name for name, at in read_at.items() if at == turn] if read_at else self._scenario.audience(turn)
        for name in {speaker, *at_once}:
            self._hear(name, turn, directions)
            for one in directions:
                if one.move is Move.REVEAL:
                    self._argued[speaker, name, one.topic].append((turn, one))
        self._reasoned = frozenset(one.topic for one in directions if one.move is Move.REVEAL)
        self._changed = {one.topic: one.value for one in directions if one.move is Move.UPDATE}

    def _hear(self, name: str, turn: int, directions: tuple[Direction, ...]) -> None:
        for one in directions:
            if one.topic:
                self._spoken[name, one.topic], self._latest[name] = turn, one.topic
            if one.move in _TELLS:
                self._heard[name, self._holder(one), one.topic].append((turn, one.value))

    def _holder(self, one: Direction) -> str:
        return one.holder or self._scenario.topic(one.topic).holder

    def all_met(self, turn: int, directions: Sequence[Direction]) -> Iterator[Direction]:
        """The directions of this turn with their occasions."""
        led = any(one.move is Move.LEAD for one in directions)
        before = ""
        for one in directions:
            yield one if led and one.move is Move.PRESUME else self.met(turn, one, before)
            before = one.topic or before

    def met(self, turn: int, one: Direction, before: str) -> Direction:
        """A direction of this turn with its occasion; ``before``, the topic of what goes before it in the turn."""
        aside = self._scenario.planned_audience(turn)
        match one.move:
            case Move.GREET | Move.OWN_REASON:
                to_one = self._several and len(self._scenario.audience(turn)) <= _PAIR
                return one._replace(occasion=Occasion(to_one=to_one)) if to_one else one
            case Move.TELL | Move.ACT if aside is not None:
                return one._replace(occasion=Occasion(among=aside.hearers))
            case Move.REVEAL if one.topic:
                return one._replace(occasion=self._of_reason(turn, one, before))
            case Move.PRESUME:
                silence = self._silence(turn, one.topic, (self._scenario.speaker(turn), self._holder(one)))
                # two who come to what was never spoken of don't come back to it
                return one._replace(occasion=Occasion(far_back=silence > _NEAR and (self._several or silence < inf)))
            case Move.ASK | Move.WONDER:
                return one._replace(occasion=Occasion(off_the_table=self._is_off_the_table(turn, one, before)))
            case Move.LEAD | Move.STAY if one.topic:
                hearers = [name for name in self._scenario.audience(turn) if name != self._scenario.speaker(turn)]
                behind = any(self._goes_by_other(name, one) for name in hearers)
                near = self._silence(turn, one.topic, hearers) <= 1
                return one._replace(occasion=Occasion(on_the_table=near, overtaken=behind))
            case Move.RESTATE if one.topic:
                return one._replace(occasion=Occasion(unprompted=one.topic not in self._reasoned))
            case Move.DISCREET:
                return one._replace(occasion=Occasion(kept_up=self._goes_by(one.named[0], one) == one.old))
            case Move.ACCEPT if one.topic:
                return one._replace(occasion=self._of_acceptance(turn, one))
            case _:
                return one

    def _silence(self, turn: int, topic: str, names: Iterable[str]) -> float:
        """Turns since all of these last heard of a topic; infinite if one of them never did."""
        return max((turn - self._spoken.get((name, topic), -inf) for name in names), default=0)

    def _is_off_the_table(self, turn: int, one: Direction, before: str) -> bool:
        """Whether a question, behind a word on this topic if any, could be about something else."""
        holder = self._holder(one)
        heard = before or self._latest.get(holder, "")
        return heard != one.topic or self._silence(turn, one.topic, (holder,)) > _NEAR

    def _of_reason(self, turn: int, one: Direction, before_it: str) -> Occasion:
        speaker, holder = self._scenario.speaker(turn), self._holder(one)
        reasons = self._argued[speaker, holder, one.topic]
        if self._scenario.topic(one.topic).mental_state not in _OF_THE_WORLD:
            reasons = [(at, before) for at, before in reasons if self._holder(before) == holder]
        given = [at for at, last in reasons[-1:] if last.value != one.value]
        before = turn - 1
        spoke_last = before >= 0 and self._scenario.speaker(before) == holder
        heard = spoke_last and speaker in self._scenario.audience(before) and not self._scenario.read_at(before)
        silence = self._silence(turn, one.topic, (speaker, holder))
        latest = {before_it} if before_it else {self._latest.get(name, "") for name in (speaker, holder)}
        return Occasion(
            passed=silence > 1,
            far_back=silence > _NEAR or latest != {one.topic},
            turned=bool(given),
            long_ago=bool(given) and turn - given[-1] > _RECENT,
            to="" if heard else holder,
        )

    def _of_acceptance(self, turn: int, one: Direction) -> Occasion:
        speaker, holder, new = self._scenario.speaker(turn), self._holder(one), self._changed.get(one.topic, "")
        # that somebody knew nothing is no earlier version of what they know
        same = {new, self._scenario.topic(one.topic).ignorance}
        others = [at for at, value in self._heard[speaker, holder, one.topic] if value not in same]
        reasons = self._argued[speaker, holder, one.topic]
        argued = [at for at, before in reasons if before.value == new and not before.hearsay]
        # who has given up meanwhile what they argued for has no cause to be glad
        own = [value for _, value in self._heard[speaker, speaker, one.topic]]
        glad = not own or own[-1] == new
        return Occasion(
            first=not others,
            long_ago=bool(others) and turn - others[-1] > _RECENT,
            won=glad and bool(argued) and turn - argued[-1] <= _RECENT,
        )

    def _goes_by_other(self, name: str, one: Direction) -> bool:
        """Whether somebody last heard something else of a state than what is so."""
        return self._goes_by(name, one) not in {"", one.value}

    def _goes_by(self, name: str, one: Direction) -> str:
        """What somebody last heard of a state; empty for nothing."""
        heard = self._heard[name, self._holder(one), one.topic]
        return heard[-1][1] if heard else ""
