"""What may be said of the language models of a run, and what comes of it: who does what, and how they are asked."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from dtomtrack.errors import InputError
from dtomtrack.suites.dtom.config import ModelConfig

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel
    from dtomtrack.llm.clients import ClientSettings
    from dtomtrack.suites.dtom.stage_models import AnyModel, Cast

__all__ = ["ModelOptions", "cast_of", "client_settings", "named_model"]

_TYPED = {"scenario_source": "scenarios"}
"""Options that the command line calls otherwise."""
NO_MODEL = frozenset({"scripted", "pack", "rules"})
"""What a stage without a language model is called, instead of a model."""


class ModelOptions(TypedDict, total=False):
    """What may be said of models.

    Attributes:
        model: "provider/name", or an object that keeps the `ChatModel` protocol; for every stage that has none of its
            own.
        scenario_model, actor_model, verifier_model: of one stage; "scripted" for none.
        base_url: points the models' provider elsewhere.
        scenario_base_url, actor_base_url, verifier_base_url: the same for one stage.
        scenario_source: "model" has scenarios written, "pack" draws them from the domain's pack; "model" if not given.
        scenario_style: "free" has a scenario written at once, "planned" has a plan filled in, for weak models.
        actor_style: "one-call" asks for a turn at once, "two-call" for thought and line apart, for weak models.
        turn_format: "json", or "text" for the paper's form.
        turn_retries: how often a turn that breaks a rule is asked for again; 3 if not given.
        temperature: of writer and actors; 0.7 if not given.
        threshold: grade from 0 to 1 that a question has to get on each criterion; 0.6 if not given.
        requests_per_minute, tokens_per_minute: to a model.
        timeout: seconds that one try of a call may take; 300 if not given.
        max_cost: US dollars that the run may cost; max_tokens_total: tokens that it may take.
        prices: a file of prices.
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
    actor_style: Literal["one-call", "two-call"]
    turn_format: Literal["json", "text"]
    turn_retries: int
    temperature: float
    threshold: float
    requests_per_minute: float
    tokens_per_minute: float
    timeout: float
    max_cost: float
    max_tokens_total: int
    prices: str | PathLike[str]


_STYLES = ("scenario_style", "actor_style", "turn_format", "turn_retries", "temperature", "threshold")


def cast_of(options: ModelOptions, concurrency: int) -> tuple[ModelConfig, Cast] | None:
    """Who does what, for the configuration and for the run; None where no language model takes part.

    Raises:
        InputError: a model can't be used as it is named, or an option is out of range.
    """
    _check_ranges(options)
    every = options.get("model", "scripted")
    writer = "scripted" if options.get("scenario_source") == "pack" else options.get("scenario_model", every)
    named = {
        "scenario": writer,
        "actor": options.get("actor_model", every),
        "verifier": options.get("verifier_model", every),
    }
    if all(isinstance(one, str) and one in NO_MODEL for one in named.values()):
        _refuse_idle(options)
        return None
    # imported late: runs without models don't need it
    from dtomtrack.llm.spec import ModelSpec
    from dtomtrack.suites.dtom.stage_models import Cast

    scenario, actor, verifier = (
        named_model(one, options.get(f"{stage}_base_url") or options.get("base_url"))  # type: ignore[arg-type]
        for stage, one in named.items()
    )
    _check_address(options, [scenario, actor, verifier])
    if scenario is not None and actor is None:
        raise InputError(
            "scripted actors play the scenarios of the domain's pack only: give --actor-model, too, or --scenarios pack"
        )
    models = {"scenario": scenario, "actor": actor, "verifier": verifier}
    asked = {
        name: model.label if isinstance(model, ModelSpec) else model.name for name, model in models.items() if model
    }
    specs = {model for model in models.values() if isinstance(model, ModelSpec)}
    addresses = {spec.label: spec.base_url for spec in sorted(specs, key=lambda spec: spec.label) if spec.base_url}
    styles = {name: options[name] for name in _STYLES if name in options}  # type: ignore[literal-required]
    casting = ModelConfig(**asked, addresses=addresses, **styles)
    return casting, Cast(scenario, actor, verifier, client_settings(options, concurrency))


def _refuse_idle(options: ModelOptions) -> None:
    """What is said of models where none takes part was meant otherwise."""
    idle = [name for name in options if name in ModelOptions.__annotations__ and not _says_none(name, options)]
    if idle:
        told = ", ".join(f"--{_TYPED.get(name, name.replace('_', '-'))}" for name in idle)
        raise InputError(f"{told}: no language model takes part; give --model PROVIDER/NAME, too, or leave it out")


def _says_none(name: str, options: ModelOptions) -> bool:
    value = options.get(name)
    return (
        value is None or (name.endswith("model") and value in NO_MODEL) or (name, value) == ("scenario_source", "pack")
    )


def _check_address(options: ModelOptions, models: list[AnyModel | None]) -> None:
    """One address, and with it a key, is never meant for two providers."""
    from dtomtrack.llm.spec import ModelSpec

    own = {one.provider for one in models if isinstance(one, ModelSpec) and one.provider != "gguf"}
    stages = [f"{stage}_base_url" for stage in ("scenario", "actor", "verifier")]
    if options.get("base_url") and len(own) > 1 and not any(options.get(stage) for stage in stages):
        raise InputError(
            f"--base-url is one address for {' and '.join(sorted(own))}: give --scenario-base-url, --actor-base-url or "
            "--verifier-base-url instead"
        )


def named_model(named: str | ChatModel, base_url: str | None = None) -> AnyModel | None:
    """A model by name, or the caller's own; None for what says that there is none.

    Raises:
        ModelSpecError: it can't be used as it is named.
    """
    from dtomtrack.llm.spec import parse_spec

    if not isinstance(named, str):
        return named
    return None if named in NO_MODEL else parse_spec(named, base_url)


def client_settings(options: ModelOptions, concurrency: int) -> ClientSettings:
    """How models are asked.

    Raises:
        InputError: an option is out of range.
    """
    from dtomtrack.llm.clients import ClientSettings
    from dtomtrack.llm.ledger import Budget

    _check_ranges(options)
    for name in ("requests_per_minute", "tokens_per_minute", "timeout"):
        value = options.get(name)
        if isinstance(value, int | float) and not 0 < value < float("inf"):
            raise InputError(f"{name.replace('_', '-')} is {value}; it has to be more than 0")
    prices = options.get("prices")
    return ClientSettings(
        concurrency=concurrency,
        requests_per_minute=options.get("requests_per_minute"),
        tokens_per_minute=options.get("tokens_per_minute"),
        timeout=options.get("timeout", 300.0),
        budget=Budget(options.get("max_cost"), options.get("max_tokens_total")),
        prices=None if prices is None else Path(prices),
    )


def _check_ranges(options: ModelOptions) -> None:
    allowed = {
        "turn_retries": (0, 20),
        "temperature": (0.0, 2.0),
        "threshold": (0.0, 1.0),
        "max_cost": (0.0, 1e9),
        "max_tokens_total": (0, 10**15),
    }
    for name, (least, most) in allowed.items():
        value = options.get(name)
        if isinstance(value, int | float) and not least <= value <= most:
            raise InputError(f"{name.replace('_', '-')} is {value}; it has to be from {least:g} to {most:g}")
