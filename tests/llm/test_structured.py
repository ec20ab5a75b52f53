"""Structured output: what is a record is read, what is none is told, nothing is made up."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from asking import ask, in_turn, refused, with_message
from hypothesis import given
from hypothesis import strategies as st
from loopback import Answer, Loopback, completion
from pydantic import Field

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import ChatReply, Finish, Usage
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.llm.structured import ask_for, read_record, schema_of
from dtomtrack.records import Record


class Mood(Record):
    """Something small to ask for."""

    mood: Literal["glad", "sad"]
    why: str = Field(max_length=100)


GLAD = '{"mood": "glad", "why": "the cat is back"}'


def reply(text: str, finish: Finish = "stop") -> ChatReply:
    return ChatReply(text, finish, Usage(1, 1))


@pytest.mark.parametrize(
    "text",
    [
        GLAD,
        f"\n  {GLAD}  \n",
        f"```json\n{GLAD}\n```",
        f"Sure! Here is the object:\n\n{GLAD}\nLet me know if you need more.",
        f"{{not this}} but this: {GLAD}",
        f'{{"mood": "angry"}} {GLAD}',
        f"{GLAD} {GLAD}",
        json.dumps(json.loads(GLAD), indent=2),
        f"I think {{a}} {{b}} {{c}} {GLAD}",
    ],
)
def test_a_record_is_found_whatever_is_around_it(text: str) -> None:
    assert read_record(reply(text), Mood) == Mood(mood="glad", why="the cat is back")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("glad", "the reply holds no JSON object"),
        ('{"mood": "glad", "why": ', "the reply holds no JSON object"),
        ("[1, 2]", "the reply holds no JSON object"),
        ('{"mood": "glad"}', "field why: Field required"),
        ('{"mood": "angry", "why": "x"}', "field mood: Input should be 'glad' or 'sad'"),
        ('{"mood": "glad", "why": 3}', "field why: Input should be a valid string"),
        ('{"mood": "glad", "why": "x", "more": 1}', 'field "more": Extra inputs are not permitted'),
        ("{" * 100_000, "the reply holds no JSON object"),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, ""),
        ("x" * 2**20, "the reply holds no JSON object"),
    ],
)
def test_what_is_no_record_is_told_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(ReplyError) as caught:
        read_record(reply(text), Mood)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        (reply(GLAD, "refusal"), "the model refused"),
        (reply(GLAD, "filter"), "the provider's content filter cut the reply"),
        (reply(GLAD[:20], "length"), "the reply is longer than it may be and was cut"),
    ],
)
def test_how_it_ended_says_why(ended: ChatReply, why: str) -> None:
    with pytest.raises(ReplyError, match=why):
        read_record(ended, Mood)


SAD = '{"mood": "sad", "why": "It rains."}'
DRAFT = f"First draft: {SAD} That repeats an earlier line, so the final answer is: "


@pytest.mark.parametrize("text", [f"{DRAFT}{GLAD}", f"<think>maybe {SAD}</think>{GLAD}", f"{SAD}\n{GLAD}"])
def test_of_several_records_the_last_whole_one_counts(text: str) -> None:
    assert read_record(reply(text), Mood).mood == "glad"


@pytest.mark.parametrize("text", [f"{DRAFT}{GLAD[:20]}", DRAFT, f"{SAD} Better: {GLAD[:20]}"])
def test_a_draft_in_a_reply_that_was_cut_is_no_answer(text: str) -> None:
    with pytest.raises(ReplyError, match="was cut"):
        read_record(reply(text, "length"), Mood)


def test_what_was_cut_behind_a_record_in_a_fence_is_read() -> None:
    assert read_record(reply(f"```json\n{GLAD}\n", "length"), Mood).mood == "glad"


def test_what_was_cut_behind_the_record_is_read() -> None:
    assert read_record(reply(f"{GLAD} And now let me", "length"), Mood).mood == "glad"


@given(st.text(max_size=200))
def test_no_text_is_a_crash(text: str) -> None:
    for around in (text, f'{{"mood": "glad", "why": {text}', f"{{{text}}}"):
        try:
            found = read_record(reply(around), Mood)
        except ReplyError as error:
            assert "\n" not in str(error)
        else:
            assert found.why in json.loads(f"[{around[around.find('{') :][: around.rfind('}') + 1]}]")[0].values()


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Z")), max_size=80), st.booleans())
def test_what_is_written_is_what_is_read(why: str, escaped: bool) -> None:
    text = json.dumps({"mood": "sad", "why": why}, ensure_ascii=escaped)
    assert read_record(reply(f"Here: {text}."), Mood).why == why


async def asked(*answers: Answer) -> tuple[Mood, Loopback]:
    with Loopback(in_turn(*answers)) as server:
        async with Clients(ClientSettings(first_pause=0.001)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            return await ask_for(model, ask(seed=6), Mood), server


async def test_the_schema_goes_along() -> None:
    mood, server = await asked(completion(GLAD))
    assert mood.mood == "glad"
    [request] = server.requests
    sent = request["response_format"]["json_schema"]["schema"]
    assert sent == schema_of(Mood)
    assert sent["required"] == ["mood", "why"]
    assert sent["additionalProperties"] is False


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (completion('{"mood": "angry", "why": "x"}'), "field mood"),
        (completion("<think>hm</think>"), "the reply is empty"),
        (completion(GLAD[:20], finish="length"), "longer than it may be"),
        (with_message(content=None, refusal="No."), "the model refused"),
    ],
)
async def test_what_is_no_record_is_asked_for_once_more_with_what_is_wrong(first: Answer, why: str) -> None:
    mood, server = await asked(first, completion(GLAD))
    assert mood.why == "the cat is back"
    before, after = server.requests
    assert after["messages"][: len(before["messages"])] == before["messages"]
    assert [message["role"] for message in after["messages"][-2:]] == ["assistant", "user"]
    assert why in after["messages"][-1]["content"]
    assert after["messages"][-2]["content"]
    assert after["seed"] != before["seed"]


async def test_after_the_repair_it_is_a_failure() -> None:
    with pytest.raises(ReplyError, match="holds no JSON object"):
        await asked(completion("well"), completion("well, well"), completion(GLAD))


async def test_a_model_that_breaks_its_schema_is_asked_in_words() -> None:
    broken = refused(500, "The output does not match the expected grammar")
    mood, server = await asked(broken, completion(f"```json\n{GLAD}\n```"))
    assert mood.mood == "glad"
    assert ["response_format" in request for request in server.requests] == [True, False]
    assert '"glad"' in server.requests[1]["messages"][-1]["content"]
