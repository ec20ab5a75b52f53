"""Scripted persuaders: they choose a class of argument from the tones they have heard, and from nothing else.

The published baselines are doing nothing, chance, a fixed cycle ("greedy") and staying on positive words ("adaptive");
the others say how far one gets with one idea (one class for ever, the first that draws a positive tone), or with all
that could be known (the oracle, which alone sees the hidden mind).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias

from dtomtrack.errors import InputError
from dtomtrack.options import did_you_mean
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.rhetbench.learned import q_learner
from dtomtrack.suites.rhetbench.npc import Mind, MindState, delta_of
from dtomtrack.suites.rhetbench.observer import Observer
from dtomtrack.suites.rhetbench.rules import Rules

__all__ = ["Exchange", "Policy", "PolicyName", "Sight", "listens", "make_policy", "policy_names"]

PolicyName: TypeAlias = str

_ADAPTIVE_USES = 2
_RANK = {Tone.RESISTANT: 0, Tone.NEUTRAL: 1, Tone.POSITIVE: 2}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn as the persuader knows it: the class it used, and the tone it heard; None where it is not voiced yet."""

    said: ArgumentClass
    tone: Tone | None


@dataclass(frozen=True, slots=True)
class Sight:
    """The hidden mind and its state, shown only to the oracle."""

    mind: Mind
    state: MindState


class Policy(Protocol):
    """Chooses the next class; made anew for each episode."""

    def __call__(self, history: Sequence[Exchange], sight: Sight) -> ArgumentClass:
        """The class to use next."""
        ...


def policy_names() -> list[PolicyName]:
    """Names of all policies."""
    return [*_MAKERS, *(f"only-{one.lower()}" for one in APPEALS)]


def make_policy(name: PolicyName, rules: Rules, rng: Random) -> Policy:
    """A policy for one episode; everything it draws comes from ``rng``.

    Raises:
        InputError: there is none of that name.
    """
    if name in _MAKERS:
        return _MAKERS[name](rules, rng)
    only = name.removeprefix("only-").upper()
    if only in APPEALS:
        return lambda history, sight: ArgumentClass(only)
    raise InputError(f"no policy {name[:80]!r}; {did_you_mean(name, policy_names())}")


def listens(name: PolicyName) -> bool:
    """Whether what a policy does next depends on what it has heard."""
    return name not in _DEAF and not name.startswith("only-")


def _do_nothing(rules: Rules, rng: Random) -> Policy:
    return lambda history, sight: ArgumentClass.GENERIC


def _random(rules: Rules, rng: Random) -> Policy:
    return lambda history, sight: rng.choice(APPEALS)


def _cycle(rules: Rules, rng: Random) -> Policy:
    return lambda history, sight: APPEALS[len(history) % len(APPEALS)]


def _adaptive(rules: Rules, rng: Random) -> Policy:
    """Stays on what drew a positive tone, up to two uses of a class in an episode, else goes on in the cycle.

    The published one reads the opening, too, and tells tones by ten cue words, which miss half of the positive ones.
    """

    def choose(history: Sequence[Exchange], sight: Sight) -> ArgumentClass:
        if not history:
            return APPEALS[0]
        heard = next((one for one in reversed(history) if one.tone is not None), history[-1])
        if heard.tone is Tone.POSITIVE and sum(one.said is heard.said for one in history) < _ADAPTIVE_USES:
            return heard.said
        return APPEALS[(APPEALS.index(history[-1].said) + 1) % len(APPEALS)]

    return choose


def _first_positive(rules: Rules, rng: Random) -> Policy:
    """Tries one class after the other, L E S A N C, and stays with one for as long as it draws a positive tone."""
    return _searching(APPEALS)


def _shuffled_first_positive(rules: Rules, rng: Random) -> Policy:
    """Tries the classes likewise, but in an order of its own, so that no character is found sooner than another."""
    return _searching(rng.sample(APPEALS, len(APPEALS)))


def _searching(order: Sequence[ArgumentClass]) -> Policy:
    def choose(history: Sequence[Exchange], sight: Sight) -> ArgumentClass:
        latest = _latest(history)
        if (welcome := _welcome(latest)) is not None:
            return welcome
        tried = {one.said for one in history}
        untried = [one for one in order if one not in tried]
        return untried[0] if untried else max(order, key=lambda one: _RANK[latest.get(one, Tone.NEUTRAL)])

    return choose


def _latest(history: Sequence[Exchange]) -> Mapping[ArgumentClass, Tone]:
    """The tone that was last heard of each class, the class that was heard of last at the end."""
    latest: dict[ArgumentClass, Tone] = {}
    for one in history:
        if one.tone is not None:
            latest.pop(one.said, None)
            latest[one.said] = one.tone
    return latest


def _welcome(latest: Mapping[ArgumentClass, Tone]) -> ArgumentClass | None:
    """The class that was positive when it was last heard of, and was so last."""
    return next((said for said in reversed(tuple(latest)) if latest[said] is Tone.POSITIVE), None)


def _win_stay(rules: Rules, rng: Random) -> Policy:
    """Stays after a positive tone and else goes to what it has used least: it finds its way again after a change."""
    order = rng.sample(APPEALS, len(APPEALS))

    def choose(history: Sequence[Exchange], sight: Sight) -> ArgumentClass:
        if (welcome := _welcome(_latest(history))) is not None:
            return welcome
        uses = Counter(one.said for one in history)
        last = history[-1].said if history else None
        return min((one for one in order if one is not last), key=lambda one: (uses[one], order.index(one)))

    return choose


def _oracle(rules: Rules, rng: Random) -> Policy:
    """Knows the hidden mind: what moves it most in this turn, said behind an answer where it has put its question."""

    def choose(history: Sequence[Exchange], sight: Sight) -> ArgumentClass:
        asked = sight.state.awaits_answer
        return max(APPEALS, key=lambda one: delta_of(rules, sight.mind, sight.state, one, answers=asked))

    return choose


def _bayes(rules: Rules, rng: Random) -> Policy:
    """Uses the class that is most probably the dominant one, given all tones so far."""
    order = rng.sample(APPEALS, len(APPEALS))
    observer = Observer(rules)

    def choose(history: Sequence[Exchange], sight: Sight) -> ArgumentClass:
        posterior = observer.posterior([(one.said, one.tone) for one in history])
        return max(order, key=lambda one: posterior[one])

    return choose


def _q_learning(rules: Rules, rng: Random) -> Policy:
    learner = q_learner(rules)

    def choose(history: Sequence[Exchange], sight: Sight) -> ArgumentClass:
        return learner.best([(one.said, one.tone) for one in history if one.tone is not None])

    return choose


_DEAF = frozenset({"do-nothing", "random", "cycle"})
_MAKERS: Mapping[PolicyName, Callable[[Rules, Random], Policy]] = {
    "do-nothing": _do_nothing,
    "random": _random,
    "cycle": _cycle,
    "adaptive": _adaptive,
    "first-positive": _first_positive,
    "first-positive-shuffled": _shuffled_first_positive,
    "win-stay": _win_stay,
    "oracle": _oracle,
    "bayes": _bayes,
    "q-learning": _q_learning,
}
