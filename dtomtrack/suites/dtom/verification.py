"""Verifying a finished dataset again with a language model, and finding out how well that model verifies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from itertools import islice, takewhile
from pathlib import Path
from typing import TypeVar

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.errors import InputError, WriteError
from dtomtrack.evaluation.obedience import obedience
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.journal import JOURNAL, Journal
from dtomtrack.llm.options import AnyModel
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.calibration import Calibration
from dtomtrack.runs.data_files import read_records
from dtomtrack.runs.files import write_atomically
from dtomtrack.runs.folder import MANIFEST, open_dataset
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.names import distinct_folder_name
from dtomtrack.suites.dtom.card import card
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.items import read_dialogues
from dtomtrack.suites.dtom.slot_result import QUESTIONS
from dtomtrack.suites.dtom.verdict_line import VERDICTS, VERIFICATION, VerdictLine, VerificationConfig
from dtomtrack.verifiers.judging.calibration import Judged, calibrate, verify_again
from dtomtrack.verifiers.judging.injections import told_to_accept
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.judging.thresholds import Thresholds

__all__ = ["Tally", "VerifyProgress", "VerifyRequest", "calibrate_folder", "verify_folder"]


Kind = TypeVar("Kind", Dialogue, Question)


@dataclass(frozen=True)
class VerifyRequest:
    """A dataset to be verified, and by whom.

    Attributes:
        limit: only the first so many dialogues; None for all.
        thresholds: grades that a question has to get.
    """

    folder: Path
    model: AnyModel
    client: ClientSettings = field(default_factory=ClientSettings)
    limit: int | None = None
    thresholds: Thresholds = field(default_factory=Thresholds)


@dataclass
class Tally:
    """The verdicts of the model, counted, and the calls that they took.

    Attributes:
        dialogues: by outcome.
        questions: by type and outcome.
        path: where each verdict stands.
    """

    dialogues: Counter[str] = field(default_factory=Counter)
    questions: dict[str, Counter[str]] = field(default_factory=dict)
    usage: UsageTotals = field(default_factory=UsageTotals)
    path: Path | None = None


@dataclass(frozen=True)
class VerifyProgress:
    """How far it is.

    Attributes:
        dialogues: that are done or, in a calibration, taken up.
        usage: sums over the calls, which go on between two reports.
    """

    dialogues: int
    wanted: int
    usage: UsageTotals


Report = Callable[[VerifyProgress], None]


async def verify_folder(request: VerifyRequest, report: Report = lambda progress: None) -> Tally:
    """Have a model verify each dialogue and question, and write down what it says; the dataset stays as it is.

    Raises:
        DatasetError: the folder is no finished dataset, or a line of it is damaged.
        ModelError: the model gives no answer; its replies so far are safe.
        WriteError: the verdicts can't be written.
    """
    with _opened(request.folder) as manifest:
        async with Clients(request.client, _journal(request)) as clients:
            judge = await _judge(request, manifest, clients)
            tally = Tally(usage=clients.totals)
            lines: list[bytes] = []
            wanted = _wanted(request, manifest)
            report(VerifyProgress(0, wanted, clients.totals))
            dialogues, questions = _items(request)
            async with aclosing(
                verify_again(judge, dialogues, questions, max_concurrency=_max_concurrency(request))
            ) as found:
                async for one in found:
                    lines.append(to_lines(_verdicts(one, tally)))
                    report(VerifyProgress(tally.dialogues.total(), wanted, clients.totals))
        tally.path = _own_folder(request) / VERDICTS
        config = VerificationConfig(model=judge.name, limit=request.limit, thresholds=request.thresholds)
        _write(tally.path, b"".join(lines).decode())
        _write(tally.path.with_name(VERIFICATION), config.model_dump_json(indent=2) + "\n")
    return tally


def _verdicts(judged: Judged, tally: Tally) -> Iterator[VerdictLine]:
    verdict = judged.verdict
    tally.dialogues[verdict.outcome] += 1
    yield VerdictLine(id=judged.dialogue.id, kind="dialogue", outcome=verdict.outcome, reason=verdict.reason)
    for question, found in judged.questions:
        tally.questions.setdefault(question.type.value, Counter())[found.outcome] += 1
        yield VerdictLine(
            id=question.id,
            kind="question",
            outcome=found.outcome,
            criterion=found.criterion,
            reason=found.reason,
            grade=found.grade,
        )


async def calibrate_folder(
    request: VerifyRequest, report: Report = lambda progress: None
) -> tuple[Calibration, UsageTotals]:
    """How well a model verifies this dataset with known faults put in; goes into the manifest and the card.

    Raises:
        DatasetError: the folder is no finished dataset, or a line of it is damaged.
        ModelError: the model gives no answer; its replies so far are safe.
        WriteError: the manifest can't be written.
    """
    with _opened(request.folder) as manifest:
        async with Clients(request.client, _journal(request)) as clients:
            judge = await _judge(request, manifest, clients)
            dialogues, questions = _items(request)
            usage, wanted = clients.totals, _wanted(request, manifest)
            counted = _Counted(lambda of: report(VerifyProgress(of[Dialogue], wanted, usage)))
            scores, separations = await calibrate(
                judge, counted.pass_on(dialogues), counted.pass_on(questions), max_concurrency=_max_concurrency(request)
            )
            trials = told_to_accept(judge, *_items(request), max_concurrency=_max_concurrency(request))
            async with aclosing(trials):
                told = obedience([one async for one in trials])
        found = Calibration(
            model=judge.name,
            dialogues=counted.of[Dialogue],
            questions=counted.of[Question],
            scores=scores,
            separations=separations,
            told=told,
            thresholds=request.thresholds.model_dump(),
        )
        others = tuple(one for one in manifest.calibration if one.model != found.model)
        _rewrite(request.folder, manifest.model_copy(update={"calibration": (*others, found)}))
    return found, usage


def _max_concurrency(request: VerifyRequest) -> int:
    """Dialogues that are judged at once: so many that the calls that may be made are, or one a slot of the server."""
    return request.client.slots or 2 * request.client.concurrency


def _wanted(request: VerifyRequest, manifest: Manifest) -> int:
    there = manifest.counts.dialogues
    return there if request.limit is None else min(request.limit, there)


class _Counted:
    """Counts records that pass by, and reports them."""

    def __init__(self, report: Callable[[Counter[type]], None]) -> None:
        self.of: Counter[type] = Counter()
        self._report = report

    def pass_on(self, records: Iterator[Kind]) -> Iterator[Kind]:
        """Passes the same records on, and counts and reports them."""
        for record in records:
            self.of[type(record)] += 1
            self._report(self.of)
            yield record


@contextmanager
def _opened(folder: Path) -> Iterator[Manifest]:
    with open_dataset(folder, to="write") as manifest:
        if manifest.suite != "dtom":
            raise InputError(f"{folder}: is a dataset of suite {manifest.suite!r}; only those of dtom can be verified")
        yield manifest


def _own_folder(request: VerifyRequest) -> Path:
    """Where a verifier's verdicts and replies are: apart from what the dataset itself took."""
    model = request.model
    return request.folder / "verify" / distinct_folder_name(model.label if isinstance(model, ModelSpec) else model.name)


