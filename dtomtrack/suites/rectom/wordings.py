"""The labels in our words: options of what is built anew or made, and definitions where a code book is shown."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from pydantic import TypeAdapter

from dtomtrack.suites.rectom.labels import Role

__all__ = ["attitude_wordings", "coarse_wordings", "fine_wordings", "made_wordings"]


def coarse_wordings(role: Role) -> Mapping[str, str]:
    """By coarse label, what it says."""
    return _wordings()[f"{role} coarse"]


def fine_wordings(role: Role) -> Mapping[str, str]:
    """By IARD's code, what a fine label says."""
    return _wordings()[f"{role} fine"]


def made_wordings(role: Role) -> Mapping[str, str]:
    """By IARD's code, what a fine label says in dialogues that are made here."""
    return {code: _wordings()["made"].get(code, text) for code, text in fine_wordings(role).items()}


def attitude_wordings() -> Mapping[str, str]:
    """By attitude, what it says; ``{thing}`` stands for what is recommended."""
    return _wordings()["attitudes"]


@cache
def _wordings() -> dict[str, dict[str, str]]:
    # imported late: published files need no wordings
    import yaml

    text = (resources.files("dtomtrack.suites.rectom") / "wordings.yaml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, dict[str, str]]).validate_python(yaml.safe_load(text))
