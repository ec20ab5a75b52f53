"""A request for scenes, as a job."""

from __future__ import annotations

from dtomtrack.errors import InputError
from dtomtrack.runs.lines import digest
from dtomtrack.scenarios.route.pack_files import find_topics, shared
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.generation.from_packs import choose_models
from dtomtrack.suites.tomelp.generation.job import WrittenSceneConfig, WrittenSceneJob
from dtomtrack.suites.tomelp.scene_job import SceneJob

__all__ = ["make_job"]


def make_job(request: GenerationRequest) -> SceneJob | WrittenSceneJob:
    """The job that a request asks for: scenes in the packs' words, or written by a model where one is named.

    Raises:
        InputError: a topic is unknown, a pack is wrong, or a model can't be used.
    """
    packs = find_topics([name.strip() for name in request.domain.split(",") if name.strip()])
    how, models = choose_models(request, "tomelp")
    if how is None or models is None:
        return SceneJob(tuple(packs), request.seed)
    if how.actor is None:
        raise InputError("scenes in the packs' words need nobody who reads them; name --model or --actor-model, too")
    if how.verifier is None:
        raise InputError("what a model writes has to be read by a model: leave --verifier-model rules out")
    config = WrittenSceneConfig(
        seed=request.seed,
        domains=tuple(pack.id for pack in packs),
        topics={pack.id: digest(pack) for pack in packs},
        shared=digest(shared()),
        generator=how.actor,
        max_attempts=request.max_attempts,
        models=how,
    )
    return WrittenSceneJob(config, {pack.id: pack for pack in packs}, models=models)
