"""Filling slots: attempts until a dialogue is kept, in slot order, as many at once as asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING

from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.graphs.context import Actor, RoleplayContext, Writer
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.runs.in_order import in_order
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.generation.model_config import ModelConfig
from dtomtrack.verifiers.review import RULES
from dtomtrack.verifiers.verifier import Verifier

if TYPE_CHECKING:
    from dtomtrack.llm.clients import Clients
    from dtomtrack.suites.generation.stage_models import StageModels

__all__ = ["build_context", "build_model_context", "fill_slot", "fill_slots"]


def build_context(
    config: RunConfig, packs: Mapping[str, DomainPack], scenarios: Mapping[int, Scenario] | None = None
) -> RoleplayContext:
    """A context for these domains in which the program's own actors play."""
    return RoleplayContext(_domains(config, packs), scenarios, difficulty=config.played_difficulty)


async def build_model_context(
    config: RunConfig,
    packs: Mapping[str, DomainPack],
    scenarios: Mapping[int, Scenario] | None,
    models: StageModels,
    clients: Clients,
) -> RoleplayContext:
    """A context for these domains in which language models take part.

    Raises:
        ModelSpecError: a model can't be used as it is named.
    """
    how = config.models
    if how is None:
        raise ValueError("a run with models has to say in its configuration how they are asked")
    actor = await _actor(config, how, models, clients)
    return RoleplayContext(
        _domains(config, packs),
        scenarios,
        await _writers(config, how, packs, models, clients),
        actor,
        await _verifiers(config, how, models, clients),
        config.played_difficulty,
        paraphrased=actor is not None,
        compute_lock=asyncio.Semaphore(1),
    )


def _domains(config: RunConfig, packs: Mapping[str, DomainPack]) -> dict[str, Domain]:
    return {name: Domain(pack, several=config.difficulty.comes_apart) for name, pack in packs.items()}


async def _writers(
    config: RunConfig, how: ModelConfig, packs: Mapping[str, DomainPack], models: StageModels, clients: Clients
) -> dict[str, Writer] | None:
    """Who writes the scenarios; nobody where minds come apart, as these are planned."""
    if models.scenario is None or config.difficulty.comes_apart:
        return None
    # imported late, as all that scripted runs don't need
    from dtomtrack.scenarios.writing.writer import ScenarioWriter

    model = await clients.open(models.scenario)
    style, temperature, difficulty = how.scenario_style, how.temperature, config.played_difficulty
    return {
        name: ScenarioWriter(model, pack, style=style, temperature=temperature, difficulty=difficulty)
        for name, pack in packs.items()
    }


async def _actor(config: RunConfig, how: ModelConfig, models: StageModels, clients: Clients) -> Actor | None:
    if models.actor is None:
        return None
    from dtomtrack.scenarios.acting.model_actor import ActorSettings, ModelActor

    settings = ActorSettings(how.actor_style, how.turn_format, how.turn_retries, how.temperature, config.seed)
    return ModelActor(await clients.open(models.actor), settings)


async def _verifiers(
    config: RunConfig, how: ModelConfig, models: StageModels, clients: Clients
) -> tuple[Verifier, ...]:
    """Rules, and behind them a model, if one verifies."""
    if models.verifier is None:
        return RULES
    from dtomtrack.verifiers.judging.judge import Judge
    from dtomtrack.verifiers.judging.judged import judged_by

    judge = Judge(await clients.open(models.verifier), seed=config.seed, **how.grades)
    return RULES + judged_by(judge)


async def fill_slot(context: RoleplayContext, config: RunConfig, index: int) -> SlotResult:
    """Try a slot until a dialogue is kept or its attempts are used up."""
    rejections: list[Rejection] = []
    for number in range(config.max_attempts):
        attempt: Attempt = {
            "domains": list(config.domains),
            "seed": config.seed,
            "index": index,
            "attempt": number,
            "length": config.turns_of(index),
        }
        # what never waits is played without a look at what else there is to do
        await asyncio.sleep(0)
        reviewed = await play(context, attempt)
        rejections += reviewed.rejections
        if reviewed.dialogue is not None:
            return SlotResult(index, reviewed.dialogue, reviewed.questions, tuple(rejections))
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
    context: RoleplayContext, config: RunConfig, indices: Iterable[int], concurrency: int
) -> AsyncGenerator[SlotResult, None]:
    """Fill slots, at most ``concurrency`` at once, and yield them in the order of ``indices``."""
    async with aclosing(in_order(partial(fill_slot, context, config), indices, concurrency)) as filled:
        async for slot in filled:
            yield slot
