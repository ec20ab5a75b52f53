"""What tests of whole runs with models share: the command line, and what a run leaves in its folder."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from loopback import Loopback

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.llm.chat import CallKey
from dtomtrack.llm.journal import JOURNAL

__all__ = ["FILES", "command", "contents", "dialogues", "journaled", "seeds"]

FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")


def contents(folder: Path) -> dict[str, bytes]:
    """The data files."""
    return {name: (folder / name).read_bytes() for name in FILES}


def dialogues(folder: Path) -> list[Dialogue]:
    """The dialogues that were kept."""
    lines = (folder / "dialogues.jsonl").read_text(encoding="utf-8").split("\n")
    return [Dialogue.model_validate_json(line) for line in lines if line]


def journaled(folder: Path) -> list[CallKey]:
    """The calls whose replies are in the journal; none where there is none yet, or no table in it."""
    if not (folder / JOURNAL).exists():
        return []
    with closing(sqlite3.connect(folder / JOURNAL)) as journal:
        if not journal.execute("select 1 from sqlite_master where name = 'replies'").fetchone():
            return []
        return [CallKey(*row) for row in journal.execute("select unit, purpose, try from replies")]


def seeds(calls: list[CallKey]) -> set[int]:
    """What the requests of these calls carry, and of no others."""
    return {call.seed(0) for call in calls}


def command(server: Loopback, out: Path, *more: str, n: int = 20) -> list[str]:
    """``dtomtrack generate`` with a model that is this server."""
    models = ["--actor-model", "openai/x", "--base-url", server.base_url, "--concurrency", "4"]
    return [sys.executable, "-m", "dtomtrack", "generate", "--n", str(n), "--out", str(out), *models, *more]
