"""Questions to a spectator of an episode: before, after and when, what has come nearer, what the persuader could know.

Types have the names of DToM-Track's where they ask the same of another mind, so that a model's accuracy as a spectator
stands beside what it does as a player. Golds are the tracker's. Of all that could be asked, what balances is: neither a
kind of argument nor the number of a message goes with one answer more often than with another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from dtomtrack.items.item import Item
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.items.reading import StoredContext
from dtomtrack.suites.rhetbench.balance import Balance, Fact, right_or_wrong
from dtomtrack.suites.rhetbench.replies import stable_number
from dtomtrack.suites.rhetbench.tracked import KINDS, TrackedEpisode, line_of_message, line_of_reply

__all__ = ["TYPES", "Spectator"]

_OPTIONS = 4
_APART = 0.1
"""Agreement at two moments that are compared: nearer ones can't be told apart by anybody."""
_LEVELS = {0.25: "a quarter", 1 / 3: "a third", 2 / 3: "two thirds", 0.75: "three quarters"}
"""Shares of the way from the start to what wins."""
_UNTRIED = "it had not been tried by then"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Something that could be asked.

    Attributes:
        options: in any order.
        message: that it is about.
        heard: the messages that are shown, each with its reply: nothing that came later tells the answer.
        facts: what has to be balanced.
    """

    question: str
    options: tuple[str, ...]
    right: str
    message: int
    heard: int
    facts: tuple[Fact, ...]


class Spectator:
    """Asks about the episodes of one persuader, in their order."""

    def __init__(self) -> None:
        self._balances = {kind: Balance() for kind in _TYPES}
        self._positions = {kind: Balance() for kind in _TYPES}

    def items(self, tracked: TrackedEpisode, name: str) -> Iterator[Item]:
        """The questions about an episode, at most one of a type.

        Args:
            name: of the episode, for the ids.
        """
        for kind, candidates in _TYPES.items():
            rng = Random(stable_number(tracked.episode.config.seed, name, kind))  # noqa: S311 - reproducible, no secret
            found = list(candidates(tracked))
            asked = self._balances[kind].choose(rng.sample(found, len(found)), lambda one: one.facts)
            if asked is not None:
                yield _item(tracked, f"{name}-{kind}", kind, asked, self._laid_out(kind, asked, rng))

    def _laid_out(self, kind: str, asked: _Candidate, rng: Random) -> tuple[str, ...]:
        """The options with the right one at a place where it was not more often than elsewhere."""
        places = tuple(range(len(asked.options)))
        place = self._positions[kind].choose(
            rng.sample(places, len(places)), lambda one: (Fact(("place",), one, places),)
        )
        wrong = [one for one in asked.options if one != asked.right]
        shuffled = rng.sample(wrong, len(wrong))
        return (*shuffled[:place], asked.right, *shuffled[place:])


def _item(
    tracked: TrackedEpisode,
    name: str,
    kind: str,
    asked: _Candidate,
    options: tuple[str, ...],
) -> Item:
    episode = tracked.episode
    return Item(
        id=name,
        cluster=episode.config.scenario,
        question=asked.question,
        options=options,
        gold=frozenset({options.index(asked.right)}),
        groups={"type": kind, "persuader": episode.subject, "won": "yes" if episode.won else "no"},
        turn=line_of_reply(asked.message),
        context=StoredContext(tracked.lines(asked.heard)),
    )


def _ways(name: str) -> Mapping[Tone | None, str]:
    return {
        Tone.POSITIVE: f"{name} warmed to it",
        Tone.NEUTRAL: f"it hardly moved {name}",
        Tone.RESISTANT: f"it put {name} off",
        None: _UNTRIED,
    }


def _before(tracked: TrackedEpisode) -> Iterator[_Candidate]:
    """How a kind had been taken before a message."""
    for kind, message in _moments(tracked):
        question = f"Before message {message}, how had {tracked.briefing.name} last taken {KINDS[kind]}?"
        yield _way(tracked, kind, message, question, message - 1)


def _after(tracked: TrackedEpisode) -> Iterator[_Candidate]:
    """How a kind had last been taken by the reply to a message."""
    for kind, message in _moments(tracked):
        name = tracked.briefing.name
        question = f"By the end of the reply to message {message}, how had {name} last taken {KINDS[kind]}?"
        yield _way(tracked, kind, message, question, message)


def _moments(tracked: TrackedEpisode) -> Iterator[tuple[ArgumentClass, int]]:
    """None where tones are voiced a reply later: there no reply says how its message was taken."""
    # before the first message, and after it of all kinds but its own, nothing was tried
    last = 0 if tracked.episode.config.legibility == "delayed" else tracked.messages
    return ((kind, message) for message in range(2, last + 1) for kind in APPEALS)


def _way(tracked: TrackedEpisode, kind: ArgumentClass, message: int, question: str, heard: int) -> _Candidate:
    ways, tone = _ways(tracked.briefing.name), tracked.taken(kind, line_of_reply(heard))
    facts = tuple(Fact(about, tone, tuple(ways)) for about in (("kind", kind), ("message", message)))
    return _Candidate(question, tuple(ways.values()), ways[tone], message, heard, facts)


def _when(tracked: TrackedEpisode) -> Iterator[_Candidate]:
    """The message that brought the character so far: four in a row, the right one anywhere among them.

    Half way, where it puts its question, is no such level: who looks for that question would have the answer.
    """
    for share, words in _LEVELS.items():
        reached = tracked.reached(share)
        if reached is None:
            continue
        question = (
            f"With which message had {tracked.briefing.name} first come at least {words} of the way from the start "
            "towards agreeing?"
        )
        for first in range(max(1, reached - _OPTIONS + 1), min(reached, tracked.messages - _OPTIONS + 1) + 1):
            numbers = range(first, first + _OPTIONS)
            options = tuple(f"with message {number}" for number in numbers)
            facts = (
                Fact(("first", first), reached - first, tuple(range(_OPTIONS))),
                *_from_its_question(tracked, numbers, reached),
            )
            yield _Candidate(question, options, f"with message {reached}", reached, tracked.messages, facts)


def _from_its_question(tracked: TrackedEpisode, numbers: Sequence[int], right: int) -> Iterator[Fact]:
    """The message whose reply ends in the character's question, and those around it: right as often as others."""
    asked = next((turn.turn for turn in tracked.episode.turns if "pivot" in turn.flags), None)
    if asked is not None:
        for number in numbers:
            if abs(number - asked) <= 2:
                yield right_or_wrong(("from the question", number - asked), right=number == right, options=_OPTIONS)


