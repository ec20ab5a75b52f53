"""Finding and reading domain packs: built-in ones by name, others by path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import yaml
from pydantic import ValidationError

from dtomtrack.errors import InputError, PackError
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_rules import Path as FieldPath
from dtomtrack.scenarios.pack_rules import problems

__all__ = ["PackSource", "builtin_domains", "check_pack", "find_pack", "load_pack"]

_PACKS = resources.files("dtomtrack.scenarios") / "packs"
_Loader: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every scalar is text (a guest called No is no boolean), nothing is constructed; in C, ten times as fast, if there."""
_MOST_SHOWN = 20
_MOST_BYTES = 10_000_000
_DEEPEST = 20
"""Packs nest seven deep; the C loader crashes on some ten thousand."""


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
    path = Path(name)
    try:
        if not path.exists():
            raise InputError(_unknown(name))
        if path.stat().st_size > _MOST_BYTES:
            raise PackError(f"{name}: is larger than {_MOST_BYTES // 1_000_000} MB, which no domain pack needs to be")
        return PackSource(name, path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise PackError(f"{name}: is not UTF-8 text") from error
    except OSError as error:
        raise PackError(f"{name[:80]}: can't be read ({error.strerror})") from error


def _unknown(name: str) -> str:
    if name.endswith((".yaml", ".yml")) or "/" in name:
        return f"no file {name!r}; give the path of a domain pack"
    from rapidfuzz import process

    nearest = process.extractOne(name, builtin_domains(), score_cutoff=50)
    hint = f"did you mean {nearest[0]!r}? " if nearest else ""
    return f"no domain {name!r}; {hint}Built in are {', '.join(builtin_domains())}; a pack of your own goes by its path"


def load_pack(source: PackSource) -> DomainPack:
    """A pack from its text.

    Raises:
        PackError: with file, line and field of everything that is wrong, up to twenty lines.
    """
    pack, wrong = _read(source, rules=not source.builtin)
    if wrong or pack is None:
        shown = wrong[:_MOST_SHOWN]
        if len(wrong) > _MOST_SHOWN:
            shown.append(f"{source.name}: and {len(wrong) - _MOST_SHOWN} more")
        raise PackError("\n".join(shown))
    return pack


def check_pack(source: PackSource) -> list[str]:
    """Everything that is wrong with a pack, each as "file:line: field: what"."""
    return _read(source, rules=True)[1]


def _read(source: PackSource, *, rules: bool) -> tuple[DomainPack | None, list[str]]:
    try:
        if rules and (wrong := _malformed(source)):
            return None, wrong
        data = yaml.load(source.text, Loader=_Loader)  # noqa: S506 - makes mappings, lists and text only
    except yaml.YAMLError as error:
        return None, [_yaml_error(source, error)]
    if not isinstance(data, dict):
        return None, [f"{source.name}:1: a pack is a mapping with name, title, roles, topics, ...; this is not one"]
    try:
        pack = DomainPack.model_validate(data)
    except ValidationError as error:
        found = [(tuple(one["loc"]), one["msg"]) for one in error.errors(include_url=False)]
        return None, list(_located(source, found))
    found = [(problem.path, problem.message) for problem in problems(pack)] if rules else []
    return pack, list(_located(source, found))


def _malformed(source: PackSource) -> list[str]:
    """Faults that the loader would not survive, or would pass over: deep nesting, and keys that stand twice."""
    depth = 0
    for event in yaml.parse(source.text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            line = event.start_mark.line + 1 if event.start_mark else 1
            return [f"{source.name}:{line}: nested too deeply to be a domain pack"]
    return list(_repeated_keys(source.name, yaml.compose(source.text, Loader=_Loader)))


def _repeated_keys(name: str, node: yaml.Node | None) -> Iterator[str]:
    if isinstance(node, yaml.SequenceNode):
        for child in node.value:
            yield from _repeated_keys(name, child)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, child in node.value:
            if key.value in seen:
                yield f"{name}:{key.start_mark.line + 1}: {key.value}: stands there twice"
            seen.add(key.value)
            yield from _repeated_keys(name, child)


def _yaml_error(source: PackSource, error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"{source.name}:{mark.line + 1 if mark else 1}: not YAML: {what}"


def _located(source: PackSource, found: list[tuple[FieldPath, str]]) -> Iterator[str]:
    if not found:
        return
    root = yaml.compose(source.text, Loader=_Loader)
    for path, message in found:
        yield f"{source.name}:{_line(root, path)}: {'.'.join(str(part) for part in path)}: {message}"


def _line(node: yaml.Node | None, path: FieldPath) -> int:
    """Line of the deepest node on the path that the file has."""
    line = node.start_mark.line + 1 if node else 1
    for part in path:
        child = _child(node, part)
        if child is None:
            return line
        line, node = child.start_mark.line + 1, child
    return line


def _child(node: yaml.Node | None, part: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        child: yaml.Node = node.value[part]
        return child
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == part), None)
    return None
