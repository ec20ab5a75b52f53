"""Writing a report into the folder of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import DatasetError, InputError, WriteError
from dtomtrack.evaluation.accuracy_table import accuracy_table, as_csv, as_latex
from dtomtrack.evaluation.answer_folder import ANSWERS, CONFIG, EVALUATIONS
from dtomtrack.evaluation.dataset import readable_dataset
from dtomtrack.evaluation.metrics import TYPE
from dtomtrack.options import check_range
from dtomtrack.report.audit_table import audit_table
from dtomtrack.report.browsing import browsing
from dtomtrack.report.differences import difference_rows, differences
from dtomtrack.report.drawing import Drawing
from dtomtrack.report.evaluations import Evaluation, read_evaluations, subsets
from dtomtrack.report.figures import Figures, draw_figures
from dtomtrack.report.groupings import Grouping, groupings, type_grouping
from dtomtrack.report.headline import headline
from dtomtrack.report.legend import legend
from dtomtrack.report.old_files import beside_page, dataset_mark, refuse_foreign, refuse_other_dataset, remove_old
from dtomtrack.report.page import Contents, Section, Tables, page
from dtomtrack.report.paper_tables import as_markdown, paper_tables
from dtomtrack.report.plays import plays_of
from dtomtrack.report.presentation import ReportedSuite
from dtomtrack.report.shown import DIALOGUES_SHOWN
from dtomtrack.report.tables import asked_rows, cut_words, further_rows, group_rows, headline_rows, part_rows
from dtomtrack.runs.files import refuse_dead_link, refuse_file_above, write_atomically
from dtomtrack.runs.folder import MANIFEST
from dtomtrack.runs.manifest import Counts, Manifest

if TYPE_CHECKING:
    from dtomtrack.audit import Audit

__all__ = ["Places", "Report", "write_report"]

_PAGE = "report.html"


@dataclass(frozen=True)
class Places:
    """The folders of a report: of the dataset, and, where they are not in it, of what is written and of evaluations."""

    dataset: Path
    out: Path | None = None
    evaluations: Path | None = None


@dataclass(frozen=True)
class Report:
    """A report that was written.

    Attributes:
        page: the HTML file.
        figures: the image files.
        subjects: whose answers it shows.
        unfinished: folders of evaluations that were stopped; of those it has the answers that are there.
        dialogues: how many of them can be looked at in the page.
        players: who played, in a folder of plays.
        sections: headings of what the suite shows beside the results of evaluations.
    """

    page: Path
    figures: tuple[Path, ...]
    subjects: tuple[str, ...]
    unfinished: tuple[str, ...]
    dialogues: int
    players: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()


def write_report(
    suite: ReportedSuite,
    places: Places,
    *,
    audit: Callable[[Path], Audit] | None = None,
    dialogues: int = DIALOGUES_SHOWN,
    tell: Callable[[str], None] = lambda _: None,
) -> Report:
    """Write figures and a page on a dataset and its evaluations.

    Args:
        suite: whose dataset it is.
        places: a finished dataset, and where all else is.
        audit: audits it, if what is found is to be shown.
        dialogues: how many dialogues can be looked at in the page: the first, and of many, drawn ones.
        tell: called with what is done next, in words.

    Raises:
        InputError: the folder is no finished dataset, an evaluation is damaged or of other questions, the report would
            lie among data or replace that on another dataset, or an extra is missing.
        WriteError: the report can't be written.
    """
    check_range("dialogues", dialogues, 1)
    with readable_dataset(places.dataset, suite) as manifest:
        if manifest is None:
            raise DatasetError(f"{places.dataset}: there is no {MANIFEST}, which a report takes; put it back")
        out = places.out or places.dataset / "report"
        _refuse_no_folder(out)
        _refuse_data(out, suite, places)
        if places.out is not None:
            refuse_other_dataset(out / _PAGE, dataset_mark(manifest))
        contents, drawings = _contents(suite, places, manifest, audit, dialogues, tell)
    tell("writing the page and the figures")
    return _written(out, contents, drawings)


def _refuse_no_folder(out: Path) -> None:
    """Before anything is drawn for it."""
    if out.is_file():
        raise InputError(f"{out}: is a file; a report is a folder, so give --out the name of one")
    refuse_file_above(out)
    refuse_dead_link(out)


def _refuse_data(out: Path, suite: ReportedSuite, places: Places) -> None:
    """Keep page and figures from lying loose among what others read there."""
    answers = places.evaluations or places.dataset / EVALUATIONS
    # anybody may have a file of that name beside a page
    data = (out / MANIFEST).exists() and any((out / name).exists() for name in suite.files)
    if data or out.resolve() == places.dataset.resolve():
        holds = "a dataset"
    elif out.resolve() == answers.resolve():
        holds = "evaluations"
    elif (out / CONFIG).exists() and (out / ANSWERS).exists():
        holds = "one evaluation"
    else:
        return
    raise InputError(
        f"{out}: is a folder of {holds}, among which the files of a report would lie loose; leave --out out for "
        f"{places.dataset / 'report'}, or name a folder of its own"
    )


def _contents(
    suite: ReportedSuite,
    places: Places,
    manifest: Manifest,
    audit: Callable[[Path], Audit] | None,
    dialogues: int,
    tell: Callable[[str], None],
) -> tuple[Contents, Sequence[Drawing]]:
    """What the page holds, and the figures that go beside it."""
    folder = places.dataset
    tell("reading the evaluations")
    evaluations, unfinished = read_evaluations(suite, folder, places.evaluations)
    found = groupings(suite, evaluations)
    tell("drawing the figures")
    figures = draw_figures(suite, evaluations, found)
    sections = tuple(suite.sections(folder))
    tell("comparing the subjects")
    tables = _tables(suite, folder, evaluations, found, figures) if evaluations else None
    if audit:
        tell("auditing the questions")
    audited = audit_table(audit(folder), suite.labels.get(TYPE, {})) if audit else None
    tell("putting the dialogues into the page")
    shown = browsing(suite, folder, evaluations, dialogues, _to_show(manifest.counts))
    head, plays = suite.head(manifest), plays_of(suite, folder)
    own = (drawing for section in sections for drawing in section.drawings)
    contents = Contents(manifest, head, sections, evaluations, unfinished, figures.main, tables, audited, shown, plays)
    return contents, (*own, *figures.all)


def _to_show(counts: Counts) -> int:
    """How many dialogues the page could show: plays, or clusters of items, which share no context or have none."""
    return counts.totals.get("episodes", counts.totals.get("clusters", counts.dialogues))


def _tables(
    suite: ReportedSuite,
    folder: Path,
    evaluations: Sequence[Evaluation],
    found: Sequence[Grouping],
    figures: Figures,
) -> Tables:
    types = type_grouping(found)
    others = [one for one in found if one.name != TYPE and len(one.groups) > 1]
    pairs = differences(suite, folder, evaluations)
    return Tables(
        summary=headline(evaluations, pairs),
        headline=headline_rows(evaluations, types),
        cut=cut_words(types) if types else "",
        further=further_rows(evaluations),
        parts=part_rows(evaluations),
        asked=asked_rows(evaluations),
        differences=difference_rows(pairs, evaluations),
        sections=[
            Section(
                one.label,
                " ".join(filter(None, (suite.legend.get(one.name), cut_words(one)))),
                group_rows(evaluations, one),
                figures.by_grouping.get(one.name),
            )
            for one in others
        ],
        legend=legend(suite, evaluations),
        has_sets=any(one.metrics.measure("jaccard") for one in evaluations),
        of_paper=paper_tables(suite.paper_tables, evaluations),
        subsets=subsets(evaluations),
    )


def _written(out: Path, contents: Contents, figures: Sequence[Drawing]) -> Report:
    """Write the page and what goes with it; what went with the page before and doesn't any more is removed."""
    drawings = [*figures, *(drawing for plays in contents.plays for drawing in plays.figures)]
    images = {name: content for one in drawings for name, content in _images(one)}
    beside = {**images, **_tables_beside(contents)}
    text = page(contents, list(beside))
    try:
        refuse_foreign(out / _PAGE, beside)
        out.mkdir(parents=True, exist_ok=True)
        old = beside_page(out / _PAGE)
        # the page first: files that no page names are somebody's, and those of a killed report are not
        write_atomically(out / _PAGE, text)
        for name, content in beside.items():
            write_atomically(out / name, content)
        remove_old(out, old, kept=beside)
    except OSError as error:
        where = error.filename or out
        raise WriteError(f"{where}: can't be written ({error.strerror}); choose another --out") from error
    return Report(
        page=out / _PAGE,
        figures=tuple(out / name for name in images),
        subjects=tuple(one.label for one in contents.evaluations),
        unfinished=tuple(contents.unfinished),
        dialogues=contents.browsing.dialogues,
        sections=tuple(one.title for one in contents.sections),
        players=tuple(name for plays in contents.plays for name in plays.subjects),
    )


def _images(drawing: Drawing) -> Iterator[tuple[str, str | bytes]]:
    yield f"{drawing.name}.svg", drawing.svg
    yield f"{drawing.name}.png", drawing.png


def _tables_beside(contents: Contents) -> dict[str, str]:
    """The files of tables, by name."""
    found: dict[str, str] = {}
    if contents.evaluations:
        accuracies = accuracy_table({one.label: one.metrics for one in contents.evaluations})
        found = {"accuracy.csv": as_csv(accuracies), "accuracy.tex": as_latex(accuracies)}
    of_paper = contents.tables.of_paper if contents.tables else ()
    tables = (*of_paper, *(table for plays in contents.plays for table in plays.tables))
    return found | {f"{table.name}.md": as_markdown(table) for table in tables}
