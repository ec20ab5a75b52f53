"""Scenarios as a language model writes them when asked (paper, Table 1, "Output Format").

All of it is text by others: it is checked (`dtomtrack.scenarios.writing.output_rules`) before anything is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from dtomtrack.beliefs.scenario import MentalState, Personality, Trigger
from dtomtrack.records import Record

__all__ = [
    "LONGEST_CONTEXT",
    "LONGEST_LINE",
    "AgentOutput",
    "ChangeOutput",
    "MindOutput",
    "NamesOutput",
    "OthersOutput",
    "ReasonOutput",
    "RoleLetter",
    "ScenarioOutput",
    "SettingOutput",
    "StableOutput",
    "StateOutput",
    "as_content",
    "as_label",
    "as_line",
    "tidy",
    "tidy_change",
    "tidy_stable",
]


def _plain(value: object) -> object:
    """The way enumerations are spelt ("new_information") for the way models write ("New information")."""
    return re.sub(r"[\s-]+", "_", value.strip().lower()) if isinstance(value, str) else value


def _letter(value: object) -> object:
    """The letter in "Agent A" or "agent_a"."""
    return re.sub(r"agent[\s_-]*", "", value.strip().lower()) if isinstance(value, str) else value


RoleLetter = Annotated[Literal["a", "b"], BeforeValidator(_letter)]
State = Annotated[MentalState, BeforeValidator(_plain)]
Others = Annotated[tuple[str, ...], Field(min_length=2, max_length=6)]


class AgentOutput(Record):
    """One of the two who talk."""

    name: str
    role: str
    personality: Personality
    private_info: str
    goal: str


class ChangeOutput(Record):
    """A change of mind.

    Attributes:
        fact: what the other agent knows and tells, which changes the mind.
        others: other contents that the state might have had.
    """

    turn: int
    agent: RoleLetter
    trigger_type: Annotated[Trigger, BeforeValidator(_plain)]
    mental_state: State
    topic: str
    old_belief: str
    new_belief: str
    fact: str
    others: Others

    @property
    def contents(self) -> tuple[str, ...]:
        """All contents that the state may have, the old one first."""
        return self.old_belief, self.new_belief, *self.others

    @property
    def key(self) -> tuple[RoleLetter, str]:
        """A key that tells the states of an output apart."""
        return self.agent, self.topic.casefold()


class StableOutput(Record):
    """A state that does not change.

    Attributes:
        wrong_assumption: what the other agent wrongly takes it to be.
    """

    agent: RoleLetter
    mental_state: State
    topic: str
    state: str
    wrong_assumption: str
    others: Others

    @property
    def contents(self) -> tuple[str, ...]:
        """All contents that the state may have, the true one first."""
        return self.state, self.wrong_assumption, *self.others

    @property
    def key(self) -> tuple[RoleLetter, str]:
        """A key that tells the states of an output apart."""
        return self.agent, self.topic.casefold()


class ScenarioOutput(Record):
    """A whole scenario; a mind that changes and changes back is two changes with the same agent and topic."""

    context: str
    agent_a: AgentOutput
    agent_b: AgentOutput
    planned_belief_changes: tuple[ChangeOutput, ...]
    steady_states: tuple[StableOutput, ...]

    @property
    def agents(self) -> dict[RoleLetter, AgentOutput]:
        """The agents by letter."""
        return {"a": self.agent_a, "b": self.agent_b}


class NamesOutput(Record):
    """Names for the two."""

    name_a: str
    name_b: str


class SettingOutput(Record):
    """Where they are, what each wants, and what each alone knows."""

    context: str
    goal_a: str
    secret_a: str
    goal_b: str
    secret_b: str


class MindOutput(Record):
    """One change of mind, its turn and its agent given."""

    topic: str
    old: str
    fact: str
    new: str


class ReasonOutput(Record):
    """A fact that brings a mind back."""

    fact: str


class StateOutput(Record):
    """One state that does not change, its agent given."""

    topic: str
    state: str


class OthersOutput(Record):
    """Other contents that a state might have."""

    others: Others


LONGEST_LINE = 300
"""Characters of anything in an output but the context."""
LONGEST_CONTEXT = 1_500

_OWN_WORDS = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_WRITTEN_SMALL = "The A An This That There It To In On At By No His Her Their Its Both All"
_STARTS = frozenset(_WRITTEN_SMALL.split())
_QUOTES = '"\u201c\u201d'
_WRITTEN_ALONG: dict[MentalState, str] = {
    MentalState.BELIEF: r"(?:believes?|thinks?) that |(?:believes?) |that ",
    MentalState.INTENTION: r"will |to ",
    MentalState.DESIRE: r"wants? ",
    MentalState.EMOTION: r"feels? ",
    MentalState.KNOWLEDGE: r"knows? that |knows? |that ",
}


def as_content(state: MentalState, text: str, names: Iterable[str] = ()) -> str:
    """A content as it completes the prefix of its mental state, without what was written along.

    The prefix goes, whoever of ``names`` it is about, and so do quotes and a full stop. "My table" becomes "the table",
    since what one agent holds is also said of them in the third person.
    """
    text = as_line(text)
    if len(text) > LONGEST_LINE:
        return text
    who = "|".join(["i", "she", "he", "they", *(re.escape(name) for name in names if 0 < len(name) <= LONGEST_LINE)])
    text = re.sub(rf"^(?:(?:{who}) )?(?:{_WRITTEN_ALONG[state]})", "", text, count=1, flags=re.IGNORECASE)
    text = _OWN_WORDS.sub("the", text).rstrip(" .,;")
    first, space, rest = text.partition(" ")
    return first.lower() + space + rest if first in _STARTS else text


def as_line(text: str) -> str:
    """A text without the quotes or spaces around it."""
    return text.strip().strip(_QUOTES).strip()


def as_label(text: str) -> str:
    """A topic's label as it stands within a sentence."""
    label = as_line(text).rstrip(" .,;:")
    first, space, rest = label.partition(" ")
    return first.lower() + space + rest if first in _STARTS else label


