"""Finding and reading packs of goals: built-in ones by the name of their domain, others by path."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import InputError, PackError
from dtomtrack.files import text_of
from dtomtrack.scenarios.located_yaml import located, parse
from dtomtrack.scenarios.persuasion.forms import clash
from dtomtrack.scenarios.persuasion.pack import Expressions, GoalPack
from dtomtrack.scenarios.persuasion.plan import missing_way
from dtomtrack.validation import located_problems

__all__ = ["builtin_goals", "check", "expressions", "find_goals", "goal_pack", "read_goal"]

_PACKAGE = "dtomtrack.scenarios.persuasion"
_CONCERNS = re.compile(r"^concerns\s*:", re.MULTILINE)
"""What other packs don't have."""


def builtin_goals() -> list[str]:
    """The domains of the goals that come with dtomtrack."""
    packs = resources.files(_PACKAGE) / "packs"
    return sorted(entry.name.removesuffix(".yaml") for entry in packs.iterdir() if entry.name.endswith(".yaml"))


def find_goals(named: str) -> dict[str, GoalPack]:
    """Goals by domain: "all", or names and paths with commas between.

    Raises:
        InputError: one is unknown, wrong, or there twice.
    """
    names = builtin_goals() if named == "all" else [name.strip() for name in named.split(",") if name.strip()]
    if not names:
        raise InputError("no domain is given; name at least one")
    found: dict[str, GoalPack] = {}
    for name in names:
        goal = _goal(name)
        if goal.domain in found:
            raise InputError(f"the domain {goal.domain!r} is given twice")
        found[goal.domain] = goal
    return found


def _goal(name: str) -> GoalPack:
    if name in builtin_goals():
        return read_goal(name, (resources.files(_PACKAGE) / "packs" / f"{name}.yaml").read_text(encoding="utf-8"))
    try:
        return _own(name, text_of(Path(name), "pack", PackError))
    except (FileNotFoundError, NotADirectoryError):
        there = ", ".join(builtin_goals())
        raise InputError(
            f"no persuasion domain {name[:80]!r}; there are {there}; a pack of your own goes by its path"
        ) from None


def goal_pack(name: str) -> str | None:
    """The text of a pack of a goal, by its path; None where the file is something else.

    Raises:
        PackError: the file can't be read.
    """
    path = Path(name)
    if not path.is_file():
        return None
    text = text_of(path, "pack", PackError)
    return text if _CONCERNS.search(text) else None


def check(name: str, text: str) -> list[str]:
    """What is wrong with a pack, a line each; an empty list if nothing is."""
    try:
        _own(name, text)
    except PackError as error:
        return str(error).split("\n")
    return []


def _own(name: str, text: str) -> GoalPack:
    """A goal of one's own, in which nothing that is said holds something else that is, and all plans can be had."""
    goal = read_goal(name, text)
    found = clash(goal, expressions())
    if found is not None:
        raise PackError(
            f"{name}: {found[0]!r} holds {found[1]!r}, which says something else: word one of them otherwise"
        )
    desires = missing_way(goal)
    if desires is not None:
        raise PackError(
            f"{name}: its strategies bring about no conversation with the desires {', '.join(desires)}: let more of "
            "them lay one or two worries to rest, or raise one or two"
        )
    return goal


def read_goal(name: str, text: str) -> GoalPack:
    """A goal from the text of its pack.

    Raises:
        PackError: with file, line and field of everything that is wrong.
    """
    data = parse(name, text, keys="domain, target, rivals, context, concerns, strategies")
    try:
        return GoalPack.model_validate(data)
    except ValidationError as error:
        found = located_problems(error)
        raise PackError("\n".join(located(name, text, found))) from error


@cache
def expressions() -> Expressions:
    """The forms of attitudes, tones and intentions."""
    text = (resources.files(_PACKAGE) / "expressions.yaml").read_text(encoding="utf-8")
    return Expressions.model_validate(parse("expressions.yaml", text, keys="names, attitudes", trusted=True))
