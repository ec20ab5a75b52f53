"""On which side of the conversation everybody is: that of the first agent, or that of the second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.roles import PACK_ROLES

__all__ = ["sides_of"]


def sides_of(pack: DomainPack, names: Sequence[str]) -> Mapping[str, str]:
    """The side of each agent, by name; who is beyond the people that a pack has is on the side of the second."""
    first, second = PACK_ROLES
    further = [one.side for one in pack.people]
    sides = [first, second, *further, *[second] * len(names)]
    return dict(zip(names, sides, strict=False))
