"""Answers of made-up subjects, with known skill: for the report's tests and its benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letters_of
from dtomtrack.items.presented import PresentedItem, presented
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.names import folder_name
from dtomtrack.suites.registry import suite_of

__all__ = ["PLANTED", "Planted", "plant"]


@dataclass(frozen=True)
class Planted:
    """A subject that answers right with a probability by question type.

    Attributes:
        recency: share of its wrong answers about before an update that choose what was held after it.
        unread: share of its answers in which no option can be read; as many calls fail as a tenth of that.
        reply: what it says beside the letter.
        sure: whether its answers come with probabilities.
    """

    name: str
    skill: float
    by_type: dict[str, float] = field(default_factory=dict)
    recency: float = 0.6
    unread: float = 0.0
    reply: str = ""
    permutations: int = 1
    sure: bool = False


PLANTED = (
    Planted("openai/gpt-4o-mini", 0.56, {"pre_update": 0.28, "post_update": 0.68, "update_detection": 0.75}),
    Planted("vllm/meta-llama/Llama-3.3-70B-Instruct", 0.62, {"pre_update": 0.41, "post_update": 0.71}, unread=0.004),
    Planted("vllm/mistralai/Mistral-Large-2402", 0.55, {"pre_update": 0.4, "post_update": 0.66}, unread=0.01),
    Planted("ollama/llama3.2:3b", 0.33, {"pre_update": 0.16, "post_update": 0.55}, unread=0.09),
    Planted("baseline/recency", 0.4, {"pre_update": 0.02, "post_update": 0.97}, recency=0.95),
    Planted("baseline/random", 0.25, recency=1 / 3),
)


def plant(dataset: Path, subjects: Sequence[Planted] = PLANTED, suite: Benchmark | None = None) -> None:
    """Write the evaluation folder of each subject.

    Args:
        suite: whose dataset it is, where the manifest does not tell.
    """
    benchmark = suite_of(dataset) if suite is None else suite
    items = list(benchmark.items(dataset))
    digest = hashlib.sha256((dataset / benchmark.files[-1]).read_bytes()).hexdigest()
    for subject in subjects:
        config = AskConfig(
            subject=subject.name,
            questions=digest,
            context=benchmark.conditions[0],
            permutations=subject.permutations,
            mode="logprobs" if subject.sure else "text",
        )
        answers = [_answer(subject, shown) for shown in presented(items, subject.permutations)]
        folder = dataset / "eval" / folder_name(subject.name)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(config.model_dump_json(indent=2) + "\n", encoding="utf-8")
        (folder / "answers.jsonl").write_bytes(to_lines(answers))
        found = metrics(benchmark, config, items, answers)
        (folder / "metrics.json").write_text(found.model_dump_json(indent=2) + "\n", encoding="utf-8")


def _answer(subject: Planted, shown: PresentedItem) -> Answer:
    item = shown.item
    rng = Random(f"{subject.name} {item.id} {shown.rotation}")
    common = {"question_id": item.id, "dialogue_id": item.cluster, "rotation": shown.rotation}
    draw = rng.random()
    if draw < subject.unread / 10:
        return Answer.model_validate({**common, "outcome": "error", "reason": "no answer within 300 s"})
    if draw < subject.unread:
        reply = "It depends on what both of them take for granted."
        return Answer.model_validate({**common, "outcome": "unparsed", "reply": reply})
    chosen = _choice(subject, item, rng)
    letters = "".join(sorted(shown.seen(chosen)))
    return Answer.model_validate(
        {
            **common,
            "outcome": "correct" if chosen == item.gold else "wrong",
            "reply": f"{subject.reply} The answer is {letters}." if subject.reply else letters,
            "shown": letters,
            "answer": letters_of(chosen),
            "probabilities": _probabilities(shown, chosen, rng) if subject.sure else None,
        }
    )


def _probabilities(shown: PresentedItem, chosen: frozenset[int], rng: Random) -> dict[str, float]:
    """One that is sure of a letter, as sure as it happens to be."""
    likeliest = min(shown.seen(chosen))
    rest = [letter for letter in shown.shown if letter != likeliest]
    sure = rng.uniform(1 / (len(rest) + 1), 1.0)
    return {likeliest: sure, **dict.fromkeys(rest, (1 - sure) / len(rest))}


def _choice(subject: Planted, item: Item, rng: Random) -> frozenset[int]:
    if rng.random() < subject.by_type.get(item.groups.get("type", ""), subject.skill):
        return item.gold
    if item.select == "any":
        return _spoilt(item, rng)
    wrong = [position for position in range(len(item.options)) if position not in item.gold]
    new = [position for position in wrong if item.roles and item.roles[position] == "post_value"]
    if new and rng.random() < subject.recency:
        return frozenset(new[:1])
    return frozenset((rng.choice([position for position in wrong if position not in new] or wrong),))


def _spoilt(item: Item, rng: Random) -> frozenset[int]:
    """The right set with one option more, or one less."""
    spoilt = item.gold ^ {rng.randrange(len(item.options))}
    return spoilt or frozenset(range(len(item.options))) - item.gold
