"""Questions to a spectator of an episode: before, after and when, what has come nearer, what the persuader could know.

Types have the names of DToM-Track's where they ask the same of another mind, so that a model's accuracy as a spectator
stands beside what it does as a player. Golds are the tracker's; candidates are turned over so that no answer is the
usual one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import TypeAlias

from dtomtrack.items.item import Item
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.items.reading import StoredContext
from dtomtrack.suites.rhetbench.replies import stable_number
from dtomtrack.suites.rhetbench.tracked import KINDS, TrackedEpisode, line_of_message, line_of_reply

__all__ = ["TYPES", "spectator_items"]

_Asked: TypeAlias = tuple[str, tuple[str, ...], str, int]
"""Question, options in any order, the right one, the message that it is about."""
_OPTIONS = 4
_APART = 0.1
"""Agreement at two moments that are compared: nearer ones can't be told apart by anybody."""
_UNTRIED_SHARE = 0.25
_UNTRIED = "it had not been tried by then"


def _ways(name: str) -> Mapping[Tone | None, str]:
    return {
        Tone.POSITIVE: f"{name} warmed to it",
        Tone.NEUTRAL: f"it hardly moved {name}",
        Tone.RESISTANT: f"it put {name} off",
        None: _UNTRIED,
    }


def spectator_items(tracked: TrackedEpisode, name: str) -> Iterator[Item]:
    """The questions about an episode, at most one of a type.

    Args:
        name: of the episode, for the ids.
    """
    episode = tracked.episode
    context = StoredContext(tracked.lines())
    for kind, ask in _TYPES.items():
        rng = Random(stable_number(episode.config.seed, name, kind))  # noqa: S311 - reproducible, no secret
        asked = ask(tracked, rng)
        if asked is None:
            continue
        question, options, right, message = asked
        shuffled = rng.sample(options, len(options))
        yield Item(
            id=f"{name}-{kind}",
            cluster=episode.config.scenario,
            question=question,
            options=tuple(shuffled),
            gold=frozenset({shuffled.index(right)}),
            groups={"type": kind, "persuader": episode.subject, "won": "yes" if episode.won else "no"},
            turn=line_of_reply(message),
            context=context,
        )


def _before(tracked: TrackedEpisode, rng: Random) -> _Asked | None:
    """How a kind had been taken before a message changed that, or before one like it."""
    name = tracked.briefing.name
    moments = [(turn.argument, turn.turn) for turn in tracked.episode.turns if turn.argument in APPEALS]
    found = _turned_over(rng, {moment: tracked.taken(moment[0], line_of_message(moment[1])) for moment in moments})
    if found is None:
        return None
    (kind, message), tone = found
    question = f"Before message {message}, how had {name} last taken {KINDS[kind]}?"
    return question, tuple(_ways(name).values()), _ways(name)[tone], message


def _after(tracked: TrackedEpisode, rng: Random) -> _Asked | None:
    """How a kind had last been taken by the reply to a message."""
    name = tracked.briefing.name
    moments = [(kind, message) for kind in APPEALS for message in range(2, tracked.messages + 1)]
    found = _turned_over(rng, {moment: tracked.taken(moment[0], line_of_reply(moment[1])) for moment in moments})
    if found is None:
        return None
    (kind, message), tone = found
    question = f"By the end of the reply to message {message}, how had {name} last taken {KINDS[kind]}?"
    return question, tuple(_ways(name).values()), _ways(name)[tone], message


def _turned_over(
    rng: Random, found: Mapping[tuple[ArgumentClass, int], Tone | None]
) -> tuple[tuple[ArgumentClass, int], Tone | None] | None:
    """A moment whose answer is one of those that there are, each as likely; "untried", the usual one, less so."""
    answers: list[Tone | None] = [one for one in Tone if one in found.values()]
    if None in found.values() and rng.random() < _UNTRIED_SHARE:
        answers = [None]
    if not answers:
        return None
    chosen = rng.choice(answers)
    return rng.choice([moment for moment, tone in found.items() if tone is chosen]), chosen


def _when(tracked: TrackedEpisode, rng: Random) -> _Asked | None:
    """The message that brought the character half way."""
    half = tracked.half_way()
    if half is None or tracked.messages < _OPTIONS:
        return None
    # four in a row, the right one anywhere among them: the usual message is as often a wrong option as the right one
    first = rng.choice([k for k in range(half - _OPTIONS + 1, half + 1) if 1 <= k <= tracked.messages - _OPTIONS + 1])
    options = tuple(f"with message {k}" for k in range(first, first + _OPTIONS))
    question = (
        f"With which message had {tracked.briefing.name} first come at least half way from the start towards agreeing?"
    )
    return question, options, f"with message {half}", half


def _nearer(tracked: TrackedEpisode, rng: Random) -> _Asked | None:
    """At which of two moments the character was nearer to agreeing; as often the earlier as the later."""
    levels = {message: tracked.agreement(line_of_reply(message)) for message in range(1, tracked.messages + 1)}
    pairs = [(a, b) for a, b in combinations(levels, 2) if abs(levels[a] - levels[b]) >= _APART]
    falling = [(a, b) for a, b in pairs if levels[a] > levels[b]]
    rising = [(a, b) for a, b in pairs if levels[a] < levels[b]]
    # most episodes rise: without one that falls, nothing is asked, or "the later" would be the usual answer
    if not falling or not rising:
        return None
    first, second = rng.choice(falling if rng.random() < 1 / 2 else rising)
    options = (f"after the reply to message {first}", f"after the reply to message {second}")
    right = options[0] if levels[first] > levels[second] else options[1]
    question = f"At which of these moments was {tracked.briefing.name} nearer to agreeing?"
    return question, options, right, second


def _known(tracked: TrackedEpisode, rng: Random) -> _Asked | None:
    """The kind that, for all the persuader could hear, went down well when last used: the only such option."""
    if tracked.episode.config.legibility == "delayed":
        return None
    moments = []
    for message in range(2, tracked.messages + 1):
        known = {kind: tracked.known(kind, line_of_message(message)) for kind in APPEALS}
        good = [kind for kind, tone in known.items() if tone is Tone.POSITIVE]
        bad = [kind for kind, tone in known.items() if tone in {Tone.NEUTRAL, Tone.RESISTANT}]
        if good and bad:
            moments.append((message, good, bad, [kind for kind, tone in known.items() if tone is None]))
    if not moments:
        return None
    message, good, bad, untried = rng.choice(moments)
    right = rng.choice(good)
    wrong = [*rng.sample(bad, len(bad)), *rng.sample(untried, len(untried))][: _OPTIONS - 1]
    if len(wrong) < _OPTIONS - 1:
        return None
    question = (
        f"When the persuader wrote message {message}, which kind of argument could be known to have gone down well "
        f"with {tracked.briefing.name} when it was last used?"
    )
    return question, tuple(KINDS[kind] for kind in (right, *wrong)), KINDS[right], message


_TYPES: Mapping[str, Callable[[TrackedEpisode, Random], _Asked | None]] = {
    "pre_update": _before,
    "post_update": _after,
    "update_detection": _when,
    "trajectory": _nearer,
    "second_order": _known,
}
TYPES: Sequence[str] = tuple(_TYPES)
"""Types of questions, in their order."""
