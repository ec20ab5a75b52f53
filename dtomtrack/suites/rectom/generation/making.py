"""A request for generated data, as a job."""

from __future__ import annotations

from dtomtrack.errors import InputError
from dtomtrack.runs.lines import digest
from dtomtrack.scenarios.recommendation.pack import RecommendationPack, builtin_packs, load_pack
from dtomtrack.suites.dtom.config import ModelConfig
from dtomtrack.suites.dtom.model_options import stage_models
from dtomtrack.suites.dtom.stage_models import StageModels
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.rectom.generation.config import GenerationConfig
from dtomtrack.suites.rectom.generation.job import RecommendationJob

__all__ = ["make_job"]


def make_job(request: GenerationRequest) -> RecommendationJob:
    """The job that a request asks for.

    Raises:
        InputError: a domain is unknown, a pack is wrong, a number is out of range, or a model can't be used.
    """
    for name, number in (("n", request.n), ("max-attempts", request.max_attempts)):
        if number < 1:
            raise InputError(f"{name} is {number}; it has to be 1 or more")
    packs = _packs(request.domain)
    models = _models(request)
    how = None if models is None else models[0]
    config = GenerationConfig(
        domains=tuple(packs),
        packs={name: digest(pack) for name, pack in packs.items()},
        seed=request.seed,
        max_attempts=request.max_attempts,
        generator=(how and how.actor) or "scripted",
        models=how,
    )
    return RecommendationJob(config, packs, None if models is None else models[1], request.concurrency or 8)


def _models(request: GenerationRequest) -> tuple[ModelConfig, StageModels] | None:
    """The models that take part: one speaks, one listens; plans are always drawn from packs."""
    options = dict(request.models)
    if options.get("scenario_model") not in {None, "scripted"}:
        raise InputError("the plans of rectom are drawn from packs; leave --scenario-model out")
    if not options:
        return None
    if request.concurrency is not None:
        options["concurrency"] = request.concurrency
    found = stage_models({**options, "scenario_model": "scripted"})
    if found is not None and None in {found[1].actor, found[1].verifier}:
        raise InputError("of rectom a model speaks and a model hears what its lines do: give --model, or both stages")
    return found


def _packs(domain: str) -> dict[str, RecommendationPack]:
    names = builtin_packs() if domain == "all" else [one.strip() for one in domain.split(",")]
    packs: dict[str, RecommendationPack] = {}
    for one in map(load_pack, names):
        if one.name in packs:
            raise InputError(f"the domain {one.name!r} is given twice")
        packs[one.name] = one
    return packs
