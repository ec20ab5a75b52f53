"""The character as one who listens: a message comes in, is read, moves the mind, and is answered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from dtomtrack.graphs.persuasion import Heard
from dtomtrack.items.signs import visible
from dtomtrack.scenarios.persuasion_npc.answering import answers
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.classifier import Classified, classify
from dtomtrack.suites.rhetbench.episode import EpisodeConfig, Flag, TurnRecord
from dtomtrack.suites.rhetbench.npc import MindState, TurnOutcome, opening_state, step
from dtomtrack.suites.rhetbench.replies import Reply, closing_line, pivot_question, reply_text
from dtomtrack.suites.rhetbench.rules import load_rules

__all__ = ["LONGEST", "SHORTEST", "Character", "Classifier", "Memory", "Verbalizer", "received"]

_RULES = "rules"
LONGEST = 300
SHORTEST = 10
_DECIMALS = 6


@dataclass(frozen=True)
class Memory:
    """The memory of the character: its state, the tone that the last argument drew, and the turns so far."""

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


class Verbalizer(Protocol):
    """Puts a reply into words of its own."""

    async def say(self, line: str, tone: Tone, message: str, turn: int) -> str | None:
        """The reply to a message, in other words than the line's; None if none will do, and then the line stays."""
        ...


class Character:
    """The listener of an episode (a `dtomtrack.graphs.persuasion.Listener`)."""

    def __init__(
        self,
        pack: PersuasionPack,
        config: EpisodeConfig,
        classifier: Classifier | None = None,
        verbalizer: Verbalizer | None = None,
    ) -> None:
        self._pack = pack
        self._config = config
        self._classifier = classifier
        self._verbalizer = verbalizer
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
        if self._verbalizer is not None:
            after = await self._in_other_words(before, after, self._verbalizer)
        return Heard(after.turns[-1].reply, after, after.over)

    async def _in_other_words(self, before: Memory, after: Memory, verbalizer: Verbalizer) -> Memory:
        """The same turn; the character's question, hints and last words stay as they are."""
        turn = after.turns[-1]
        if turn.argument is ArgumentClass.ASK:
            return after
        tail = self._tail(won=after.won, walked_out=after.walked_out, pivots="pivot" in turn.flags)
        line = turn.reply.removesuffix(tail).rstrip()
        tone = before.tone if self._config.legibility == "delayed" else turn.tone
        said = await verbalizer.say(line, tone, turn.message, turn.turn)
        if said is None:
            voiced = turn.model_copy(update={"flags": (*turn.flags, "unvoiced")})
        else:
            voiced = turn.model_copy(update={"reply": f"{said} {tail}".rstrip()})
        return replace(after, turns=(*before.turns, voiced))

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
        answering = before.state.awaits_answer and answers(self._question, text)
        outcome = step(self._rules, self._mind, before.state, read.argument, answers=answering)
        reply = self._reply(before, read.argument, outcome, text, answers=answering)
        seen: dict[Flag, bool] = {"mixed": read.mixed, "pivot": outcome.pivots, "answers": answering}
        flags += tuple(flag for flag, holds in seen.items() if holds)
        record = _record(text, read, outcome, reply, flags)
        if heard_as is not None:
            record = record.model_copy(update={"by_rules": by_rules.argument})
        over = outcome.over or outcome.state.turn >= self._config.turns
        # a question draws no tone: one that is voiced a reply later waits until after it
        tone = before.tone if read.argument is ArgumentClass.ASK else outcome.tone
        return Memory(outcome.state, tone, (*before.turns, record), over, outcome.won, outcome.walked_out)

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
        tail = self._tail(won=outcome.won, walked_out=outcome.walked_out, pivots=outcome.pivots)
        return f"{text} {tail}".rstrip()

    def _tail(self, *, won: bool, walked_out: bool, pivots: bool) -> str:
        """The last words, or the character's question, behind a reply; empty where there is neither."""
        if won or walked_out:
            return closing_line(self._pack, self._config.seed, won=won)
        return self._question if pivots else ""


def received(message: str) -> tuple[str, tuple[Flag, ...]]:
    """A message as it is heard: on one line, without control characters, cut at 300; and what was wrong with it."""
    head = message[: 10 * LONGEST]
    clean = visible(head)
    text = " ".join(clean.split())
    flags: tuple[Flag, ...] = ()
    if clean.replace("\n", " ") != head.replace("\n", " "):
        flags += ("cleaned",)
    if len(text) > LONGEST or len(message) > len(head):
        text, flags = text[:LONGEST].rstrip(), (*flags, "cut")
    if not text:
        return "", (*flags, "empty")
    return text, (*flags, "short") if len(text) < SHORTEST else flags


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