def _nearer(tracked: TrackedEpisode) -> Iterator[_Candidate]:
    """At which of two moments the character was nearer to agreeing."""
    levels = {message: tracked.agreement(line_of_reply(message)) for message in range(1, tracked.messages + 1)}
    question = f"At which of these moments was {tracked.briefing.name} nearer to agreeing?"
    for first, second in combinations(levels, 2):
        if abs(levels[first] - levels[second]) < _APART:
            continue
        rises = levels[first] < levels[second]
        options = tuple(f"after the reply to message {number}" for number in (first, second))
        facts = (
            Fact(("rises",), rises, (True, False)),
            right_or_wrong(first, right=not rises, options=2),
            right_or_wrong(second, right=rises, options=2),
        )
        yield _Candidate(question, options, options[rises], second, tracked.messages, facts)


def _known(tracked: TrackedEpisode) -> Iterator[_Candidate]:
    """The kind that, for all the persuader could hear, went down well when last used: the only such option."""
    if tracked.episode.config.legibility == "delayed":
        return
    name = tracked.briefing.name
    for message in range(2, tracked.messages + 1):
        known = {kind: tracked.known(kind, line_of_message(message)) for kind in APPEALS}
        question = (
            f"When the persuader wrote message {message}, which kind of argument could be known to have gone down "
            f"well with {name} when it was last used?"
        )
        for kinds in _one_welcome(known):
            facts = tuple(right_or_wrong(kind, right=kind is kinds[0], options=_OPTIONS) for kind in kinds)
            options = tuple(KINDS[kind] for kind in kinds)
            yield _Candidate(question, options, options[0], message, message - 1, facts)


def _one_welcome(known: Mapping[ArgumentClass, Tone | None]) -> Iterator[tuple[ArgumentClass, ...]]:
    """Four kinds of which the first went down well, and at least one did not."""
    others = [kind for kind, tone in known.items() if tone is not Tone.POSITIVE]
    for wrong in combinations(others, _OPTIONS - 1):
        if any(known[kind] is not None for kind in wrong):
            yield from ((kind, *wrong) for kind, tone in known.items() if tone is Tone.POSITIVE)


_TYPES: Mapping[str, Callable[[TrackedEpisode], Iterator[_Candidate]]] = {
    "pre_update": _before,
    "post_update": _after,
    "update_detection": _when,
    "trajectory": _nearer,
    "second_order": _known,
}
TYPES: Sequence[str] = tuple(_TYPES)
"""Types of questions, in their order."""
