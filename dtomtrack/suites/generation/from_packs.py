"""Data made from packs: what a request comes to, where plans are drawn from packs and models only speak and read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from dtomtrack.errors import InputError
from dtomtrack.records import Record, Text
from dtomtrack.runs.lines import digest
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.generation.model_config import ModelConfig
from dtomtrack.suites.generation.model_options import stage_models

if TYPE_CHECKING:
    from dtomtrack.suites.generation.stage_models import StageModels

__all__ = ["PackConfig", "choose_models", "config_values"]


class PackConfig(Record):
    """Everything that decides the bytes: the configuration in the manifest.

    Attributes:
        domains: of the packs, which take turns; ``packs``: SHA-256 of each.
        generator: who spoke; ``models``: which models took part and how they were asked, None where none did.
    """

    domains: tuple[Text, ...]
    packs: dict[str, str]
    seed: int = 0
    max_attempts: Annotated[int, Field(ge=1)] = 5
    generator: Text = "scripted"
    models: ModelConfig | None = None
    variant: Text = "generated"


def config_values(
    request: GenerationRequest, packs: Mapping[str, Record], models: ModelConfig | None
) -> dict[str, object]:
    """The fields of a `PackConfig` that a request and its packs decide."""
    return {
        "domains": tuple(packs),
        "packs": {name: digest(pack) for name, pack in packs.items()},
        "seed": request.seed,
        "max_attempts": request.max_attempts,
        "generator": (models and models.actor) or "scripted",
        "models": models,
    }


_OF_TURNS = ("scenario_style", "actor_style", "turn_format", "turn_retries", "threshold")
"""Options on how models write, play and grade dialogues of dtom."""


def choose_models(
    request: GenerationRequest, suite: str, reads: Collection[str] = ()
) -> tuple[ModelConfig | None, StageModels | None]:
    """The models that speak and read, for the configuration and for the run; None where none takes part.

    Args:
        reads: those options on how models write, play and grade that mean something to the suite.

    Raises:
        InputError: one is to write plans, or can't be used as it is named; or an option means nothing to the suite.
    """
    options = dict(request.models)
    if options.get("scenario_model") not in {None, "scripted"}:
        raise InputError(f"the plans of {suite} are drawn from packs; leave --scenario-model out")
    if options.get("scenario_source") == "model":
        raise InputError(f"the plans of {suite} are drawn from packs; leave --scenarios model out")
    idle = [name.replace("_", "-") for name in _OF_TURNS if name in options and name not in reads]
    if idle:
        named = ", ".join(f"--{name}" for name in idle)
        raise InputError(f"{named}: is for dialogues of dtom; leave it out with --suite {suite}")
    if not options:
        return None, None
    if request.concurrency is not None:
        options["concurrency"] = request.concurrency
    return stage_models({**options, "scenario_model": "scripted"}) or (None, None)
