"""What has to hold within a dataset, whoever made it: turns, speakers, and the turns and agents that records name."""

from __future__ import annotations

from collections.abc import Iterator, Set

from dtomtrack.beliefs.dialogue import Dialogue, Turn
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.scenario import Scenario

__all__ = ["dialogue_problem", "question_problem"]


def dialogue_problem(dialogue: Dialogue) -> str | None:
    """A sentence about the first thing that is wrong within a dialogue; None if nothing is."""
    return next(_in_dialogue(dialogue), None)


def question_problem(question: Question, dialogue: Dialogue, asked: Set[str] = frozenset()) -> str | None:
    """A sentence about the first thing in which a question does not go with its dialogue; None if all does.

    Args:
        asked: the ids of the dialogue's questions that stand before it.
    """
    if question.id in asked:
        return f"question {question.id!r} stands there a second time"
    return next(_in_question(question, dialogue), None)


def _in_dialogue(dialogue: Dialogue) -> Iterator[str]:
    agents, turns = {agent.name for agent in dialogue.scenario.agents}, len(dialogue.turns)
    if not turns:
        yield "there are no turns"
    for number, turn in enumerate(dialogue.turns):
        if turn.index != number:
            yield f"turn {turn.index} stands in the place of turn {number}"
        if turn.speaker not in agents:
            yield f"turn {number} is spoken by {turn.speaker!r}, who is none of the agents"
        yield from _in_company(turn, dialogue.scenario)
    for record in dialogue.beliefs:
        if record.holder not in agents or record.about not in {None, *agents}:
            yield f"a record is of {record.holder!r} about {record.about!r}, who are none of the agents"
        if max(record.source_turn, record.superseded_at or 0) >= turns:
            yield f"a record is of turn {max(record.source_turn, record.superseded_at or 0)}; there are {turns} turns"


def _in_company(turn: Turn, scenario: Scenario) -> Iterator[str]:
    """What is wrong with who is there at a turn, and who hears it; a note may be for somebody who is away."""
    if scenario.is_away(turn.speaker, turn.index):
        yield f"turn {turn.index} has no speaker: {turn.speaker!r} is away then"
    hearers = [name for name in turn.audience or scenario.names if name != turn.speaker]
    away = [name for name in hearers if not turn.is_note and scenario.is_away(name, turn.index)]
    if len(away) == len(hearers):
        yield f"turn {turn.index} has no hearer: {'everybody else is away' if away else 'its audience is its speaker'}"
    if away:
        yield f"turn {turn.index} is heard by {away[0]!r}, who is away then"


def _in_question(question: Question, dialogue: Dialogue) -> Iterator[str]:
    agents, turns = {agent.name for agent in dialogue.scenario.agents}, len(dialogue.turns)
    if question.agent not in agents or question.about not in {None, *agents}:
        yield f"asks about {question.agent!r} and {question.about!r}, who are none of the dialogue's agents"
    named = (*question.evidence, *(() if question.turn is None else (question.turn,)))
    if any(turn >= turns for turn in named):
        yield f"names turn {max(named)}; the dialogue has {turns} turns"
    if question.slot != dialogue.slot:
        yield f"is of slot {question.slot}, its dialogue of slot {dialogue.slot}"
