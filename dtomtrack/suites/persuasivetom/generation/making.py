"""A request for generated data, as a job."""

from __future__ import annotations

from dtomtrack.errors import InputError
from dtomtrack.runs.lines import digest
from dtomtrack.scenarios.persuasion.pack_files import find_goals
from dtomtrack.suites.dtom.config import ModelConfig
from dtomtrack.suites.dtom.model_options import stage_models
from dtomtrack.suites.dtom.stage_models import StageModels
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.persuasivetom.generation.config import GenerationConfig
from dtomtrack.suites.persuasivetom.generation.job import PersuasionJob

__all__ = ["make_job"]


def make_job(request: GenerationRequest) -> PersuasionJob:
    """The job that a request asks for.

    Raises:
        InputError: a domain is unknown, a pack is wrong, a number is out of range; or a model can't be used.
    """
    for name, number in (("n", request.n), ("max-attempts", request.max_attempts)):
        if number < 1:
            raise InputError(f"{name} is {number}; it has to be 1 or more")
    goals = find_goals(request.domain)
    models = _models(request)
    how = None if models is None else models[0]
    config = GenerationConfig(
        domains=tuple(goals),
        packs={name: digest(goal) for name, goal in goals.items()},
        seed=request.seed,
        max_attempts=request.max_attempts,
        generator=(how and how.actor) or "scripted",
        models=how,
    )
    return PersuasionJob(config, goals, None if models is None else models[1], request.concurrency or 8)


def _models(request: GenerationRequest) -> tuple[ModelConfig, StageModels] | None:
    """The models that take part; plans are always drawn from packs."""
    options = dict(request.models)
    if options.get("scenario_model") not in {None, "scripted"}:
        raise InputError("the plans of persuasivetom are drawn from packs; leave --scenario-model out")
    if not options:
        return None
    if request.concurrency is not None:
        options["concurrency"] = request.concurrency
    found = stage_models({**options, "scenario_model": "scripted"})
    if found is not None and found[1].actor is not None and found[1].verifier is None:
        raise InputError("what a model says has to be read by a model: leave --verifier-model rules out")
    return found
