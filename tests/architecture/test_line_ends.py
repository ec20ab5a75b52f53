"""Texts are written with the same line ends on every system, so that the same dataset has the same bytes everywhere."""

from __future__ import annotations

import ast
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
CODE = ("dtomtrack", "graphs", "scenarios", "verifiers")


def test_every_text_file_is_written_with_line_ends_of_our_own() -> None:
    """Without ``newline`` they are the system's; ``write_text`` with no encoding is a method of ours, not of a path."""
    left_to_the_system = [
        f"{path.relative_to(REPOSITORY)}:{node.lineno}"
        for folder in CODE
        for path in sorted((REPOSITORY / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(text_of_a_writer(path)))
        if isinstance(node, ast.Call) and writes_text(node) and "newline" not in keywords(node)
    ]
    assert left_to_the_system == []


def text_of_a_writer(path: Path) -> str:
    """The code of a file that names what writes; parsing is dear, and most files write nothing."""
    text = path.read_text(encoding="utf-8")
    return text if "write_text" in text or "open" in text else ""


def writes_text(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name == "write_text":
        return "encoding" in keywords(call)
    modes = [one.value for one in call.args if isinstance(one, ast.Constant)]
    return name == "open" and any(mode in {"w", "a", "x"} for mode in modes)


def keywords(call: ast.Call) -> set[str | None]:
    return {one.arg for one in call.keywords}
