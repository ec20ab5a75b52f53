"""Roles: by which letter a domain pack knows the agents of a scenario, in their order."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase
from typing import Literal

__all__ = ["PACK_ROLES", "by_role", "role_of"]

PACK_ROLES: tuple[Literal["a"], Literal["b"]] = ("a", "b")
"""The roles that a pack has topics and lines for. An agent behind them takes part with the lines of the last."""


def role_of(position: int) -> str:
    """The role of the agent at a position."""
    return ascii_lowercase[position]


def by_role(names: Iterable[str]) -> dict[str, str]:
    """Names of agents, in their order, by role."""
    return {role_of(position): name for position, name in enumerate(names)}
