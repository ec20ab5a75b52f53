"""Language models as actors, against a real server: what they are given, what is asked again, what is given up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from asking import with_message
from loopback import Answer, Loopback, Request, completion
from performer import perform, perform_text
from small_performer import NO_ERRORS, SmallPerformer

from dtomtrack.beliefs.inner_speech import PREFIXES
from dtomtrack.beliefs.markers import marker
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.scenario import Topic
from dtomtrack.errors import ReplyError
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.prompts import as_data
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.character import Character, Heard, Performance, characters
from dtomtrack.scenarios.acting.direction_text import DirectionText
from dtomtrack.scenarios.acting.model_actor import ActorSettings, ModelActor
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import Direction, Move

TURNS = 10
Answering = Callable[[Request], Answer]


@pytest.fixture
def cast(restaurant: Domain) -> tuple[Character, ...]:
    """Both parts of a scenario in which a mind changes, one weighty thing a turn."""
    return parts(restaurant, 0)


def parts(domain: Domain, index: int) -> tuple[Character, ...]:
    slot = slot_at(3, index, [domain.pack.name])
    directed = sample_scenario(domain.pack, slot, 0, TURNS, Difficulty().with_one_thing_a_turn())
    assert directed.scenario.updates
    return characters(directed, (index, 0), lambda turn: slot.random(0, "turn", turn))


async def played(
    answer: Answering, cast: tuple[Character, ...], turns: int = TURNS, *, model: str = "vllm/x", **settings: Any
) -> tuple[list[Performance], list[Request]]:
    """The first turns of a dialogue, and what the server was asked."""
    heard: list[Heard] = []
    performances: list[Performance] = []
    with Loopback(answer) as server:
        async with Clients(ClientSettings(first_pause=0.001)) as clients:
            actor = ModelActor(await clients.open(parse_spec(model, server.base_url)), ActorSettings(**settings))
            for turn in range(turns):
                character = cast[turn % 2]
                performances.append(await actor.play(character, turn, list(heard)))
                heard.append(Heard(turn, character.name, performances[-1].utterance))
    return performances, server.requests


def asked(request: Request) -> str:
    """All that a request says."""
    return "\n".join(message["content"] for message in request["messages"])


def updates(cast: tuple[Character, ...]) -> dict[int, Direction]:
    """The changes of mind, by turn."""
    return {
        turn: direction
        for character in cast
        for turn, directions in character.directions.items()
        for direction in directions
        if direction.move is Move.UPDATE
    }


# -- one call ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", range(6))
async def test_a_part_that_is_played_to_the_letter_is_never_asked_again(restaurant: Domain, index: int) -> None:
    performances, requests = await played(perform, parts(restaurant, index))
    assert len(performances) == len(requests) == TURNS
    assert all(performance.thoughts for performance in performances)


async def test_a_prompt_holds_ones_own_part_and_what_was_said(cast: tuple[Character, ...]) -> None:
    performances, requests = await played(perform, cast)
    for turn, request in enumerate(requests):
        own, other = cast[turn % 2], cast[1 - turn % 2]
        system, user = (message["content"] for message in request["messages"])
        assert system.startswith(f"You play {own.name}, ")
        assert all(as_data(fact) in system for fact in own.agent.private_info)
        assert not any(as_data(fact) in system for fact in other.agent.private_info)
        for earlier, performance in enumerate(performances):
            assert (as_data(performance.utterance) in user) == (earlier < turn)
            assert performance.inner_speech.strip("()") not in system + user


@pytest.mark.parametrize("index", range(4))
async def test_a_change_of_mind_is_directed_at_its_turn_only(restaurant: Domain, index: int) -> None:
    cast = parts(restaurant, index)
    changes = updates(cast)
    performances, requests = await played(perform, cast)
    assert [turn for turn, request in enumerate(requests) if "Change your mind" in asked(request)] == sorted(changes)
    for at, change in changes.items():
        words = as_data(marker(change.marker).beginning("..."))
        assert [turn for turn, request in enumerate(requests) if words in asked(request)] == [at]
        assert marker(change.marker).frame.partition("{")[0].strip() in performances[at].utterance
        thoughts = performances[at].thoughts
        assert thoughts is not None
        assert (change.topic, change.value) in {(one.topic, one.content) for one in thoughts if one.order == 1}


def instead(utterance: str = "", thought: str = "") -> Callable[[dict[str, str]], str]:
    """A turn with other words in it; ``...`` stands for its own."""

    def changed(turn: dict[str, str]) -> str:
        return json.dumps(
            {
                "thought": thought.replace("...", turn["thought"]) or turn["thought"],
                "utterance": utterance.replace("...", turn["utterance"]) or turn["utterance"],
            }
        )

    return changed


FAULTS: dict[str, tuple[Callable[[dict[str, str]], str], str]] = {
    "no JSON": (lambda turn: turn["utterance"], "holds no JSON object"),
    "half": (lambda turn: json.dumps(turn)[:-9], "holds no JSON object"),
    "nothing": (lambda _: "<think>hm</think>", "the reply is empty"),
    "a field missing": (lambda turn: json.dumps({"thought": turn["thought"]}), "field utterance: Field required"),
    "a thought said": (instead("... (I hope so.)"), "the utterance holds a thought"),
    "a thought within a thought": (instead(thought="I want (really) tea."), "a thought within a thought"),
    "no thought": (instead(thought="Tea."), "the thought does not begin with"),
    "the other's words": (instead("... {0}: Fine."), "'s, not "),
    "a stray marker": (instead("... Hold on, where is my coat?"), "signal a change of mind that does not happen here"),
}


@pytest.mark.parametrize("kind", FAULTS)
async def test_a_turn_that_breaks_a_rule_is_asked_for_again_with_what_is_wrong(
    cast: tuple[Character, ...], kind: str
) -> None:
    words, why = FAULTS[kind]
    times = [1]

    def once(request: Request) -> Answer:
        times[0] -= 1
        if times[0] < 0:
            return perform(request)
        return completion(words(json.loads(perform_text(request))).replace("{0}", cast[1].name))

    performances, requests = await played(once, cast, 1)
    assert len(requests) == 2
    first, second = requests
    assert [message["role"] for message in second["messages"]] == ["system", "user"]
    assert second["messages"][0] == first["messages"][0]
    again = second["messages"][1]["content"].rpartition("An earlier try could not be used: ")[2]
    assert why in again
    assert second["seed"] != first["seed"]
    assert second["temperature"] > first["temperature"]
    assert "(I" not in performances[0].utterance


@pytest.mark.parametrize("retries", [0, 2])
async def test_a_turn_that_never_works_is_given_up_with_what_was_wrong(
    cast: tuple[Character, ...], retries: int
) -> None:
    with Loopback(lambda _: completion("Well.")) as server:
        async with Clients(ClientSettings()) as clients:
            model = await clients.open(parse_spec("vllm/x", server.base_url))
            with pytest.raises(ReplyError, match=f"^turn 0 of {cast[0].name}: the reply holds no JSON object$"):
                await ModelActor(model, ActorSettings(retries=retries)).play(cast[0], 0, [])
    assert server.count == retries + 1


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (with_message(content=None, refusal="I can't."), "the model refused"),
        (completion("x", finish="content_filter"), "the provider's content filter"),
        (completion('{"thought": "I want', finish="length"), "longer than it may be"),
    ],
)
@pytest.mark.parametrize("turn_format", ["json", "text"])
async def test_how_a_reply_ended_is_no_turn(
    cast: tuple[Character, ...], answer: Answer, why: str, turn_format: str
) -> None:
    with pytest.raises(ReplyError, match=why):
        await played(lambda _: answer, cast, 1, turn_format=turn_format, retries=1)


# -- the paper's text form -----------------------------------------------------------------------------------


async def test_in_text_the_prefix_is_begun_where_the_server_goes_on(cast: tuple[Character, ...]) -> None:
    performances, requests = await played(perform, cast, turn_format="text")
    assert len(performances) == len(requests) == TURNS
    for turn, request in enumerate(requests):
        assert request["continue_final_message"] is True
        assert request["messages"][-1]["role"] == "assistant"
        assert request["messages"][-1]["content"].startswith(f"{cast[turn % 2].name}: (I ")
        assert "response_format" not in request
    assert not any("(" in performance.utterance for performance in performances)


@pytest.mark.parametrize("again", [True, False])
async def test_in_text_the_beginning_may_be_said_again(cast: tuple[Character, ...], again: bool) -> None:
    def answer(request: Request) -> Answer:
        text = perform_text(request)
        begun = json.loads(request["messages"][-1]["content"].rpartition("go on from there: ")[2])
        assert text.startswith(begun)
        return completion(text if again else text.removeprefix(begun))

    performances, requests = await played(answer, cast, model="ollama/x", turn_format="text")
    assert len(performances) == len(requests) == TURNS
    assert {len(request["messages"]) for request in requests} == {2}


# -- two calls -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", range(4))
async def test_a_weak_model_is_asked_for_one_thing_at_a_time(restaurant: Domain, index: int) -> None:
    cast = parts(restaurant, index)
    performances, requests = await played(perform, cast, style="two-call")
    changes = updates(cast)
    lines = [request for request in requests if "says aloud now" in request["messages"][1]["content"]]
    assert len(performances) == len(lines) == TURNS < len(requests)
    for request in requests:
        assert "response_format" not in request
        assert len(re.findall("Change your mind", asked(request))) <= 1
    for turn, (performance, line) in enumerate(zip(performances, lines, strict=True)):
        assert as_data(performance.inner_speech.strip("()")) in line["messages"][1]["content"]
        begun = line["messages"][2:]
        presumes = any(one.move is Move.PRESUME for one in cast[turn % 2].directions[turn])
        assert len(begun) == (turn in changes or presumes)
        if turn in changes:
            (message,) = begun
            first, _, last = marker(changes[turn].marker).beginning("...").partition("...")
            assert message["role"] == "assistant"
            assert message["content"].startswith(first)
            assert message["content"].endswith(last)
            assert changes[turn].old in message["content"] or not last
            assert performance.utterance.startswith(message["content"])


@pytest.mark.parametrize("form", ["“{line}”", "{name}: {line}", "{name}: “{lower}”"])
async def test_what_was_begun_for_a_model_is_said_once(restaurant: Domain, form: str) -> None:
    cast = parts(restaurant, 0)

    def says_again(request: Request) -> Answer:
        line = perform_text(request)
        if "says aloud now" not in asked(request) or "Begin your reply" not in asked(request):
            return completion(line)
        name = re.search(r"What (\w+) says aloud now", asked(request)) or re.search(r"You play (\w+),", asked(request))
        assert name is not None
        return completion(form.format(line=line, lower=line[0].lower() + line[1:], name=name[1]))

    performances, _ = await played(says_again, cast, style="two-call", model="openai/x", retries=0)
    plainly, _ = await played(perform, cast, style="two-call", model="openai/x", retries=0)
    assert [one.utterance for one in performances] == [one.utterance for one in plainly]


async def test_a_line_that_says_its_beginning_again_is_refused(restaurant: Domain) -> None:
    cast = parts(restaurant, 0)

    def stutters(request: Request) -> Answer:
        begun = request["messages"][-1]
        return completion(f" well. {begun['content']} well.") if begun["role"] == "assistant" else perform(request)

    with pytest.raises(ReplyError, match="twice"):
        await played(stutters, cast, style="two-call", retries=0)


async def test_a_weak_model_is_asked_again_at_a_higher_temperature(cast: tuple[Character, ...]) -> None:
    seen: list[Request] = []

    def note(request: Request) -> Answer:
        seen.append(request)
        return completion("[sighs]")

    with pytest.raises(ReplyError, match=r"^turn 0 of "):
        await played(note, cast, 1, style="two-call", retries=4, temperature=0.7)
    temperatures = sorted({request["temperature"] for request in seen})
    assert temperatures == pytest.approx([0.7, 0.85, 1.0, 1.15, 1.2])
    assert len({request["seed"] for request in seen}) == len(seen)


def system_and_user(request: Request) -> list[str]:
    return [message["content"] for message in request["messages"] if message["role"] != "assistant"]


@pytest.mark.parametrize("style", ["one-call", "two-call"])
async def test_what_failed_is_never_shown_and_only_its_piece_is_asked_for_again(
    cast: tuple[Character, ...], style: str
) -> None:
    bad, lines = "Yes (I hope so).", [1]

    def once(request: Request) -> Answer:
        lines[0] -= "Think this: " not in asked(request)
        if lines[0] != 0:
            return perform(request)
        lines[0] -= 1
        if style == "two-call":
            return completion(bad)
        return completion(json.dumps({**json.loads(perform_text(request)), "utterance": "Ben thinks (so)"}))

    _, requests = await played(once, cast, 1, style=style)
    assert not any(bad in text for request in requests for text in system_and_user(request))
    first, again = requests[-2:]
    assert again["temperature"] > first["temperature"]
    assert len([one for one in requests if "Think this: " in asked(one)]) <= 1


async def test_a_line_alone_is_asked_for_where_only_the_line_failed(cast: tuple[Character, ...]) -> None:
    calls = [0]

    def once(request: Request) -> Answer:
        calls[0] += 1
        if calls[0] > 1:
            return perform(request)
        turn = json.loads(perform_text(request))
        return completion(json.dumps({**turn, "utterance": f"{cast[1].name}: Fine."}))

    performances, requests = await played(once, cast, 1)
    thought = performances[0].inner_speech.strip("()")
    assert as_data(thought) in asked(requests[1])
    assert requests[1]["response_format"]["json_schema"]["schema"]["required"] == ["utterance"]


async def test_a_thought_alone_is_asked_for_with_the_line_that_it_has_to_fit(cast: tuple[Character, ...]) -> None:
    calls = [0]

    def once(request: Request) -> Answer:
        calls[0] += 1
        turn = json.loads(perform_text(request))
        return completion(json.dumps({**turn, "thought": "Tea."} if calls[0] == 1 else turn))

    performances, requests = await played(once, cast, 1)
    assert len(requests) == 2
    assert f"What you say is settled: {as_data(performances[0].utterance)}" in asked(requests[1])


@pytest.mark.parametrize("index", range(3))
@pytest.mark.parametrize("style", ["one-call", "two-call"])
async def test_thoughts_that_are_laid_down_are_never_lost(restaurant: Domain, index: int, style: str) -> None:
    cast = parts(restaurant, index)

    def forgets(request: Request) -> Answer:
        if "Think this: " in asked(request):
            return completion(" something else.")
        if style == "two-call":
            return perform(request)
        turn = json.loads(perform_text(request))
        return completion(json.dumps({**turn, "thought": "I want something else."} if "thought" in turn else turn))

    performances, requests = await played(forgets, cast, style=style)
    changes = updates(cast)
    for turn, change in changes.items():
        thoughts = performances[turn].thoughts or ()
        assert (change.topic, change.value) in {(one.topic, one.content) for one in thoughts if one.order == 1}
    assert not any(
        as_data(change.value) in asked(one).partition("Think this: ")[2]
        for change in changes.values()
        for one in requests
    )


@pytest.mark.parametrize("thought", ["...", " it depends on the day.", " (hm) what?"])
async def test_where_a_weak_model_loses_its_goal_the_goal_itself_is_thought(
    cast: tuple[Character, ...], thought: str
) -> None:
    def rambles(request: Request) -> Answer:
        return completion(thought) if "Think this: " in asked(request) else perform(request)

    performances, requests = await played(rambles, cast, 1, style="two-call")
    assert performances[0].inner_speech == f"(I want {cast[0].agent.goal}.)"
    assert len([one for one in requests if "Think this: " in asked(one)]) == 1


async def test_a_thought_on_the_goal_is_kept_as_the_model_has_it(cast: tuple[Character, ...]) -> None:
    own = f"nothing more than {cast[0].agent.goal}"

    def thinks(request: Request) -> Answer:
        return completion(f" {own}. And so on.") if "Think this: " in asked(request) else perform(request)

    performances, _ = await played(thinks, cast, 1, style="two-call")
    assert performances[0].inner_speech == f"(I want {own}.)"


async def test_what_the_other_has_just_said_is_thought_of_them(restaurant: Domain) -> None:
    cast = parts(restaurant, 0)
    changes = updates(cast)
    performances, _ = await played(perform, cast, style="two-call")
    for turn, change in changes.items():
        if turn + 1 < TURNS:
            thoughts = performances[turn + 1].thoughts or ()
            assert (change.topic, change.value) in {(one.topic, one.content) for one in thoughts if one.order == 2}


async def test_a_weak_model_has_its_presumption_begun_as_a_statement(restaurant: Domain) -> None:
    begun: list[str] = []
    for index in range(4):
        cast = parts(restaurant, index)
        performances, _ = await played(perform, cast, style="two-call")
        for turn, performance in enumerate(performances):
            if any(one.move is Move.PRESUME for one in cast[turn % 2].directions[turn]):
                begun.append(performance.utterance)
    assert begun
    assert all(line.startswith("As you ") for line in begun)


# -- free ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", range(3))
@pytest.mark.parametrize("turn_format", ["json", "text"])
async def test_a_free_actor_is_given_what_it_holds_and_directed_where_a_mind_changes_alone(
    restaurant: Domain, index: int, turn_format: str
) -> None:
    cast = parts(restaurant, index)
    performer = SmallPerformer(NO_ERRORS)
    performances, requests = await played(performer.answer, cast, style="free", turn_format=turn_format)
    changes = updates(cast)
    directed = set[int]()
    for request in requests:
        turn = int(re.findall(r"turn (\d+) of 10", asked(request))[-1]) - 1
        own, other = cast[turn % 2].agent, cast[1 - turn % 2].agent
        held = [as_data(f"{PREFIXES[one.mental_state]} {one.content}") for one in own.initial_states]
        assert "Stage directions" not in asked(request)
        assert all(one in asked(request) for one in held)
        assert not any(as_data(fact) in request["messages"][0]["content"] for fact in other.private_info)
        directed |= {turn} if "Change your mind" in asked(request) else set()
    assert directed == set(changes)
    for turn, change in changes.items():
        thoughts = performances[turn].thoughts or ()
        assert (change.topic, change.value) in {(one.topic, one.content) for one in thoughts if one.order == 1}


async def test_of_a_free_turn_only_form_is_asked_for(cast: tuple[Character, ...]) -> None:
    turn = json.dumps({"thought": "I want a quiet evening.", "utterance": "It is a lovely evening, is it not?"})
    performances, requests = await played(lambda _: completion(turn), cast, 1, style="free")
    assert len(requests) == 1
    assert performances[0].utterance == "It is a lovely evening, is it not?"


@pytest.mark.parametrize(
    ("state", "said"), [(MentalState.INTENTION, "I will have tea"), (MentalState.BELIEF, "tea is served")]
)
async def test_what_is_given_up_is_said_as_a_sentence(
    cast: tuple[Character, ...], state: MentalState, said: str
) -> None:
    topic = Topic(id="t", label="tea", mental_state=state, holder=cast[0].name, values=("have tea", "tea is served"))
    text = DirectionText(replace(cast[0], topics={"t": topic}))
    old = said.removeprefix("I will ")
    update = Direction(Move.UPDATE, "t", value="have milk", old=old, marker="mistakenly_said")
    assert text.beginning([update]) == f"I mistakenly said {said}, but"
