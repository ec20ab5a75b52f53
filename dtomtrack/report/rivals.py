"""Which evaluations figures may be ranked and averaged over: those of the same questions, asked alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dtomtrack.report.evaluations import Evaluation, compared

__all__ = ["one_of_each", "rivals"]

_CONDITION = frozenset({"context", "parser"})
_Asked: TypeAlias = tuple[tuple[str, ...], int | None, bool, int]


def rivals(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Those of the compared evaluations that are of the same questions: finished ones if there are any, of the most."""
    found: dict[_Asked, list[Evaluation]] = {}
    for one in compared(evaluations):
        found.setdefault(_asked(one), []).append(one)
    return max(found.values(), key=_extent, default=[])


def _asked(one: Evaluation) -> _Asked:
    """Which questions there are answers to: first dialogues, as many questions, are the same whatever the limit was."""
    config, metrics = one.metrics.config, one.metrics
    return config.types, config.sample_seed, bool(metrics.missing), metrics.questions


def _extent(group: Sequence[Evaluation]) -> tuple[bool, int]:
    return not group[0].metrics.missing, group[0].metrics.questions


def one_of_each(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """One evaluation of each model, all of the same questions, in the same context and read by the same parser.

    Context and parser are the usual ones where there are such; of several evaluations of a model it is the plainest.
    """
    models = [one for one in evaluations if one.is_model]
    if not models:
        return []
    usual = min(models, key=lambda one: len(one.changed & _CONDITION)).metrics.config
    alike = [one for one in models if _condition(one) == (usual.context, usual.parser)]
    found: dict[str, Evaluation] = {}
    for one in sorted(rivals(alike), key=lambda one: len(one.changed)):
        found.setdefault(one.metrics.config.subject, one)
    chosen = {one.label for one in found.values()}
    return [one for one in alike if one.label in chosen]


def _condition(one: Evaluation) -> tuple[str, str]:
    return one.metrics.config.context, one.metrics.config.parser
