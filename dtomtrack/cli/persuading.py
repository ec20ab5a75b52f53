"""Episodes of persuasion in a terminal: a person at the keyboard, tables, and what was said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from rich.markup import escape
from rich.table import Column, Table

from dtomtrack.cli.console import Console
from dtomtrack.evaluation.records import Interval
from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.suites.rhetbench.classifying import Concord
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.listening import LONGEST
from dtomtrack.suites.rhetbench.metrics import PersuasionMetrics

__all__ = ["HumanPersuader", "show_episode", "show_play", "show_sweep"]


class HumanPersuader:
    """A person in the terminal (a `dtomtrack.graphs.persuasion.Persuader`)."""

    def __init__(self, turns: int) -> None:
        self._turns = turns
        self._console = Console()
        self._name = ""

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        """The next message, as it is typed in.

        Raises:
            KeyboardInterrupt: the input has ended, and it says so; episodes that are whole are safe.
        """
        said = sum(line.by == "persuader" for line in lines)
        if not said:
            self._name = briefing.name
            self._console.print(f"\n[bold]{escape(briefing.name)}[/], {escape(briefing.role)}")
            self._console.print(escape(_printable(briefing.context)))
            self._console.print(
                f"Your aim: {escape(briefing.name)} comes to agree to {escape(briefing.position)}. "
                f"One message at a time, {LONGEST} characters at most.\n"
            )
        self._console.print(f"[bold]{escape(briefing.name)}:[/] {escape(_printable(lines[-1].text))}")
        try:
            return await asyncio.to_thread(input, f"You ({self._turns - said} left): ")
        except EOFError:
            self._console.print()
            raise KeyboardInterrupt("nothing more is typed in: the input has ended") from None

    def part(self, episode: Episode) -> None:
        """Print the last words and how it ended; what works stays hidden, the character may be met again."""
        name = escape(self._name)
        end = "won over" if episode.won else "gone" if episode.walked_out else "not won over"
        self._console.print(f"[bold]{name}:[/] {escape(_printable(episode.turns[-1].reply))}")
        self._console.print(f"[bold]{name} is {end}[/] after {len(episode.turns)} messages.\n")


def show_play(found: Sequence[PersuasionMetrics]) -> None:
    """A line a subject, with intervals clustered by scenario."""
    table = Table("", *(one.subject for one in found), box=None)
    table.add_row("episodes", *(str(one.episodes) for one in found))
    rows: dict[str, Callable[[PersuasionMetrics], Interval]] = {
        "won by turn 10": lambda one: one.win_by_10,
        "won": lambda one: one.win_rate,
        "mean of won by 1 ... 25": lambda one: one.mean_win_curve,
        "turns to win": lambda one: one.turns_to_win,
        "strategy optimality": lambda one: one.strategy_optimality,
        "stays after positive": lambda one: one.adaptation.stays_after_positive,
        "shifts after resistant": lambda one: one.adaptation.shifts_after_resistant,
        "first turn on the best": lambda one: one.adaptation.discovery_turn,
        "on the best afterwards": lambda one: one.adaptation.best_after_discovery,
        "regret a turn": lambda one: one.adaptation.regret,
        "distance from the observer": lambda one: one.adaptation.doubt,
        "questions answered": lambda one: one.adaptation.pivot_answers,
    }
    for name, of in rows.items():
        table.add_row(name, *(_interval(of(one)) for one in found))
    if any(one.drift for one in found):
        readapted = (_interval(one.drift.readapted if one.drift else None) for one in found)
        table.add_row("found again after a change", *readapted)
        table.add_row("after so many turns", *(_interval(one.drift.lag if one.drift else None) for one in found))
    if any(one.classifiers for one in found):
        table.add_row("classifier and rules", *(_concord(one.classifiers) for one in found))
    if any(one.declared for one in found):
        table.add_row("heard as it was meant", *(_concord(one.declared) for one in found))
    Console().print(table)


def show_sweep(found: Mapping[str, Sequence[PersuasionMetrics]]) -> None:
    """A line for each set of rules: who wins by turn 10 under it."""
    subjects = [one.subject for one in next(iter(found.values()))]
    table = Table(*(Column(name, no_wrap=True) for name in ("won by turn 10", *subjects)), box=None)
    for rules, own in found.items():
        _, without, part = rules.partition("-no-")
        table.add_row(f"without {part}" if without else rules, *(_interval(one.win_by_10) for one in own))
    Console().print(table)


def _concord(one: Concord | None) -> str:
    if one is None:
        return "-"
    return f"{one.same:.2f}" if one.kappa is None else f"{one.same:.2f}, kappa {one.kappa:.2f}"


def show_episode(episode: Episode) -> None:
    """Print what was said, with what was hidden beside it."""
    console = Console(highlight=False)
    end = "won" if episode.won else "lost: walked out" if episode.walked_out else "not won"
    console.print(f"[bold]{escape(episode.config.scenario)}[/], {escape(episode.subject)}: {end}")
    for turn in episode.turns:
        heard = escape(f"[{turn.argument}]")
        console.print(f"{turn.turn:>3} {heard} {escape(_printable(turn.message))}")
        state = f"{turn.tone}, agreement {turn.agreement:+.2f}, rapport {turn.rapport:+.2f}"
        console.print(f"    [dim]{state}[/] {escape(_printable(turn.reply))}")
    console.print()


def _interval(interval: Interval | None) -> str:
    if interval is None or interval.value is None:
        return "-"
    if interval.low is None or interval.high is None:
        return f"{interval.value:.2f}"
    return f"{interval.value:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def _printable(text: str) -> str:
    """Without anything that a terminal would obey."""
    return "".join(one if one.isprintable() else " " for one in text)
