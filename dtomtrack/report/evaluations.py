"""The evaluations of a dataset, as a report shows them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.answer_folder import EVALUATIONS, read_config, whole_answers
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.dates import read_dates
from dtomtrack.evaluation.records import Answer, AskConfig, Group, Metrics
from dtomtrack.evaluation.results import check_questions, read_metrics, read_stopped
from dtomtrack.evaluation.rules import PREFIX, reads_records

__all__ = ["KINDS", "Evaluation", "Kind", "compared", "plain", "read_evaluations", "shortened", "subsets"]

Kind: TypeAlias = Literal["model", "baseline", "reference"]
KINDS: tuple[Kind, ...] = ("model", "baseline", "reference")
"""In the order of tables."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_LONGEST = 26


@dataclass(frozen=True)
class Evaluation:
    """The answers of one subject, and the metrics that they add up to.

    Attributes:
        label: the subject and how it was asked, where that is not as usual.
        short: the same, short enough for a figure.
        date: when it was made, in ISO 8601, UTC; None where that was not written down.
        changed: what of how it was asked is not as usual, by the names of `AskConfig`.
    """

    folder: Path
    label: str
    short: str
    metrics: Metrics
    date: str | None = None
    changed: frozenset[str] = frozenset()

    @property
    def is_model(self) -> bool:
        """Whether it is a model, not a baseline."""
        return not self.metrics.config.subject.startswith(PREFIX)

    @property
    def kind(self) -> Kind:
        """What it is compared with: models with models, baselines with baselines, who reads the records with nobody."""
        if self.is_model:
            return "model"
        return "reference" if reads_records(self.metrics.config.subject) else "baseline"

    @property
    def answers(self) -> Iterator[Answer]:
        """The answers, one at a time."""
        return whole_answers(self.folder)

    def group(self, grouping: str, name: str) -> Group | None:
        """The group of this name, if there are any answers to such questions."""
        found = (group for group in self.metrics.groups.get(grouping, ()) if group.name == name)
        return next((group for group in found if group.accuracy.value is not None), None)


