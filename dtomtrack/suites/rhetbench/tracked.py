"""An episode as a dialogue with minds in it: what is said, what each side feels or thinks of the other, since when.

The character's inner speech says how an argument of each kind was last taken, and how far it has come towards agreeing;
the persuader's says what could be heard of that in the replies, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dtomtrack.beliefs.dialogue import InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.items.item import ContextLine
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.suites.rhetbench.episode import Episode, TurnRecord

__all__ = ["KINDS", "TAKEN", "TrackedEpisode", "line_of_message", "line_of_reply"]

PERSUADER = "the persuader"
_AGREEMENT = "agreement"

KINDS: Mapping[ArgumentClass, str] = {
    ArgumentClass.LOGICAL: "figures, evidence and reasons",
    ArgumentClass.EMOTIONAL: "fears, hopes and feelings",
    ArgumentClass.SOCIAL_PROOF: "what most others do",
    ArgumentClass.AUTHORITY: "what experts and institutions say",
    ArgumentClass.ANECDOTE: "the story of somebody it happened to",
    ArgumentClass.CONCESSION: "admitting where the other side is right",
}
"""The kinds of argument in words, for questions."""
TAKEN: Mapping[Tone, str] = {
    Tone.POSITIVE: "won over a little by",
    Tone.NEUTRAL: "hardly moved by",
    Tone.RESISTANT: "put off by",
}
"""How an argument is taken, after "feels"."""


def line_of_message(turn: int) -> int:
    """The line (the opening is 0) of a message; turns count from 1."""
    return 2 * turn - 1


def line_of_reply(turn: int) -> int:
    """The line of the reply to a message."""
    return 2 * turn


@dataclass(frozen=True)
class TrackedEpisode:
    """An episode and the tracker that has read its minds."""

    episode: Episode
    briefing: Briefing
    tracker: BeliefTracker

    @classmethod
    def of(cls, episode: Episode, briefing: Briefing) -> TrackedEpisode:
        """An episode, tracked."""
        return cls(episode, briefing, BeliefTracker.of(_turns(episode, briefing)))

    @property
    def messages(self) -> int:
        """The number of messages of the persuader."""
        return len(self.episode.turns)

    def taken(self, kind: ArgumentClass, line: int) -> Tone | None:
        """How the character last took an argument of a kind, by the end of a line; None if it had heard none."""
        return self._tone(StateKey(self.briefing.name, kind), line)

    def known(self, kind: ArgumentClass, line: int) -> Tone | None:
        """How the persuader has reason to think that such an argument was last taken; None if it used none."""
        return self._tone(StateKey(PERSUADER, kind, self.briefing.name), line)

    def agreement(self, line: int) -> float:
        """The character's agreement by the end of a line."""
        record = self.tracker.at(StateKey(self.briefing.name, _AGREEMENT), line)
        return self.episode.config.mind.start if record is None else float(record.content.rsplit(" ", 1)[-1])

    def reached(self, share: float) -> int | None:
        """The message with which agreement came this share of the way from its start to what wins; None if none did."""
        mind = self.episode.config.mind
        level = mind.start + share * (mind.threshold - mind.start)
        return next((k for k in range(1, self.messages + 1) if self.agreement(line_of_reply(k)) >= level), None)

    def lines(self, messages: int) -> tuple[ContextLine, ...]:
        """All that a spectator sees and hears up to the reply to a message: who wants what of whom, then every line."""
        told = self.briefing
        about = f"{told.context} Somebody wants {told.name}, {told.role}, to {told.position}."
        return (ContextLine("", about), ContextLine(told.name, told.opening), *self._spoken(messages))

    def _spoken(self, messages: int) -> Iterator[ContextLine]:
        for turn in self.episode.turns[:messages]:
            yield ContextLine(f"Persuader, message {turn.turn}", turn.message)
            yield ContextLine(self.briefing.name, turn.reply)

    def _tone(self, key: StateKey, line: int) -> Tone | None:
        record = self.tracker.at(key, line)
        if record is None:
            return None
        return next(tone for tone, words in TAKEN.items() if record.content.startswith(words))


def _turns(episode: Episode, briefing: Briefing) -> Iterator[Turn]:
    start = _agreement(episode.config.mind.start)
    yield Turn(index=0, speaker=briefing.name, inner_speech=(start,), utterance=briefing.opening)
    heard: tuple[InnerSpeech, ...] = ()
    for turn in episode.turns:
        yield Turn(
            index=line_of_message(turn.turn), speaker=PERSUADER, inner_speech=heard, utterance=turn.message or "..."
        )
        feels = tuple(thought(MentalState.EMOTION, content, turn.argument) for content in _taken(turn))
        thoughts = (*feels, _agreement(turn.agreement))
        yield Turn(index=line_of_reply(turn.turn), speaker=briefing.name, inner_speech=thoughts, utterance=turn.reply)
        heard = tuple(second_order(briefing.name, MentalState.EMOTION, one.content, one.topic) for one in feels)


def _taken(turn: TurnRecord) -> list[str]:
    """How the argument of a turn was taken; nothing where it was none."""
    return [f"{TAKEN[turn.tone]} {KINDS[turn.argument]}"] if turn.argument in APPEALS else []


def _agreement(value: float) -> InnerSpeech:
    return thought(MentalState.BELIEF, f"my agreement stands at {value:.6f}", _AGREEMENT)
