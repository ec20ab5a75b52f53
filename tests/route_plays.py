"""Datasets of scenes, and plays of them, for the tests of ToMELP."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.run import run
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.tomelp.metrics import PlayMetrics
from dtomtrack.suites.tomelp.play_run import PlayRequest, run_play
from dtomtrack.suites.tomelp.played import PlayedState

__all__ = ["played", "plays", "quick", "scenes"]


def scenes(out: Path, n: int = 8, seed: int = 0, topics: str = "all") -> Path:
    """A dataset of so many scenes."""
    job = generating_suite("tomelp").job(GenerationRequest(topics, n, seed))
    asyncio.run(run(job, open_engine("local"), n=n, out=out))
    return out


def quick(**more: Any) -> ClientSettings:
    """Settings that don't wait before they try again."""
    return ClientSettings(first_pause=0.001, **more)


def plays(folder: Path, *subjects: str, **more: Any) -> tuple[PlayMetrics, ...]:
    """The metrics of subjects that play a dataset."""
    address = {"judge_base_url": more["base_url"]} if "base_url" in more else {}
    return asyncio.run(run_play(PlayRequest(folder, subjects, **{"client": quick(), **address, **more})))


def played(folder: Path, subject: str) -> list[PlayedState]:
    """What a subject said, and what was found of it."""
    return list(read_lines(folder / "play" / subject.replace("/", "_") / "plays.jsonl", PlayedState))
