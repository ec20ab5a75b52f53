"""The part of a suite that makes data of its kind: what `dtomtrack generate --suite NAME` needs of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from dtomtrack.errors import InputError
from dtomtrack.options import MOST_AT_ONCE, check_range
from dtomtrack.records import LARGEST_SEED
from dtomtrack.runs.job import Job
from dtomtrack.suites.registry import suite_named, suite_names

__all__ = ["GeneratingSuite", "GenerationRequest", "generating_suite"]


@dataclass(frozen=True)
class GenerationRequest:
    """The options of a run that every suite has.

    Attributes:
        domain: names with commas between, paths of packs, or "all".
        n: slots to be filled.
        seed: from 0 to `LARGEST_SEED`.
        concurrency: slots under way at once in each process, or calls to a model at once; None for the usual number.
        models: options on language models (`dtomtrack.suites.generation.model_options.ModelOptions`), if any are given.

    Raises:
        InputError: a number is out of range.
    """

    domain: str
    n: int
    seed: int = 0
    max_attempts: int = 5
    concurrency: int | None = None
    models: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_range("n", self.n, 1)
        check_range("seed", self.seed, 0, LARGEST_SEED)
        check_range("max-attempts", self.max_attempts, 1)
        if self.concurrency is not None:
            check_range("concurrency", self.concurrency, 1, MOST_AT_ONCE)


@runtime_checkable
class GeneratingSuite(Protocol):
    """A suite that makes data."""

    def job(self, request: GenerationRequest) -> Job:
        """The job that a request asks for.

        Raises:
            InputError: a domain is unknown, a pack is wrong, or a number is out of range.
        """
        ...


def generating_suite(name: str) -> GeneratingSuite:
    """The suite of this name, which makes data.

    Raises:
        InputError: there is none, or it makes none.
    """
    suite = suite_named(name) if name in suite_names() else None
    if not isinstance(suite, GeneratingSuite):
        there = [one for one in suite_names() if isinstance(suite_named(one), GeneratingSuite)]
        wrong = f"no suite {name!r}" if suite is None else f"the suite {name!r} makes no data"
        raise InputError(f"{wrong}; those that make data are {', '.join(['dtom', *there])}")
    return suite
