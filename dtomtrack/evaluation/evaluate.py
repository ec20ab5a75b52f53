"""Evaluating: subjects answer the questions of a dataset, and the answers add up to metrics."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from dtomtrack.errors import InputError
from dtomtrack.evaluation.answer_folder import ANSWERS, AnswerFolder
from dtomtrack.evaluation.asked import Asked, asked_of, digest_of, pairs, questions_of, readable_dataset
from dtomtrack.evaluation.asking import Asker
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics, Outcome
from dtomtrack.evaluation.subjects import (
    AskOptions,
    AskSettings,
    Subject,
    ask_settings,
    named_subject,
    subject_folder,
)
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.journal import JOURNAL, Journal
from dtomtrack.llm.settings import ClientSettings, client_settings
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.in_order import in_order
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.dtom.baselines import Baseline, open_baseline

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel

__all__ = [
    "EVALUATIONS",
    "EvaluateOptions",
    "EvaluateProgress",
    "EvaluateRequest",
    "aevaluate",
    "evaluate",
    "request_evaluation",
    "run_evaluation",
]

EVALUATIONS = "eval"
"""The folder of a dataset's evaluations."""
_AHEAD = 4
"""Questions under way for each call: one slow reply doesn't hold up the others."""
_BREATH = 256
"""Answers by rule between two looks at whether the run was interrupted."""
_FIRST = 50
"""If so many replies hold no answer, something is wrong with the way of asking."""


class EvaluateOptions(AskOptions, total=False):
    """What may be said of an evaluation.

    Attributes:
        base_url: points providers that have a server elsewhere.
        concurrency: calls to a model at once; 16 if not given.
        requests_per_minute, tokens_per_minute: to a model.
        timeout: seconds that one try of a call may take; 300 if not given.
        max_cost: US dollars that each subject may cost; max_tokens_total: tokens that it may take.
        prices: a file of prices.
    """

    base_url: str
    concurrency: int
    requests_per_minute: float
    tokens_per_minute: float
    timeout: float
    max_cost: float
    max_tokens_total: int
    prices: str | PathLike[str]


@dataclass(frozen=True)
class EvaluateRequest:
    """What is to be evaluated, and how."""

    folder: Path
    subjects: tuple[Subject, ...]
    asked: AskSettings = field(default_factory=AskSettings)
    client: ClientSettings = field(default_factory=ClientSettings)


@dataclass(frozen=True)
class EvaluateProgress:
    """How far a subject has come.

    Attributes:
        wanted: answers in all; None where a limit makes that unknown.
        ledger: None for a baseline.
    """

    subject: str
    wanted: int | None
    outcomes: Counter[Outcome]
    ledger: UsageTotals | None

    @property
    def done(self) -> int:
        """Answers that are written."""
        return self.outcomes.total()


def evaluate(
    folder: str | PathLike[str],
    subjects: str | ChatModel | Sequence[str | ChatModel],
    *,
    report: Callable[[EvaluateProgress], None] | None = None,
    warn: Callable[[str], None] | None = None,
    **options: Unpack[EvaluateOptions],
) -> tuple[Metrics, ...]:
    """What subjects answer to the questions of a dataset; see `aevaluate`."""
    return asyncio.run(aevaluate(folder, subjects, report=report, warn=warn, **options))


async def aevaluate(
    folder: str | PathLike[str],
    subjects: str | ChatModel | Sequence[str | ChatModel],
    *,
    report: Callable[[EvaluateProgress], None] | None = None,
    warn: Callable[[str], None] | None = None,
    **options: Unpack[EvaluateOptions],
) -> tuple[Metrics, ...]:
    """What subjects answer to the questions of a dataset, one subject after another, or go on where that stopped.

    Args:
        subjects: "baseline/NAME", "PROVIDER/NAME", or objects that keep the `ChatModel` protocol.
        report: called after every answer.
        warn: called with a sentence if a subject's replies hold no answer that can be read.
        options: see `EvaluateOptions`.

    Returns:
        the metrics of each; they are in ``eval/SUBJECT/`` of the dataset, too, with every answer.

    Raises:
        InputError: a subject, option or the dataset can't be used, or the folder holds another evaluation.
        WriteError: the folder can't be written; what is there is safe.
        ModelError: a model gives no answer, or the budget is spent; what is there is safe, the same call goes on.
    """
    return await run_evaluation(request_evaluation(folder, subjects, **options), report, warn)


