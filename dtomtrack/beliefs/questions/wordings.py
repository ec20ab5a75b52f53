"""The wordings of questions (``wordings.yaml``, after the paper's Table 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from random import Random

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.moments import Moment
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.packaged import packaged_yaml

__all__ = ["word"]

_AS_OF_A_TURN = frozenset(
    {
        QuestionType.TEMPORAL,
        QuestionType.SECOND_ORDER,
        QuestionType.FALSE_BELIEF,
        QuestionType.INFORMATION_ACCESS,
    }
)
"""What is asked as of a turn; of the others, the update at a turn is named."""
_AT_A_TURN = re.compile(r"\b([Aa])(?:t|s of) turn \{turn\}")
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
    *,
    by_its_end: bool = False,
) -> str:
    """A question in words; ``names`` fills agent, other, topic and turn, ``moment`` may put an event for the turn.

    Args:
        by_its_end: minds come apart: a turn given by its number is said to be over, as a mind may have changed in it.
    """
    wording = rng.choice(_wordings()[question_type][asks][mental_state])
    if by_its_end and question_type in _AS_OF_A_TURN and asks != "learnt" and (moment is None or not moment.event):
        wording = _AT_A_TURN.sub(lambda found: f"{found[1]}t the end of turn {{turn}}", wording)
    return (wording if moment is None else moment.say(wording)).format_map(names)
