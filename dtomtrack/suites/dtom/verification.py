"""Verifying a finished dataset again with a language model, and finding out how well that model verifies."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice, takewhile
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.errors import InputError, WriteError
from dtomtrack.evaluation.obedience import obedience
from dtomtrack.llm.budget import reservation_for
from dtomtrack.llm.journal import JOURNAL, journal_totals
from dtomtrack.llm.journal_run import run_of_journal
from dtomtrack.llm.options import AnyModel
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spans import run_span
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.calibration import Calibration
from dtomtrack.runs.data_files import read_records
from dtomtrack.runs.engines import Engine
from dtomtrack.runs.engines.local import LocalEngine
from dtomtrack.runs.files import draft_of, write_atomically
from dtomtrack.runs.folder import MANIFEST, open_dataset
from dtomtrack.runs.leftovers import without_leftovers
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.names import distinct_folder_name
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.suites.dtom.card import card
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.items import read_dialogues
from dtomtrack.suites.dtom.slot_result import QUESTIONS
from dtomtrack.suites.dtom.verdict_line import VERDICTS, VERIFICATION, VerificationConfig
from dtomtrack.suites.dtom.verifying_work import CalibratingWork, VerifyingWork, trials_in
from dtomtrack.verifiers.judging.calibration import FaultTallies, items_of
from dtomtrack.verifiers.judging.injections import InjectionTrial
from dtomtrack.verifiers.judging.thresholds import Thresholds

__all__ = ["Tally", "VerifyProgress", "VerifyRequest", "calibrate_folder", "verify_folder"]

_IN_MEMORY = 16 << 20
"""Bytes of verdicts that are kept in memory until all are there; more wait in a file that has no name."""


@dataclass(frozen=True)
class VerifyRequest:
    """A dataset to be verified, and by whom.

    Attributes:
        limit: only the first so many dialogues; None for all.
        thresholds: grades that a question has to get.
        engine: has it verified.
    """

    folder: Path
    model: AnyModel
    client: ClientSettings = field(default_factory=ClientSettings)
    limit: int | None = None
    thresholds: Thresholds = field(default_factory=Thresholds)
    engine: Engine = field(default_factory=LocalEngine)


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

    def count(self, one: Counts) -> None:
        """Count the verdicts on a dialogue and its questions."""
        self.dialogues.update(one.totals)
        for kind, outcomes in one.groups.items():
            self.questions.setdefault(kind, Counter()).update(outcomes)


@dataclass(frozen=True)
class VerifyProgress:
    """How far it is.

    Attributes:
        dialogues: that are done.
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
    with _opened(request.folder) as manifest, without_leftovers(_own_folder(request)):
        work, place = _work(VerifyingWork, request, manifest), _place(request)
        path = _own_folder(request) / VERDICTS
        tally, wanted = Tally(usage=place.totals, path=path), _wanted(request, manifest)
        report(VerifyProgress(0, wanted, place.totals))
        with SpooledTemporaryFile(_IN_MEMORY, dir=str(path.parent)) as lines:
            async with aclosing(_worked(request, work, place, manifest)) as found:
                async for one in found:
                    with _writing(path):
                        lines.write(one.data[VERDICTS])
                    tally.count(one.counts)
                    report(VerifyProgress(tally.dialogues.total(), wanted, place.totals))
            _put(lines, path, request)
    return tally


def _put(lines: IO[bytes], path: Path, request: VerifyRequest) -> None:
    """Write down all verdicts, and what they are by; a kill in between leaves them without it, never with another's."""
    config = VerificationConfig(model=_label(request), limit=request.limit, thresholds=request.thresholds)
    with suppress(OSError):
        path.with_name(VERIFICATION).unlink()
    with _writing(path), draft_of(path) as draft:
        lines.seek(0)
        copyfileobj(lines, draft)
    _write(path.with_name(VERIFICATION), config.model_dump_json(indent=2) + "\n")


async def calibrate_folder(
    request: VerifyRequest, report: Report = lambda progress: None
) -> tuple[Calibration, UsageTotals]:
    """How well a model verifies this dataset with known faults put in; goes into the manifest and the card.

    Raises:
        DatasetError: the folder is no finished dataset, or a line of it is damaged.
        ModelError: the model gives no answer; its replies so far are safe.
        WriteError: the manifest can't be written.
    """
    with _opened(request.folder) as manifest, without_leftovers(_own_folder(request)):
        work, place = _work(CalibratingWork, request, manifest), _place(request)
        tallies, injections = FaultTallies(), list[InjectionTrial]()
        counts, wanted = Counts(), _wanted(request, manifest)
        report(VerifyProgress(0, wanted, place.totals))
        async with aclosing(_worked(request, work, place, manifest)) as tried:
            async for one in tried:
                trials, told = trials_in(one)
                tallies.take(trials)
                injections += told
                counts += Counts(dialogues=1, questions=one.counts.questions)
                report(VerifyProgress(counts.dialogues, wanted, place.totals))
        found = Calibration(
            model=_label(request),
            dialogues=counts.dialogues,
            questions=counts.questions,
            scores=tallies.scores,
            separations=tallies.separations,
            told=obedience(injections),
            thresholds=request.thresholds.model_dump(),
        )
        others = tuple(one for one in manifest.calibration if one.model != found.model)
        _rewrite(request.folder, manifest.model_copy(update={"calibration": (*others, found)}))
    return found, place.totals


async def _worked(
    request: VerifyRequest, work: VerifyingWork, place: Workplace, manifest: Manifest
) -> AsyncGenerator[SlotLines, None]:
    """What came of each dialogue, in their order."""
    kept = items_of(*_items(request))
    with run_span(place.trace, {"dtomtrack.suite": manifest.suite}):
        async with aclosing(request.engine.map(work, range(sys.maxsize), place, kept)) as found:
            async for one in found:
                yield one


def _wanted(request: VerifyRequest, manifest: Manifest) -> int:
    there = manifest.counts.dialogues
    return there if request.limit is None else min(request.limit, there)


@contextmanager
def _opened(folder: Path) -> Iterator[Manifest]:
    with open_dataset(folder, to="write") as manifest:
        if manifest.suite != "dtom":
            raise InputError(f"{folder}: is a dataset of suite {manifest.suite!r}; only those of dtom can be verified")
        yield manifest


def _own_folder(request: VerifyRequest) -> Path:
    """Where a verifier's verdicts and replies are: apart from what the dataset itself took."""
    return request.folder / "verify" / distinct_folder_name(_label(request))


def _label(request: VerifyRequest) -> str:
    model = request.model
    return model.label if isinstance(model, ModelSpec) else model.name


def _work(kind: type[VerifyingWork], request: VerifyRequest, manifest: Manifest) -> VerifyingWork:
    seed = RunConfig.model_validate(manifest.config).seed
    return kind(request.model, seed, request.thresholds, request.client)


def _place(request: VerifyRequest) -> Workplace:
    """This process, with the journal and the budget of the verification."""
    folder, client = _own_folder(request), request.client
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: can't be made ({error.strerror})") from error
    totals = journal_totals(folder / JOURNAL, fresh=client.fresh_journal)
    reservation = reservation_for(client.budget, totals)
    return Workplace(folder / JOURNAL, totals, reservation, trace=run_of_journal(folder / JOURNAL))


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
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(f"{path}: can't be written ({error.strerror}); what the model said is safe") from error
