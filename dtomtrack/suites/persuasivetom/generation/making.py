"""A request for generated data, as a job."""

from __future__ import annotations

from dtomtrack.errors import InputError
from dtomtrack.scenarios.persuasion.pack_files import find_goals
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.generation.from_packs import PackConfig, choose_models, config_values
from dtomtrack.suites.persuasivetom.generation.job import PersuasionJob

__all__ = ["make_job"]


def make_job(request: GenerationRequest) -> PersuasionJob:
    """The job that a request asks for.

    Raises:
        InputError: a domain is unknown, a pack is wrong, a number is out of range; or a model can't be used.
    """
    goals = find_goals(request.domain)
    how, models = choose_models(request, "persuasivetom")
    if models is not None and models.actor is not None and models.verifier is None:
        raise InputError("what a model says has to be read by a model: leave --verifier-model rules out")
    config = PackConfig.model_validate(config_values(request, goals, how))
    return PersuasionJob(config, goals, models=models, concurrency=request.concurrency or 8)
