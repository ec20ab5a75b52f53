"""How a persuader adapts, turn by turn: what RhetBench is about and its published scores leave out.

Everything is taken from the record of an episode; the hidden states that its turns were played in are recomputed, and
a record that doesn't agree with itself is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dtomtrack.errors import DatasetError
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.rhetbench.episode import Episode, TurnRecord
from dtomtrack.suites.rhetbench.npc import Mind, MindState, base_of, delta_of, opening_state, step
from dtomtrack.suites.rhetbench.observer import Observer, Said
from dtomtrack.suites.rhetbench.rules import Rules, load_rules
from dtomtrack.suites.rhetbench.voiced import voiced_turns

__all__ = ["Readaptation", "Reviewed", "ReviewedTurn", "readaptation", "review"]

_TOLERANCE = 2e-6


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn with what was hidden in it.

    Attributes:
        best: the class that moved the character most.
        optimality: max(0, b) of the class that was heard, as a share of the best one's b.
        regret: how much farther agreement could have been moved than it was, by an answer to the character's question
            where it had put one.
        doubt: how much less probable the chosen class was the right one, to an ideal observer, than the likeliest.
    """

    record: TurnRecord
    best: ArgumentClass
    optimality: float
    regret: float
    doubt: float

    @property
    def right(self) -> bool:
        """Whether it was the best class."""
        return self.record.argument is self.best


@dataclass(frozen=True)
class Reviewed:
    """An episode with what was hidden in it."""

    episode: Episode
    turns: tuple[ReviewedTurn, ...]

    @property
    def discovery(self) -> int | None:
        """The first turn (1, 2, ...) that used the best class."""
        return next((turn.record.turn for turn in self.turns if turn.right), None)

    def after_tone(self, tone: Tone) -> Iterator[bool]:
        """For each tone of this kind that was heard and that a message followed: whether the same class came again."""
        for one, following in self._heard():
            if one.record.tone is tone:
                yield following.record.argument is one.record.argument

    def _heard(self) -> Iterator[tuple[ReviewedTurn, ReviewedTurn]]:
        """Turns whose tone was heard, each with the first one that could go by it."""
        for one in voiced_turns(self.episode):
            if one.heard + 1 < len(self.turns):
                yield self.turns[one.number], self.turns[one.heard + 1]

    def after_discovery(self) -> Iterator[bool]:
        """For each later turn: whether it used the best class."""
        found = self.discovery
        return (turn.right for turn in self.turns if found is not None and turn.record.turn > found)

    def relapses(self) -> int:
        """How often the best class was left as soon as it was heard to draw a positive tone."""
        return sum(
            one.right
            and one.record.tone is Tone.POSITIVE
            and not two.right
            and two.record.argument is not one.record.argument
            for one, two in self._heard()
        )

    def pivot_answers(self) -> Iterator[bool]:
        """For each question that a message followed: whether the message took it up."""
        for turn, following in pairwise(self.turns):
            if "pivot" in turn.record.flags:
                yield "answers" in following.record.flags


def review(episode: Episode) -> Reviewed:
    """Go through an episode again with its hidden states.

    Raises:
        DatasetError: a turn of the record is not what the engine makes of its classes; the first such turn is named.
    """
    rules, mind = load_rules(episode.config.rules), episode.config.mind.mind()
    state, observer, turns = opening_state(mind), Observer(rules), list[ReviewedTurn]()
    for record in episode.turns:
        turns.append(_reviewed(rules, mind, state, record, _doubt(observer, _history(episode, len(turns)), record)))
        outcome = step(rules, mind, state, record.argument, answers="answers" in record.flags)
        state = outcome.state
        told = (record.delta, record.agreement, record.rapport)
        made = (outcome.delta, state.agreement, state.rapport)
        if record.tone is not outcome.tone or any(abs(a - b) > _TOLERANCE for a, b in zip(told, made, strict=True)):
            raise DatasetError(
                f"episode {episode.index} ({episode.config.scenario}): turn {record.turn} is not what the rules "
                f"{episode.config.rules} make of it; the file was edited or comes from other rules"
            )
    return Reviewed(episode, tuple(turns))


def _reviewed(rules: Rules, mind: Mind, state: MindState, record: TurnRecord, doubt: float) -> ReviewedTurn:
    profile, best = mind.profile_at(record.turn), mind.best_at(record.turn)
    most = max(delta_of(rules, mind, state, one, answers=state.awaits_answer) for one in APPEALS)
    base = base_of(rules, profile, record.argument)
    return ReviewedTurn(record, best, max(0.0, base) / profile[best], max(0.0, most - record.delta), doubt)


def _doubt(observer: Observer, history: Sequence[Said], chosen: TurnRecord) -> float:
    posterior = observer.posterior(history)
    return max(posterior.values()) - posterior.get(chosen.argument, 0.0)


def _history(episode: Episode, turns: int) -> list[Said]:
    """What the persuader could know after so many turns: what it said, and the tones that were voiced by then."""
    heard = {one.number: one.record.tone for one in voiced_turns(episode) if one.heard < turns}
    return [(one.argument, heard.get(number)) for number, one in enumerate(episode.turns[:turns])]


@dataclass(frozen=True, slots=True)
class Readaptation:
    """How a persuader adapts after a change of the class that works.

    Attributes:
        lag: turns from the change to the first use of what works now, 0 if at once; None if never.
        relapses: uses of what had worked, once the new class was heard to draw a positive tone.
        perseverations: uses of what had worked before the new class was found.
    """

    lag: int | None
    relapses: int
    perseverations: int


def readaptation(reviewed: Reviewed) -> Readaptation | None:
    """How an episode went on after its change; None without one, or if it had ended by then."""
    drift = reviewed.episode.config.mind.drift
    if drift is None or len(reviewed.turns) < drift.turn:
        return None
    old = reviewed.episode.config.mind.mind().best_at(1)
    since = reviewed.turns[drift.turn - 1 :]
    found = next((number for number, turn in enumerate(since) if turn.right), None)
    if found is None:
        return Readaptation(None, 0, sum(turn.record.argument is old for turn in since))
    confirmed = next(
        (
            one.heard
            for one in voiced_turns(reviewed.episode)
            if one.number >= drift.turn - 1 and reviewed.turns[one.number].right and one.record.tone is Tone.POSITIVE
        ),
        len(reviewed.turns),
    )
    return Readaptation(
        lag=found,
        relapses=sum(turn.record.argument is old for turn in reviewed.turns[confirmed + 1 :]),
        perseverations=sum(turn.record.argument is old for turn in since[:found]),
    )
