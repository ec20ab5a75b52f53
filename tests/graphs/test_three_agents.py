"""Three agents talk: each knows its own part and what was said, whoever speaks when."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

import pytest

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.scenario import (
    Agent,
    InitialState,
    MentalState,
    Personality,
    PlannedUpdate,
    Scenario,
    Topic,
    Trigger,
)
from dtomtrack.errors import ReplyError
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.domain import Domain
from dtomtrack.verifiers.verifier import ReviewedAttempt

EVEN = Personality(openness=0.5, conscientiousness=0.5, extraversion=0.5, agreeableness=0.5, neuroticism=0.5)
NAMES = ("Maya", "Ben", "Cleo")
LENGTH = 12
ORDERS: dict[str, tuple[int, ...]] = {"in turn": (), "as they come": (0, 1, 0, 2, 1, 2, 0, 1, 2, 1, 0, 2)}


def scenario(domain: Domain, order: tuple[int, ...] = (), at: int = 6) -> Scenario:
    """Maya changes her mind, and the third who is there holds nothing that the domain has words for."""
    topic = next(one for one in domain.pack.topics if one.holder == "a" and one.state is MentalState.DESIRE)
    state = InitialState(mental_state=topic.state, topic=topic.id, content=topic.clauses[0])
    agents = tuple(
        Agent(
            name=name,
            role=f"the {position}. at the table",
            personality=EVEN,
            goal=f"goal of {name}",
            private_info=(f"secret of {name}",),
            initial_states=(state,) if position == 0 else (),
        )
        for position, name in enumerate(NAMES)
    )
    return Scenario(
        domain=domain.pack.name,
        context="Three talk.",
        agents=agents,
        topics=(Topic(id=topic.id, label=topic.label, mental_state=topic.state, holder="Maya", values=topic.clauses),),
        updates=(
            PlannedUpdate(
                turn=at,
                agent="Maya",
                trigger=Trigger.NEW_INFORMATION,
                mental_state=topic.state,
                topic=topic.id,
                old=topic.clauses[0],
                new=topic.clauses[1],
                marker="second_thought",
            ),
        ),
        speaking_order=order,
    )


class Canary:
    """Plays as the scripted actor does, thinks a canary of its own at each turn, and notes all that it was given."""

    name = "canary"

    def __init__(self, domain: Domain, falls_silent_at: int = -1) -> None:
        self._actor = domain.actor
        self._silent = falls_silent_at
        self.parts: list[str] = []
        self.given: list[str] = []
        self.heard: list[tuple[Heard, ...]] = []

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        """The scripted turn, with one more thought."""
        if turn == self._silent:
            raise ReplyError("silence")
        self.parts.append(character.name)
        self.given.append(repr((character, heard)))
        self.heard.append(tuple(heard))
        performance = await self._actor.play(character, turn, heard)
        inner = performance.inner_speech.removesuffix(")") + f" I believe that {canary(turn)}.)"
        return Performance(inner, performance.utterance)


def canary(turn: int) -> str:
    return f"canary number {turn:02d}"


async def talk(domain: Domain, actor: Canary | None, own: Scenario) -> ReviewedAttempt:
    given: Attempt = {"domains": [domain.pack.name], "seed": 1, "index": 0, "attempt": 0, "length": LENGTH}
    return await play(RoleplayContext({domain.pack.name: domain}, {0: own}, actor=actor), given)


def kept(reviewed: ReviewedAttempt) -> Dialogue:
    assert reviewed.dialogue is not None, [one.detail or one.reason for one in reviewed.rejections]
    return reviewed.dialogue


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_three_speak_in_the_order_of_the_scenario(restaurant: Domain, order: tuple[int, ...]) -> None:
    spy = Canary(restaurant)
    dialogue = kept(await talk(restaurant, spy, scenario(restaurant, order)))
    expected = [NAMES[position] for position in islice(cycle(order or range(3)), LENGTH)]
    assert spy.parts == [turn.speaker for turn in dialogue.turns] == expected


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_no_part_holds_anything_of_another_and_no_thought_is_heard(
    restaurant: Domain, order: tuple[int, ...]
) -> None:
    spy = Canary(restaurant)
    dialogue = kept(await talk(restaurant, spy, scenario(restaurant, order)))
    for turn in dialogue.turns:
        assert f"I believe that {canary(turn.index)}" in [one.text for one in turn.inner_speech]
        assert not any(canary(turn.index) in given for given in spy.given)
    for name, given in zip(spy.parts, spy.given, strict=True):
        for other in NAMES:
            assert (f"goal of {other}" in given) == (f"secret of {other}" in given) == (other == name)


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_each_hears_all_that_was_said_before(restaurant: Domain, order: tuple[int, ...]) -> None:
    spy = Canary(restaurant)
    dialogue = kept(await talk(restaurant, spy, scenario(restaurant, order)))
    said = [Heard(turn.index, turn.speaker, turn.utterance) for turn in dialogue.turns]
    assert [list(heard) for heard in spy.heard] == [said[:turn] for turn in range(LENGTH)]


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_both_who_listen_have_a_picture_of_the_third(restaurant: Domain, order: tuple[int, ...]) -> None:
    reviewed = await talk(restaurant, None, scenario(restaurant, order))
    dialogue = kept(reviewed)
    about = {(one.holder, one.about) for one in dialogue.beliefs if one.order == 2}
    assert about == {("Ben", "Maya"), ("Cleo", "Maya")}
    assert dialogue.verification.f1 == 1.0
    asked = [one for one in reviewed.questions if one.type is QuestionType.SECOND_ORDER]
    assert asked
    assert {one.about for one in asked} == {"Maya"}
    assert all(one.agent in one.question and "Maya" in one.question for one in asked)
    assert not [one for one in reviewed.rejections if one.question is not None]


async def test_one_other_alone_knows_the_reason_for_a_change_and_tells_it(restaurant: Domain) -> None:
    dialogue = kept(await talk(restaurant, None, scenario(restaurant)))
    knowing = [agent for agent in dialogue.scenario.agents if len(agent.private_info) > 1]
    (reason,) = {agent.private_info[1] for agent in knowing}
    told = [turn for turn in dialogue.turns if reason in turn.utterance]
    assert [agent.name for agent in knowing] == [told[0].speaker] == ["Cleo"]


async def test_a_turn_that_cannot_be_played_ends_the_attempt(restaurant: Domain) -> None:
    reviewed = await talk(restaurant, Canary(restaurant, falls_silent_at=4), scenario(restaurant))
    assert reviewed.dialogue is None
    (rejection,) = reviewed.rejections
    assert (rejection.stage, rejection.detail, len(rejection.turns)) == ("role_play", "silence", 4)
