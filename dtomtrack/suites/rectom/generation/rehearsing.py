"""The script of a dialogue: the replies with which models make it and hear it, for estimates."""

from __future__ import annotations

from random import Random

from dtomtrack.llm.chat import CallKey
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.recommendation.clauses import worded
from dtomtrack.scenarios.recommendation.director import SessionPlan
from dtomtrack.scenarios.recommendation.model_performer import line_call, listening_unit
from dtomtrack.scenarios.recommendation.pack import RecommendationPack, forms
from dtomtrack.suites.generation.rehearsal import Script
from dtomtrack.suites.rectom.wordings import made_wordings
from dtomtrack.verifiers.judging.attitude_listener import attitude_replies
from dtomtrack.verifiers.judging.label_listener import hearing_replies

__all__ = ["script_of"]


def script_of(pack: RecommendationPack, plan: SessionPlan, slot: int) -> Script:
    """The lines of a plan in the pack's words, and what is to be heard in each."""
    unit, fresh = attempt_unit(slot, 0), FreshChoice(Random(slot))  # noqa: S311 - reproducible, no secret
    script: dict[CallKey, str] = {}
    for number, line in enumerate(plan.lines):
        script[line_call(unit, line.role, number)] = worded(pack, forms(), line, fresh)
        heard = listening_unit(unit, number)
        script |= hearing_replies(made_wordings(line.role), line.labels, heard)
        script |= attitude_replies(line.clauses, heard) if line.role == "seeker" else {}
    return script
