"""Rescoring: stored replies are read again, without a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.errors import WriteError
from dtomtrack.evaluation.answer_folder import ANSWERS, METRICS, AnswerFolder, same_item
from dtomtrack.evaluation.asking import read_again
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.dataset import digest_of, edited_in, readable_dataset
from dtomtrack.evaluation.metrics import Taken
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics
from dtomtrack.evaluation.results import check_questions, evaluations_in, taken_before
from dtomtrack.evaluation.rules import PREFIX
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
        metrics: None where the evaluation is not finished.
    """

    name: str
    answers: int
    changed: int
    metrics: Metrics | None


def rescore_dataset(benchmark: Benchmark, folder: Path, subject: str | None = None) -> tuple[Rescored, ...]:
    """Read the stored replies of a dataset's evaluations again; an unchanged parser leaves unchanged bytes.

    Answers by probabilities or by a baseline stay as they are.

    Args:
        subject: only that one, by the name of its folder or its own; with the latter, however it was asked.

    Raises:
        DatasetError: there is no such evaluation, it is of other questions, or a file is damaged.
        WriteError: it can't be written; the answers that are there stay.
    """
    with readable_dataset(folder, benchmark):
        digest, _ = digest_of(folder, benchmark)
        there = evaluations_in(folder, subject)
        return tuple([_Rescoring(benchmark, folder, path, config).run(digest) for path, config in there])


@dataclass(frozen=True)
class _Rescoring:
    """The rescoring of one evaluation."""

    benchmark: Benchmark
    folder: Path
    path: Path
    config: AskConfig

    def run(self, digest: str) -> Rescored:
        """Read every reply again, and sum up again where that was done before."""
        check_questions(self.path, self.config, digest)
        # before the folder is opened, which cuts off what it takes for half a line
        taken = taken_before(self.path / METRICS, self.config)
        with AnswerFolder(self.path, self.config) as there:
            answers, changed = self._read_all()
            metrics = self._sum_up(taken)
            if metrics is not None:
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
        wanted = presented(self.benchmark.items(self.folder, config.limit), config.permutations, config.repeats)
        for number, answer in enumerate(read_lines(self.path / ANSWERS, Answer), 1):
            shown = same_item(answer, next(wanted, None), f"{self.path / ANSWERS}:{number}")
            yield answer, answer if by_rule else read_again(shown, config, answer)

    def _sum_up(self, taken: Taken | None) -> Metrics | None:
        """The metrics again, with what the calls took before; None where the evaluation is not finished."""
        if taken is None:
            return None
        from dtomtrack.evaluation.metrics import metrics

        items = self.benchmark.items(self.folder, self.config.limit)
        answers = read_lines(self.path / ANSWERS, Answer)
        return metrics(self.benchmark, self.config, items, answers, taken, edited_in(self.folder))
