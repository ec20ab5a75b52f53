"""Packages of which nobody needs more than a module."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from dtomtrack.runs.late_modules import load_late


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package in a package, with a module and a name of its own; nothing of it is loaded yet."""
    inner = tmp_path / "ample" / "kinds"
    inner.mkdir(parents=True)
    (tmp_path / "ample" / "__init__.py").touch()
    (inner / "__init__.py").write_text("from ample.kinds import rare\nEVERY = (rare.RARE,)\n", encoding="utf-8")
    (inner / "usual.py").write_text("USUAL = 1\n", encoding="utf-8")
    (inner / "rare.py").write_text("RARE = 2\n", encoding="utf-8")
    for name in ("ample", "ample.kinds", "ample.kinds.usual", "ample.kinds.rare"):
        # so that all of it is forgotten afterwards
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "ample.kinds"


def test_a_module_is_had_without_the_rest_of_its_package(package: str) -> None:
    load_late(package)
    assert importlib.import_module(f"{package}.usual").USUAL == 1
    assert f"{package}.rare" not in sys.modules


def test_the_rest_is_there_as_soon_as_it_is_asked_for(package: str) -> None:
    load_late(package)
    importlib.import_module(f"{package}.usual")
    loaded = importlib.import_module(package)
    assert loaded.EVERY == (2,)
    assert loaded.usual.USUAL == 1
    assert importlib.import_module("ample").kinds is loaded
    with pytest.raises(AttributeError, match="nosuch"):
        _ = loaded.nosuch


def test_what_is_loaded_or_not_installed_is_left_as_it_is(package: str) -> None:
    before = importlib.import_module(package)
    load_late(package)
    assert importlib.import_module(package) is before
    for missing in ("ample.nosuch", "nosuch.kinds"):
        load_late(missing)
        assert missing not in sys.modules
