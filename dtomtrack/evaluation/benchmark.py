"""The part of a suite that evaluating needs to know, and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from dtomtrack.evaluation.records import AskConfig, Measure, PromptStyle
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem

__all__ = ["Benchmark", "ReplyReader", "Rule", "RuleMaker"]

Rule = Callable[[PresentedItem], frozenset[int]]
"""A baseline: the positions, in the item, of the options that it chooses."""
RuleMaker = Callable[[Callable[[], Iterable[Item]]], Rule]
"""Makes a rule, given all items of the dataset, for rules that learn from the others."""
ReplyReader = Callable[[str, PresentedItem, PromptStyle], frozenset[str] | None]
"""Reads a reply to an item under a style of prompt: the letters as shown, or None where it finds none."""


class Benchmark(Protocol):
    """A suite, as `dtomtrack.evaluation` sees it."""

    @property
    def name(self) -> str:
        """The suite's name."""
        ...

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of what a subject may see beside the question, the usual condition first."""
        ...

    @property
    def files(self) -> tuple[str, ...]:
        """The files of a dataset folder that its items are read from, that of the questions last."""
        ...

    @property
    def rules(self) -> Mapping[str, RuleMaker]:
        """The suite's own baselines by name, beside the common ones."""
        ...

    @property
    def published_reader(self) -> ReplyReader | None:
        """How the script that was published with the benchmark reads replies; None where there is none."""
        ...

    @property
    def focus(self) -> str:
        """The matter to think about where reasoning is asked for ("who held what at which turn"); may be empty."""
        ...

    @property
    def group_order(self) -> Mapping[str, Sequence[str]]:
        """The names of groups in their order, for groupings whose groups have one."""
        ...

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The items of a dataset, one at a time; those of the first ``limit`` clusters, where there is a limit.

        Raises:
            DatasetError: a line is damaged, or an item's context is missing.
        """
        ...

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        """The suite's own figures from the answers that did not fail."""
        ...
