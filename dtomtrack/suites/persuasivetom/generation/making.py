"""A request for generated data, as a job."""

from __future__ import annotations

from dtomtrack.errors import InputError
from dtomtrack.runs.lines import digest
from dtomtrack.scenarios.persuasion.pack_files import find_goals
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.persuasivetom.generation.config import GenerationConfig
from dtomtrack.suites.persuasivetom.generation.job import PersuasionJob

__all__ = ["make_job"]


def make_job(request: GenerationRequest) -> PersuasionJob:
    """The job that a request asks for.

    Raises:
        InputError: a domain is unknown, a pack is wrong, a number is out of range, or a model is asked for.
    """
    if request.model is not None:
        raise InputError("persuasivetom is made by scripted actors alone as yet; leave --model out")
    for name, number in (("n", request.n), ("max-attempts", request.max_attempts)):
        if number < 1:
            raise InputError(f"{name} is {number}; it has to be 1 or more")
    goals = find_goals(request.domain)
    config = GenerationConfig(
        domains=tuple(goals),
        packs={name: digest(goal) for name, goal in goals.items()},
        seed=request.seed,
        max_attempts=request.max_attempts,
    )
    return PersuasionJob(config, goals, request.concurrency or 8)