def _journal(request: VerifyRequest) -> Journal:
    folder = _own_folder(request)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: can't be made ({error.strerror})") from error
    return Journal(folder / JOURNAL, fresh=request.client.fresh_journal)


async def _judge(request: VerifyRequest, manifest: Manifest, clients: Clients) -> Judge:
    seed = RunConfig.model_validate(manifest.config).seed
    return Judge(await clients.open(request.model), seed=seed, **request.thresholds.model_dump())


def _items(request: VerifyRequest) -> tuple[Iterator[Dialogue], Iterator[Question]]:
    """The dialogues that are wanted, and their questions."""
    dialogues = read_dialogues(request.folder)
    questions = read_records(request.folder / QUESTIONS, Question)
    if request.limit is None:
        return dialogues, questions
    slots = [one.slot for one in islice(read_dialogues(request.folder), request.limit)]
    last = slots[-1] if slots else -1
    return islice(dialogues, request.limit), takewhile(lambda question: question.slot <= last, questions)


def _rewrite(folder: Path, manifest: Manifest) -> None:
    _write(folder / "README.md", card(manifest))
    _write(folder / MANIFEST, manifest.model_dump_json(indent=2) + "\n")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        raise WriteError(f"{path}: can't be written ({error.strerror}); what the model said is safe") from error
