"""The page of presets names every dial, with its value in each preset, and says where one moves nothing."""

from __future__ import annotations

import re

import pytest
from written_pages import REPOSITORY

from dtomtrack.errors import InputError
from dtomtrack.scenarios.dials import check_difficulty
from dtomtrack.scenarios.difficulty import PRESETS, Difficulty, Signals

PAGE = (REPOSITORY / "docs" / "concepts" / "presets.md").read_text(encoding="utf-8")
COLUMNS = ("paper", "apart", "group", "hard")
NOTHING = "–"  # noqa: RUF001 - a dash, as in the tables
DIALS = sorted(Difficulty.model_fields.keys() - {"preset"})
PAIRS = {"participants", "topics", "holders", "revisions"}
CELLS = {
    cells[0].strip("`"): dict(zip(COLUMNS, cells[2:], strict=True))
    for row in re.findall(r"^\| (.*) \|$", PAGE.partition("## The dials")[2], re.MULTILINE)
    if (cells := row.split(" | "))[0].startswith("`")
}
"""What the tables have of each dial, by preset."""

OTHERS: dict[str, object] = {
    **{"topics": (1, 2), "participants": (2, 3), "holders": (2, 2), "revisions": (1, 1), "order": 3, "turns": 12},
    **{
        "weighty_moves_a_turn": 1,
        "signals": Signals(explicit=0, implicit=0.5, none=0.5),
        "apart": {"presumption": 1.0},
    },
    **{"question_types": ("temporal",), "can_change_back": ("belief",), "contestable": ("belief",)},
    **{"topics_by_turns": ((6, 2),), "update_weights": (1.0,), "marked_trait": 0.4},
}
"""Of dials that are no share or count, values that no preset has."""


def test_every_dial_stands_in_a_table() -> None:
    assert sorted(CELLS) == DIALS


@pytest.mark.parametrize("preset", COLUMNS)
def test_the_tables_have_the_values_of_the_presets(preset: str) -> None:
    told = {dial: cells[preset] for dial, cells in CELLS.items() if cells[preset] != NOTHING}
    assert told == {dial: shown(dial, getattr(PRESETS[preset], dial)) for dial in told}


@pytest.mark.parametrize("preset", COLUMNS)
def test_a_dial_without_a_value_is_one_that_is_refused(preset: str) -> None:
    told = {dial for dial, cells in CELLS.items() if cells[preset] == NOTHING}
    assert told == {dial for dial in DIALS if moves_nothing(preset, dial)}


def test_the_page_says_in_what_extreme_is_another_than_hard() -> None:
    hard, extreme = (PRESETS[name].model_dump() for name in ("hard", "extreme"))
    other = [dial for dial in DIALS if hard[dial] != extreme[dial]]
    told = re.findall(
        r"`(\w+)` \(([\d.-]+)\)", PAGE.partition("`extreme` is as `hard` but for ")[2].partition(".\n")[0]
    )
    assert dict(told) == {dial: shown(dial, extreme[dial]) for dial in other}


def moves_nothing(preset: str, dial: str) -> bool:
    """Whether to set a dial over a preset is refused, as it moves nothing there."""
    usual = PRESETS[preset]
    value = getattr(usual, dial)
    other = OTHERS.get(dial, value + 1 if isinstance(value, int) else 0.99 if value != 0.99 else 0.5)
    asked = Difficulty.model_validate(usual.model_dump() | {dial: other})
    try:
        check_difficulty(asked, asked.turns, [])
    except InputError as error:
        return "moves nothing" in str(error)
    return False


def shown(dial: str, value: object) -> str:
    """The value of a dial as a table has it."""
    if isinstance(value, Signals):
        return ", ".join(f"{name} {share:.2g}" for name, share in value)
    if isinstance(value, dict):
        return f"{len(value)} ways" if value else "none"
    if dial in PAIRS:
        return "-".join(map(str, dict.fromkeys(value))) if isinstance(value, tuple) else "any"
    if dial == "topics_by_turns" and isinstance(value, tuple):
        return f"{value[0][0]}:{value[0][1]} to {value[-1][0]}:{value[-1][1]}"
    if isinstance(value, tuple):
        return ", ".join(f"{one:g}" if isinstance(one, float) else str(one) for one in value) or "all"
    return f"{value:g}" if isinstance(value, float) else str(value)
