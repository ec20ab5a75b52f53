"""Filling slots: attempts until a dialogue is kept, in slot order, as many at once as asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING

from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.graphs.roleplay import Attempt, Workshop, play
from dtomtrack.runs.in_order import in_order
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.slot_result import SlotResult

if TYPE_CHECKING:
    from dtomtrack.llm.clients import Clients
    from dtomtrack.suites.dtom.stage_models import StageModels

__all__ = ["cast_workshop", "fill_slot", "fill_slots", "open_workshop"]


def open_workshop(packs: Mapping[str, DomainPack], scenarios: Mapping[int, Scenario] | None = None) -> Workshop:
    """A workshop for these domains."""
    return Workshop({name: Domain(pack) for name, pack in packs.items()}, scenarios)


async def cast_workshop(
    config: RunConfig,
    packs: Mapping[str, DomainPack],
    scenarios: Mapping[int, Scenario] | None,
    models: StageModels,
    clients: Clients,
) -> Workshop:
    """A workshop for these domains in which language models take part.

    Raises:
        ModelSpecError: a model can't be used as it is named.
    """
    # imported late: scripted runs don't need them
    from dtomtrack.scenarios.acting.model_actor import ActorSettings, ModelActor
    from dtomtrack.scenarios.writing.writer import ScenarioWriter
    from dtomtrack.verifiers.judging.judge import Judge

    how = config.models
    if how is None:
        raise ValueError("a run with models has to say in its configuration how they are asked")
    domains = {name: Domain(pack) for name, pack in packs.items()}
    sparse = how.actor is not None and how.actor_style == "two-call"
    writers, actor, judge = None, None, None
    if models.scenario is not None:
        model = await clients.open(models.scenario)
        writers = {
            name: ScenarioWriter(model, pack, style=how.scenario_style, temperature=how.temperature, sparse=sparse)
            for name, pack in packs.items()
        }
    if models.actor is not None:
        settings = ActorSettings(how.actor_style, how.turn_format, how.turn_retries, how.temperature, config.seed)
        actor = ModelActor(await clients.open(models.actor), settings)
    if models.verifier is not None:
        graded = {"correctness": how.threshold, "soundness": how.threshold, "quality": how.threshold}
        judge = Judge(await clients.open(models.verifier), seed=config.seed, **graded)
    return Workshop(
        domains, scenarios, writers, actor, judge, sparse, own_words=actor is not None, desk=asyncio.Semaphore(1)
    )


async def fill_slot(workshop: Workshop, config: RunConfig, index: int) -> SlotResult:
    """Try a slot until a dialogue is kept or its attempts are used up."""
    rejections: list[Rejection] = []
    for number in range(config.max_attempts):
        attempt: Attempt = {
            "domains": list(config.domains),
            "seed": config.seed,
            "index": index,
            "attempt": number,
            "length": config.turns,
        }
        outcome = await play(workshop, attempt)
        rejections += outcome.rejections
        if outcome.dialogue is not None:
            return SlotResult(index, outcome.dialogue, outcome.questions, tuple(rejections))
    rejections.append(
        Rejection(
            slot=index,
            attempt=config.max_attempts - 1,
            generator=config.generator,
            stage="slot",
            reason="attempts used up",
            detail=f"{config.max_attempts} of {config.max_attempts}",
        )
    )
    return SlotResult(index, None, (), tuple(rejections))


async def fill_slots(
    workshop: Workshop, config: RunConfig, indices: Iterable[int], concurrency: int
) -> AsyncGenerator[SlotResult, None]:
    """Fill slots, at most ``concurrency`` at once, and yield them in the order of ``indices``."""
    async with aclosing(in_order(partial(fill_slot, workshop, config), indices, concurrency)) as filled:
        async for slot in filled:
            yield slot
