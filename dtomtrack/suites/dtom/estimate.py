"""The calls, tokens and dollars of a run with language models, found out without calling any.

A few slots are rehearsed: scripted actors play them, and the very code that will ask the models writes its prompts
around what was said; the prompts are counted, and so are the replies, as long as the scripted ones were. Nobody knows
beforehand how often something has to be asked for again: the figures are those of a run in which nothing is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.errors import ReplyError
from dtomtrack.graphs.context import Actor, RoleplayContext
from dtomtrack.graphs.next_turn import Parts
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.prices import load_prices
from dtomtrack.llm.tokens import count_tokens, prompt_tokens
from dtomtrack.runs.slots import Slot
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.acting.character import Heard, characters
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.structure import structure_of
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.generation import build_context, fill_slots
from dtomtrack.suites.dtom.job import DtomJob
from dtomtrack.suites.generation.estimate import Estimate, stage_estimate
from dtomtrack.suites.generation.stage_models import StageModels
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.judging.judged import JudgedUpdates

__all__ = ["estimate"]

_REHEARSED, _REHEARSED_IN_ALL = 4, 16
"""Slots of each length that are rehearsed, and of all lengths."""
_CALLS_OF_A_PLAN = 3
"""Calls of the planned style, beside one for each topic: names, setting, and values that were too few."""
_AN_ANSWER = 120
"""Tokens of an answer in free text."""


class _Enough(Exception):
    """The prompts of this piece of work are counted."""


@dataclass
class _Rehearsal:
    """A stand-in that counts what it is asked, and answers so that the next thing is asked.

    Attributes:
        line: that it says next, as an actor.
    """

    name: str
    calls: int = 0
    prompts: int = 0
    replies: int = 0
    line: str | None = None

    async def chat(self, request: ChatRequest) -> ChatReply:
        """An answer of the length to expect.

        Raises:
            _Enough: something is asked for again.
        """
        if request.call.try_ > 0:
            raise _Enough
        text, tokens = self._answer(request)
        self.calls += 1
        self.prompts += prompt_tokens(request)
        self.replies += tokens
        best = {choice: float(choice == request.choices[-1]) for choice in request.choices} or None
        return ChatReply(text, "stop", Usage(0, 0), best)

    def usage(self, scale: float) -> Usage:
        """The tokens so far, so many times."""
        return Usage(round(self.prompts * scale), round(self.replies * scale))

    def _answer(self, request: ChatRequest) -> tuple[str, int]:
        if request.choices:
            return request.choices[-1], 1
        if self.line is not None:
            return self.line, count_tokens(self.line)
        if request.schema is not None:
            return "", request.max_tokens // 2
        return "A", _AN_ANSWER


def estimate(job: DtomJob, n: int, first: int = 0) -> Estimate:
    """The estimate of a run that fills so many slots, from the first one on.

    Raises:
        ModelSpecError: the table of prices can't be used.
    """
    return asyncio.run(_estimate(job, range(first, first + n)))


async def _estimate(job: DtomJob, slots: range) -> Estimate:
    if job.models is None:
        return Estimate(len(slots), 0, ())
    stages = {"scenario": job.models.scenario, "actor": job.models.actor, "verifier": job.models.verifier}
    models = {stage: model for stage, model in stages.items() if model is not None}
    totals = {stage: _Total() for stage in models}
    rehearsed = 0
    for length, number in job.config.slots_by_length(slots).items():
        own = _rehearsed(job.config, slots, length)
        for stage, part in (await _rehearse(job, models, own)).items():
            totals[stage].add(part, number / len(own))
        rehearsed += len(own)
    prices = load_prices(job.models.client.prices)
    found = (stage_estimate(stage, models[stage], one.calls, one.usage, prices) for stage, one in totals.items())
    return Estimate(len(slots), rehearsed, tuple(found))


@dataclass
class _Total:
    """What a stage takes, over all lengths."""

    calls: float = 0.0
    usage: Usage = field(default_factory=partial(Usage, 0, 0))

    def add(self, part: _Rehearsal, scale: float) -> None:
        """What a rehearsal took, so many times."""
        self.calls += part.calls * scale
        self.usage += part.usage(scale)


def _rehearsed(config: RunConfig, slots: range, length: int) -> Sequence[int]:
    """The slots of a length that are rehearsed: its first few, fewer where there are many lengths."""
    most = max(1, min(_REHEARSED, _REHEARSED_IN_ALL // len(config.lengths)))
    in_sight = slots[: config.a_round * len(config.lengths)]
    return [index for index in in_sight if config.turns_of(index) == length][:most]


async def _rehearse(job: DtomJob, models: Iterable[str], slots: Sequence[int]) -> Mapping[str, _Rehearsal]:
    """What the stages are asked in these slots."""
    parts = {stage: _Rehearsal(stage) for stage in models}
    stand_ins = StageModels(parts.get("scenario"), parts.get("actor"), parts.get("verifier"))
    async with replace(job, scenarios=None, models=stand_ins).context(Workplace()) as context:
        scripted = build_context(job.config, job.packs)
        async for slot in fill_slots(scripted, job.config, slots, concurrency=1):
            if slot.dialogue is not None:
                await _Pieces(context, job.config, parts).rehearse(slot.dialogue, slot.questions)
    return parts


@dataclass(frozen=True)
class _Pieces:
    """The rehearsal around one scripted dialogue."""

    context: RoleplayContext
    config: RunConfig
    parts: Mapping[str, _Rehearsal]

    async def rehearse(self, dialogue: Dialogue, questions: tuple[Question, ...]) -> None:
        """Write its scenario, play its turns and verify it."""
        slot = self.config.slot(dialogue.slot)
        attempt = dialogue.provenance.attempt
        if self.context.writers is not None:
            await self._write(slot, attempt)
        if self.context.actor is not None:
            await self._play(self.context.actor, dialogue, slot, attempt)
        for verifier in self.context.verifiers:
            if isinstance(verifier, JudgedUpdates):
                await _judge(verifier.judge, dialogue, questions)

    async def _write(self, slot: Slot, attempt: int) -> None:
        writers, turns = self.context.writers or {}, self.config.turns_of(slot.index)
        part = self.parts["scenario"]
        before = part.prompts, part.replies
        with suppress(_Enough, ReplyError):
            await writers[slot.domain].write(slot, attempt, turns)
        if self.config.models is not None and self.config.models.scenario_style == "planned":
            structure = structure_of(slot, turns, self.context.difficulty)
            more = _CALLS_OF_A_PLAN - 1 + structure.updates + structure.stable
            part.calls += more
            part.prompts += more * (part.prompts - before[0])
            part.replies += more * (part.replies - before[1])

    async def _play(self, actor: Actor, dialogue: Dialogue, slot: Slot, attempt: int) -> None:
        pack = self.context.domains[slot.domain].pack
        turns = self.config.turns_of(slot.index)
        directed = sample_scenario(pack, slot, attempt, turns, self.context.difficulty)
        played = characters(directed, (slot.index, attempt), lambda turn: slot.random(attempt, "turn", turn))
        parts, said = Parts(directed.scenario, played), list[Heard]()
        for turn in dialogue.turns:
            words = " ".join(one.text for one in turn.inner_speech)
            self.parts["actor"].line = f"({words}) {turn.utterance}"
            with suppress(_Enough):
                now = parts.next_turn(said)
                await actor.play(now.part, turn.index, now.heard)
            said.append(Heard(turn.index, turn.speaker, turn.utterance))


async def _judge(judge: Judge, dialogue: Dialogue, questions: tuple[Question, ...]) -> None:
    """All that there is to judge, whatever the stand-in says."""
    attempt = dialogue.provenance.attempt
    await judge.updates(dialogue.scenario, dialogue.turns, dialogue.slot, attempt)
    for question in questions:
        await judge.question(dialogue, question)
        await judge.answerable(dialogue, question)
