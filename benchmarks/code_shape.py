"""The shape of the code: how long functions and files are, and how many parameters functions have.

    python benchmarks/code_shape.py [--worst 10]

Lengths are in lines, from ``def`` to the last line, docstrings and all. Exit status 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import ast
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

__all__ = ["BARS", "ROOTS", "Measured", "Shape", "shape_of"]

ROOTS = ("dtomtrack", "graphs", "scenarios", "verifiers")
"""The folders of the repository whose code is measured."""
BARS = {"function p90": 20, "file p90": 250, "parameters max": 12}


class Measured(NamedTuple):
    """A function or a file, and how long it is or how many parameters it has."""

    size: int
    where: str


@dataclass(frozen=True)
class Shape:
    """The sizes of all functions, files and lists of parameters, the largest first."""

    functions: Sequence[Measured]
    files: Sequence[Measured]
    parameters: Sequence[Measured]

    def figures(self) -> dict[str, int]:
        """What is held against the bars."""
        return {
            "function p90": _ninety_percent(self.functions),
            "file p90": _ninety_percent(self.files),
            "parameters max": self.parameters[0].size,
        }

    def offenders(self, worst: int = 10) -> str:
        """For each bar, the worst of what it is about, a line each."""
        measured = dict(zip(BARS, (self.functions, self.files, self.parameters), strict=True))
        return "\n".join(
            f"{name}:\n" + "\n".join(f"  {one.size:4}  {one.where}" for one in sizes[:worst])
            for name, sizes in measured.items()
        )


def shape_of(repository: Path) -> Shape:
    """The shape of the code of a repository."""
    functions, files, parameters = [], [], []
    for root in ROOTS:
        for path in (repository / root).rglob("*.py"):
            name, text = path.relative_to(repository).as_posix(), path.read_text(encoding="utf-8")
            files.append(Measured(text.count("\n"), name))
            for one in _functions(text):
                where = f"{name}:{one.lineno} {one.name}"
                functions.append(Measured((one.end_lineno or one.lineno) - one.lineno + 1, where))
                parameters.append(Measured(_parameters(one.args), where))
    return Shape(*(sorted(sizes, reverse=True) for sizes in (functions, files, parameters)))


def _functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(text))
    return (one for one in nodes if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))


def _parameters(arguments: ast.arguments) -> int:
    return len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)


def _ninety_percent(sizes: Sequence[Measured]) -> int:
    """The size that nine in ten don't exceed."""
    return sizes[len(sizes) - math.ceil(0.9 * len(sizes))].size


def main() -> int:
    parser = argparse.ArgumentParser(description="How long functions and files are.")
    parser.add_argument("--worst", type=int, default=10, help="How many of the worst to list.")
    options = parser.parse_args()
    shape = shape_of(Path(__file__).parent.parent)
    figures = shape.figures()
    for name, figure in figures.items():
        print(f"{name:16} {figure:4}  (bar: {BARS[name]})")
    print(f"{len(shape.functions)} functions in {len(shape.files)} files")
    print(shape.offenders(options.worst))
    return int(any(figure > BARS[name] for name, figure in figures.items()))


if __name__ == "__main__":
    sys.exit(main())
