"""Evaluating: subjects answer the items of a dataset, and the answers add up to metrics."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.answer_folder import ANSWERS, METRICS, AnswerFolder, is_shorter, read_config
from dtomtrack.evaluation.asking import check_mode
from dtomtrack.evaluation.asking_work import AskingWork, answered, engine_for
from dtomtrack.evaluation.dataset import begins_with_questions, digest_of, edited_in, readable_dataset
from dtomtrack.evaluation.dates import dated
from dtomtrack.evaluation.examples import Examples
from dtomtrack.evaluation.metrics import Taken, metrics, sum_up
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics, Outcome
from dtomtrack.evaluation.request import EvaluateRequest
from dtomtrack.evaluation.results import taken_before
from dtomtrack.evaluation.rules import PREFIX
from dtomtrack.evaluation.scored import ScoredAnswer, Scorer
from dtomtrack.evaluation.selection import check_types, count_asked, selected_items
from dtomtrack.evaluation.subject import (
    NamedSubject,
    RuleSubject,
    rules_of,
)
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem, presented
from dtomtrack.llm.budget import reservation_for
from dtomtrack.llm.journal import JOURNAL, journal_totals
from dtomtrack.llm.journal_run import run_of_journal
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spans import run_span
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.workplace import Workplace

__all__ = ["EvaluateProgress", "run_evaluation"]

_BREATH = 256
"""Answers by rule between two looks at whether the run was interrupted."""
_FIRST = 50
"""If so many replies hold no answer, something is wrong with the way of asking."""


@dataclass(frozen=True)
class EvaluateProgress:
    """How far a subject has come.

    Attributes:
        wanted: answers in all; None where that is not known beforehand.
        usage: sums over its calls; None for a baseline.
    """

    subject: str
    wanted: int | None
    outcomes: Counter[Outcome]
    usage: UsageTotals | None

    @property
    def done(self) -> int:
        """Answers that are written."""
        return self.outcomes.total()


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
    with readable_dataset(request.folder, request.benchmark) as manifest:
        digest, questions = digest_of(request.folder, request.benchmark)
        _check_count(request.folder / request.benchmark.files[-1], questions, manifest)
        check_types(request.benchmark, request.folder, request.asked.types)
        configs = [subject.config(request.asked, digest, request.benchmark.conditions) for subject in request.subjects]
        for subject, config in zip(request.subjects, configs, strict=True):
            _check_asked(request, subject, config, warn)
        found = []
        for subject, config in zip(request.subjects, configs, strict=True):
            wanted = _wanted(request, config, questions) if report is not None or request.engine is None else None
            found.append(await _Evaluation(request, subject, config, wanted, report, warn).run())
    return tuple(found)


def _check_count(path: Path, questions: int, manifest: Manifest | None) -> None:
    if not questions:
        raise DatasetError(f"{path}: holds no questions to ask")
    # where there are sums of the files, an edit is told by them
    if manifest is not None and not manifest.files and manifest.counts.questions != questions:
        raise DatasetError(
            f"{path}: holds {questions} questions, and the manifest tells of {manifest.counts.questions}; one is edited"
        )


def _wanted(request: EvaluateRequest, config: AskConfig, questions: int) -> int:
    """How many answers there will be; items are looked at only where they don't all count alike."""
    if config.permutations == 1 and config.limit is None and not config.types:
        return questions * config.repeats
    return count_asked(request.benchmark, request.folder, config)


def _check_asked(
    request: EvaluateRequest, subject: NamedSubject, config: AskConfig, warn: Callable[[str], None] | None
) -> None:
    """See that a model can answer all items as it is asked to, before any is paid for.

    Raises:
        InputError: it can't.
    """
    if subject.model is None:
        return
    if config.mode == "logprobs":
        for item in selected_items(request.benchmark, request.folder, config):
            check_mode(item, config)
    if warn is not None and config.repeats > 1 and config.temperature == 0:
        warn(
            f"repeats is {config.repeats} at temperature 0: most servers give the same reply each time, so that the "
            "spread says nothing; --temperature 0.7, say, draws several"
        )


