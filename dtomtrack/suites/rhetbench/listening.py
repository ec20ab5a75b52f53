"""The character as one who listens: a message comes in, is read, moves the mind, and is answered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from dtomtrack.graphs.persuasion import Heard
from dtomtrack.items.words import stems
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.classifier import Classified, classify
from dtomtrack.suites.rhetbench.episode import EpisodeConfig, Flag, TurnRecord
from dtomtrack.suites.rhetbench.npc import MindState, TurnOutcome, opening_state, step
from dtomtrack.suites.rhetbench.replies import Reply, closing_line, pivot_question, reply_text
from dtomtrack.suites.rhetbench.rules import load_rules

__all__ = ["LONGEST", "SHORTEST", "Character", "Classifier", "Memory", "answers", "received"]

_RULES = "rules"
LONGEST = 300
SHORTEST = 10
_DECIMALS = 6
_SHARED_STEMS = 2


@dataclass(frozen=True)
class Memory:
    """The memory of the character: its state, the tone of its last reply, and the turns so far."""

    state: MindState
    tone: Tone = Tone.NEUTRAL
    turns: tuple[TurnRecord, ...] = ()
    over: bool = False
    won: bool = False
    walked_out: bool = False


class Classifier(Protocol):
    """Says which kind of argument a message is, in place of the rules."""

    async def read(self, message: str, turn: int) -> ArgumentClass | None:
        """The kind; None if there is no telling, and then the rules do."""
        ...


class Character:
    """The listener of an episode (a `dtomtrack.graphs.persuasion.Listener`)."""

    def __init__(self, pack: PersuasionPack, config: EpisodeConfig, classifier: Classifier | None = None) -> None:
        self._pack = pack
        self._config = config
        self._classifier = classifier
        self._rules = load_rules(config.rules)
        self._mind = config.mind.mind()
        self._question = pivot_question(pack, config.seed)

    async def hear(self, memory: object | None, message: str) -> Heard:
        """A turn."""
        before = memory if isinstance(memory, Memory) else self.opening()
        if self._classifier is None:
            after = self.after(before, message)
        else:
            text, _ = received(message)
            heard = await self._classifier.read(text, before.state.turn + 1) if text else None
            after = self.after(before, message, heard)
        return Heard(after.turns[-1].reply, after, after.over)

    def opening(self) -> Memory:
        """The memory before the first turn."""
        return Memory(opening_state(self._mind))

    def after(self, before: Memory, message: str, heard_as: ArgumentClass | None = None) -> Memory:
        """The memory of the character after a message; ``heard_as`` is its class where the rules don't decide."""
        text, flags = received(message)
        by_rules = classify(text, asks=self._rules.asks, strips_openers=self._rules.strips_openers)
        read = by_rules if heard_as is None else replace(by_rules, argument=heard_as, mixed=False)
        if self._config.classifier != _RULES and heard_as is None and text:
            flags += ("unread",)
        answering = before.state.asked == before.state.turn > 0 and answers(self._question, text)
        outcome = step(self._rules, self._mind, before.state, read.argument, answers=answering)
        reply = self._reply(before, read.argument, outcome, text, answers=answering)
        seen: dict[Flag, bool] = {"mixed": read.mixed, "pivot": outcome.pivots, "answers": answering}
        flags += tuple(flag for flag, holds in seen.items() if holds)
        record = _record(text, read, outcome, reply, flags)
        if heard_as is not None:
            record = record.model_copy(update={"by_rules": by_rules.argument})
        over = outcome.over or outcome.state.turn >= self._config.turns
        return Memory(outcome.state, outcome.tone, (*before.turns, record), over, outcome.won, outcome.walked_out)

    def _reply(self, before: Memory, heard: ArgumentClass, outcome: TurnOutcome, message: str, *, answers: bool) -> str:
        reply = Reply(
            seed=self._config.seed,
            turn=outcome.state.turn,
            heard=heard,
            tone=outcome.tone,
            before=before.tone,
            uses=before.state.uses.get(heard, 0),
            hint=self._mind.best_at(outcome.state.turn + 1),
            message=message,
            legibility=self._config.legibility,
            answers=answers,
        )
        text = reply_text(self._pack, reply)
        if outcome.over:
            return f"{text} {closing_line(self._pack, self._config.seed, won=outcome.won)}"
        return f"{text} {self._question}" if outcome.pivots else text


def received(message: str) -> tuple[str, tuple[Flag, ...]]:
    """A message as it is heard: on one line, without control characters, cut at 300; and what was wrong with it."""
    head = message[: 10 * LONGEST]
    clean = "".join(one if one.isprintable() else " " for one in head)
    text = " ".join(clean.split())
    flags: tuple[Flag, ...] = ()
    if clean.replace("\n", " ") != head.replace("\n", " "):
        flags += ("cleaned",)
    if len(text) > LONGEST or len(message) > len(head):
        text, flags = text[:LONGEST].rstrip(), (*flags, "cut")
    if not text:
        return "", (*flags, "empty")
    return text, (*flags, "short") if len(text) < SHORTEST else flags


def answers(question: str, message: str) -> bool:
    """Whether a message takes up a question: it shares two of its content words."""
    return len(stems(question) & stems(message)) >= _SHARED_STEMS


def _record(text: str, read: Classified, outcome: TurnOutcome, reply: str, flags: tuple[Flag, ...]) -> TurnRecord:
    return TurnRecord(
        turn=outcome.state.turn,
        message=text,
        scores={one: score for one, score in read.scores.items() if score},
        argument=read.argument,
        delta=round(outcome.delta, _DECIMALS),
        agreement=round(outcome.state.agreement, _DECIMALS),
        rapport=round(outcome.state.rapport, _DECIMALS),
        tone=outcome.tone,
        reply=reply,
        flags=flags,
    )
