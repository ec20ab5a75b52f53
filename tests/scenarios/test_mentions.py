"""Naming other values in passing: where minds come apart, what somebody said last is not always what they hold."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.transcript import transcript_of
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.scenarios.difficulty import PRESETS, preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.verifiers.overheard import OverheardMinds
from dtomtrack.verifiers.verifier import ReviewedAttempt


@pytest.fixture(scope="module", params=["restaurant", "team"])
def played(request: pytest.FixtureRequest, domains: dict[str, Domain]) -> list[ReviewedAttempt]:
    """Dialogues of a domain, nothing of them verified."""
    context = RoleplayContext({request.param: domains[request.param]}, verifiers=(), difficulty=preset("hard"))
    given = [Attempt(domains=[request.param], seed=4, index=index, attempt=0, length=60) for index in range(5)]

    async def all_played() -> list[ReviewedAttempt]:
        return [await play(context, one) for one in given]

    return [attempt for attempt in asyncio.run(all_played()) if attempt.dialogue is not None]


def test_nobody_there_takes_what_is_named_in_passing_for_what_the_speaker_holds(played: list[ReviewedAttempt]) -> None:
    named = 0
    for attempt in played:
        assert attempt.dialogue is not None
        minds = OverheardMinds(attempt.readings, transcript_of(attempt.dialogue.turns, attempt.dialogue.scenario))
        names = [agent.name for agent in attempt.dialogue.scenario.agents]
        for one in attempt.readings:
            if one.act is Act.MENTION:
                named += 1
                others = [name for name in names if name != one.speaker]
                pictures = [minds.picture((name,), one.speaker, one.topic, one.turn) for name in others]
                assert one.content not in {picture.content for picture in pictures if picture is not None}
    assert named > len(played)


def test_who_names_a_value_in_passing_neither_held_it_nor_comes_to(played: list[ReviewedAttempt]) -> None:
    for attempt in played:
        assert attempt.dialogue is not None
        for one in attempt.readings:
            if one.act is Act.MENTION:
                held = [
                    record.content
                    for record in attempt.dialogue.beliefs
                    if (record.holder, record.topic, record.order) == (one.speaker, one.topic, 1)
                ]
                assert one.content not in held


def test_the_last_value_that_somebody_named_is_often_another_than_theirs(played: list[ReviewedAttempt]) -> None:
    last: Counter[bool] = Counter()
    for attempt in played:
        assert attempt.dialogue is not None
        for record in attempt.dialogue.beliefs:
            own = [one for one in attempt.readings if (one.speaker, one.topic) == (record.holder, record.topic)]
            if record.order == 1 and not record.superseded and own:
                last[own[-1].content == record.content] += 1
    assert last[False] >= 0.1 * last.total() > 0


def test_where_everybody_hears_everything_nothing_is_named_in_passing() -> None:
    assert {name for name, difficulty in PRESETS.items() if difficulty.mention_share} == {"group", "hard", "extreme"}


def test_language_models_are_not_asked_to_name_what_they_do_not_hold() -> None:
    written = {"domains": ["team"], "packs": {}, "difficulty": preset("group").model_dump()}
    models = {"actor": "a-model"}
    assert RunConfig.model_validate(written).played_difficulty.mention_share > 0
    assert RunConfig.model_validate({**written, "models": models}).played_difficulty.mention_share == 0