@dataclass(frozen=True)
class _Evaluation:
    """The evaluation of one subject."""

    request: EvaluateRequest
    subject: NamedSubject
    config: AskConfig
    wanted: int | None
    report: Callable[[EvaluateProgress], None] | None
    warn: Callable[[str], None] | None

    async def run(self) -> Metrics:
        """Ask for the answers that are missing, and sum up."""
        request, config = self.request, self.config
        path = request.place_of(config)
        if _holds_more(path, config):
            return self._of_first(path)
        is_beginning = partial(begins_with_questions, request.folder, request.benchmark)
        with AnswerFolder(path, config, is_beginning) as folder, dated(path):
            scorer, scored = Scorer(), list[ScoredAnswer]()
            scoring = scorer.scoring()

            def take(answer: Answer) -> None:
                scored.append(scoring.score(answer))

            items = presented(self._items(scorer), config.permutations, config.repeats)
            usage = await self._ask(folder, folder.left(items, take), take)
            found = self._sum_up(scored, usage)
            folder.finish(found)
        return found

    def _of_first(self, path: Path) -> Metrics:
        """The metrics of some answers of a finished evaluation, which stays as it is."""
        request, config = self.request, self.config
        if self.warn is not None:
            self.warn(f"{path}: holds all these answers already; it stays as it is, and nobody is asked")
        items = list(selected_items(request.benchmark, request.folder, config))
        wanted = {item.id for item in items}
        answers = (one for one in read_lines(path / ANSWERS, Answer) if one.question_id in wanted)
        return metrics(request.benchmark, config, items, answers, edited=edited_in(request.folder))

    def _items(self, scorer: Scorer) -> Iterator[Item]:
        """The items, which the scorer gets to know; the first with fewer options than wanted rotations is told."""
        told = self.warn is None
        for item in selected_items(self.request.benchmark, self.request.folder, self.config):
            if not told and len(item.options) < self.config.permutations and self.warn is not None:
                told = True
                self.warn(
                    f"permutations is {self.config.permutations}: items with fewer options, such as {item.id} with "
                    f"{len(item.options)}, are asked under as many rotations as they have"
                )
            scorer.add(item)
            yield item

    async def _ask(
        self, folder: AnswerFolder, left: Iterator[PresentedItem], take: Callable[[Answer], None]
    ) -> UsageTotals | None:
        """The totals of its calls, once all is answered and each answer taken; None for a baseline."""
        request = self.request
        if self.subject.model is None:
            make = rules_of(request.benchmark)[self.subject.label.removeprefix(PREFIX)]
            rule = RuleSubject(make(lambda: request.benchmark.items(request.folder)))
            await self._write(folder, _by_rule(rule, left), take, None)
            return None
        place = _place_of(folder, request.client)
        # what sums up takes a while to import, and the first replies are waited for anyway
        asyncio.get_running_loop().run_in_executor(None, import_module, "scipy.special")
        with run_span(
            place.trace, {"dtomtrack.suite": request.benchmark.name, "dtomtrack.subject": self.subject.label}
        ):
            await self._write(folder, self._answers(folder, place, left), take, place.totals)
        if 0 < folder.outcomes.total() < _FIRST:
            self._warn_if_unreadable(folder)
        return place.totals

    async def _write(
        self,
        folder: AnswerFolder,
        answers: AsyncGenerator[tuple[bytes, Outcome], None],
        take: Callable[[Answer], None],
        usage: UsageTotals | None,
    ) -> None:
        self._follow(folder, usage)
        async with aclosing(answers):
            async for line, outcome in answers:
                folder.append(line, outcome)
                take(Answer.model_validate_json(line))
                self._follow(folder, usage)
                if folder.outcomes.total() == _FIRST:
                    self._warn_if_unreadable(folder)

    async def _answers(
        self, folder: AnswerFolder, place: Workplace, left: Iterator[PresentedItem]
    ) -> AsyncGenerator[tuple[bytes, Outcome], None]:
        first, request = next(left, None), self.request
        if first is None or self.subject.model is None:
            return
        examples = Examples.drawn(request.benchmark.items(request.folder), self.config)
        work = AskingWork(self.subject.model, self.config, request.benchmark.focus, examples, request.client)
        done = folder.outcomes.total()
        engine = request.engine or engine_for(work, (self.wanted or 0) - done)
        # how many are left is known when there are no more
        slots = range(done, sys.maxsize)
        async with aclosing(engine.map(work, slots, place, chain((first,), left))) as answers:
            async for lines in answers:
                yield answered(lines)

    def _sum_up(self, scored: Sequence[ScoredAnswer], usage: UsageTotals | None) -> Metrics:
        """The metrics of all answers; every item has gone by for them."""
        return sum_up(
            self.request.benchmark,
            self.config,
            scored,
            Taken(usage.calls, usage.tokens, usage.cost) if usage else Taken(),
            edited_in(self.request.folder),
        )

    def _follow(self, folder: AnswerFolder, usage: UsageTotals | None) -> None:
        if self.report is not None:
            self.report(EvaluateProgress(self.subject.label, self.wanted, folder.outcomes, usage))

    def _warn_if_unreadable(self, folder: AnswerFolder) -> None:
        if self.warn is None or folder.outcomes["correct"] or folder.outcomes["wrong"]:
            return
        other = "json" if self.config.mode in {"logprobs", "each"} else "logprobs"
        self.warn(
            f"{self.subject.label}: none of the first {folder.outcomes.total()} replies holds an answer that can be "
            f"read; look at {folder.path / ANSWERS}, and try --mode {other}"
        )


def _holds_more(path: Path, config: AskConfig) -> bool:
    """Whether a folder holds the finished evaluation of more dialogues, asked in this way."""
    before = read_config(path)
    return before is not None and is_shorter(config, before) and taken_before(path / METRICS, before) is not None


def _place_of(folder: AnswerFolder, client: ClientSettings) -> Workplace:
    """This process, with the journal and the budget of the evaluation.

    Raises:
        DatasetError: the journal is damaged.
        WriteError: it can't be written.
    """
    journal = folder.path / JOURNAL
    totals = journal_totals(journal, fresh=client.fresh_journal)
    return Workplace(journal, totals, reservation_for(client.budget, totals), trace=run_of_journal(journal))


async def _by_rule(rule: RuleSubject, left: Iterator[PresentedItem]) -> AsyncGenerator[tuple[bytes, Outcome], None]:
    for number, shown in enumerate(left):
        if number % _BREATH == 0:
            await asyncio.sleep(0)
        answer = await rule.answer(shown)
        yield to_lines([answer]), answer.outcome
