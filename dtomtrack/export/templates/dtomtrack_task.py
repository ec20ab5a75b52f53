"""Questions about minds that change, for Inspect AI. Made by ``dtomtrack export DIR --to inspect``.

    pip install inspect_ai dtomtrack
    inspect eval dtomtrack_task.py@dtomtrack --model PROVIDER/NAME

``questions.jsonl`` has what a model is shown. Replies are read as ``dtomtrack evaluate`` reads them; one that holds no
answer counts as not right, and its share stands beside the accuracies as ``unparsed``. Standard errors are clustered
by dialogue, since questions of one dialogue are not independent. Chance is 25 %.
"""

# mypy: ignore-errors

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

from dtomtrack.items.replies import read_answer

QUESTIONS = Path(__file__).parent / "questions.jsonl"
CLUSTER = "dialogue_id"
LETTERS = "ABCD"


@metric
def unparsed() -> Metric:
    """Share of the replies that hold no answer."""

    def share(scores: list[SampleScore]) -> float:
        return sum(one.score.answer is None for one in scores) / len(scores) if scores else 0.0

    return share


@scorer(
    metrics=[
        accuracy(),
        stderr(cluster=CLUSTER),
        unparsed(),
        grouped(accuracy(), "type", all=False),
        grouped(stderr(cluster=CLUSTER), "type", all=False, name_template="{group_name}_stderr"),
    ]
)
def letter() -> Scorer:
    """Whether the option that a reply names is the right one."""

    async def score(state: TaskState, target: Target) -> Score:
        options = {letter: choice.value for letter, choice in zip(LETTERS, state.choices, strict=True)}
        answer = read_answer(state.output.completion, options)
        value = NOANSWER if answer is None else CORRECT if answer == target.text else INCORRECT
        return Score(value=value, answer=answer)

    return score


@task
def dtomtrack() -> Task:
    """Each question once, by the zero-shot prompt of dtomtrack's own evaluation."""
    return Task(
        dataset=json_dataset(str(QUESTIONS), name="dtomtrack"),
        solver=generate(),
        scorer=letter(),
        config=GenerateConfig(temperature=0.0, max_tokens=512),
    )
