"""The table of rules is what the command finds of each."""

from __future__ import annotations

import pytest
from rule_table import RULES, main


def test_each_rule_has_its_share_of_each_preset(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--domain", "restaurant", "--presets", "paper", "--n", "2"])
    heading, _, *rows = capsys.readouterr().out.splitlines()
    assert heading == "| | `paper` |"
    found = {row.split("`")[1]: float(row.split("|")[2]) for row in rows}
    assert list(found) == [*RULES, "chance"]
    assert [row.split("`")[1] for row in rows if "reads the records" in row] == ["actual"]
    assert found["best-rule"] > 50 > 30 > found["chance"] > 20
