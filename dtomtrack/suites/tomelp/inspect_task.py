"""ToMELP as a task of Inspect AI: Inspect's model persuades, and the model in the role "grader" judges.

    pip install inspect_ai dtomtrack
    inspect eval dtomtrack/tomelp --model PROVIDER/NAME --model-role grader=PROVIDER/NAME -T scenes=10 -T tom=inferred

A sample is one reply: a dialogue state, a listener and a route. Prompts, readings and judgements are those of
``dtomtrack play tomelp``; a reply that can't be used scores 0, and a verdict that can't be had is in no mean. Standard
errors are clustered by scene. Without a grader the model under test judges itself, which favours it.
"""

from __future__ import annotations

import math
from itertools import product

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from dtomtrack.errors import InputError
from dtomtrack.graphs.route_judging import without_tags
from dtomtrack.graphs.route_state import Minds, Unusable, Written
from dtomtrack.graphs.route_state import Task as Writing
from dtomtrack.llm.inspect_chat import InspectChat
from dtomtrack.options import check_range
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.route.pack_files import find_topics
from dtomtrack.scenarios.route.sampler import scene_states
from dtomtrack.scenarios.route.state import Mind, SceneState
from dtomtrack.scenarios.route.terms import PERSONAS, ROUTES, Cell, Variant
from dtomtrack.suites.tomelp.asking import Asking
from dtomtrack.suites.tomelp.model_judge import ModelPanel
from dtomtrack.suites.tomelp.model_subject import ModelSubject
from dtomtrack.suites.tomelp.playing import shown_resources
from dtomtrack.verifiers.judging.scales import Unjudged

__all__ = ["tomelp"]

_VARIANTS: dict[str, Variant] = {"none": "no_tom", "inferred": "inferred", "gold": "gold"}
_SCORES = ("attitude", "route_fit", "predicted", "alignment")


@task
def tomelp(scenes: int = 10, seed: int = 0, topics: str | list[str] = "all", tom: str = "inferred") -> Task:
    """The clean replies of so many scenes, written without states, with inferred ones, or with the gold ones."""
    if tom not in _VARIANTS:
        raise InputError(f"no mental states {tom!r}; tom is one of {', '.join(_VARIANTS)}")
    check_range("scenes", scenes, 1)
    # Inspect makes a list of what has commas
    packs = find_topics(topics.split(",") if isinstance(topics, str) else topics)
    names = {pack.id: pack for pack in packs}
    slots = [slot_at(seed, index, list(names)) for index in range(scenes)]
    states = [one for slot in slots for one in scene_states(names[slot.domain], slot, slot.index % len(packs))]
    return Task(
        dataset=MemoryDataset([_sample(state, cell) for state in states for cell in _cells(tom)]),
        solver=write_turn(seed),
        scorer=judged(seed),
        version="1",
    )


def _cells(tom: str) -> list[Cell]:
    return [Cell(persona, route, _VARIANTS[tom]) for persona, route in product(PERSONAS, ROUTES)]


def _sample(state: SceneState, cell: Cell) -> Sample:
    metadata = {"scene": state.scene, "persona": cell.persona, "route": cell.route, "variant": cell.variant}
    return Sample(
        id=f"{state.id} {cell.persona} {cell.route}",
        input="\n".join(f"{line.speaker}: {line.text}" for line in state.history),
        metadata={**metadata, "state": state.model_dump(mode="json")},
    )


def _told(state: TaskState) -> tuple[SceneState, Cell]:
    told = state.metadata
    return SceneState.model_validate(told["state"]), Cell(told["persona"], told["route"], told["variant"])


@solver
def write_turn(seed: int) -> Solver:
    """The model infers the listener's states, if it is to, and writes the next turn."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        scene, cell = _told(state)
        subject = ModelSubject(InspectChat(get_model()), Asking(), str(state.sample_id), seed)
        inferred = await subject.infer(scene.history, cell.persona)
        reply = await _written(subject, scene, cell, inferred)
        state.metadata["inferred"] = None if isinstance(inferred, Unusable) else inferred["persuadee"].model_dump()
        state.metadata["reply"] = None if isinstance(reply, Unusable) else reply.text
        said = f"({reply.reason})" if isinstance(reply, Unusable) else reply.text
        state.output = ModelOutput.from_content(str(state.model), said)
        return state

    return solve


async def _written(
    subject: ModelSubject, scene: SceneState, cell: Cell, inferred: Minds | Unusable
) -> Written | Unusable:
    mind = scene.minds["persuadee"] if cell.variant == "gold" else None
    if cell.variant == "inferred":
        if isinstance(inferred, Unusable):
            return inferred
        mind = inferred["persuadee"]
    return await subject.write(Writing(cell, scene.history, shown_resources(scene), scene.noise, mind))


@scorer(metrics={name: [mean(), stderr(cluster="scene")] for name in _SCORES})
def judged(seed: int) -> Scorer:
    """Attitude (0 to 2), the route as told and as read blind (0 or 1), and how tailored to inferred states (0 to 2, 0
    without any)."""

    async def score(state: TaskState, target: Target) -> Score:
        scene, cell = _told(state)
        text = state.metadata["reply"]
        if text is None:
            return Score(value=dict.fromkeys(_SCORES, 0.0), answer=state.output.completion)
        panel = ModelPanel(InspectChat(get_model(role="grader")), str(state.sample_id), seed)
        outcome = await panel.outcome(scene.history, cell, text)
        blind = await panel.predict(scene.history, without_tags(text), 0)
        inferred = state.metadata["inferred"]
        alignment: int | Unjudged = 0
        if inferred is not None:
            alignment = await panel.alignment(scene.history, cell, Mind.model_validate(inferred), text)
        unjudged = {"outcome": outcome, "blind": blind, "alignment": alignment}
        return Score(
            value={
                "attitude": math.nan if isinstance(outcome, Unjudged) else outcome.attitude,
                "route_fit": math.nan if isinstance(outcome, Unjudged) else outcome.match,
                "predicted": math.nan if isinstance(blind, Unjudged) else float(blind == cell.route),
                "alignment": math.nan if isinstance(alignment, Unjudged) else alignment,
            },
            answer=text,
            metadata={"unjudged": {name: one.reason for name, one in unjudged.items() if isinstance(one, Unjudged)}},
        )

    return score
