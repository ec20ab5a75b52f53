"""A request for generated data, as a job."""

from __future__ import annotations

from dtomtrack.errors import InputError
from dtomtrack.scenarios.recommendation.pack import RecommendationPack, builtin_packs, load_pack
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.generation.from_packs import choose_models, config_values
from dtomtrack.suites.rectom.generation.config import GenerationConfig
from dtomtrack.suites.rectom.generation.job import RecommendationJob

__all__ = ["make_job"]


def make_job(request: GenerationRequest) -> RecommendationJob:
    """The job that a request asks for.

    Raises:
        InputError: a domain is unknown, a pack is wrong, a number is out of range, or a model can't be used.
    """
    packs = _packs(request.domain)
    how, models = choose_models(request, "rectom", reads=("turn_retries",))
    if models is not None and None in {models.actor, models.verifier}:
        raise InputError("of rectom a model speaks and a model hears what its lines do: give --model, or both stages")
    config = GenerationConfig.model_validate(config_values(request, packs, how))
    return RecommendationJob(config, packs, models=models, concurrency=request.concurrency or 8)


def _packs(domain: str) -> dict[str, RecommendationPack]:
    names = builtin_packs() if domain == "all" else [one.strip() for one in domain.split(",")]
    packs: dict[str, RecommendationPack] = {}
    for one in map(load_pack, names):
        if one.name in packs:
            raise InputError(f"the domain {one.name!r} is given twice")
        packs[one.name] = one
    return packs
