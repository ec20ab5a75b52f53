"""The code book: what the label behind each option says, in our words, for items that ask for labels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dtomtrack.suites.items.records import ItemLine
from dtomtrack.suites.rectom.labels import Role
from dtomtrack.suites.rectom.wordings import coarse_wordings, fine_wordings, made_wordings

__all__ = ["definitions_of"]

_ROLES: Mapping[str, Role] = {"rec": "recommender", "seeker": "seeker"}


def definitions_of(item: ItemLine) -> Mapping[str, str]:
    """By option, what its label says; empty for items that ask for no labels, and where no option's label is known."""
    role = _ROLES.get(item.groups.get("type", "").removesuffix("_rebuilt").rpartition("_")[2])
    if role is None or item.option_roles is None:
        return {}
    return _defined(role, tuple(item.options.values()), tuple(item.option_roles.values()))


@lru_cache(maxsize=64)
def _defined(role: Role, options: tuple[str, ...], labels: tuple[str, ...]) -> Mapping[str, str]:
    says, made = {**coarse_wordings(role), **fine_wordings(role)}, made_wordings(role)
    codes = [label.partition(": ")[2] or label for label in labels]
    named = zip(options, codes, strict=True)
    return {option: option if option == made.get(code) else says[code] for option, code in named if code in says}
