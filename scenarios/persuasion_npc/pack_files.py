"""Finding and reading packs of characters: built-in ones by name, others by path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import InputError, PackError
from dtomtrack.files import text_of
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.located_yaml import located, parse
from dtomtrack.scenarios.persuasion_npc.fresh import fresh_packs
from dtomtrack.scenarios.persuasion_npc.pack import TIERS, PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pack_rules import problems
from dtomtrack.validation import located_problems

__all__ = [
    "CHARACTERS",
    "builtin_pack",
    "builtin_packs",
    "character_pack",
    "check",
    "find_packs",
    "is_set",
    "read_pack",
]

CHARACTERS = "characters.jsonl"
"""Of a folder of fresh characters: a pack a line."""
_PACKS = resources.files("dtomtrack.scenarios.persuasion_npc") / "packs"
_MIND = re.compile(r"^mind:", re.MULTILINE)
_SETS = frozenset({"core", "all"})
_NEW = "fresh:"
_FRESH = re.compile(r"fresh:(?P<count>\d{1,5}):(?P<seed>\d{1,9})")


@cache
def _builtin() -> dict[str, PersuasionPack]:
    names = sorted(entry.name for entry in _PACKS.iterdir() if entry.name.endswith(".yaml"))
    packs = [read_pack(name, (_PACKS / name).read_text(encoding="utf-8")) for name in names]
    return {pack.id: pack for pack in sorted(packs, key=lambda pack: (TIERS.index(pack.tier), pack.id))}


def builtin_packs(*, controls: bool = False) -> list[PersuasionPack]:
    """The 23 characters of the suite, from easy to extreme; with ``controls`` also those that nothing moves best."""
    return [pack for pack in _builtin().values() if controls or pack.tier != "control"]


def builtin_pack(name: str) -> PersuasionPack:
    """The built-in character of this id.

    Raises:
        InputError: there is none.
    """
    pack = _builtin().get(name)
    if pack is None:
        raise InputError(_unknown(name))
    return pack


def find_packs(names: Sequence[str]) -> list[PersuasionPack]:
    """Packs by what a user calls them: core, all, fresh:COUNT:SEED, ids, files, or folders of files.

    Raises:
        InputError: one is unknown or wrong, or two have one id.
    """
    found = [pack for name in names for pack in _named(name)]
    seen: set[str] = set()
    for pack in found:
        if pack.id in seen:
            raise InputError(f"{pack.id}: stands there twice; give every scenario an id of its own")
        seen.add(pack.id)
    return found


def is_set(name: str) -> bool:
    """Whether a name stands for several packs: core, all, fresh:COUNT:SEED, or a folder."""
    return name in _SETS or name.startswith(_NEW) or (_exists(Path(name)) and Path(name).is_dir())


def _named(name: str) -> list[PersuasionPack]:
    if name in _SETS:
        return builtin_packs(controls=name == "all")
    if fresh := _FRESH.fullmatch(name):
        return list(fresh_packs(int(fresh["count"]), int(fresh["seed"])))
    if name.startswith(_NEW):
        raise InputError(f"{name[:80]!r}: new characters are asked for as fresh:COUNT:SEED, fresh:10:1 say")
    path = Path(name)
    if name in _builtin() or not _exists(path):
        return [builtin_pack(name)]
    if _exists(path / CHARACTERS):
        return _characters(path / CHARACTERS)
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{name}: has no .yaml files in it")
    return [read_pack(str(file), text_of(file, "pack", PackError)) for file in files]


def _characters(path: Path) -> list[PersuasionPack]:
    packs = list(read_lines(path, PersuasionPack))
    wrong = [
        f"{path}:{number}: {'.'.join(map(str, field))}: {what}"
        for number, pack in enumerate(packs, 1)
        for field, what in problems(pack)
    ]
    if wrong or not packs:
        raise PackError("\n".join(wrong) or f"{path}: has no characters in it")
    return packs


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _unknown(name: str) -> str:
    from rapidfuzz import process

    nearest = process.extractOne(name[:80], list(_builtin()), score_cutoff=60)
    hint = f"did you mean {nearest[0]!r}? " if nearest else ""
    return (
        f"no scenario {name[:80]!r}; {hint}core is the 23 of the suite, all adds the control, fresh:COUNT:SEED makes "
        "new ones; files go by their path"
    )


def character_pack(name: str) -> str | None:
    """The text of a pack of a character, by its id or path; None where the name is something else's.

    Raises:
        PackError: the file can't be read.
    """
    if name in _builtin():
        return (_PACKS / f"{name}.yaml").read_text(encoding="utf-8")
    path = Path(name)
    if not _exists(path) or path.is_dir():
        return None
    text = text_of(path, "pack", PackError)
    return text if _MIND.search(text) else None


def read_pack(name: str, text: str) -> PersuasionPack:
    """A pack from its text.

    Raises:
        PackError: with file, line and field of everything that is wrong.
    """
    pack, wrong = _read(name, text)
    if wrong or pack is None:
        raise PackError("\n".join(wrong))
    return pack


def check(name: str, text: str) -> list[str]:
    """Everything that is wrong with a pack, each as "file:line: field: what"."""
    try:
        return _read(name, text)[1]
    except PackError as error:
        return str(error).split("\n")


def _read(name: str, text: str) -> tuple[PersuasionPack | None, list[str]]:
    data = parse(name, text, keys="id, tier, name")
    try:
        pack = PersuasionPack.model_validate(data)
    except ValidationError as error:
        return None, located(name, text, located_problems(error))
    return pack, located(name, text, problems(pack))
