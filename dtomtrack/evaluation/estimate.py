"""Estimates of what an evaluation will take, made without calling anybody: every prompt is written and counted.

Replies are taken to be as long as replies of their kind usually are; nothing is known of how talkative a model is.
"""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.evaluation.asking import requests_for
from dtomtrack.evaluation.dataset import readable_dataset
from dtomtrack.evaluation.examples import Examples
from dtomtrack.evaluation.power import Detectable, detectable
from dtomtrack.evaluation.records import AskConfig
from dtomtrack.evaluation.request import EvaluateRequest
from dtomtrack.evaluation.selection import check_types, selected_items
from dtomtrack.evaluation.subject import NamedSubject
from dtomtrack.items.presented import presented
from dtomtrack.llm.chat import Usage
from dtomtrack.llm.prices import load_prices
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.tokens import prompt_tokens

__all__ = ["SubjectEstimate", "detectable_by", "estimate_evaluation"]

_REPLY = {"text": 8, "json": 12, "logprobs": 1, "each": 1}
_REASONING = 300


@dataclass(frozen=True)
class SubjectEstimate:
    """An estimate for one subject, from its first question on; ``cost`` is in US dollars, None where nobody knows."""

    subject: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


def estimate_evaluation(request: EvaluateRequest) -> tuple[SubjectEstimate, ...]:
    """Estimates of what an evaluation will take, one for each subject.

    Raises:
        DatasetError: the dataset can't be used.
        ModelSpecError: the table of prices can't be used.
    """
    with readable_dataset(request.folder, request.benchmark):
        check_types(request.benchmark, request.folder, request.asked.types)
        return tuple([_of(request, subject) for subject in request.subjects])


def detectable_by(request: EvaluateRequest) -> Detectable | None:
    """The least differences that the items of an evaluation can tell; None where there are too few of them.

    Raises:
        DatasetError: the dataset can't be used.
        InputError: an extra is missing.
    """
    with readable_dataset(request.folder, request.benchmark):
        config = request.subjects[0].config(request.asked, "-", request.benchmark.conditions)
        return detectable(selected_items(request.benchmark, request.folder, config))


def _of(request: EvaluateRequest, subject: NamedSubject) -> SubjectEstimate:
    model = subject.model
    if model is None:
        return SubjectEstimate(subject.label, 0, 0, 0, 0.0)
    config = subject.config(request.asked, "-", request.benchmark.conditions)
    items = selected_items(request.benchmark, request.folder, config)
    examples = Examples.drawn(request.benchmark.items(request.folder), config)
    calls = prompts = 0
    for shown in presented(items, config.permutations, config.repeats):
        requests = requests_for(shown, config, request.benchmark.focus, examples)
        calls += len(requests)
        prompts += sum(map(prompt_tokens, requests))
    usage = Usage(prompts, calls * _tokens_of_a_reply(config))
    price = load_prices(request.client.prices).of(model) if isinstance(model, ModelSpec) else None
    return SubjectEstimate(
        subject=subject.label,
        calls=calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost=None if price is None else price.of(usage),
    )


def _tokens_of_a_reply(config: AskConfig) -> int:
    reasoning = _REASONING if config.prompt == "cot" else 0
    return min(config.max_tokens, _REPLY[config.mode] + reasoning)
