"""Reading YAML so that what is wrong with it can be said by file, line and field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import yaml

from dtomtrack.errors import PackError

__all__ = ["FieldPath", "located", "parse"]

FieldPath = tuple[str | int, ...]

_Loader: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every scalar is text (a guest called No is no boolean), nothing is constructed; in C, ten times as fast, if there."""
_DEEPEST = 20
"""Packs nest seven deep; the C loader crashes on some ten thousand."""


def parse(name: str, text: str, *, keys: str, trusted: bool = False) -> dict[str, object]:
    """The mapping that a file holds, its scalars as text.

    Args:
        keys: some that such a file has, for who gave another.
        trusted: it is not looked through for what the loader would not survive, or would pass over.

    Raises:
        PackError: it holds something else, a key stands in it twice, or it is nested too deeply; a line for each.
    """
    try:
        wrong = [] if trusted else _malformed(name, text)
        data = None if wrong else yaml.load(text, Loader=_Loader)  # noqa: S506 - makes mappings, lists and text only
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise PackError(f"{name}:{mark.line + 1 if mark else 1}: not YAML: {what}") from error
    if not wrong and not isinstance(data, dict):
        wrong = [f"{name}:1: a pack is a mapping with {keys}, ...; this is not one"]
    if wrong or not isinstance(data, dict):
        raise PackError("\n".join(wrong))
    return data


def located(name: str, text: str, problems: Sequence[tuple[FieldPath, str]]) -> list[str]:
    """Problems as "file:line: field: what is wrong"."""
    if not problems:
        return []
    root = yaml.compose(text, Loader=_Loader)
    return [
        f"{name}:{_line(root, path)}: {'.'.join(str(part) for part in path) or 'pack'}: {message}"
        for path, message in problems
    ]


def _malformed(name: str, text: str) -> list[str]:
    return [*_too_deep(name, text)] or [*_repeated_keys(name, yaml.compose(text, Loader=_Loader))]


def _too_deep(name: str, text: str) -> Iterator[str]:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            yield f"{name}:{event.start_mark.line + 1 if event.start_mark else 1}: nested too deeply to be a pack"
            return


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
