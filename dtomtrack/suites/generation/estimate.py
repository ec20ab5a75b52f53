"""Estimates of a run with language models: calls, tokens and dollars by stage."""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.llm.chat import Usage
from dtomtrack.llm.options import AnyModel
from dtomtrack.llm.prices import Prices
from dtomtrack.llm.spec import ModelSpec

__all__ = ["Estimate", "StageEstimate", "stage_estimate"]


@dataclass(frozen=True)
class StageEstimate:
    """The estimate of one stage; ``cost`` is in US dollars, None where nobody knows the price."""

    stage: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True)
class Estimate:
    """The estimate of a run.

    Attributes:
        slots: how many are to be filled.
        rehearsed: from how many this was found out.
    """

    slots: int
    rehearsed: int
    stages: tuple[StageEstimate, ...]


def stage_estimate(stage: str, model: AnyModel, calls: float, usage: Usage, prices: Prices) -> StageEstimate:
    """The estimate of a stage from its calls and tokens, at the model's price."""
    price = prices.of(model) if isinstance(model, ModelSpec) else None
    return StageEstimate(
        stage=stage,
        model=model.label if isinstance(model, ModelSpec) else model.name,
        calls=round(calls),
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost=None if price is None else price.of(usage),
    )
