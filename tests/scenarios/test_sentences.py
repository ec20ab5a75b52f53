"""Lines behind a name."""

from __future__ import annotations

import pytest

from dtomtrack.scenarios.acting.sentences import addressed

SMALL = frozenset({"uncle", "new", "there"})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Uncle Fritz takes four sugars.", "Ada, Uncle Fritz takes four sugars."),
        ("New Year's Eve falls on a Friday.", "Ada, New Year's Eve falls on a Friday."),
        ("New snow has come.", "Ada, new snow has come."),
        ("There Fritz was.", "Ada, there Fritz was."),
        ("I've seen it.", "Ada, I've seen it."),
        ("Korbinian knows.", "Ada, listen. Korbinian knows."),
    ],
)
def test_a_name_keeps_its_capital_behind_another(line: str, said: str) -> None:
    assert addressed("Ada", line, SMALL) == said
