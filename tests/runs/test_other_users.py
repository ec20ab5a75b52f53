"""What belongs to somebody else, or lies on a medium that can only be read: it is read, or told in a sentence."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import pytest
from other_user import open_to_all, somebody_else

import dtomtrack
from dtomtrack.cli.main import main
from dtomtrack.errors import DatasetError
from dtomtrack.runs.locks import LOCK, reading, writing


@pytest.fixture
def everywhere() -> Iterator[Path]:
    """A folder that everybody may reach, which those of pytest are not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        for path in (folder, *folder.rglob("*")):
            if path.is_dir():
                path.chmod(0o755)


@pytest.fixture
def theirs(everywhere: Path) -> Path:
    """A dataset of somebody's, which everybody may read."""
    folder = everywhere / "theirs"
    dtomtrack.generate("restaurant", n=1, out=folder)
    open_to_all(folder)
    return folder


def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> tuple[object, str]:
    """The status of a command in this process, and what it complains of."""
    monkeypatch.setattr(sys, "argv", ["dtomtrack", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, capsys.readouterr().err


def test_the_dataset_of_somebody_else_is_read(theirs: Path) -> None:
    whole = dtomtrack.load(theirs)
    with somebody_else():
        read = dtomtrack.load(theirs)
        assert list(read.dialogues) == list(whole.dialogues)


@pytest.mark.parametrize("command", ["report", "evaluate"])
def test_a_command_reads_it_too(
    theirs: Path, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    more = ("-m", "baseline/recency") if command == "evaluate" else ()
    out = theirs.parent / "out"
    out.mkdir()
    # as root first, so that all is imported
    assert said(capsys, monkeypatch, command, theirs, *more, "--out", out / "ours")[0] == 0
    out.chmod(0o777)
    with somebody_else():
        status, complaint = said(capsys, monkeypatch, command, theirs, *more, "--out", out / "theirs")
    assert (status, complaint) == (0, "")


def test_a_lock_that_cannot_be_made_holds_up_no_reader(everywhere: Path) -> None:
    (everywhere / LOCK).mkdir()
    with reading(everywhere):
        pass
    with pytest.raises(DatasetError, match=r"\.lock: is no file; .* remove it"), writing(everywhere):
        pass


def test_a_lock_that_is_a_pipe_is_told_to_whoever_writes(everywhere: Path) -> None:
    os.mkfifo(everywhere / LOCK)
    with pytest.raises(DatasetError, match=r"\.lock: is no file; .* remove it"), writing(everywhere):
        pass


def test_a_lock_of_garbage_is_told_to_whoever_writes(everywhere: Path) -> None:
    (everywhere / LOCK).write_bytes(b"garbage " * 20)
    with pytest.raises(DatasetError, match="is damaged; nothing is ever in it"), writing(everywhere):
        pass


@pytest.mark.parametrize("hold", [reading, writing])
def test_a_disk_that_locks_no_files_is_told(
    everywhere: Path, hold: Callable[[Path], AbstractContextManager[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a network share: what SQLite needs beside the file can't be opened, which is an error of the disk.

    The lock keeps clear of what lies there already, so SQLite is sent to such a file when it opens its own.
    """
    begin = sqlite3.connect
    (everywhere / "share-wal").mkdir()

    def connect(database: str, **more: Any) -> sqlite3.Connection:
        opened: sqlite3.Connection = begin(everywhere / "share", **{**more, "uri": False})
        return opened

    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(DatasetError, match=r"can't be locked \(disk I/O error\); .* a disk of this machine"):
        hold(everywhere).__enter__()


@pytest.mark.parametrize("hold", [reading, writing])
def test_a_lock_that_is_the_database_of_another_program_is_told(
    everywhere: Path, hold: Callable[[Path], AbstractContextManager[None]]
) -> None:
    with closing(sqlite3.connect(everywhere / LOCK)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE t (x)")
        other.commit()
    with pytest.raises(DatasetError, match=r"is no lock but another program's database; choose"):
        hold(everywhere).__enter__()


LOCKED: dict[str, tuple[str, ...]] = {
    "generate": ("--n", "1", "--out"),
    "evaluate": ("-m", "baseline/recency"),
    "report": (),
    "audit": (),
    "export": ("--to", "inspect"),
}


@pytest.mark.parametrize("command", LOCKED)
def test_a_folder_below_one_that_is_locked_is_one_sentence(
    everywhere: Path, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = everywhere / "locked"
    folder = locked / "in" / "it"
    # as root first, so that all is imported
    said(capsys, monkeypatch, command, *LOCKED[command], folder)
    folder.mkdir(parents=True, exist_ok=True)
    locked.chmod(0)
    with somebody_else():
        status, complaint = said(capsys, monkeypatch, command, *LOCKED[command], folder)
    assert status == 2
    assert complaint.count("\n") == 1
    assert "is out of reach (Permission denied); see who may read and write there" in complaint
