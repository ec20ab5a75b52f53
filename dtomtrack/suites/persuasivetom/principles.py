"""The six principles of persuasion (Cialdini; paper, Table 3), recognised in the texts of options."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["PRINCIPLES", "principle_of"]

PRINCIPLES: Mapping[str, tuple[str, ...]] = {
    "reciprocity": ("concession", "give something", "return a favour"),
    "scarcity": ("scarce", "rare", "unique"),
    "consensus": ("what other people", "others do", "other people are doing"),
    "authority": ("expert", "authority"),
    "commitment": ("first step", "commit"),
    "liking": ("prais", "in common", "common characteristic", "liking"),
}
"""By principle, what a text says that describes an intention of this principle; the first that fits is taken."""


def principle_of(text: str) -> str | None:
    """The principle of an intention in words; None where it is none of the six."""
    lowered = text.lower()
    return next((name for name, signs in PRINCIPLES.items() if any(sign in lowered for sign in signs)), None)
