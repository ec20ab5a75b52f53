"""Asking that something be kept from somebody: it says what they will be told, not what they think so far."""

from __future__ import annotations

import re

import pytest

from dtomtrack.scenarios.company_lines import company_lines
from dtomtrack.scenarios.domain import Domain

SO_FAR = re.compile(r"\b(?:go on|goes on|keep|keeps|still|as before|stay|stays)\b")


@pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])
def test_it_takes_nothing_for_granted_of_what_they_were_told(name: str, domains: dict[str, Domain]) -> None:
    lines = company_lines(domains[name].pack.company).discreet
    assert len(lines) > 8
    assert [line for line in lines if SO_FAR.search(line)] == []
