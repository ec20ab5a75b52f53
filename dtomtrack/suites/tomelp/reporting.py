"""The plays of a dataset as a section of its page."""

from __future__ import annotations

from pathlib import Path

from dtomtrack.report.drawing import check_matplotlib
from dtomtrack.report.plays import Plays
from dtomtrack.runs.folder import read_manifest
from dtomtrack.suites.tomelp.figures import draw_plays
from dtomtrack.suites.tomelp.loop.metrics import LoopMetrics
from dtomtrack.suites.tomelp.loop.reporting import loop_figures, loop_tables
from dtomtrack.suites.tomelp.loop.run import finished_loops
from dtomtrack.suites.tomelp.measuring import PlayedBy
from dtomtrack.suites.tomelp.metrics import PlayMetrics
from dtomtrack.suites.tomelp.play_job import play_config
from dtomtrack.suites.tomelp.play_run import PLAY, measured_play
from dtomtrack.suites.tomelp.play_tables import play_tables

__all__ = ["plays_in"]

_FINISHED = ("complete", "incomplete")


def plays_in(folder: Path) -> Plays | None:
    """The plays of a dataset, added up again from what was said; None where there is none.

    Raises:
        InputError: a play is damaged or of other states, or figures can't be drawn.
    """
    root = folder / PLAY
    folders = sorted(one for one in root.iterdir() if (one / "manifest.json").is_file()) if root.is_dir() else []
    loops, unfinished = finished_loops(folder)
    if not folders and not loops and not unfinished:
        return None
    check_matplotlib()
    found = {one.name: _metrics(folder, one) for one in folders}
    done = [one for one in found.values() if one is not None]
    return Plays(
        title="Plays",
        about=_about(done, loops),
        tables=(*play_tables(done), *loop_tables(loops)),
        figures=(*draw_plays(done), *loop_figures(loops)),
        subjects=tuple(dict.fromkeys(_subjects(done, loops))),
        unfinished=(*(name for name, one in found.items() if one is None), *unfinished),
    )


def _metrics(folder: Path, out: Path) -> PlayMetrics | None:
    manifest = read_manifest(out)
    if manifest is None or manifest.status not in _FINISHED:
        return None
    config = play_config(folder, out, manifest)
    by = PlayedBy(config.subject, config.judge, manifest.calls, manifest.tokens, manifest.cost)
    return measured_play(by, folder, out)


def _subjects(done: list[PlayMetrics], loops: list[LoopMetrics]) -> list[str]:
    return [*(one.subject for one in done), *(one.subject for one in loops)]


def _about(done: list[PlayMetrics], loops: list[LoopMetrics]) -> str:
    scripted = sorted({one for one in _subjects(done, loops) if one.startswith("policy/")})
    judges = sorted({one.judge for one in done})
    parts = [f"Judged by {', '.join(judges)}."] if judges else []
    if "rules" in judges:
        parts.append("The judge rules is a set of formulas over the scenes' closed world, and no model.")
    if scripted:
        parts.append(f"Scripted, and no models: {', '.join(scripted)}.")
    parts.append("No human stands behind any score.")
    return " ".join(parts)
