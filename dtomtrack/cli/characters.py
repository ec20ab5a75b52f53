"""Figures of a set of characters: what they demand of a persuader, and what they give away, beside what is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dtomtrack.cli.output import echo

if TYPE_CHECKING:
    from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack

__all__ = ["show_figures"]

_FEWEST = 6
"""Below so many characters a cold read is a matter of luck."""


def show_figures(packs: Sequence[PersuasionPack], seeds: int) -> bool:
    """Print them, win rates from so many episodes a character; whether all are as they have to be."""
    holds = [_show_demands(packs, seeds), _show_cold_reads(packs), _show_tones(packs)]
    return all(holds)


def _show_demands(packs: Sequence[PersuasionPack], seeds: int) -> bool:
    from dtomtrack.suites.rhetbench.pack_figures import HARD_TIERS, demands

    hard = [pack for pack in packs if pack.tier in HARD_TIERS]
    if not hard:
        echo("no pack is hard or above: nothing is demanded of win rates")
        return True
    found = demands(hard, seeds)
    echo(f"won by turn 10, {len(hard)} packs, hard and above, {seeds} seeds each:")
    for one in found:
        bound = f">= {one.least:.2f}" if one.least is not None else f"<= {one.most:.2f}" if one.most is not None else ""
        echo(f"  {one.policy:<24} {one.wins:.3f}  {bound:<8} {'' if one.holds else 'DOES NOT HOLD'}".rstrip())
    return all(one.holds for one in found)


def _show_cold_reads(packs: Sequence[PersuasionPack]) -> bool:
    from dtomtrack.scenarios.persuasion_npc.briefing import CUES
    from dtomtrack.suites.rhetbench.pack_figures import COLD_READ_AT_MOST, cold_reads

    if len(packs) < _FEWEST:
        return True
    holds = True
    for cue in CUES:
        cued, learnt = cold_reads(packs, cue)
        bound = f"<= {COLD_READ_AT_MOST:.2f}" if cue == "neutral" else ""
        fits = not bound or max(cued, learnt) <= COLD_READ_AT_MOST
        holds &= fits
        told = f"class read cold, {cue} context: by cues {cued:.2f}, by words of the others {learnt:.2f}"
        echo(f"{told}  {bound} {'' if fits else 'DOES NOT HOLD'}".rstrip())
    return holds


def _show_tones(packs: Sequence[PersuasionPack]) -> bool:
    from dtomtrack.suites.rhetbench.pack_figures import TONE_READ_AT_LEAST, own_tone_read, tone_read

    clear, own = tone_read(packs), own_tone_read(packs)
    fits = clear >= TONE_READ_AT_LEAST
    told = f"tone read by who never met the character: clear {clear:.3f}  >= {TONE_READ_AT_LEAST:.2f}"
    echo(f"{told} {'' if fits else 'DOES NOT HOLD'}".rstrip())
    echo(f"  subtle {tone_read(packs, 'subtle'):.3f}" + ("" if own is None else f", lines of its own alone {own:.3f}"))
    return fits
