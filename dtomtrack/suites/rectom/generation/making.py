"""A request for generated data, as a job."""

from __future__ import annotations

from dtomtrack.errors import InputError
from dtomtrack.runs.lines import digest
from dtomtrack.scenarios.recommendation.pack import RecommendationPack, builtin_packs, load_pack
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.rectom.generation.config import GenerationConfig
from dtomtrack.suites.rectom.generation.job import RecommendationJob

__all__ = ["make_job"]


def make_job(request: GenerationRequest) -> RecommendationJob:
    """The job that a request asks for.

    Raises:
        InputError: a domain is unknown, a pack is wrong, a number is out of range, or a model is asked for.
    """
    if request.models:
        raise InputError("rectom is made by scripted actors alone as yet; leave the options on models out")
    for name, number in (("n", request.n), ("max-attempts", request.max_attempts)):
        if number < 1:
            raise InputError(f"{name} is {number}; it has to be 1 or more")
    packs = _packs(request.domain)
    config = GenerationConfig(
        domains=tuple(packs),
        packs={name: digest(pack) for name, pack in packs.items()},
        seed=request.seed,
        max_attempts=request.max_attempts,
    )
    return RecommendationJob(config, packs, request.concurrency or 8)


def _packs(domain: str) -> dict[str, RecommendationPack]:
    names = builtin_packs() if domain == "all" else [one.strip() for one in domain.split(",")]
    packs: dict[str, RecommendationPack] = {}
    for one in map(load_pack, names):
        if one.name in packs:
            raise InputError(f"the domain {one.name!r} is given twice")
        packs[one.name] = one
    return packs
