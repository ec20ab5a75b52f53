"""Rescoring: stored replies are read again, without a call.

As the script that was published with the benchmark reads them, they are an evaluation of their own beside the first,
so that the two readings can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import get_args

from dtomtrack.errors import DatasetError, InputError, WriteError
from dtomtrack.evaluation.answer_folder import ANSWERS, EVALUATIONS, METRICS, AnswerFolder, whole_answers
from dtomtrack.evaluation.asked_items import AskedItems, not_asked
from dtomtrack.evaluation.asking import read_again
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.dataset import begins_with_questions, edited_in, readable_dataset
from dtomtrack.evaluation.metrics import Taken
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics, ParserName
from dtomtrack.evaluation.results import check_questions, evaluations_in, read_stopped, taken_before
from dtomtrack.evaluation.rules import PREFIX
from dtomtrack.evaluation.selection import selected_items
from dtomtrack.items.presented import presented
from dtomtrack.runs.files import draft_of
from dtomtrack.runs.lines import read_lines, to_lines

__all__ = ["Rescored", "rescore_dataset"]


@dataclass(frozen=True)
class Rescored:
    """The outcome of reading the replies of one subject again.

    Attributes:
        name: of its folder.
        changed: how many outcomes or letters are others than before.
        metrics: with the number of answers that are missing where it was stopped; None where there is no answer.
    """

    name: str
    answers: int
    changed: int
    metrics: Metrics | None


def rescore_dataset(
    benchmark: Benchmark,
    folder: Path,
    subject: str | None = None,
    parser: ParserName = "dtomtrack",
    evaluations: Path | None = None,
) -> tuple[Rescored, ...]:
    """Read the stored replies of a dataset's evaluations again; an unchanged parser leaves unchanged bytes.

    Answers by probabilities or by a baseline stay as they are.

    Args:
        subject: only that one, by the name of its folder or its own; with the latter, however it was asked.
        parser: "published" for the reading of the benchmark's own script, which goes to folders of its own, beside
            those whose replies they are.
        evaluations: the folder that the evaluations are in, if it is not the dataset's.

    Raises:
        DatasetError: there is no such evaluation, it is of other questions, or a file is damaged.
        InputError: there is no such parser, or none was published.
        WriteError: it can't be written; the answers that are there stay.
    """
    if parser not in get_args(ParserName):
        raise InputError(f"parser is {parser!r}; choose one of {', '.join(get_args(ParserName))}")
    if parser == "published" and benchmark.published_reader is None:
        raise InputError(f"{benchmark.name}: no script that reads replies was published with it; leave --parser out")
    with readable_dataset(folder, benchmark):
        there = evaluations_in(folder / EVALUATIONS if evaluations is None else evaluations, subject)
        if parser == "published":
            there = _asked_for_text(folder, there)
        check_questions(benchmark, folder, dict(there))
        return tuple([_Rescoring(benchmark, folder, path, config, parser).run() for path, config in there])


def _asked_for_text(folder: Path, there: list[tuple[Path, AskConfig]]) -> list[tuple[Path, AskConfig]]:
    """The evaluations whose replies the published script could have read: texts of models."""
    found = [
        (path, config)
        for path, config in there
        if config.mode == "text" and config.parser == "dtomtrack" and not config.subject.startswith(PREFIX)
    ]
    if not found:
        raise DatasetError(f"{folder}: there is no evaluation of a model that answered in text; nothing to read again")
    return found


@dataclass(frozen=True)
class _Rescoring:
    """The rescoring of one evaluation.

    Attributes:
        source: its folder.
        asked: how its subject was asked.
        parser: who is to read its replies.
    """

    benchmark: Benchmark
    folder: Path
    source: Path
    asked: AskConfig
    parser: ParserName

    @property
    def config(self) -> AskConfig:
        """How the subject was asked, with who reads its replies."""
        return self.asked.model_copy(update={"parser": self.parser}) if self._is_apart else self.asked

    @property
    def path(self) -> Path:
        """The folder that gets the answers."""
        return self.source.with_name(f"{self.source.name}.{self.parser}") if self._is_apart else self.source

    @property
    def _is_apart(self) -> bool:
        return self.parser == "published"

    def run(self) -> Rescored:
        """Read every reply again, and sum up again where that was done before."""
        is_beginning = partial(begins_with_questions, self.folder, self.benchmark)
        # before the folder is opened, which cuts off what it takes for half a line
        taken = taken_before(self.source / METRICS, self.asked)
        with AnswerFolder(self.path, self.config, is_beginning) as there:
            answers, changed = self._read_all()
            metrics = self._sum_up(taken)
            if metrics is not None and taken is not None:
                there.finish(metrics)
        return Rescored(self.path.name, answers, changed, metrics)

    def _read_all(self) -> tuple[int, int]:
        """(answers, changed ones), once they are written."""
        count = changed = 0
        try:
            with draft_of(self.path / ANSWERS) as file:
                for before, after in self._again():
                    file.write(to_lines([after]))
                    count += 1
                    changed += (before.outcome, before.shown) != (after.outcome, after.shown)
        except OSError as error:
            reason = f"can't be written ({error.strerror}); the answers stay as they were"
            raise WriteError(f"{self.path}: {reason}") from error
        return count, changed

    def _again(self) -> Iterator[tuple[Answer, Answer]]:
        config = self.config
        by_rule = config.subject.startswith(PREFIX)
        wanted = presented(selected_items(self.benchmark, self.folder, config), config.permutations, config.repeats)
        asked, reader = AskedItems(wanted), self.benchmark.published_reader
        for number, answer in enumerate(whole_answers(self.source), 1):
            where = f"{self.source / ANSWERS}:{number}"
            shown = asked.of(answer, where)
            if shown is None:
                raise not_asked(where)
            yield answer, answer if by_rule else read_again(shown, config, answer, reader)

    def _sum_up(self, taken: Taken | None) -> Metrics | None:
        """The metrics again, with what the calls took before, or of the answers that a stopped one has."""
        if taken is None:
            return read_stopped(self.benchmark, self.folder, self.path)
        from dtomtrack.evaluation.metrics import metrics

        items = selected_items(self.benchmark, self.folder, self.config)
        answers = read_lines(self.path / ANSWERS, Answer)
        return metrics(self.benchmark, self.config, items, answers, taken, edited_in(self.folder))