def tidy(output: ScenarioOutput) -> ScenarioOutput:
    """An output in the form in which it is checked and used."""
    names = [as_line(agent.name) for agent in output.agents.values()]
    return ScenarioOutput(
        context=" ".join(output.context.split()),
        agent_a=_tidy_agent(output.agent_a),
        agent_b=_tidy_agent(output.agent_b),
        planned_belief_changes=tuple(tidy_change(change, names) for change in output.planned_belief_changes),
        steady_states=tuple(tidy_stable(stable, names) for stable in output.steady_states),
    )


def _tidy_agent(agent: AgentOutput) -> AgentOutput:
    lines = {field: as_line(getattr(agent, field)) for field in ("name", "role", "private_info", "goal")}
    return agent.model_copy(update=lines)


def tidy_change(change: ChangeOutput, names: Iterable[str]) -> ChangeOutput:
    """A change of mind in the form in which it is checked and used."""
    state, names = change.mental_state, tuple(names)
    return change.model_copy(
        update={
            "topic": as_label(change.topic),
            "old_belief": as_content(state, change.old_belief, names),
            "new_belief": as_content(state, change.new_belief, names),
            "fact": as_line(change.fact),
            "others": tuple(as_content(state, other, names) for other in change.others),
        }
    )


def tidy_stable(stable: StableOutput, names: Iterable[str]) -> StableOutput:
    """A state that does not change, in the form in which it is checked and used."""
    state, names = stable.mental_state, tuple(names)
    return stable.model_copy(
        update={
            "topic": as_label(stable.topic),
            "state": as_content(state, stable.state, names),
            "wrong_assumption": as_content(state, stable.wrong_assumption, names),
            "others": tuple(as_content(state, other, names) for other in stable.others),
        }
    )
