"""Reading YAML so that what is wrong with it can be said by file, line and field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import yaml

from dtomtrack.errors import PackError

__all__ = ["FieldPath", "located", "parse"]

FieldPath = tuple[str | int, ...]

_Loader: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every scalar is text (a guest called No is no boolean), nothing is constructed; in C, ten times as fast, if there."""
_MOST_EVENTS = 100_000
"""More than six times what the largest built-in pack has; each takes about a kilobyte once it is read."""
_DEEPEST = 20
"""Packs nest seven deep; the C loader crashes on some ten thousand."""
_TOO_DEEP = "nested too deeply to be a pack"


def parse(name: str, text: str, *, keys: str, trusted: bool = False) -> dict[str, object]:
    """The mapping that a file holds, its scalars as text.

    Args:
        keys: some that such a file has, for who gave another.
        trusted: it is not looked through for what the loader would not survive, or would pass over.

    Raises:
        PackError: it holds something else, a key stands in it twice, or it is nested too deeply; a line for each.
    """
    try:
        wrong = [] if trusted else [*_unloadable(name, text)]
        root = None if wrong else yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        # newer loaders read ahead, and refuse by themselves what is nested a thousand deep
        wrong_so = _TOO_DEEP if "nesting level" in what or "nesting depth" in what else f"not YAML: {what}"
        raise PackError(f"{name}:{mark.line + 1 if mark else 1}: {wrong_so}") from error
    if not wrong and not trusted:
        wrong = [*_wrong_keys(name, root)]
    if not wrong and not isinstance(root, yaml.MappingNode):
        wrong = [f"{name}:1: a pack is a mapping with {keys}, ...; this is not one"]
    if wrong or not isinstance(root, yaml.MappingNode):
        raise PackError("\n".join(wrong))
    return {key.value: _held(child) for key, child in root.value}


def located(name: str, text: str, problems: Sequence[tuple[FieldPath, str]]) -> list[str]:
    """Problems as "file:line: field: what is wrong"."""
    if not problems:
        return []
    root, known = yaml.compose(text, Loader=_Loader), _Children()
    return [
        f"{name}:{_line(root, path, known)}: {'.'.join(str(part) for part in path) or 'pack'}: {message}"
        for path, message in problems
    ]


def _held(node: yaml.Node) -> object:
    """What a node of a composed tree holds, which needn't be composed again for it."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: _held(child) for key, child in node.value}
    return [_held(child) for child in node.value] if isinstance(node, yaml.SequenceNode) else node.value


def _unloadable(name: str, text: str) -> Iterator[str]:
    """What the loader would not survive, or no check behind it: depth, number, and aliases: few stand for millions."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=_Loader)):
        if number > _MOST_EVENTS:
            yield f"{name}:1: has more than {_MOST_EVENTS:,} words, lists and mappings in it, which no pack needs"
            return
        if isinstance(event, yaml.AliasEvent):
            line = event.start_mark.line + 1 if event.start_mark else 1
            yield f"{name}:{line}: aliases (*{(event.anchor or '')[:20]}) are not read in packs; write it out"
            return
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            yield f"{name}:{event.start_mark.line + 1 if event.start_mark else 1}: {_TOO_DEEP}"
            return


def _wrong_keys(name: str, node: yaml.Node | None) -> Iterator[str]:
    if isinstance(node, yaml.SequenceNode):
        for child in node.value:
            yield from _wrong_keys(name, child)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, child in node.value:
            if not isinstance(key, yaml.ScalarNode):
                yield f"{name}:{key.start_mark.line + 1}: a list or a mapping stands as a key; a key is a word"
                continue
            if key.value in seen:
                yield f"{name}:{key.start_mark.line + 1}: {key.value}: stands there twice"
            seen.add(key.value)
            yield from _wrong_keys(name, child)


class _Children:
    """The values of mappings by key; each mapping is gone through once, however many of its keys are looked up."""

    def __init__(self) -> None:
        self._of: dict[int, dict[str, yaml.Node]] = {}

    def of(self, node: yaml.Node | None, part: str | int) -> yaml.Node | None:
        """The part of a node by this key or at this place, if it has one."""
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            child: yaml.Node = node.value[part]
            return child
        if not isinstance(node, yaml.MappingNode) or not isinstance(part, str):
            return None
        if id(node) not in self._of:
            self._of[id(node)] = {key.value: value for key, value in reversed(node.value)}
        return self._of[id(node)].get(part)


def _line(node: yaml.Node | None, path: FieldPath, known: _Children) -> int:
    """Line of the deepest node on the path that the file has."""
    line = node.start_mark.line + 1 if node else 1
    for part in path:
        child = known.of(node, part)
        if child is None:
            return line
        line, node = child.start_mark.line + 1, child
    return line
