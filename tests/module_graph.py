"""Which module of dtomtrack imports which: by their syntax, late imports and those for type checkers included."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

__all__ = ["Graph", "circles", "module_graph"]

Graph = Mapping[str, Set[str]]
"""By module, the modules that it imports; ``dtomtrack.runs.folder`` names a module, ``dtomtrack.runs`` a package."""

_HOMES = {"dtomtrack": "dtomtrack", **{f"dtomtrack.{name}": name for name in ("graphs", "scenarios", "verifiers")}}
"""Where the code of a package stands in the repository."""


def module_graph(repository: Path) -> Graph:
    """The imports of all modules."""
    files = {name: path for home, folder in _HOMES.items() for name, path in _modules(home, repository / folder)}
    return {name: frozenset(_imported(name, path, files.keys())) for name, path in files.items()}


def _modules(home: str, folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        yield ".".join((home, *(part for part in parts if part != "__init__"))), path


def _imported(name: str, path: Path, modules: Set[str]) -> Iterator[str]:
    """The modules of dtomtrack that a file names; of ``from package import name``, the module where that is one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in modules and one.name != name)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}:{node.lineno}: a relative import"
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                found = whole if whole in modules else node.module
                if found in modules and found is not None and found != name:
                    yield found


def circles(graph: Graph) -> list[frozenset[str]]:
    """The sets of modules that import each other: strongly connected components of more than one (Tarjan, 1972)."""
    return _Components(graph).found


class _Components:
    """One search through a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._number: dict[str, int] = {}
        self._lowest: dict[str, int] = {}
        self._path: list[str] = []
        self.found: list[frozenset[str]] = []
        for name in graph:
            if name not in self._number:
                self._visit(name)

    def _visit(self, name: str) -> None:
        self._number[name] = self._lowest[name] = len(self._number)
        self._path.append(name)
        for other in self._graph[name]:
            if other not in self._number:
                self._visit(other)
            if other in self._path:
                self._lowest[name] = min(self._lowest[name], self._lowest[other])
        if self._lowest[name] == self._number[name]:
            place = self._path.index(name)
            component, self._path = self._path[place:], self._path[:place]
            if len(component) > 1:
                self.found.append(frozenset(component))
