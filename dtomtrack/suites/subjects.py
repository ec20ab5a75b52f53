"""Subjects that play, one after another, each into a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from dtomtrack.errors import InputError, ModelSpecError
from dtomtrack.llm.spec import ModelSpec, parse_spec
from dtomtrack.options import most_like
from dtomtrack.records import Record
from dtomtrack.runs.engines import Engine
from dtomtrack.runs.files import refuse_links, write_atomically
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.job import Job
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.names import digested_folder_name, folder_name, folder_of
from dtomtrack.runs.run import Progress, run

__all__ = ["METRICS", "PlayPlan", "SubjectReport", "parse_subject", "refuse_twice", "run_subjects", "subject_folder"]

METRICS = "metrics.json"
"""The file, in a subject's folder, of what its play adds up to."""
SubjectReport = Callable[[str, Progress], None]
"""Is called with the subject and how far it is."""

Metrics = TypeVar("Metrics", bound=Record)


class _PlayRequest(Protocol):
    """The part of a request to play that suites share."""

    @property
    def subjects(self) -> tuple[str, ...]: ...
    @property
    def engine(self) -> Engine: ...
    @property
    def command(self) -> str: ...


@dataclass(frozen=True)
class PlayPlan(Generic[Metrics]):
    """A request that was checked: where subjects play, how many slots each, and what their plays add up to.

    Attributes:
        place: gets a folder a subject.
        job: of a subject.
        measure: adds up a subject's finished folder.
    """

    place: Path
    n: int
    job: Callable[[str], Job]
    measure: Callable[[str, Path, Manifest], Metrics]


def parse_subject(subject: str, base_url: str | None, scripted: Sequence[str]) -> ModelSpec:
    """The model of this name.

    Args:
        base_url: points a provider that has a server elsewhere.
        scripted: the other names that a subject may have, as in policy/cycle.

    Raises:
        ModelSpecError: there is no such model; the sentence names who was meant, or how others are named.
    """
    if "/" in subject:
        return parse_spec(subject, base_url)
    names = {one.partition("/")[2]: one for one in scripted}
    if close := most_like(subject, names):
        raise ModelSpecError(f"model {subject!r}: did you mean {names[close]}?")
    kinds = sorted({one.partition("/")[0] for one in scripted})
    raise ModelSpecError(f"model {subject!r}: write PROVIDER/NAME, or {' or '.join(f'{one}/NAME' for one in kinds)}")


def refuse_twice(subjects: Sequence[str]) -> None:
    """See that no subject is named twice.

    Raises:
        InputError: one is.
    """
    twice = next((one for one in subjects if subjects.count(one) > 1), None)
    if twice is not None:
        raise InputError(f"{twice} is given twice")


def subject_folder(place: Path, subject: str, role: str = "subject") -> Path:
    """The folder that a subject plays into: of its name, with a digest where somebody of a like name has that one.

    Args:
        role: what the folder's manifest calls it.

    Raises:
        DatasetError: the manifest that is there is damaged.
    """

    def owner(folder: Path) -> str | None:
        manifest = read_manifest(folder)
        return None if manifest is None else str(manifest.config.get(role, subject))

    return folder_of(subject, place / folder_name(subject), place / digested_folder_name(subject), owner)


async def run_subjects(
    request: _PlayRequest, plan: Callable[[], PlayPlan[Metrics]], report: SubjectReport | None = None
) -> tuple[Metrics, ...]:
    """The metrics of each subject, going on where an earlier run of the same request stopped.

    Args:
        plan: checks the request.

    Raises:
        InputError: a package is missing, something can't be played, or a folder holds another run.
        ModelError: a model gives no answer, or the budget is spent; the same call goes on.
    """
    # imported late, and before anything is asked: a missing extra must not be found out when all is paid for
    from dtomtrack.evaluation.statistics import check_packages

    check_packages()
    checked = plan()
    return tuple([await _play(request, checked, subject, report) for subject in request.subjects])


async def _play(request: _PlayRequest, plan: PlayPlan[Metrics], subject: str, report: SubjectReport | None) -> Metrics:
    out = subject_folder(plan.place, subject)
    refuse_links([out])
    manifest = await run(
        plan.job(subject),
        request.engine,
        n=plan.n,
        out=out,
        command=request.command,
        report=None if report is None else lambda progress: report(subject, progress),
    )
    metrics = plan.measure(subject, out, manifest)
    write_atomically(out / METRICS, metrics.model_dump_json(indent=2) + "\n")
    return metrics