def request_evaluation(
    folder: str | PathLike[str],
    subjects: str | ChatModel | Sequence[str | ChatModel],
    **options: Unpack[EvaluateOptions],
) -> EvaluateRequest:
    """A request from what a user gives.

    Raises:
        InputError: a subject can't be used as it is named, or an option is out of range.
    """
    one_only = isinstance(subjects, str) or not isinstance(subjects, Sequence)
    given: list[str | ChatModel] = [subjects] if one_only else list(subjects)  # type: ignore[list-item, arg-type]
    if not given:
        raise InputError("no model is given; name at least one")
    named = tuple(named_subject(one, options.get("base_url")) for one in given)
    labels = Counter(subject.label for subject in named)
    twice = next((label for label, count in labels.items() if count > 1), None)
    if twice is not None:
        raise InputError(f"the model {twice} is given twice")
    asked: AskOptions = {name: options[name] for name in AskOptions.__annotations__ if name in options}  # type: ignore[assignment, literal-required]
    return EvaluateRequest(Path(folder), named, ask_settings(asked), client_settings(options))


async def run_evaluation(
    request: EvaluateRequest,
    report: Callable[[EvaluateProgress], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> tuple[Metrics, ...]:
    """The metrics of each subject; raises what `aevaluate` does."""
    # imported late, and before anything is asked: a missing extra must not be found out when all is paid for
    from dtomtrack.evaluation.statistics import check_packages

    check_packages()
    with readable_dataset(request.folder):
        digest, questions = digest_of(request.folder)
        wanted = None if request.asked.limit else questions * request.asked.permutations
        found = []
        for subject in request.subjects:
            one = _Evaluation(request, subject, subject.config(request.asked, digest), wanted, report, warn)
            found.append(await one.run())
    return tuple(found)


@dataclass(frozen=True)
class _Evaluation:
    """One subject's."""

    request: EvaluateRequest
    subject: Subject
    config: AskConfig
    wanted: int | None
    report: Callable[[EvaluateProgress], None] | None
    warn: Callable[[str], None] | None

    async def run(self) -> Metrics:
        """Ask what was not asked yet, and sum up."""
        data = self.request.folder
        with AnswerFolder(data / EVALUATIONS / subject_folder(self.config), self.config) as folder:
            items = asked_of(pairs(data, self.config.limit), self.config.permutations)
            ledger = await self._ask(folder, folder.left(items))
            found = self._sum_up(folder, ledger)
            folder.finish(found)
        return found

    async def _ask(self, folder: AnswerFolder, left: Iterator[Asked]) -> UsageTotals | None:
        """The books, once all is answered; None for a baseline."""
        if self.subject.model is None:
            data = self.request.folder
            baseline = open_baseline(self.subject.label, lambda: questions_of(data))
            await self._write(folder, _by_rule(baseline, left), None)
            return None
        async with Clients(self.request.client, Journal(folder.path / JOURNAL)) as clients:
            await self._write(folder, self._answers(clients, left), clients.totals)
            if 0 < folder.outcomes.total() < _FIRST:
                self._warn_if_unreadable(folder)
            return clients.totals

    async def _write(
        self, folder: AnswerFolder, answers: AsyncGenerator[Answer, None], ledger: UsageTotals | None
    ) -> None:
        self._follow(folder, ledger)
        async with aclosing(answers):
            async for answer in answers:
                folder.append(answer)
                self._follow(folder, ledger)
                if folder.outcomes.total() == _FIRST:
                    self._warn_if_unreadable(folder)

    async def _answers(self, clients: Clients, left: Iterator[Asked]) -> AsyncGenerator[Answer, None]:
        first = next(left, None)
        if first is None or self.subject.model is None:
            return
        asker = Asker(await clients.open(self.subject.model), self.config)
        at_once = _AHEAD * self.request.client.concurrency
        async with aclosing(in_order(asker.ask, chain((first,), left), at_once)) as answers:
            async for answer in answers:
                yield answer

    def _sum_up(self, folder: AnswerFolder, ledger: UsageTotals | None) -> Metrics:
        from dtomtrack.evaluation.metrics import metrics

        return metrics(
            self.config,
            questions_of(self.request.folder, self.config.limit),
            read_lines(folder.path / ANSWERS, Answer),
            calls=ledger.calls if ledger else 0,
            tokens=ledger.tokens if ledger else 0,
            cost=round(ledger.cost, 6) if ledger else 0.0,
        )

    def _follow(self, folder: AnswerFolder, ledger: UsageTotals | None) -> None:
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


async def _by_rule(baseline: Baseline, left: Iterator[Asked]) -> AsyncGenerator[Answer, None]:
    for number, asked in enumerate(left):
        if number % _BREATH == 0:
            await asyncio.sleep(0)
        shown = baseline(asked)
        meant = asked.meant(shown)
        yield Answer(
            question_id=asked.question.id,
            dialogue_id=asked.question.dialogue_id,
            rotation=asked.rotation,
            shown=shown,
            answer=meant,
            outcome="correct" if meant == asked.question.answer else "wrong",
        )
