"""Evaluating: subjects answer the items of a dataset, and the answers add up to metrics."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from dtomtrack.errors import InputError
from dtomtrack.evaluation.answer_folder import ANSWERS, EVALUATIONS, AnswerFolder
from dtomtrack.evaluation.asking import ModelSubject
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.dataset import digest_of, readable_dataset
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics, Outcome
from dtomtrack.evaluation.rules import PREFIX
from dtomtrack.evaluation.subject import (
    AskOptions,
    AskSettings,
    NamedSubject,
    RuleSubject,
    ask_settings,
    named_subject,
    rules_of,
    subject_folder,
)
from dtomtrack.items.presented import PresentedItem, presented
from dtomtrack.llm.clients import Clients, ClientSettings
from dtomtrack.llm.journal import JOURNAL, Journal
from dtomtrack.llm.ledger import Ledger
from dtomtrack.llm.options import ClientOptions, client_settings
from dtomtrack.runs.in_order import in_order
from dtomtrack.runs.lines import read_lines

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel

__all__ = [
    "EVALUATIONS",
    "EvaluateOptions",
    "EvaluateProgress",
    "EvaluateRequest",
    "request_evaluation",
    "run_evaluation",
]

_AHEAD = 4
"""Items under way for each call: one slow reply doesn't hold up the others."""
_BREATH = 256
"""Answers by rule between two looks at whether the run was interrupted."""
_FIRST = 50
"""If so many replies hold no answer, something is wrong with the way of asking."""


class EvaluateOptions(AskOptions, ClientOptions, total=False):
    """How an evaluation may be made: `AskOptions` and `ClientOptions`, and where the models are.

    Attributes:
        base_url: points providers that have a server elsewhere.
    """

    base_url: str


@dataclass(frozen=True)
class EvaluateRequest:
    """Which dataset is to be evaluated, of which suite, with which subjects, and how."""

    benchmark: Benchmark
    folder: Path
    subjects: tuple[NamedSubject, ...]
    asked: AskSettings = field(default_factory=AskSettings)
    client: ClientSettings = field(default_factory=ClientSettings)


@dataclass(frozen=True)
class EvaluateProgress:
    """How far a subject has come.

    Attributes:
        wanted: answers in all; None where that is not known beforehand.
        ledger: None for a baseline.
    """

    subject: str
    wanted: int | None
    outcomes: Counter[Outcome]
    ledger: Ledger | None

    @property
    def done(self) -> int:
        """Answers that are written."""
        return self.outcomes.total()


def request_evaluation(
    benchmark: Benchmark,
    folder: str | PathLike[str],
    subjects: str | ChatModel | Sequence[str | ChatModel],
    **options: Unpack[EvaluateOptions],
) -> EvaluateRequest:
    """A request from what a user gives.

    Raises:
        InputError: a subject can't be used as it is named, or an option is out of range.
    """
    one_only = isinstance(subjects, str) or not isinstance(subjects, Sequence)
    given = cast("list[str | ChatModel]", [subjects] if one_only else list(cast("Sequence[str]", subjects)))
    if not given:
        raise InputError("no model is given; name at least one")
    named = tuple(named_subject(one, benchmark, options.get("base_url")) for one in given)
    labels = Counter(subject.label for subject in named)
    twice = next((label for label, count in labels.items() if count > 1), None)
    if twice is not None:
        raise InputError(f"the model {twice} is given twice")
    return EvaluateRequest(
        benchmark,
        Path(folder),
        named,
        ask_settings(cast("AskOptions", _among(AskOptions, options)), benchmark.conditions),
        client_settings(cast("ClientOptions", _among(ClientOptions, options))),
    )


def _among(kind: type, options: EvaluateOptions) -> dict[str, object]:
    return {name: value for name, value in options.items() if name in kind.__annotations__}


