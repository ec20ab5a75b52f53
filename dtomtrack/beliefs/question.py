"""Questions of DToM-Track: options under letters, one of them gold (paper, Table 2).

The letters A, B, C, ... are the form in which a question is written; inside the program an option is its position.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.items.letters import MOST_OPTIONS, letter_of, position_of
from dtomtrack.records import Record, Text

__all__ = ["Asks", "Factors", "OptionRole", "Question", "QuestionType"]


class QuestionType(StrEnum):
    """The six things that questions test (paper, Table 2). The first three are about change."""

    PRE_UPDATE = "pre_update"
    POST_UPDATE = "post_update"
    UPDATE_DETECTION = "update_detection"
    TEMPORAL = "temporal"
    SECOND_ORDER = "second_order"
    FALSE_BELIEF = "false_belief"


class OptionRole(StrEnum):
    """How an option was made, so that an error can be read later as recency or as noise.

    gold            the right answer
    post_value      what the agent came to hold later
    pre_value       what the agent held earlier
    partner_value   what the partner named: presumed, argued for, or asked about
    other_topic     what was held about another topic
    never_said      a value nobody mentioned
    other_turn      (update detection) another turn of the same agent
    no_change       (update detection) that no change happened
    """

    GOLD = "gold"
    POST_VALUE = "post_value"
    PRE_VALUE = "pre_value"
    PARTNER_VALUE = "partner_value"
    OTHER_TOPIC = "other_topic"
    NEVER_SAID = "never_said"
    OTHER_TURN = "other_turn"
    NO_CHANGE = "no_change"


Asks = Literal["state", "first_change", "last_change", "actual", "assumed"]
"""The point of a question: the state, the first or last turn of a change, what was so, or what was wrongly assumed."""


class Factors(Record):
    """Values that an analysis may group questions by; None where one does not apply.

    Attributes:
        updates: changes of mind in the whole dialogue.
        changes: changes of the state that is asked about.
        lag: turns from the state's first expression to the end of the dialogue.
        corrected: (false belief) whether the wrong assumption was objected to.
        marker, names_old, trigger: of the update that is asked about.
    """

    asks: Asks
    updates: int
    changes: int
    lag: int | None = None
    corrected: bool | None = None
    marker: str | None = None
    names_old: bool | None = None
    trigger: str | None = None


Capital = Annotated[str, StringConstraints(pattern=r"^[A-Z]$")]
_CLOSED = Field(min_length=2, max_length=MOST_OPTIONS, json_schema_extra={"additionalProperties": False})
Options = Annotated[dict[Capital, Text], _CLOSED]
"""By letter; the letters are A, B, C, ..., in any order."""


class Question(Record):
    """A kept question: one line of ``questions.jsonl``.

    Attributes:
        generator: who wrote the dialogue: "scripted", a model, or "elsewhere".
        order: 1 for the agent's own state, 2 for what the agent thinks of ``about``'s state.
        turn: the turn the question is about; for update detection the gold turn, or None if nothing changed.
        evidence: the turns whose utterances give the answer away.
    """

    id: Text
    dialogue_id: Text
    slot: Annotated[int, Field(ge=0)]
    generator: Text
    type: QuestionType
    mental_state: MentalState
    order: Annotated[int, Field(ge=1)]
    agent: Text
    about: Text | None
    topic: Text
    turn: Annotated[int, Field(ge=0)] | None
    question: Text
    options: Options
    answer: Capital
    option_roles: Annotated[dict[Capital, OptionRole], _CLOSED]
    evidence: tuple[Annotated[int, Field(ge=0)], ...]
    factors: Factors

    @property
    def gold(self) -> str:
        """Text of the right option."""
        return self.options[self.answer]

    @property
    def gold_position(self) -> int:
        """Position of the right option."""
        return position_of(self.answer)

    @model_validator(mode="after")
    def _one_gold(self) -> Self:
        letters = [letter_of(position) for position in range(len(self.options))]
        if sorted(self.options) != letters or sorted(self.option_roles) != letters:
            raise ValueError(f"a question has exactly the options {', '.join(letters)}, each with its role")
        if self.answer not in self.options:
            raise ValueError(f"the answer is {self.answer}, which is no option")
        if self.option_roles[self.answer] is not OptionRole.GOLD:
            raise ValueError(
                f"the answer is {self.answer} but the role of {self.answer} is {self.option_roles[self.answer]}"
            )
        if list(self.option_roles.values()).count(OptionRole.GOLD) > 1:
            raise ValueError("more than one option is gold")
        if len(set(self.options.values())) < len(self.options):
            raise ValueError("two options have the same text")
        return self
