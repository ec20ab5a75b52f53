"""The parts that prompts of subjects and judges have in common: whatever others wrote stands quoted."""

from __future__ import annotations

from dtomtrack.graphs.route_state import Lines
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.scenarios.route.terms import Persona, Role, Route

__all__ = ["PACKAGE", "dialogue_text", "name_in", "persona_text", "quoted", "route_text"]

PACKAGE = "dtomtrack.suites.tomelp"
_LONGEST = 6_000
"""Characters of one text that are shown: an endless one must not push everything else out of the context window."""


def quoted(text: str) -> str:
    """A text by others, on one line."""
    return as_data(text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ...")


def dialogue_text(lines: Lines) -> str:
    """The conversation so far."""
    shown = "\n".join(f"{quoted(line.speaker)} ({line.role}): {quoted(line.text)}" for line in lines)
    return prompt(PACKAGE, "dialogue").fill(lines=shown)


def name_in(lines: Lines, role: Role) -> str:
    """The name of who speaks in a role; the role itself where nobody did."""
    return quoted(next((line.speaker for line in lines if line.role == role), role))


def persona_text(persona: Persona) -> str:
    """What is known of a listener."""
    return shared().personas[persona].strip()


def route_text(route: Route) -> str:
    """A route, with what it means."""
    return prompt(PACKAGE, f"route_{route}").fill()
