"""Options on the language models of a run, and what they mean: who does what, and how they are asked."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from pydantic import ValidationError

from dtomtrack.errors import InputError
from dtomtrack.llm.chat import ChatModel
from dtomtrack.records import option_problem
from dtomtrack.suites.generation.model_config import Criterion, ModelConfig

if TYPE_CHECKING:
    from dtomtrack.llm.options import AnyModel
    from dtomtrack.suites.generation.stage_models import StageModels

__all__ = ["ModelOptions", "stage_models"]

_STAGES = ("scenario", "actor", "verifier")
_STYLES = ("scenario_style", "actor_style", "turn_format", "turn_retries", "temperature", "threshold")
_TYPED = {"scenario_source": "scenarios"}
"""Options that the command line calls otherwise."""


class ModelOptions(TypedDict, total=False):
    """Options on models.

    Attributes:
        model: "provider/name", or an object that keeps the `ChatModel` protocol; for every stage that has none of its
            own.
        scenario_model, actor_model, verifier_model: of one stage; "scripted" for none.
        base_url: points the models' provider elsewhere.
        scenario_base_url, actor_base_url, verifier_base_url: the same for one stage.
        scenario_source: "model" has scenarios written, "pack" draws them from the domain's pack; "model" if not given.
        scenario_style: "free" has a scenario written at once, "planned" has a plan filled in, for weak models; where
            minds come apart the plan is the program's, and no model writes scenarios.
        actor_style: "one-call" asks for a turn at once, "two-call" for thought and line apart, for weak models, "free"
            directs changes of mind alone, for strong ones.
        turn_format: "json", or "text" for the paper's form.
        turn_retries: how often a turn that breaks a rule is asked for again; 3 if not given.
        temperature: of writer and actors; 0.7 if not given.
        threshold: grade from 0 to 1 that a question has to get on each criterion, or grades by criterion
            ("correctness", "soundness", "quality"); 0.6 if not given.
        requests_per_minute, tokens_per_minute: to a model.
        timeout: seconds that one try of a call may take; 300 if not given.
        max_cost: US dollars that the run may cost; max_tokens_total: tokens that it may take.
        prices: a file of prices.
        gguf_threads, gguf_context: of a model in this process.
    """

    model: str | ChatModel
    scenario_model: str | ChatModel
    actor_model: str | ChatModel
    verifier_model: str | ChatModel
    base_url: str | None
    scenario_base_url: str | None
    actor_base_url: str | None
    verifier_base_url: str | None
    scenario_source: Literal["model", "pack"]
    scenario_style: Literal["free", "planned"]
    actor_style: Literal["one-call", "two-call", "free"]
    turn_format: Literal["json", "text"]
    turn_retries: int
    temperature: float
    threshold: float | Mapping[Criterion, float]
    requests_per_minute: float
    tokens_per_minute: float
    timeout: float
    max_cost: float
    max_tokens_total: int
    prices: str | PathLike[str]
    max_reply_mb: float
    fresh_journal: bool
    gguf_threads: int
    gguf_context: int


def stage_models(options: Mapping[str, object]) -> tuple[ModelConfig, StageModels] | None:
    """Who does what, for the configuration and for the run; None where no language model takes part.

    Args:
        options: `ModelOptions` and ``concurrency``, among others.

    Raises:
        InputError: a model can't be used as it is named, or an option is out of range.
    """
    every = options.get("model", "scripted")
    named = {stage: options.get(f"{stage}_model", every) for stage in _STAGES}
    if options.get("scenario_source") == "pack":
        named["scenario"] = "scripted"
    # imported late: runs without models don't need it
    from dtomtrack.llm.options import NO_MODEL, client_settings, named_model

    if all(isinstance(one, str) and one in NO_MODEL for one in named.values()):
        _refuse_idle(options, NO_MODEL)
        return None
    from dtomtrack.llm.server_slots import following_slots
    from dtomtrack.suites.generation.stage_models import StageModels

    addresses = {stage: options.get(f"{stage}_base_url") or options.get("base_url") for stage in _STAGES}
    models = {stage: named_model(one, addresses[stage]) for stage, one in named.items()}  # type: ignore[arg-type]
    _check_address(options, models)
    if models["scenario"] is not None and models["actor"] is None:
        raise InputError(
            "scripted actors play the scenarios of the domain's pack only: give --actor-model, too, or --scenarios pack"
        )
    config = _config(models, options)
    return config, StageModels(**models, client=following_slots(client_settings(options), models.values()))


def _config(models: Mapping[str, AnyModel | None], options: Mapping[str, object]) -> ModelConfig:
    from dtomtrack.llm.spec import ModelSpec

    specs = {model for model in models.values() if isinstance(model, ModelSpec)}
    addresses = {spec.label: spec.base_url for spec in sorted(specs, key=lambda spec: spec.label) if spec.base_url}
    asked = {
        stage: model.label if isinstance(model, ModelSpec) else model.name for stage, model in models.items() if model
    }
    styles = {name: options[name] for name in _STYLES if name in options}
    if isinstance(styles.get("threshold"), Mapping):
        styles["thresholds"] = styles.pop("threshold")
    try:
        return ModelConfig.model_validate({**asked, "addresses": addresses, **styles})
    except ValidationError as error:
        raise InputError(option_problem(error, ModelConfig.model_fields)) from error


def _refuse_idle(options: Mapping[str, object], no_model: frozenset[str]) -> None:
    """Refuse options on models where none takes part: they were meant otherwise."""
    idle = [
        name for name in options if name in ModelOptions.__annotations__ and not _says_none(name, options, no_model)
    ]
    if idle:
        typed = ", ".join(f"--{_TYPED.get(name, name.replace('_', '-'))}" for name in idle)
        raise InputError(f"{typed}: no language model takes part; give --model PROVIDER/NAME, too, or leave it out")


def _says_none(name: str, options: Mapping[str, object], no_model: frozenset[str]) -> bool:
    value = options.get(name)
    return (
        value is None or (name.endswith("model") and value in no_model) or (name, value) == ("scenario_source", "pack")
    )


def _check_address(options: Mapping[str, object], models: Mapping[str, AnyModel | None]) -> None:
    """One address, and with it a key, is never meant for two providers."""
    from dtomtrack.llm.spec import check_one_provider

    shared = [model for stage, model in models.items() if not options.get(f"{stage}_base_url")]
    instead = "give --scenario-base-url, --actor-base-url or --verifier-base-url instead"
    check_one_provider(shared, cast("str | None", options.get("base_url")), instead)
