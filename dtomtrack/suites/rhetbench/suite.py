"""RhetBench as a suite: a folder of episodes, with what a spectator is asked about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.records import Record
from dtomtrack.report.presentation import Head
from dtomtrack.report.sections import SectionTable, SuiteSection
from dtomtrack.report.shown import BrowserWords, ShownDialogue
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.items.records import CONTEXTS, ITEMS, ContextRecord, ItemLine
from dtomtrack.suites.items.suite import ItemsSuite
from dtomtrack.suites.rhetbench.both_sides import both_sides, evaluations_of_players
from dtomtrack.suites.rhetbench.browsing import WORDS, shown_episodes
from dtomtrack.suites.rhetbench.card import card
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.figures import strategy_use, trajectories, win_curves
from dtomtrack.suites.rhetbench.fresh_job import FreshJob
from dtomtrack.suites.rhetbench.job import EPISODES
from dtomtrack.suites.rhetbench.leaderboard import (
    adaptation_table,
    classifier_table,
    difference_table,
    drift_table,
    win_table,
)
from dtomtrack.suites.rhetbench.metrics import measure
from dtomtrack.suites.rhetbench.played import SUITE_NAME, played_subjects
from dtomtrack.suites.rhetbench.spectator import TYPES

__all__ = ["SUITE", "RhetbenchSuite"]


class RhetbenchSuite(ItemsSuite):
    """Persuading somebody whose mind can't be seen; its items ask a spectator about the episodes."""

    name = SUITE_NAME
    title = "RhetBench: persuading a character whose mind stays hidden, played with dtomtrack play rhetbench"
    records: Mapping[str, type[Record]] = {EPISODES: Episode, CONTEXTS: ContextRecord, ITEMS: ItemLine}
    focus = "what was said, how each reply sounded, and what could be known from it at the time"
    group_order: Mapping[str, Sequence[str]] = {"type": TYPES, "won": ["yes", "no"]}
    labels: Mapping[str, Mapping[str, str]] = {
        "type": {
            "pre_update": "How it was taken before",
            "post_update": "How it was taken by then",
            "update_detection": "When so far",
            "trajectory": "When nearer",
            "second_order": "What the persuader could know",
        }
    }
    words: BrowserWords = WORDS

    def head(self, manifest: Manifest) -> Head:
        """Who played what."""
        config, counts = manifest.config, manifest.counts
        play = config.get("play")
        settings = play if isinstance(play, dict) else {}
        subjects = config.get("subjects")
        return Head(
            title="RhetBench",
            lead=f"{counts.totals.get('episodes', 0):,} episodes, {counts.questions:,} questions to a spectator.",
            facts={
                "Persuaders": str(len(subjects) if isinstance(subjects, list) else 0),
                "Scenarios": str(counts.totals.get("clusters", 0)),
                **{name.capitalize(): str(settings[name]) for name in ("rules", "cue", "drift") if name in settings},
            },
        )

    def job(self, request: GenerationRequest) -> FreshJob:
        """The job that draws fresh characters.

        Raises:
            InputError: a domain or a model is named.
        """
        if request.models:
            raise InputError("characters of rhetbench are drawn; no language model takes part in making them")
        if request.domain != "all":
            raise InputError("characters of rhetbench have no domains: leave --domain out")
        return FreshJob(request.seed)

    def sections(self, folder: Path) -> Sequence[SuiteSection]:
        """Leaderboard, adaptation, figures, found anew from the episodes; who played and was asked, on both sides."""
        episodes = {one.subject: list(one.episodes()) for one in played_subjects(folder) if one.finished}
        if not episodes:
            return ()
        found = sorted(
            (measure(name, own) for name, own in episodes.items()),
            key=lambda one: (-(one.win_by_10.value or 0.0), -(one.mean_win_curve.value or 0.0), one.subject),
        )
        ordered = {one.subject: episodes[one.subject] for one in found}
        return (
            SuiteSection(
                "leaderboard",
                "Leaderboard",
                "95\u00a0% intervals are clustered by scenario. Turns to win are over wins only. Differences are of "
                "wins by turn 10, paired by scenario and sample; bold ones are significant at 5\u00a0% after Holm's "
                "adjustment.",
                _given(win_table(found), difference_table(ordered)),
                (win_curves(found),),
            ),
            SuiteSection(
                "adaptation",
                "Adaptation",
                "Whether tones were listened to: regret is against the best of a turn, distance is from an ideal "
                "observer of the same tones.",
                _given(adaptation_table(found), drift_table(found), classifier_table(found)),
                (strategy_use(found), trajectories(ordered)),
            ),
            *both_sides(found, evaluations_of_players(self, folder, ordered)),
        )

    def dialogues(self, folder: Path, limit: int) -> Iterator[ShownDialogue]:
        """The first episodes of each subject, with what was hidden."""
        return shown_episodes(folder, limit)

    def card(self, manifest: Manifest) -> str:
        """The card of the folder."""
        return card(manifest)


def _given(*tables: SectionTable | None) -> tuple[SectionTable, ...]:
    return tuple(table for table in tables if table is not None)


SUITE = RhetbenchSuite()
