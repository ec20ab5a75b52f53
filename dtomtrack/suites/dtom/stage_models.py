"""Who does what in a run with language models: writer, actors and judge, each with its model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.llm.chat import ChatModel
from dtomtrack.llm.clients import Clients, ClientSettings
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.slot_result import SlotLines

__all__ = ["Cast", "produce_with_models"]

_DIALOGUES_A_CALL = 2
"""Dialogues under way for each call that may be: so many that the models never wait for a dialogue."""

AnyModel = ModelSpec | ChatModel


@dataclass(frozen=True)
class Cast:
    """The models of a run; None where a stage has none. Their names and how they are asked are in `RunConfig`."""

    scenario: AnyModel | None = None
    actor: AnyModel | None = None
    verifier: AnyModel | None = None
    client: ClientSettings = field(default_factory=ClientSettings)


async def produce_with_models(
    config: RunConfig,
    packs: Mapping[str, DomainPack],
    scenarios: Mapping[int, Scenario] | None,
    cast: Cast,
    clients: Clients,
    start: int,
    stop: int,
) -> AsyncGenerator[SlotLines, None]:
    """Slots ``start`` to ``stop - 1``, in order.

    Raises:
        ModelError: a model gives no answer.
        ModelSpecError: a model can't be used as it is named.
    """
    # imported late: LangGraph takes half a second
    from dtomtrack.suites.dtom.generation import build_model_context, fill_slots

    context = await build_model_context(config, packs, scenarios, cast, clients)
    at_once = cast.client.concurrency * _DIALOGUES_A_CALL
    async with aclosing(fill_slots(context, config, range(start, stop), at_once)) as filled:
        async for slot in filled:
            yield slot.lines()