def compared(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """The models, if there are any; else the baselines, and who reads the records only where nobody else has answered.

    Whatever is called best is the best of these.
    """
    for kind in KINDS:
        found = [one for one in evaluations if one.kind == kind]
        if found:
            return found
    return []


def plain(text: str) -> str:
    """Text without what turns a terminal, a line or an XML parser over."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def shortened(name: str, longest: int = _LONGEST) -> str:
    """A name with its middle left out where it is too long for a figure."""
    if len(name) <= longest:
        return name
    half = longest // 2
    return f"{name[:half]}…{name[-half + 1 :]}"


def read_evaluations(
    benchmark: Benchmark, dataset: Path, evaluations: Path | None = None
) -> tuple[list[Evaluation], list[str]]:
    """The evaluations of a dataset, and names of those that were stopped.

    Models stand before baselines, who reads the records last, the best of each first, and all of one subject together.
    What they add up to is found out anew from their answers; of those that were stopped, from those that are there.

    Args:
        evaluations: the folder that they are in, if it is not the dataset's.

    Raises:
        DatasetError: a file of an evaluation is damaged, it is one of other questions, or the folder is not there.
        InputError: an extra is missing.
    """
    found: list[Evaluation] = []
    unfinished: list[str] = []
    if evaluations is not None and not evaluations.is_dir():
        raise DatasetError(f"{evaluations}: there is no such folder; name one that evaluate --out wrote")
    folders = _folders(evaluations or dataset / EVALUATIONS)
    asked = {folder: config for folder in folders if (config := read_config(folder)) is not None}
    check_questions(benchmark, dataset, asked)
    for folder in folders:
        evaluation = _read(benchmark, dataset, folder)
        if evaluation is None or evaluation.metrics.missing:
            unfinished.append(plain(folder.name))
        if evaluation is not None:
            found.append(evaluation)
    return _told_apart(_together(found)), unfinished


def _together(found: list[Evaluation]) -> list[Evaluation]:
    """Models before baselines, who reads the records last, the best first; all of one subject stand together."""
    best: dict[str, float] = {}
    for one in found:
        name = one.metrics.config.subject
        best[name] = max(best.get(name, 0.0), _accuracy(one))
    return sorted(
        found,
        key=lambda one: (
            KINDS.index(one.kind),
            -best[one.metrics.config.subject],
            one.metrics.config.subject,
            -_accuracy(one),
            one.label,
        ),
    )


def _accuracy(one: Evaluation) -> float:
    return one.metrics.micro.accuracy.value or 0.0


def subsets(evaluations: Sequence[Evaluation]) -> dict[str, int]:
    """By label, to how many questions there are answers, where they are not the same for all.

    First dialogues, as many questions, are the same whatever the limit was.
    """
    asked = {(one.metrics.config.types, one.metrics.config.sample_seed, one.metrics.questions) for one in evaluations}
    return {one.label: one.metrics.questions for one in evaluations} if len(asked) > 1 else {}


def _folders(root: Path) -> list[Path]:
    if not root.is_dir():
        return []
    return [one for one in sorted(root.iterdir()) if one.is_dir() and not one.name.startswith(".")]


def _read(benchmark: Benchmark, dataset: Path, folder: Path) -> Evaluation | None:
    """The evaluation in a folder; None if there is no answer yet."""
    metrics = read_metrics(benchmark, dataset, folder) or read_stopped(benchmark, dataset, folder)
    if metrics is None:
        return None
    usual = AskConfig(
        subject=metrics.config.subject, questions=metrics.config.questions, context=benchmark.conditions[0]
    )
    name = metrics.config.subject
    short, dates = _label(metrics, usual, _last_part(name)), read_dates(folder)
    changed = frozenset(key for key in AskConfig.model_fields if getattr(metrics.config, key) != getattr(usual, key))
    return Evaluation(folder, _label(metrics, usual, name), short, metrics, dates.last if dates else None, changed)


def _last_part(subject: str) -> str:
    """The subject without what stands before its last slash."""
    return shortened(subject.rstrip("/").rsplit("/", 1)[-1].removesuffix(".gguf") or subject)


def _label(metrics: Metrics, usual: AskConfig, name: str) -> str:
    """A name with the settings that are not the usual ones."""
    config = metrics.config
    settings = [name]
    settings += [
        str(getattr(config, key))
        for key in ("prompt", "context", "mode", "parser")
        if getattr(config, key) != getattr(usual, key)
    ]
    settings += [config.template.name] if config.template is not None else []
    if config.tell_size:
        settings.append("told how many")
    if config.shots:
        settings.append(f"{config.shots} examples")
    if config.repeats > 1:
        settings.append(f"{config.repeats} samples")
    settings += [", ".join(config.types)] if config.types else []
    if config.limit is not None:
        settings.append(f"first {config.limit}" if config.sample_seed is None else f"{config.limit} drawn")
    if metrics.missing:
        settings.append("stopped")
    return plain(" · ".join(settings))


def _told_apart(evaluations: list[Evaluation]) -> list[Evaluation]:
    """Two of one label get their folder's name as it, as does one labelled like that; two of a short name a number."""
    labels = Counter(one.label for one in evaluations)
    labels.update([plain(one.folder.name) for one in evaluations if labels[one.label] > 1])
    shorts = Counter(one.short for one in evaluations)
    seen: Counter[str] = Counter()
    apart: list[Evaluation] = []
    for one in evaluations:
        label = one.label if labels[one.label] == 1 else plain(one.folder.name)
        short = one.short if shorts[one.short] == 1 else shortened(label)
        seen[short] += 1
        apart.append(replace(one, label=label, short=short if seen[short] == 1 else f"{short} ({seen[short]})"))
    return apart
