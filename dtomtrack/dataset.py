"""A dataset folder as an object: its records, its items, what subjects answered, and all of it as tables.

from dtomtrack import load

dataset = load("out/restaurant-0")
dataset.questions[0].question
dataset.answers("baseline/recency")
dataset.to_frame("questions").groupby("type").size()
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.answer_folder import EVALUATIONS, whole_answers
from dtomtrack.evaluation.dataset import readable_dataset
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics
from dtomtrack.evaluation.results import check_questions, evaluations_in, every_evaluation, read_metrics
from dtomtrack.evaluation.tables import answers_to_arrow, to_arrow
from dtomtrack.items.item import Item
from dtomtrack.options import did_you_mean, names_options, path_of
from dtomtrack.records import Record
from dtomtrack.runs.data_files import read_records
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.parts import Parts
from dtomtrack.suites.registry import suite_of
from dtomtrack.suites.suite import Suite

if TYPE_CHECKING:
    import datasets
    import pandas as pd
    import pyarrow as pa

__all__ = ["Dataset", "load"]

_ENDING = ".jsonl"
_METRICS, _ANSWERS = "metrics", "answers"


@names_options
def load(folder: str | PathLike[str]) -> Dataset:
    """A finished dataset of any suite; nothing but its manifest is read before it is asked for.

    Raises:
        DatasetError: the folder holds no dataset, an unfinished one, or one of another version.
        InputError: it is of a suite that is not known here.
    """
    path = path_of("folder", folder)
    suite = suite_of(path)
    with readable_dataset(path, suite) as manifest:
        return Dataset(path, suite, manifest)


@dataclass(frozen=True)
class Dataset:
    """A dataset folder that was read; where a run goes on in it, it has to be loaded again (`DatasetError`).

    Attributes:
        folder: where it is.
        suite: whose it is; `suite.name` tells.
        manifest: how it was made; None in a copy without one.
    """

    folder: Path
    suite: Suite
    manifest: Manifest | None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its records, those of the questions last: ``("dialogues", "questions")`` for DToM-Track."""
        return tuple(name.removesuffix(_ENDING) for name in self.suite.files)

    def records(self, name: str) -> tuple[Record, ...]:
        """All records of a name (see `names`), in the order of the file.

        Raises:
            InputError: there are none of this name.
            DatasetError: a line is damaged.
        """
        return tuple(self._lines(name))

    @cached_property
    def questions(self) -> tuple[Record, ...]:
        """The records of its questions; of DToM-Track's, `Question`.

        Raises:
            DatasetError: a line is damaged.
        """
        return self.records(self.names[-1])

    @cached_property
    def dialogues(self) -> tuple[Record, ...]:
        """The records of its dialogues, whatever the suite calls them; of DToM-Track's, `Dialogue`.

        Raises:
            InputError: the suite's questions have no dialogues.
            DatasetError: a line is damaged.
        """
        if len(self.names) < 2:
            raise InputError(f"{self.folder}: datasets of {self.suite.name} have {self.names[-1]} only")
        return self.records(self.names[0])

    @property
    def items(self) -> Iterator[Item]:
        """What a subject answers, one at a time.

        Raises:
            DatasetError: a line is damaged, or an item's context is missing.
        """
        self._check_unchanged()
        return self.suite.items(self.folder)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The names of the evaluations that there are, by which answers are asked for; of unfinished ones, too."""
        return tuple(path.name for path, _ in every_evaluation(self.folder / EVALUATIONS))

    def answers(self, subject: str) -> tuple[Answer, ...]:
        """Every answer of a subject, by the name of its evaluation or its own, in the order of the questions.

        Of an evaluation that was stopped, all that are there.

        Raises:
            DatasetError: there is no such evaluation, several are of this subject, or a line is damaged.
        """
        return tuple(whole_answers(self._evaluation(subject)[0]))

    @property
    def metrics(self) -> tuple[Metrics, ...]:
        """The metrics of all finished evaluations, reckoned anew from their answers.

        Raises:
            DatasetError: an evaluation is of other or fewer questions than there are now, a file is damaged, or an
                answer does not go with its item.
        """
        return tuple(self._metrics().values())

    def _metrics(self) -> dict[str, Metrics]:
        """The metrics by the names of the evaluations."""
        if not self.subjects:
            return {}
        there = dict(evaluations_in(self.folder / EVALUATIONS))
        check_questions(self.suite, self.folder, there)
        read = {path.name: read_metrics(self.suite, self.folder, path) for path in there}
        return {name: one for name, one in read.items() if one is not None}

    @names_options
    def to_arrow(self, name: str = "questions", subject: str | None = None) -> pa.Table:
        """A table of the records of a name, of all "metrics", or of the "answers" of a subject.

        Raises:
            InputError: there is nothing of this name, it is not of one subject and one is given, or pyarrow is missing.
            DatasetError: a file is damaged.
        """
        if name == _METRICS:
            _refuse_subject(name, subject)
            return to_arrow(self._metrics())
        if name == _ANSWERS:
            if subject is None:
                raise InputError(f"whose answers? give subject=..., one of {', '.join(self.subjects) or 'none so far'}")
            path, config = self._evaluation(subject)
            return answers_to_arrow(self.items, whole_answers(path), config.subject)
        from dtomtrack.export.parquet import table_of, table_of_parts

        record, file = self._record(name, _METRICS, _ANSWERS), self.folder / f"{name}{_ENDING}"
        _refuse_subject(name, subject)
        self._check_unchanged()
        if Parts(file).exist():
            return table_of_parts(record, file)
        return table_of(record, lambda: self._lines(name))

    @names_options
    def to_frame(self, name: str = "questions", subject: str | None = None) -> pd.DataFrame:
        """The same as a pandas table; what is nested is a dictionary or a list in its cell.

        Raises:
            InputError: there is nothing of this name, or pandas or pyarrow is missing.
            DatasetError: a file is damaged.
        """
        try:
            import pandas as pd  # noqa: F401
            import pyarrow as pa  # noqa: F401
        except ImportError:
            raise InputError("a pandas table needs an extra: pip install 'dtomtrack[evaluate,parquet]'") from None
        return self.to_arrow(name, subject).to_pandas()

    @names_options
    def to_datasets(self, name: str = "questions", subject: str | None = None) -> datasets.Dataset:
        """The same as a table of Hugging Face's ``datasets``.

        Raises:
            InputError: there is nothing of this name, or datasets or pyarrow is missing.
            DatasetError: a file is damaged.
        """
        try:
            import datasets
        except ImportError:
            raise InputError("a table of datasets needs a package: pip install datasets") from None
        return datasets.Dataset(self.to_arrow(name, subject))

    def _record(self, name: str, *others: str) -> type[Record]:
        """The records of a name; ``others`` are what could have been asked for beside those."""
        if name not in self.names:
            raise InputError(f"{self.folder}: has no {name!r}; {did_you_mean(str(name), [*self.names, *others])}")
        return self.suite.records[f"{name}{_ENDING}"]

    def _lines(self, name: str) -> Iterator[Record]:
        record = self._record(name)
        self._check_unchanged()
        return read_records(self.folder / f"{name}{_ENDING}", record)

    def _check_unchanged(self) -> None:
        """See that what is read goes with what was read before."""
        now = read_manifest(self.folder)
        if (now and _data(now)) != (self.manifest and _data(self.manifest)):
            raise DatasetError(f"{self.folder}: is not what it was when it was loaded; load it again")

    def _evaluation(self, subject: str) -> tuple[Path, AskConfig]:
        found = evaluations_in(self.folder / EVALUATIONS, subject)
        exact = [one for one in found if one[0].name == subject]
        if len(exact or found) > 1:
            names = ", ".join(path.name for path, _ in found)
            raise DatasetError(f"{self.folder}: {subject!r} was asked in several ways: {names}; name one of these")
        return (exact or found)[0]


def _refuse_subject(name: str, subject: str | None) -> None:
    if subject is not None:
        raise InputError(f"{name} are not of one subject, such as {subject!r}: leave it out, or ask for {_ANSWERS}")


def _data(manifest: Manifest) -> tuple[object, ...]:
    """What a manifest says of the data, which a run that goes on makes more."""
    return manifest.status, manifest.counts, manifest.files
