"""Folders that are there whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dtomtrack.runs import new_folder as module
from dtomtrack.runs.new_folder import new_folder

KILLED = """
import os, sys
from pathlib import Path
from dtomtrack.runs.new_folder import new_folder

with new_folder(Path(sys.argv[1])) as draft:
    (draft / "half").write_bytes(b"of it")
    os._exit(9)
"""


def test_a_draft_of_a_process_that_was_killed_is_removed(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, tmp_path / "out"], check=False)
    (left,) = tmp_path.iterdir()
    with new_folder(tmp_path / "out") as draft:
        (draft / "file").write_bytes(b"all")
    assert not left.exists()
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_a_draft_of_another_machine_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its processes are not known here: the folder may be on a disk that machines share."""
    subprocess.run([sys.executable, "-c", KILLED, tmp_path / "out"], check=False)
    (left,) = tmp_path.iterdir()
    monkeypatch.setattr(module, "_MACHINE", "another")
    with new_folder(tmp_path / "out") as draft:
        (draft / "file").write_bytes(b"all")
    assert (left / "half").read_bytes() == b"of it"
