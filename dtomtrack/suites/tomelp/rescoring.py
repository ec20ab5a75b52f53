"""Stored plays added up once more: with the paper's "safe defaults" beside our own figures.

The paper's parser books a judgement that can't be read as 0 (appendix B). That makes a judge that fails look like a
persuader who moves nobody; here both numbers stand side by side, from the same stored verdicts, without a call.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.runs.files import write_atomically
from dtomtrack.runs.folder import read_manifest
from dtomtrack.suites.subjects import subject_folder
from dtomtrack.suites.tomelp.judging_job import finished_plays
from dtomtrack.suites.tomelp.measuring import PlayedBy, measure_play
from dtomtrack.suites.tomelp.metrics import PlayMetrics
from dtomtrack.suites.tomelp.play_job import play_config
from dtomtrack.suites.tomelp.play_run import PLAY, scenes_played
from dtomtrack.suites.tomelp.states import open_scenes

__all__ = ["BY_DEFAULT", "RescoredPlay", "rescored_plays"]

BY_DEFAULT = "metrics.paper-defaults.json"
"""The file, in a play's folder, of its metrics as the paper's defaults have them."""


class RescoredPlay(NamedTuple):
    """A play's metrics, and those that the paper's defaults make of it."""

    ours: PlayMetrics
    by_default: PlayMetrics


def rescored_plays(folder: Path, subject: str | None = None) -> Iterator[RescoredPlay]:
    """The plays of a dataset, or the one of a subject; the paper's metrics are written beside ours.

    Raises:
        DatasetError: the folder is of another suite, has no finished play, or one that is damaged or of other states.
        InputError: the subject has not played.
    """
    with open_scenes(folder):
        plays = finished_plays(folder)
        # the name of a folder is one whatever other subject it might be of, too
        named = [one for one in plays if one.name == subject]
        wanted = named or [one for one in plays if subject is None or one == subject_folder(folder / PLAY, subject)]
        if not wanted:
            raise InputError(f"{subject}: has not played in {folder}; there are {', '.join(one.name for one in plays)}")
        for play in wanted:
            yield _rescored(folder, play)


def _rescored(folder: Path, play: Path) -> RescoredPlay:
    manifest = read_manifest(play)
    if manifest is None:
        raise DatasetError(f"{play}: has no manifest; play again")
    config = play_config(folder, play, manifest)
    by = PlayedBy(config.subject, config.judge, manifest.calls, manifest.tokens, manifest.cost)
    ours, by_default = (measure_play(by, scenes_played(folder, play), defaults=own) for own in (False, True))
    write_atomically(play / BY_DEFAULT, by_default.model_dump_json(indent=2) + "\n")
    return RescoredPlay(ours, by_default)
