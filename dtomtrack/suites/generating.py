"""The part of a suite that `dtomtrack generate --suite NAME` needs to know, where there is anything to generate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from dtomtrack.errors import InputError
from dtomtrack.runs.job import Job
from dtomtrack.suites.registry import suite_named, suite_names

__all__ = ["GeneratingSuite", "generating_suite"]


@runtime_checkable
class GeneratingSuite(Protocol):
    """A suite whose datasets are made without a language model, a slot after another."""

    def generation(self, topics: Sequence[str], seed: int) -> Job:
        """The job that makes its dataset.

        Args:
            topics: built-in ones, paths of packs, or "all".

        Raises:
            InputError: a topic is unknown, or a pack is wrong.
        """
        ...


def generating_suite(name: str) -> GeneratingSuite:
    """The suite of this name.

    Raises:
        InputError: there is none, or its datasets aren't generated this way.
    """
    suite = suite_named(name)
    if isinstance(suite, GeneratingSuite):
        return suite
    able = [one for one in suite_names() if isinstance(suite_named(one), GeneratingSuite)]
    raise InputError(f"datasets of suite {name!r} are not generated; those of {', '.join(['dtom', *able])} are")
