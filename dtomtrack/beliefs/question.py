"""Questions: four options, one of them gold (paper, Table 2)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.records import Record, Text

__all__ = ["LETTERS", "Asks", "Factors", "Letter", "OptionRole", "Question", "QuestionType", "QuestionVerdict"]

Letter = Literal["A", "B", "C", "D"]
LETTERS: tuple[Letter, ...] = ("A", "B", "C", "D")


class QuestionType(StrEnum):
    """What a question tests (paper, Table 2). The first three are about change."""

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
"""What exactly is asked: the state, the first or last turn of a change, what was so, or what was wrongly assumed."""


class Factors(Record):
    """What an analysis may group questions by; None where it does not apply.

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
    options: dict[Letter, Text]
    answer: Letter
    option_roles: dict[Letter, OptionRole]
    evidence: tuple[Annotated[int, Field(ge=0)], ...]
    factors: Factors

    @property
    def gold(self) -> str:
        """Text of the right option."""
        return self.options[self.answer]

    @model_validator(mode="after")
    def _four_options(self) -> Self:
        if tuple(sorted(self.options)) != LETTERS or tuple(sorted(self.option_roles)) != LETTERS:
            raise ValueError("a question has exactly the options A, B, C and D, each with its role")
        if self.option_roles[self.answer] is not OptionRole.GOLD:
            raise ValueError(
                f"the answer is {self.answer} but the role of {self.answer} is {self.option_roles[self.answer]}"
            )
        if list(self.option_roles.values()).count(OptionRole.GOLD) > 1:
            raise ValueError("more than one option is gold")
        if len(set(self.options.values())) < len(LETTERS):
            raise ValueError("two options have the same text")
        return self


class QuestionVerdict(Record):
    """What a verifier says of a question (paper, "QA Verification"); ``reason`` is None if the question is kept."""

    criterion: Literal["correctness", "soundness", "quality"] | None = None
    reason: Text | None = None

    @property
    def kept(self) -> bool:
        """Whether the question is good enough."""
        return self.reason is None
