"""Items with options, for Inspect AI. Made by ``dtomtrack export DIR --to inspect``; the same for every dataset.

    pip install inspect_ai dtomtrack
    inspect eval dtomtrack_task.py@dtomtrack --model PROVIDER/NAME

``questions.jsonl`` has what a model is shown. Replies are read as ``dtomtrack evaluate`` reads them; one that holds no
answer counts as not right, and its share stands beside the accuracies as ``unparsed``, what guessing gets as
``chance``. One that a content filter cut is left unscored. Where several options may be right, the whole set has to be,
and ``jaccard`` says how far sets agree.
Standard errors are clustered by dialogue, since questions of one dialogue are not independent.
"""

# mypy: ignore-errors

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    grouped,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate

from dtomtrack.evaluation.asking import read_again
from dtomtrack.evaluation.records import Answer, AskConfig
from dtomtrack.items.item import Item
from dtomtrack.items.letters import position_of
from dtomtrack.items.presented import PresentedItem

FOLDER = Path(__file__).parent
TASK = json.loads((FOLDER / "task.json").read_text(encoding="utf-8"))
ASKED = AskConfig(subject="inspect", questions="questions.jsonl")
CLUSTER = "dialogue_id"
FINISH = {"max_tokens": "length", "model_length": "length", "content_filter": "filter"}
VALUE = {"correct": CORRECT, "wrong": INCORRECT}


def mean(values: list[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


@metric
def unparsed() -> Metric:
    """Share of the replies that hold no answer."""

    def share(scores: list[SampleScore]) -> float:
        return mean([one.score.answer is None for one in scores])

    return share


@metric
def chance() -> Metric:
    """The accuracy that guessing gets."""

    def guessing(scores: list[SampleScore]) -> float:
        return mean([one.sample_metadata["chance"] for one in scores])

    return guessing


@metric
def jaccard() -> Metric:
    """How far sets agree with the right ones, over the items of which several options may be right."""

    def agreement(scores: list[SampleScore]) -> float:
        sets = [one for one in scores if one.sample_metadata["select"] == "any"]
        return mean([one.score.metadata["jaccard"] for one in sets])

    return agreement


@scorer(
    metrics=[
        accuracy(),
        stderr(cluster=CLUSTER),
        unparsed(),
        chance(),
        *([jaccard()] if TASK["sets"] else []),
        grouped(accuracy(), "type", all=False),
        grouped(stderr(cluster=CLUSTER), "type", all=False, name_template="{group_name}_stderr"),
    ]
)
def options() -> Scorer:
    """Whether a reply names the right option, or exactly the right ones."""

    async def score(state: TaskState, target: Target) -> Score:
        item = Item(
            id=str(state.sample_id),
            cluster=state.metadata[CLUSTER],
            question=state.input_text,
            options=tuple(choice.value for choice in state.choices),
            gold=frozenset(map(position_of, target)),
            select=state.metadata["select"],
        )
        reply = Answer(
            question_id=item.id,
            dialogue_id=item.cluster,
            reply=state.output.completion,
            finish=FINISH.get(state.output.stop_reason, "stop"),
            outcome="unparsed",
        )
        read = read_again(PresentedItem(item), ASKED, reply)
        if read.outcome == "error":
            return Score.unscored(reason="filtered", explanation=read.reason)
        chosen, right = set(read.answer or ""), set(target)
        overlap = len(chosen & right) / len(chosen | right)
        return Score(value=VALUE.get(read.outcome, NOANSWER), answer=read.answer, metadata={"jaccard": overlap})

    return score


@task
def dtomtrack() -> Task:
    """Each item once, by the zero-shot prompt of dtomtrack's own evaluation."""
    return Task(
        name=TASK["name"],
        dataset=json_dataset(str(FOLDER / "questions.jsonl"), name=TASK["name"]),
        solver=generate(),
        scorer=options(),
        config=GenerateConfig(temperature=0.0, max_tokens=512),
    )
