"""Questions of DToM-Track: options under letters, one of them gold (paper, Table 2).

The letters A, B, C, ... are the form in which a question is written; inside the program an option is its position.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.mental_state import MentalState, Signal
from dtomtrack.items.item import Select
from dtomtrack.items.letters import MOST_OPTIONS, letter_of, position_of
from dtomtrack.records import Count, Record, Text

__all__ = ["PAPER_TYPES", "Asks", "Factors", "OptionRole", "Question", "QuestionType"]


class QuestionType(StrEnum):
    """The six things that questions test (paper, Table 2), the first three about change; and who knows what."""

    PRE_UPDATE = "pre_update"
    POST_UPDATE = "post_update"
    UPDATE_DETECTION = "update_detection"
    TEMPORAL = "temporal"
    SECOND_ORDER = "second_order"
    FALSE_BELIEF = "false_belief"
    INFORMATION_ACCESS = "information_access"


PAPER_TYPES = tuple(one for one in QuestionType if one is not QuestionType.INFORMATION_ACCESS)
"""The types of the paper."""


class OptionRole(StrEnum):
    """How an option was made, so that an error can be read later as recency, as egocentric or as noise.

    gold            the right answer
    actual_value    what is so, where the question is about somebody's picture of it
    post_value      what the agent came to hold later
    pre_value       what the agent held earlier
    other_holder    what somebody else holds of the same topic
    hearsay         what somebody told about the agent
    presumed        what somebody took for granted of the agent
    asked_about     what somebody asked about
    untruth         what the agent gave out, or meant to, without holding it
    mentioned       what the agent named as somebody's view who is not there
    partner_value   what somebody argued for; in older datasets, what was presumed or asked about, too
    other_topic     what was held about another topic
    never_said      a value nobody mentioned
    other_turn      (update detection, learning) another turn
    no_change       (update detection, learning) that it happened at no turn
    not_reached     (information access) somebody who does not know
    """

    GOLD = "gold"
    ACTUAL_VALUE = "actual_value"
    POST_VALUE = "post_value"
    PRE_VALUE = "pre_value"
    OTHER_HOLDER = "other_holder"
    HEARSAY = "hearsay"
    PRESUMED = "presumed"
    ASKED_ABOUT = "asked_about"
    UNTRUTH = "untruth"
    MENTIONED = "mentioned"
    PARTNER_VALUE = "partner_value"
    OTHER_TOPIC = "other_topic"
    NEVER_SAID = "never_said"
    OTHER_TURN = "other_turn"
    NO_CHANGE = "no_change"
    NOT_REACHED = "not_reached"


Asks = Literal["state", "first_change", "last_change", "actual", "assumed", "who_knows", "learnt"]
"""The point of a question: the state, the first or last turn of a change, what was so, or what was wrongly assumed; who
knows, or at which turn somebody came to know."""

_OPTIONAL = Field(exclude_if=lambda value: value is None)
_WHEN_SEVERAL = Field(exclude_if=lambda value: not value)


class Factors(Record):
    """Values that an analysis may group questions by; None where one does not apply.

    Attributes:
        updates: changes of mind in the whole dialogue.
        changes: changes of the state that is asked about.
        lag: turns from the expression that is asked for to the end of the dialogue; of when a mind changed, from the
            state's first expression, and where minds come apart from the change.
        corrected: (false belief) whether the wrong assumption was objected to.
        marker, names_old, trigger, signal: of the update that is asked about.
        differs: of somebody's picture of another, whether it is "apart" from what is so, or a "control".
        apart: the way in which it came apart.
        revisions: changes of what the holder of the topic really holds, over the whole dialogue.
        interference: how many other values of the topic are said between the expression that answers the question and
            the turn asked about.
        since: turns from that expression to the turn asked about.
        turns: of the dialogue.
        asked_by: whether the moment is given as a turn, by an event, or as that of one of several changes.
        number: which of its state's changes that is.

    The last ones are not written where they do not apply.
    """

    asks: Asks
    updates: int
    changes: int
    lag: int | None = None
    corrected: bool | None = None
    marker: str | None = None
    names_old: bool | None = None
    trigger: str | None = None
    signal: Annotated[Signal | None, _OPTIONAL] = None
    differs: Annotated[Literal["apart", "control"] | None, _OPTIONAL] = None
    apart: Annotated[Way | None, _OPTIONAL] = None
    revisions: Annotated[Count | None, _OPTIONAL] = None
    interference: Annotated[Count | None, _OPTIONAL] = None
    since: Annotated[Count | None, _OPTIONAL] = None
    turns: Annotated[Count | None, _OPTIONAL] = None
    asked_by: Annotated[Literal["turn", "event", "change"] | None, _OPTIONAL] = None
    number: Annotated[Count | None, _OPTIONAL] = None


Capital = Annotated[str, StringConstraints(pattern=r"^[A-Z]$")]
Capitals = Annotated[str, StringConstraints(pattern=r"^[A-Z]+$")]
_CLOSED = Field(min_length=2, max_length=MOST_OPTIONS, json_schema_extra={"additionalProperties": False})
Options = Annotated[dict[Capital, Text], _CLOSED]
"""By letter; the letters are A, B, C, ..., in any order."""


class Question(Record):
    """A kept question: one line of ``questions.jsonl``.

    Attributes:
        generator: who wrote the dialogue: "scripted", a model, or "elsewhere".
        order: 1 for the agent's own state, 2 for what the agent thinks of ``about``'s state, 3 for what the agent takes
            somebody else to think of it.
        through: of order 3 and more, names of those between the agent and ``about``, the one nearest the agent first.
        turn: the turn the question is about; for update detection and learning the gold turn, or None if it happened at
            no turn.
        answer: the letter of the right option; the letters of all of them, in their order, where ``select`` is "any".
        select: "any" where any number of options may be right; else it is not written.
        evidence: the turns whose utterances give the answer away.
        divergence: names the divergence that the question is about, with others; not written where there is none.
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
    through: Annotated[tuple[Text, ...], _WHEN_SEVERAL] = ()
    topic: Text
    turn: Annotated[int, Field(ge=0)] | None
    question: Text
    options: Options
    answer: Capitals
    select: Annotated[Select, Field(exclude_if=lambda select: select == "one")] = "one"
    option_roles: Annotated[dict[Capital, OptionRole], _CLOSED]
    evidence: tuple[Annotated[int, Field(ge=0)], ...]
    factors: Factors
    divergence: Annotated[Text | None, _OPTIONAL] = None

    @property
    def gold(self) -> str:
        """Text of the right option; of several, texts in their order, with commas between."""
        return ", ".join(self.options[letter] for letter in self.answer)

    @property
    def gold_positions(self) -> frozenset[int]:
        """Positions of the right options."""
        return frozenset(map(position_of, self.answer))

    @property
    def chain(self) -> tuple[str, ...]:
        """Whose picture of whose picture it is about, from the agent on, without the one whose state it is in the end.

        Empty of what the agent itself holds.
        """
        return () if self.about is None else (self.agent, *self.through)

    @model_validator(mode="after")
    def _has_gold(self) -> Self:
        letters = [letter_of(position) for position in range(len(self.options))]
        if not self.options.keys() == self.option_roles.keys() == set(letters):
            raise ValueError(f"a question has exactly the options {', '.join(letters)}, each with its role")
        _check_gold(self)
        if len(set(self.options.values())) < len(self.options):
            raise ValueError("two options have the same text")
        return self


def _check_gold(question: Question) -> None:
    answer = question.answer
    if question.select == "one" and len(answer) > 1:
        raise ValueError(f"the answer is {answer}, and one option is to be selected")
    if answer != "".join(sorted(set(answer))):
        raise ValueError(f"the answer is {answer}; its letters have to stand in order, each once")
    for letter in answer:
        if letter not in question.options:
            raise ValueError(f"the answer is {answer}, which is no option")
        if question.option_roles[letter] is not OptionRole.GOLD:
            raise ValueError(f"the answer is {answer} but the role of {letter} is {question.option_roles[letter]}")
    if list(question.option_roles.values()).count(OptionRole.GOLD) > len(answer):
        raise ValueError("more options are gold than the answer says")
