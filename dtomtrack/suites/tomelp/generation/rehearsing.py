"""The script of a scene: the replies with which models write it and read it, for estimates."""

from __future__ import annotations

from dtomtrack.llm.chat import CallKey
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.scenarios.route.sampler import ScenePlan, scene_states
from dtomtrack.scenarios.voice import line_call
from dtomtrack.suites.generation.rehearsal import Script
from dtomtrack.suites.tomelp.generation.reading import right_letters
from dtomtrack.suites.tomelp.generation.writing import dossier_call, dossier_reply

__all__ = ["script_of"]

_PARTS = ("persuader", "persuadee")


def script_of(plan: ScenePlan) -> Script:
    """The lines and the dossier of a scene in its pack's words, and what is to be read in them."""
    unit = attempt_unit(plan.slot.index, 0)
    lines = [line.text for line in scene_states(plan.pack, plan.slot, plan.place)[-1].history]
    script: dict[CallKey, str] = {line_call(unit, _PARTS[place % 2], place): line for place, line in enumerate(lines)}
    script[dossier_call(unit)] = dossier_reply(plan.pack)
    return script | right_letters(plan, lines, unit)
