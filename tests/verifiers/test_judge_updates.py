"""A language model verifies updates: one thought at a time, for one letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from competent_reader import CompetentReader, asked, judging, letter, states, weighed
from loopback import Answer, Request, completion

from dtomtrack.beliefs.dialogue import InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.scenario import Agent, MentalState, Personality, PlannedUpdate, Scenario, Topic, Trigger
from dtomtrack.errors import ModelError
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.faults import move_update, remove_update
from dtomtrack.verifiers.judging.judge import Judge

CORNER, TERRACE, STOOLS = "a quiet corner", "the sunny terrace", "two stools"
CALM = Personality(openness=0.5, conscientiousness=0.5, extraversion=0.5, agreeableness=0.5, neuroticism=0.5)


def change(turn: int, old: str, new: str) -> PlannedUpdate:
    return PlannedUpdate(
        turn=turn,
        agent="Maya",
        trigger=Trigger.NEW_INFORMATION,
        mental_state=MentalState.DESIRE,
        topic="seating",
        old=old,
        new=new,
        marker="second_thought",
    )


def scenario(*updates: PlannedUpdate) -> Scenario:
    """Maya and Ben talk about a table; how long it takes does not change."""
    return Scenario(
        domain="talk",
        context="A table is booked.",
        agents=(
            Agent(name="Maya", role="guest", personality=CALM, goal="a table"),
            Agent(name="Ben", role="waiter", personality=CALM, goal="a booking"),
        ),
        topics=(
            Topic(
                id="seating",
                label="the seating",
                mental_state=MentalState.DESIRE,
                holder="Maya",
                values=(CORNER, TERRACE, STOOLS),
            ),
            Topic(
                id="length",
                label="the length of the stay",
                mental_state=MentalState.BELIEF,
                holder="Ben",
                values=("it takes an hour", "it takes all night"),
            ),
        ),
        updates=updates,
    )


def wish(content: str) -> InnerSpeech:
    """A wish in words that no rule can settle."""
    plain = thought(MentalState.DESIRE, content, "seating")
    return plain.model_copy(update={"text": f"Above all {plain.text}"})


def talk(*thoughts: Sequence[InnerSpeech]) -> tuple[Turn, ...]:
    """Maya's turns with these thoughts, and Ben's between them."""
    turns = []
    for index in range(2 * len(thoughts)):
        mine = tuple(thoughts[index // 2]) if index % 2 == 0 else (thought(MentalState.BELIEF, "it takes an hour"),)
        speaker = "Ben" if index % 2 else "Maya"
        turns.append(Turn(index=index, speaker=speaker, inner_speech=mine, utterance="On second thought, well."))
    return tuple(turns)


def shows(prompt: str) -> str:
    """The letter of the state that is thought."""
    thoughts = prompt.rpartition("thinks now:")[2]
    found = (one for one, text in states(prompt).items() if text.startswith('"') and text.strip('"') in thoughts)
    return next(found, next(one for one, text in states(prompt).items() if not text.startswith('"')))


def reads(request: Request) -> Answer:
    return letter(shows(asked(request)))


PLANNED = scenario(change(4, CORNER, TERRACE))
CHANGED = talk([wish(CORNER)], [wish("to sit down soon")], [wish(TERRACE)], [wish(TERRACE)])


async def test_a_planned_change_that_is_thought_is_accepted() -> None:
    async with judging(reads) as (judge, server):
        verdict = await judge.updates(PLANNED, CHANGED, 0, 0)
    assert (verdict.outcome, verdict.reason) == ("accept", None)
    assert verdict.verification is not None
    (found,) = verdict.verification.detected
    assert (found.turn, found.agent, found.topic, found.old, found.new) == (4, "Maya", "seating", CORNER, TERRACE)
    assert found.marker == "second_thought"
    assert verdict.verification.f1 == 1.0
    assert server.count == 4


async def test_what_a_thought_says_word_for_word_needs_no_model() -> None:
    def verbatim(content: str) -> list[InnerSpeech]:
        return [thought(MentalState.DESIRE, content, "seating")]

    turns = talk(*map(verbatim, (CORNER, "to sit down soon", TERRACE.upper(), TERRACE)))
    async with judging(reads) as (judge, server):
        verdict = await judge.updates(PLANNED, turns, 0, 0)
    assert verdict.outcome == "accept"
    assert server.count == 1
    assert "to sit down soon" in asked(server.requests[0])


async def test_two_states_at_once_are_left_to_the_model() -> None:
    both = [thought(MentalState.DESIRE, one, "seating") for one in (CORNER, TERRACE)]
    async with judging(reads) as (judge, server):
        await judge.updates(PLANNED, talk([wish(CORNER)], [wish(CORNER)], both), 0, 0)
    assert server.count == 3


async def test_a_change_that_is_not_thought_is_rejected() -> None:
    turns = talk([wish(CORNER)], [wish(CORNER)], [wish(CORNER)], [wish(CORNER)])
    async with judging(reads) as (judge, _):
        verdict = await judge.updates(PLANNED, turns, 0, 0)
    assert (verdict.outcome, verdict.reason) == ("reject", "a planned update did not happen")
    assert verdict.verification is not None
    assert verdict.verification.missing == PLANNED.updates


async def test_too_many_other_changes_are_rejected() -> None:
    turns = talk(*([wish(one)] for one in (CORNER, CORNER, TERRACE, CORNER, TERRACE)))
    async with judging(reads) as (judge, _):
        verdict = await judge.updates(PLANNED, turns, 0, 0)
    assert (verdict.outcome, verdict.reason) == ("reject", "too many unplanned updates")
    assert verdict.verification is not None
    assert [one.turn for one in verdict.verification.detected] == [4, 6, 8]
    assert verdict.verification.f1 == 0.5


async def test_every_planned_state_of_a_topic_has_a_letter() -> None:
    twice = scenario(change(4, CORNER, TERRACE), change(6, TERRACE, STOOLS))
    turns = talk([wish(CORNER)], [wish("a glass of water")], [wish(TERRACE)], [wish(STOOLS)])
    async with judging(reads) as (judge, server):
        verdict = await judge.updates(twice, turns, 0, 0)
    assert verdict.outcome == "accept"
    expected = {f'"I want {one}"' for one in (CORNER, TERRACE, STOOLS)} | {"none of these"}
    assert all(set(states(asked(request)).values()) == expected for request in server.requests)


async def test_a_mind_that_changes_back_is_followed() -> None:
    back = scenario(change(4, CORNER, TERRACE), change(6, TERRACE, CORNER))
    turns = talk([wish(CORNER)], [wish("tea")], [wish(TERRACE)], [wish(CORNER)])
    async with judging(reads) as (judge, server):
        verdict = await judge.updates(back, turns, 0, 0)
    assert verdict.outcome == "accept"
    assert all(len(states(asked(request))) == 3 for request in server.requests)


async def test_turns_without_an_own_thought_cost_no_call() -> None:
    of_ben = second_order("Ben", MentalState.BELIEF, "it takes an hour", "length")
    turns = talk([wish(CORNER)], [of_ben], [wish(TERRACE)], [])
    async with judging(reads) as (judge, server):
        verdict = await judge.updates(PLANNED, turns, 0, 0)
    assert verdict.outcome == "accept"
    assert server.count == 2


async def test_a_scenario_without_planned_changes_costs_no_call() -> None:
    async with judging(reads) as (judge, server):
        verdict = await judge.updates(scenario(), CHANGED, 0, 0)
    assert verdict.outcome == "accept"
    assert server.count == 0


async def test_one_look_shows_the_thoughts_of_one_turn_and_nothing_that_is_said() -> None:
    of_ben = second_order("Ben", MentalState.BELIEF, "it takes an hour", "length")
    turns = talk([wish(CORNER), of_ben], [wish("tea")], [wish(TERRACE)])
    async with judging(reads) as (judge, server):
        await judge.updates(PLANNED, turns, 0, 0)
    for request, content in zip(server.requests, (CORNER, "tea", TERRACE), strict=True):
        assert asked(request).rpartition("thinks now:")[2] == f'\n- "Above all I want {content}"'
        assert "second thought" not in asked(request)


async def test_the_letters_of_the_states_are_balanced_and_the_same_every_time() -> None:
    turns = talk(*[[wish(CORNER)]] * 6)
    async with judging(reads) as (judge, server):
        await judge.updates(PLANNED, turns, 0, 0)
        await judge.updates(PLANNED, turns, 0, 0)
    prompts = [asked(request) for request in server.requests]
    assert prompts[:6] == prompts[6:]
    places = Counter(place for prompt in prompts[:6] for place in states(prompt).items())
    assert len(places) == 9
    assert set(places.values()) == {2}


async def test_the_probabilities_decide_where_there_are_any() -> None:
    def torn(request: Request) -> Answer:
        right = shows(asked(request))
        wrong = next(one for one in "ABC" if one != right)
        return weighed({right: 0.5, f" {wrong}": 0.2, wrong: 0.2, "The": 0.1}, text=wrong)

    async with judging(torn) as (judge, server):
        verdict = await judge.updates(PLANNED, CHANGED, 0, 0)
    assert verdict.outcome == "accept"
    assert all(request["logprobs"] for request in server.requests)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (completion("I would rather not say."), "no letter can be read"),
        (completion("<think>hm</think>"), "no letter can be read"),
        (completion("E"), "no letter can be read"),
        (completion("", finish="content_filter"), "the provider's content filter cut the reply"),
        (completion(None, message={"content": None, "refusal": "A: I can't."}), "the model refused"),
        (weighed({"A": 1.0}), None),
    ],
    ids=["chat", "empty", "no such letter", "filter", "refusal", "letter"],
)
async def test_a_reply_without_a_letter_is_an_error_and_no_rejection(reply: Answer, reason: str | None) -> None:
    async with judging(lambda request: reply) as (judge, server):
        verdict = await judge.updates(PLANNED, CHANGED, 0, 0)
    assert (verdict.outcome == "error") == (reason is not None)
    if reason is not None:
        assert (verdict.reason, verdict.verification) == (reason, None)
        assert server.count == 1


async def test_no_answer_at_all_stops_the_run() -> None:
    async with judging(lambda request: Answer(b'{"error": {"message": "no such key"}}', 401)) as (judge, _):
        with pytest.raises(ModelError):
            await judge.updates(PLANNED, CHANGED, 0, 0)


async def test_each_look_is_a_call_of_its_own_with_its_own_seed() -> None:
    async with judging(reads) as (judge, server):
        await judge.updates(PLANNED, CHANGED, 3, 1)
        await judge.updates(PLANNED, CHANGED, 3, 1, purpose="calibrate intact")
        await judge.updates(PLANNED, CHANGED, 3, 2)
    assert len({request["seed"] for request in server.requests}) == server.count == 12
    assert {request["temperature"] for request in server.requests} == {0.0}


async def test_scripted_dialogues_are_accepted_and_their_faults_caught(
    domains: dict[str, Domain], slots: dict[str, list[SlotResult]]
) -> None:
    for name, own in slots.items():
        filled, domain = own[:8], domains[name]
        async with judging(CompetentReader(domain, filled)) as (judge, _):
            for slot in filled:
                await _intact_and_broken(judge, slot)


async def _intact_and_broken(judge: Judge, slot: SlotResult) -> None:
    dialogue = slot.dialogue
    assert dialogue is not None
    assert (await judge.updates(dialogue.scenario, dialogue.turns, slot.index, 0)).outcome == "accept"
    for update in dialogue.scenario.updates:
        for fault in (remove_update, move_update):
            turns = fault(dialogue.turns, update)
            assert turns is not None
            broken = await judge.updates(dialogue.scenario, turns, slot.index, 0)
            assert broken.outcome == "reject"
            assert broken.verification is not None
            assert update in broken.verification.missing
