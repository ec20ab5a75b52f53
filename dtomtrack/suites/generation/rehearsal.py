"""Estimates for suites whose plans come from packs, found by making a few slots with a stand-in for the models.

The stand-in is asked by the very code that will ask the models. Its replies stand in a script: lines as long as the
packs' own, and the answers of a reader who reads what was planned, so that nothing is asked for again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from dtomtrack.llm.chat import CallKey, ChatReply, ChatRequest, Usage
from dtomtrack.llm.prices import Prices, load_prices
from dtomtrack.llm.tokens import count_tokens, prompt_tokens
from dtomtrack.runs.job import Job, SlotFiller
from dtomtrack.runs.workplace import Workplace
from dtomtrack.suites.generation.estimate import Estimate, StageEstimate, stage_estimate
from dtomtrack.suites.generation.stage_models import StageModels

if TYPE_CHECKING:
    from dtomtrack.llm.options import AnyModel

__all__ = ["RehearsableJob", "Script", "estimate_generation"]

_REHEARSED = 12

Script = Mapping[CallKey, str]
"""The reply to each call of a slot whose first attempt is kept."""


@runtime_checkable
class RehearsableJob(Protocol):
    """A job with models that can say beforehand what they will be asked for."""

    @property
    def models(self) -> StageModels | None:
        """The language models; None where none takes part."""
        ...

    def first_attempt(self, models: StageModels) -> Self:
        """The same job with other models, which tries each slot once."""
        ...

    async def script(self, index: int) -> Script:
        """Replies with which the first attempt at a slot is kept."""
        ...

    def open(self, place: Workplace) -> AbstractAsyncContextManager[SlotFiller]:
        """Get ready for work in this process."""
        ...


@dataclass
class _StandIn:
    """Says what stands in a script, and counts what it is asked (a `dtomtrack.llm.chat.ChatModel`)."""

    name: str
    script: Script = field(default_factory=dict)
    calls: int = 0
    prompts: int = 0
    replies: int = 0

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The reply of the script."""
        text = self.script[request.call]
        self.calls += 1
        self.prompts += prompt_tokens(request)
        self.replies += count_tokens(text)
        return ChatReply(text, "stop", Usage(0, 0))

    def estimate(self, model: AnyModel, scale: float, prices: Prices) -> StageEstimate:
        """The estimate of the stage that this stands in for, of so many times what was rehearsed."""
        usage = Usage(round(self.prompts * scale), round(self.replies * scale))
        return stage_estimate(self.name, model, self.calls * scale, usage, prices)


def estimate_generation(job: Job, n: int) -> Estimate:
    """The estimate of a run that fills so many slots, from its first slot on.

    Raises:
        ModelSpecError: the table of prices can't be used.
    """
    if not isinstance(job, RehearsableJob) or job.models is None:
        return Estimate(n, 0, ())
    return asyncio.run(_estimate(job, job.models, n))


async def _estimate(job: RehearsableJob, models: StageModels, n: int) -> Estimate:
    models_of = {"actor": models.actor, "verifier": models.verifier}
    taking_part = {stage: model for stage, model in models_of.items() if model is not None}
    prices = load_prices(models.client.prices)
    stand_ins = {stage: _StandIn(stage) for stage in taking_part}
    # drawn, not the first ones: domains take turns, and some talk more than others
    slots = Random(0).sample(range(n), min(_REHEARSED, n))  # noqa: S311 - the same estimate each time
    await _rehearse(job, stand_ins, slots)
    found = (one.estimate(taking_part[stage], n / len(slots), prices) for stage, one in stand_ins.items())
    return Estimate(n, len(slots), tuple(found))


async def _rehearse(job: RehearsableJob, stand_ins: Mapping[str, _StandIn], slots: Sequence[int]) -> None:
    once = job.first_attempt(StageModels(actor=stand_ins.get("actor"), verifier=stand_ins.get("verifier")))
    async with once.open(Workplace()) as fill:
        for index in slots:
            script = await job.script(index)
            for one in stand_ins.values():
                one.script = script
            await fill(index)
