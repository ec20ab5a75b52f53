"""Attempts at a conversation: played by scripts or models, and verified by an overhearer or by a model that reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtomtrack.items.item import Item
from dtomtrack.llm.chat import ChatModel
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.scenarios.persuasion.forms import spoken_forms
from dtomtrack.scenarios.persuasion.pack import Intention
from dtomtrack.scenarios.persuasion.pack_files import expressions
from dtomtrack.scenarios.persuasion.plan import ROUNDS, PersuasionPlan, desire_of
from dtomtrack.scenarios.persuasion.script import (
    PersuadeeDirection,
    PersuaderDirection,
    ScriptedPersuadee,
    ScriptedPersuader,
)
from dtomtrack.suites.persuasivetom.generation.checking import disagreement
from dtomtrack.suites.persuasivetom.generation.conversation import PlayedConversation, tracked
from dtomtrack.verifiers.persuasion import PersuasionOverhearer
from dtomtrack.verifiers.verdicts import Verdict

if TYPE_CHECKING:
    from dtomtrack.graphs.persuading import Conversation

__all__ = ["PersuasionCompany", "play_plan", "verify_items", "verify_words"]

_AHEAD = {"prediction": 1, "judgement": 1}
"""Types whose right answer shows in the round that follows: so many more rounds are read."""


@dataclass(frozen=True)
class PersuasionCompany:
    """The language models that take part; None where scripts or rules do.

    Attributes:
        seed, temperature: of what the actor says.
    """

    actor: ChatModel | None = None
    verifier: ChatModel | None = None
    seed: int = 0
    temperature: float = 0.7


async def play_plan(plan: PersuasionPlan, company: PersuasionCompany, attempt: int) -> PlayedConversation:
    """A conversation that follows a plan, with its states on record.

    Raises:
        ReplyError: a model's line can't be used.
        ModelError: a model gives no answer.
    """
    # imported late: LangGraph takes half a second
    from dtomtrack.graphs.persuading import play_conversation

    rounds = plan.rounds
    arguing = [
        PersuaderDirection(one.strategy, one.tone, one.feeling is not None, *_leads(plan, number))
        for number, one in enumerate(rounds)
    ]
    befores = ((), *(one.concerns for one in rounds))
    answering = [
        PersuadeeDirection(one.concerns, one.attitude, one.intention, before, one.told, plan.left_aside(number))
        for number, (one, before) in enumerate(zip(rounds, befores, strict=False))
    ]
    lines = await play_conversation(_actors(plan, company, attempt), arguing, answering)
    return tracked(plan, lines)


def _leads(plan: PersuasionPlan, number: int) -> tuple[tuple[Intention, str] | None, str | None]:
    """What the persuader goes on from in a round, and what the other is to do where it is to be said."""
    if not number:
        return None, plan.target
    before = plan.rounds[number - 1]
    return (before.intention, desire_of(before.concerns)), None


def _actors(plan: PersuasionPlan, company: PersuasionCompany, attempt: int) -> Conversation:
    from dtomtrack.graphs.persuading import Conversation

    if company.actor is None:
        return Conversation(ScriptedPersuader(plan, expressions()), ScriptedPersuadee(plan, expressions()))
    from dtomtrack.scenarios.persuasion.model_actors import ModelPersuadee, ModelPersuader
    from dtomtrack.scenarios.voice import SpeechSettings

    settings = SpeechSettings(attempt_unit(plan.number, attempt), company.seed, company.temperature)
    return Conversation(ModelPersuader(company.actor, plan, settings), ModelPersuadee(company.actor, plan, settings))


def verify_words(played: PlayedConversation) -> str | None:
    """Why scripted words don't say what they should; None if they do."""
    return disagreement(played, PersuasionOverhearer(spoken_forms(played.plan.goal, expressions(), played.plan.ee)))


async def verify_items(
    played: PlayedConversation, items: Sequence[Item], company: PersuasionCompany, attempt: int
) -> list[tuple[Item, Verdict]]:
    """The verdict of the model that reads on each question.

    Raises:
        ModelError: a model gives no answer.
    """
    if company.verifier is None:
        raise ValueError("there is no model that reads")
    from dtomtrack.verifiers.judging.item_reader import ItemReader

    reader, unit = ItemReader(company.verifier, company.seed), attempt_unit(played.plan.number, attempt)
    found = []
    for item in items:
        number = int(item.groups["round"]) + _AHEAD.get(item.groups["type"], 0)
        found.append((item, await reader.verdict(item, played.shown(min(number, ROUNDS - 1)), unit)))
    return found
