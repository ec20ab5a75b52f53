"""The wordings of questions (``wordings.yaml``, after the paper's Table 2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.moments import Moment
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.packaged import packaged_yaml

__all__ = ["word"]

Wordings = dict[str, dict[str, dict[str, list[str]]]]


@cache
def _wordings() -> Wordings:
    loaded: Wordings = packaged_yaml("dtomtrack.beliefs.questions", "wordings.yaml")
    return loaded


def word(
    question_type: QuestionType,
    asks: str,
    mental_state: MentalState,
    names: Mapping[str, str],
    rng: Random,
    moment: Moment | None = None,
) -> str:
    """A question in words; ``names`` fills agent, other, topic and turn, ``moment`` may put an event for the turn."""
    wording = rng.choice(_wordings()[question_type][asks][mental_state])
    return (wording if moment is None else moment.say(wording)).format_map(names)
