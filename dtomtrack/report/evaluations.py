"""The evaluations of a dataset, as a report shows them."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.records import Answer, AskConfig, Group, Metrics
from dtomtrack.records import first_problem
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.dtom.slot_result import QUESTIONS

__all__ = ["STANDARD", "TEMPORAL", "TYPE_NAMES", "Evaluation", "compared", "plain", "read_evaluations"]

TYPE_NAMES = {
    QuestionType.TEMPORAL.value: "Temporal",
    QuestionType.UPDATE_DETECTION.value: "Update detection",
    QuestionType.POST_UPDATE.value: "Post-update",
    QuestionType.FALSE_BELIEF.value: "False belief",
    QuestionType.SECOND_ORDER.value: "Second-order",
    QuestionType.PRE_UPDATE.value: "Pre-update",
}
"""Question types in the order of the paper's Table 4."""
TEMPORAL = ("update_detection", "post_update", "pre_update")
"""The types that are about change (paper, Table 2, in bold)."""
STANDARD = ("temporal", "second_order", "false_belief")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_BASELINE = "baseline/"
_LONGEST = 26


@dataclass(frozen=True)
class Evaluation:
    """What one subject answered, and what that adds up to.

    Attributes:
        label: the subject and how it was asked, where that is not as usual.
        short: the same, short enough for a figure.
    """

    folder: Path
    label: str
    short: str
    metrics: Metrics

    @property
    def is_model(self) -> bool:
        """Whether it is a model, not a baseline."""
        return not self.metrics.config.subject.startswith(_BASELINE)

    @property
    def answers(self) -> Iterator[Answer]:
        """The answers, one at a time."""
        return read_lines(self.folder / "answers.jsonl", Answer)

    def group(self, factor: str, name: str) -> Group | None:
        """The group of this name, if there are any answers to such questions."""
        found = (group for group in self.metrics.groups.get(factor, ()) if group.name == name)
        return next((group for group in found if group.accuracy.value is not None), None)


def compared(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """The models, if there are any; else the baselines."""
    return [one for one in evaluations if one.is_model] or list(evaluations)


def plain(text: str) -> str:
    """Text without what turns a terminal, a line or an XML parser over."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def read_evaluations(dataset: Path) -> tuple[list[Evaluation], list[str]]:
    """The finished evaluations of a dataset, models before baselines and the best first; and which are unfinished.

    Raises:
        DatasetError: a file of an evaluation is damaged, or it is one of other questions.
    """
    asked = _digest(dataset / QUESTIONS)
    found: list[Evaluation] = []
    unfinished: list[str] = []
    root = dataset / "eval"
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        if not folder.is_dir() or folder.name.startswith("."):
            continue
        if not (folder / "metrics.json").is_file():
            unfinished.append(folder.name)
            continue
        metrics = _read_metrics(folder / "metrics.json")
        if metrics.config.questions != asked:
            raise DatasetError(
                f"{folder}: answers other questions than those of this dataset; evaluate again or move it away"
            )
        config = metrics.config
        found.append(Evaluation(folder, _label(config, config.subject), _label(config, _name(config)), metrics))
    found.sort(key=lambda one: (not one.is_model, -(one.metrics.micro.accuracy.value or 0.0), one.label))
    return _told_apart(found), unfinished


def _digest(path: Path) -> str:
    """As `evaluate` writes it down."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error


def _read_metrics(path: Path) -> Metrics:
    try:
        return Metrics.model_validate_json(path.read_bytes())
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error
    except ValidationError as error:
        raise DatasetError(f"{path}: {first_problem(error)}; evaluate again") from error


def _name(config: AskConfig) -> str:
    """The subject without what stands before its last slash."""
    return _shortened(config.subject.rstrip("/").rsplit("/", 1)[-1].removesuffix(".gguf") or config.subject)


def _shortened(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    half = _LONGEST // 2
    return f"{name[:half]}…{name[-half + 1 :]}"


def _label(config: AskConfig, name: str) -> str:
    """A name with the settings that are not the usual ones."""
    usual = AskConfig(subject=config.subject, questions=config.questions)
    settings = [name]
    settings += [str(getattr(config, key)) for key in ("prompt", "context", "mode") if _differs(config, usual, key)]
    if config.limit is not None:
        settings.append(f"first {config.limit}")
    return plain(" · ".join(settings))


def _differs(config: AskConfig, usual: AskConfig, key: str) -> bool:
    return bool(getattr(config, key) != getattr(usual, key))


def _told_apart(evaluations: list[Evaluation]) -> list[Evaluation]:
    """Two of the same label get their folder's name as it, two of the same short name a number."""
    labels = Counter(one.label for one in evaluations)
    shorts = Counter(one.short for one in evaluations)
    seen: Counter[str] = Counter()
    apart: list[Evaluation] = []
    for one in evaluations:
        label = one.label if labels[one.label] == 1 else plain(one.folder.name)
        short = one.short if shorts[one.short] == 1 else _shortened(label)
        seen[short] += 1
        apart.append(replace(one, label=label, short=short if seen[short] == 1 else f"{short} ({seen[short]})"))
    return apart
