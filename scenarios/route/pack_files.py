"""Finding and reading packs of scenes: built-in ones by name, others by path."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import InputError, PackError
from dtomtrack.files import text_of
from dtomtrack.scenarios.located_yaml import located, parse
from dtomtrack.scenarios.route.pack import RoutePack, Shared
from dtomtrack.scenarios.route.pack_rules import problems
from dtomtrack.validation import located_problems

__all__ = ["builtin_topics", "find_topics", "read_topic", "shared"]

_ROOT = resources.files("dtomtrack.scenarios.route")


@cache
def shared() -> Shared:
    """Everything that scenes of all topics have in common."""
    text = (_ROOT / "shared.yaml").read_text(encoding="utf-8")
    return Shared.model_validate(parse("shared.yaml", text, keys="personas", trusted=True))


@cache
def builtin_topics() -> dict[str, RoutePack]:
    """The built-in topics by name."""
    files = sorted((entry for entry in (_ROOT / "packs").iterdir()), key=lambda entry: entry.name)
    packs = [read_topic(file.name, file.read_text(encoding="utf-8")) for file in files if file.name.endswith(".yaml")]
    return {pack.id: pack for pack in packs}


def find_topics(names: Sequence[str]) -> list[RoutePack]:
    """Topics by what a user calls them: all, built-in names, or paths of packs.

    Raises:
        InputError: one is unknown or wrong, or two have one id.
    """
    found = [pack for name in names for pack in _named(name)]
    if not found:
        raise InputError(f"no topic is given; there are {', '.join(builtin_topics())}, or all")
    ids = [pack.id for pack in found]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise InputError(f"{twice}: is given twice; give every topic an id of its own")
    return found


def _named(name: str) -> list[RoutePack]:
    if name == "all":
        return list(builtin_topics().values())
    if name in builtin_topics():
        return [builtin_topics()[name]]
    try:
        return [read_topic(name, text_of(Path(name), "pack", PackError))]
    except (FileNotFoundError, NotADirectoryError):
        there = ", ".join(builtin_topics())
        raise InputError(f"no topic {name[:80]!r}; there are {there}, all, or the path of a pack") from None


def read_topic(name: str, text: str) -> RoutePack:
    """A pack from its text.

    Raises:
        PackError: with file, line and field of everything that is wrong.
    """
    data = parse(name, text, keys="id, suggestion, concerns")
    try:
        pack = RoutePack.model_validate(data)
    except ValidationError as error:
        found = located_problems(error)
        raise PackError("\n".join(located(name, text, found))) from error
    if wrong := problems(pack):
        raise PackError("\n".join(located(name, text, wrong)))
    return pack
