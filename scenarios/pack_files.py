"""Finding and reading domain packs: built-in ones by name, others by path."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import InputError, PackError
from dtomtrack.files import text_of
from dtomtrack.scenarios.located_yaml import located, parse
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_rules import problems
from dtomtrack.validation import located_problems

__all__ = ["PackSource", "builtin_domains", "check_pack", "find_pack", "load_pack"]

_PACKS = resources.files("dtomtrack.scenarios") / "packs"
_MOST_SHOWN = 20
_OTHER_KINDS = {
    frozenset({"tier", "opening"}): "a character to persuade; dtomtrack play rhetbench --scenarios takes it",
    frozenset({"target", "concerns"}): "a goal of persuasion; --suite persuasivetom takes it",
    frozenset({"things", "qualities"}): "things to recommend; --suite rectom takes it",
}
"""Packs of other suites, by keys that they have and domain packs have not."""


@dataclass(frozen=True)
class PackSource:
    """A pack under the name that the user gave, its text, and whether dtomtrack, whose tests check it, brings it."""

    name: str
    text: str
    builtin: bool = False


def builtin_domains() -> list[str]:
    """Names of the packs that come with dtomtrack."""
    return sorted(entry.name.removesuffix(".yaml") for entry in _PACKS.iterdir() if entry.name.endswith(".yaml"))


def find_pack(name: str) -> PackSource:
    """The pack of this name, or the file at this path.

    Raises:
        InputError: there is neither a built-in pack nor a file of that name.
    """
    if name in builtin_domains():
        return PackSource(name, (_PACKS / f"{name}.yaml").read_text(encoding="utf-8"), builtin=True)
    # of a name that is too long for a file nothing can be told
    with suppress(OSError):
        if Path(name).is_dir():
            raise PackError(f"{name}: is a folder; give the path of a domain pack, which is a YAML file, or a name")
    try:
        return PackSource(name, text_of(Path(name), "domain pack", PackError))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(_unknown(name)) from None


def _unknown(name: str) -> str:
    if name.endswith((".yaml", ".yml")) or "/" in name:
        return f"no file {name!r}; give the path of a domain pack"
    from rapidfuzz import process

    nearest = process.extractOne(name, builtin_domains(), score_cutoff=50)
    hint = f"did you mean {nearest[0]!r}? " if nearest else ""
    return f"no domain {name!r}; {hint}there are {', '.join(builtin_domains())}; a pack of your own goes by its path"


@lru_cache(maxsize=32)
def load_pack(source: PackSource) -> DomainPack:
    """A pack from its text; the same text is read once.

    Raises:
        PackError: with file, line and field of everything that is wrong, up to twenty lines.
    """
    pack, wrong = _read(source, rules=not source.builtin)
    other = _other_kind(source.text) if wrong else None
    if other is not None:
        raise PackError(f"{source.name}: is no domain pack but {other}")
    if wrong or pack is None:
        shown = wrong[:_MOST_SHOWN]
        if len(wrong) > _MOST_SHOWN:
            shown.append(f"{source.name}: and {len(wrong) - _MOST_SHOWN} more")
        raise PackError("\n".join(shown))
    return pack


def _other_kind(text: str) -> str | None:
    """The kind of pack that a text is, and who takes it, where it is one of another suite."""
    keys = {line.partition(":")[0] for line in text.split("\n") if ":" in line}
    return next((words for known, words in _OTHER_KINDS.items() if known <= keys), None)


def check_pack(source: PackSource) -> list[str]:
    """Everything that is wrong with a pack, each as "file:line: field: what"."""
    return _read(source, rules=True)[1]


def _read(source: PackSource, *, rules: bool) -> tuple[DomainPack | None, list[str]]:
    try:
        data = parse(source.name, source.text, keys="name, title, roles, topics", trusted=not rules)
    except PackError as error:
        return None, str(error).split("\n")
    try:
        pack = DomainPack.model_validate(data)
    except ValidationError as error:
        found = located_problems(error)
        return None, located(source.name, source.text, found)
    found = [(problem.path, problem.message) for problem in problems(pack)] if rules else []
    return pack, located(source.name, source.text, found)