async def run_evaluation(
    request: EvaluateRequest,
    report: Callable[[EvaluateProgress], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> tuple[Metrics, ...]:
    """The metrics of each subject, one after another, going on where an earlier run of the same request stopped.

    Args:
        report: called after every answer.
        warn: called with a sentence if a subject's replies hold no answer that can be read.

    Raises:
        InputError: the dataset can't be used, or the folder holds another evaluation.
        WriteError: the folder can't be written; the answers that are there are safe.
        ModelError: a model gives no answer, or the budget is spent; the same call goes on.
    """
    # imported late, and before anything is asked: a missing extra must not be found out when all is paid for
    from dtomtrack.evaluation.statistics import check_packages

    check_packages()
    with readable_dataset(request.folder, request.benchmark):
        digest, questions = digest_of(request.folder, request.benchmark)
        once = request.asked.limit is None and request.asked.permutations == 1
        wanted = questions * request.asked.repeats if once else None
        found = []
        for subject in request.subjects:
            config = subject.config(request.asked, digest, request.benchmark.conditions)
            found.append(await _Evaluation(request, subject, config, wanted, report, warn).run())
    return tuple(found)


@dataclass(frozen=True)
class _Evaluation:
    """One subject's."""

    request: EvaluateRequest
    subject: NamedSubject
    config: AskConfig
    wanted: int | None
    report: Callable[[EvaluateProgress], None] | None
    warn: Callable[[str], None] | None

    async def run(self) -> Metrics:
        """Ask for the answers that are missing, and sum up."""
        request, config = self.request, self.config
        path = request.folder / EVALUATIONS / subject_folder(config, request.benchmark.conditions[0])
        with AnswerFolder(path, config) as folder:
            items = presented(
                request.benchmark.items(request.folder, config.limit), config.permutations, config.repeats
            )
            ledger = await self._ask(folder, folder.left(items))
            found = self._sum_up(folder, ledger)
            folder.finish(found)
        return found

    async def _ask(self, folder: AnswerFolder, left: Iterator[PresentedItem]) -> Ledger | None:
        """The totals of its calls, once all is answered; None for a baseline."""
        request = self.request
        if self.subject.model is None:
            make = rules_of(request.benchmark)[self.subject.label.removeprefix(PREFIX)]
            rule = RuleSubject(make(lambda: request.benchmark.items(request.folder)))
            await self._write(folder, _by_rule(rule, left), None)
            return None
        async with Clients(request.client, Journal(folder.path / JOURNAL)) as clients:
            await self._write(folder, self._answers(clients, left), clients.ledger)
            if 0 < folder.outcomes.total() < _FIRST:
                self._warn_if_unreadable(folder)
            return clients.ledger

    async def _write(self, folder: AnswerFolder, answers: AsyncGenerator[Answer, None], ledger: Ledger | None) -> None:
        self._follow(folder, ledger)
        async with aclosing(answers):
            async for answer in answers:
                folder.append(answer)
                self._follow(folder, ledger)
                if folder.outcomes.total() == _FIRST:
                    self._warn_if_unreadable(folder)

    async def _answers(self, clients: Clients, left: Iterator[PresentedItem]) -> AsyncGenerator[Answer, None]:
        first = next(left, None)
        if first is None or self.subject.model is None:
            return
        model = await clients.open(self.subject.model)
        subject = ModelSubject(model, self.config, self.request.benchmark.focus)
        most = _AHEAD * self.request.client.concurrency
        async with aclosing(in_order(subject.answer, chain((first,), left), most)) as answers:
            async for answer in answers:
                yield answer

    def _sum_up(self, folder: AnswerFolder, ledger: Ledger | None) -> Metrics:
        from dtomtrack.evaluation.metrics import Taken, metrics

        return metrics(
            self.request.benchmark,
            self.config,
            self.request.benchmark.items(self.request.folder, self.config.limit),
            read_lines(folder.path / ANSWERS, Answer),
            Taken(ledger.calls, ledger.tokens, ledger.cost) if ledger else Taken(),
        )

    def _follow(self, folder: AnswerFolder, ledger: Ledger | None) -> None:
        if self.report is not None:
            self.report(EvaluateProgress(self.subject.label, self.wanted, folder.outcomes, ledger))

    def _warn_if_unreadable(self, folder: AnswerFolder) -> None:
        if self.warn is None or folder.outcomes["correct"] or folder.outcomes["wrong"]:
            return
        other = "json" if self.config.mode == "logprobs" else "logprobs"
        self.warn(
            f"{self.subject.label}: none of the first {folder.outcomes.total()} replies holds an answer that can be "
            f"read; look at {folder.path / ANSWERS}, and try --mode {other}"
        )


async def _by_rule(rule: RuleSubject, left: Iterator[PresentedItem]) -> AsyncGenerator[Answer, None]:
    for number, shown in enumerate(left):
        if number % _BREATH == 0:
            await asyncio.sleep(0)
        yield await rule.answer(shown)
