"""Imports point one way (ARCHITECTURE.md): late imports and those for type checkers, too."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path

import pytest
from module_graph import Graph, circles, module_graph

REPOSITORY = Path(__file__).parents[2]

GROUND = frozenset(
    {"records", "errors", "options", "files", "blocking", "packaged", "terminal", "validation", "version"}
)
BASE = GROUND | {"items", "llm", "runs"}
MINDS = BASE | {"beliefs"}
PLAYED = MINDS | {"verifiers", "scenarios", "graphs"}
ANSWERED = BASE | {"evaluation"}
SHOWN = ANSWERED | {"audit", "export", "report"}
SUITES = PLAYED | SHOWN | {"suites"}
FACADES = frozenset({"", "api", "auditing", "dataset", "library"})
EVERYTHING = SUITES | FACADES | {"cli", "__main__"}
MAY_IMPORT: Mapping[str, Set[str]] = {
    **dict.fromkeys(GROUND, GROUND),
    **dict.fromkeys(("items", "llm", "runs"), BASE),
    "beliefs": MINDS,
    "verifiers": MINDS | {"verifiers"},
    "scenarios": MINDS | {"verifiers", "scenarios"},
    "graphs": PLAYED,
    "evaluation": ANSWERED,
    **dict.fromkeys(("audit", "export", "report"), SHOWN),
    "suites": SUITES,
    **dict.fromkeys(FACADES, SUITES | FACADES),
    **dict.fromkeys(("cli", "__main__"), EVERYTHING),
}
"""By package, or module at the top (dtomtrack itself has the empty name), what its modules may import."""


@cache
def graph() -> Graph:
    """The imports of all modules; not read where none of these tests runs."""
    return module_graph(REPOSITORY)


def package(module: str) -> str:
    """The package below dtomtrack, or the module at the top."""
    return module.partition(".")[2].partition(".")[0]


def imports_of(*packages: str) -> list[tuple[str, str]]:
    """(importing module, imported module), for the modules of some packages."""
    return sorted((name, other) for name in graph() if package(name) in packages for other in graph()[name])


def test_every_package_has_its_place() -> None:
    assert {package(name) for name in graph()} <= MAY_IMPORT.keys()


@pytest.mark.parametrize("own", sorted(MAY_IMPORT), ids=lambda own: own or "dtomtrack")
def test_a_package_imports_only_what_is_below_it(own: str) -> None:
    wrong = [f"{name} imports {other}" for name, other in imports_of(own) if package(other) not in MAY_IMPORT[own]]
    assert not wrong, "\n".join(wrong)


def test_evaluation_audit_export_and_report_know_no_suite_and_no_minds() -> None:
    hidden = {"beliefs", "scenarios", "graphs", "verifiers", "suites"}
    found = [one for one in imports_of("evaluation", "audit", "export", "report") if package(one[1]) in hidden]
    assert not found


def test_no_modules_import_each_other() -> None:
    assert not [sorted(one) for one in circles(graph())]


def test_circles_are_found_however_long() -> None:
    drawn = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert sorted(map(sorted, circles(drawn))) == [["a", "b", "c"], ["d", "e"]]


def test_late_imports_and_those_for_type_checkers_count(tmp_path: Path) -> None:
    for name in ("dtomtrack", "graphs", "scenarios", "verifiers"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("", encoding="utf-8")
    text = (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from dtomtrack.graphs import play\n"
        "def late():\n    import dtomtrack.verifiers\n    from dtomtrack.verifiers import rules\n"
    )
    (tmp_path / "dtomtrack" / "one.py").write_text(text, encoding="utf-8")
    (tmp_path / "verifiers" / "rules.py").write_text("", encoding="utf-8")
    found = module_graph(tmp_path)
    assert found["dtomtrack.one"] == {"dtomtrack.graphs", "dtomtrack.verifiers", "dtomtrack.verifiers.rules"}
    assert not circles(found)
