"""Figures that the paper reports, for rows that say so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

import yaml
from pydantic import RootModel

from dtomtrack.records import Record

__all__ = ["Reported", "reported", "reported_accuracy"]


class _Accuracy(RootModel[tuple[float, ...]]):
    """A mean, and a standard deviation where there is one."""


class Reported(Record):
    """The paper's Tables 5 and 6, in per cent: by model and kind of question."""

    accuracy: dict[str, dict[str, _Accuracy]]
    consistency: dict[str, dict[str, float]]


@cache
def reported() -> Reported:
    """The paper's figures."""
    text = (resources.files("dtomtrack.suites.persuasivetom") / "paper.yaml").read_text(encoding="utf-8")
    return Reported.model_validate(yaml.safe_load(text))


_SHORT: Mapping[str, str] = {"InternLM2.5": "InternLM-2.5-7B-Chat", "InternLM2.5 + CoT": "InternLM-2.5-7B-Chat + CoT"}
"""Models that Table 6 calls otherwise than Table 5."""


def reported_accuracy(model: str, kind: str) -> float | None:
    """The mean accuracy that Table 5 reports for a model as Table 6 names it, as a share; None where it has none."""
    found = reported().accuracy.get(_SHORT.get(model, model), {}).get(kind)
    return None if found is None else found.root[0] / 100
