"""Bodies of requests in the dialects of servers, and what can't be asked by a field, in words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from asking import ask, body_of, with_message
from hypothesis import given
from hypothesis import strategies as st
from loopback import completion

from dtomtrack.llm.chat import ChatRequest, Message
from dtomtrack.llm.completions import from_body, in_words, schema_in_words, to_body
from dtomtrack.llm.failures import TransientError
from dtomtrack.llm.spec import Dialect

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
BEGUN = ask(messages=(Message("user", "Who?"), Message("assistant", "Maya: (I think")), continues=True)


def test_the_limit_has_the_name_that_the_server_knows() -> None:
    limits = {
        dialect: {"max_tokens", "max_completion_tokens"} & to_body(ask(), "x", dialect).keys() for dialect in Dialect
    }
    assert limits.pop(Dialect.OPENAI) == {"max_completion_tokens"}
    assert all(names == {"max_tokens"} for names in limits.values())


@pytest.mark.parametrize("dialect", Dialect)
def test_a_body_holds_what_is_asked(dialect: Dialect) -> None:
    body = to_body(ask("Who?", temperature=0.3, top_p=0.8, seed=5, schema=SCHEMA), "small", dialect)
    assert (body["model"], body["temperature"], body["top_p"], body["seed"]) == ("small", 0.3, 0.8, 5)
    assert body["messages"] == [{"role": "user", "content": "Who?"}]
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert json.loads(json.dumps(body)) == body


def test_letters_are_enforced_where_the_server_takes_grammars() -> None:
    asked = ask(choices=("A", "B"))
    assert to_body(asked, "x", Dialect.LLAMA_CPP)["grammar"] == 'root ::= "A" | "B"'
    assert to_body(asked, "x", Dialect.OPENAI)["top_logprobs"] == 20
    assert "grammar" not in to_body(asked, "x", Dialect.VLLM)
    assert "logprobs" not in to_body(ask(), "x", Dialect.LLAMA_CPP)


@pytest.mark.parametrize("reason", ["error", "abort", "cancelled"])
def test_a_reply_that_the_server_broke_off_is_none(reason: str) -> None:
    with pytest.raises(TransientError, match="broke the reply off"):
        from_body(body_of(completion("I think that", finish=reason)), ask())


def test_nor_is_one_with_an_error_beside_it() -> None:
    body = body_of(completion("I think that"))
    body["choices"][0]["error"] = {"code": 502, "message": "the provider is gone"}
    with pytest.raises(TransientError, match="broke the reply off"):
        from_body(body, ask())


@pytest.mark.parametrize("dialect", [Dialect.OPENAI, Dialect.COMPATIBLE])
def test_a_beginning_is_asked_for_in_words_where_it_has_to_be(dialect: Dialect) -> None:
    messages = to_body(BEGUN, "x", dialect)["messages"]
    assert [message["role"] for message in messages] == ["user"]
    assert messages[0]["content"].startswith("Who?\n\n")
    assert '"Maya: (I think"' in messages[0]["content"]


@pytest.mark.parametrize("dialect", [Dialect.VLLM, Dialect.LLAMA_CPP])
def test_a_beginning_is_gone_on_from_where_the_server_can(dialect: Dialect) -> None:
    body = to_body(BEGUN, "x", dialect)
    assert body["messages"][-1] == {"role": "assistant", "content": "Maya: (I think"}
    assert body.get("continue_final_message", False) == (dialect is Dialect.VLLM)


def test_words_go_to_whoever_is_asked() -> None:
    answered = ask(messages=(Message("user", "Who?"), Message("assistant", "{}")))
    assert [message.role for message in schema_in_words(answered).messages] == ["user", "assistant", "user"]
    assert schema_in_words(ask(schema=SCHEMA)).schema is None
    assert in_words(ask()) == ask()


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (' that it rains.) "Hm."', ' that it rains.) "Hm."'),
        ('Maya: (I think that it rains.) "Hm."', ' that it rains.) "Hm."'),
        ('\n"Maya: (I think that it rains.) "Hm."', ' that it rains.) "Hm."'),
        ("“maya: (I think that it rains.) “Hm.”", " that it rains.) “Hm.”"),
        ("Assistant: Maya: (I think that it rains.)", " that it rains.)"),
        ("Maya: (I thinker", "Maya: (I thinker"),
        ("", ""),
    ],
)
def test_of_a_continuation_only_what_is_new_is_kept(text: str, new: str) -> None:
    assert from_body(body_of(completion(text)), BEGUN).text == new


THOUGHT = {
    "opened by the prompt": ("First, the cat. </think> On the mat.", "On the mat."),
    "opened and closed": ("<think>the bed?</think>\n\nOn the mat.", "On the mat."),
    "twice": ("<think>the bed?</think>On the bed.</think>On the mat.", "On the mat."),
    "a thought after the line": ("<think>a</think>On the mat. <think>Or not?", "On the mat. "),
    "never closed": ("<think>the bed? the mat?", ""),
    "closed and never said": ("On the bed.</think>", ""),
    "cut within the tag": ("On the mat. <think", "On the mat. "),
    "thinking": ("<thinking>the bed?</thinking>On the mat.", "On the mat."),
    "reasoning in capitals": ('<REASONING effort="high">the bed?</REASONING >On the mat.', "On the mat."),
    "in square brackets": ("[THINK]the bed?[/THINK]On the mat.", "On the mat."),
    "mixed": ("<think>the bed?</thinking>On the mat.", "On the mat."),
    "none": ("  I think it's on the mat, thinking of it.", "  I think it's on the mat, thinking of it."),
}


@pytest.mark.parametrize("kind", THOUGHT)
def test_what_a_reasoning_model_thinks_is_no_part_of_its_reply(kind: str) -> None:
    text, said = THOUGHT[kind]
    assert from_body(body_of(completion(text)), ask()).text == said


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Maya may be wet.</think>\n\n that it rains.)", " that it rains.)"),
        ('<think>Wet?</think>\n\nMaya: (I think that it rains.) "Hm."', ' that it rains.) "Hm."'),
        ("k</think>s that it rains.)", "s that it rains.)"),
        ("<think>Maya may be wet.", ""),
    ],
)
def test_a_continuation_holds_no_thinking(text: str, new: str) -> None:
    assert from_body(body_of(completion(text)), BEGUN).text == new


@given(st.text(max_size=20), st.sampled_from(["think", "thinking", "reasoning"]), st.booleans())
def test_whatever_stands_around_it_thinking_is_not_said(around: str, tag: str, opened: bool) -> None:
    text = f"{f'<{tag}>' if opened else ''}{around} canary {around}</{tag}>{around}"
    assert "canary" not in from_body(body_of(completion(text)), ask()).text
    assert "canary" not in from_body(body_of(completion(f"{around}<{tag}>canary {around}")), ask()).text


def test_parts_that_are_no_text_are_not_said() -> None:
    parts = [{"type": "reasoning", "text": "the bed?"}, {"type": "text", "text": "On the "}, {"text": "mat."}]
    assert from_body(body_of(with_message(content=parts)), ask()).text == "On the mat."


def test_letters_in_thinking_are_no_answer() -> None:
    def token(text: str, other: str) -> dict[str, Any]:
        return {"token": text, "top_logprobs": [{"token": text, "logprob": -0.1}, {"token": other, "logprob": -4.0}]}

    tokens = [token("A", "B"), token("?", "A"), token("</think>", "A"), token("\n\n", "A"), token("B", "A")]
    answer = completion("A?</think>\n\nB", logprobs={"content": tokens})
    reply = from_body(body_of(answer), ask(choices=("A", "B")))
    assert reply.text == "B"
    assert reply.probabilities is not None
    assert reply.probabilities["B"] > 0.9


def answered(text: str, choices: str, **logprobs: float) -> Mapping[str, float] | None:
    """The probabilities where the first of these letters has these log-probabilities; everywhere else A is sure."""
    listed = [{"token": letter, "logprob": one} for letter, one in logprobs.items()]
    tokens = [
        {
            "token": word,
            "top_logprobs": listed if word.strip() == next(iter(logprobs)) else [{"token": "A", "logprob": 0}],
        }
        for word in re.findall(r"\W|\w+", text)
    ]
    return from_body(body_of(completion(text, logprobs={"content": tokens})), ask(choices=tuple(choices))).probabilities


def test_a_sure_letter_whose_logprob_is_rounded_above_nought_counts() -> None:
    found = answered("B", "AB", B=1.2e-7, A=-16.0)
    assert found is not None
    assert found["B"] == pytest.approx(1.0)
    assert answered("B", "AB", B=1.0, A=-16.0) == {"A": 1.0, "B": 0.0}


@pytest.mark.parametrize("text", ["A careful reader says C", "A clear D", "I think so", "A or B"])
def test_a_word_of_one_letter_is_no_answer(text: str) -> None:
    assert answered(text, "ABCDEFGHI", C=-1.0, D=-1.0, I=-1.0) is None


@pytest.mark.parametrize("text", ["C", " C", "C) A book", "**C**", "The answer is C.", "C is right", "Not A but C"])
def test_the_letter_that_is_read_is_weighed_where_it_stands(text: str) -> None:
    found = answered(text, "ABCDEFGHI", C=-0.1, A=-4.0)
    assert found is not None
    assert found["C"] > 0.9


def test_thinking_is_counted_where_the_server_does_not_count() -> None:
    body = body_of(completion("<think>" + "the bed? the mat? " * 100 + "</think>Yes."))
    del body["usage"]
    assert from_body(body, ask()).usage.completion_tokens > 100


def test_a_letter_cut_behind_it_is_whole() -> None:
    letters = ask(choices=("A", "B"))
    assert from_body(body_of(completion(" B", finish="length")), letters).finish == "stop"
    assert from_body(body_of(completion("Both", finish="length")), letters).finish == "length"
    assert from_body(body_of(completion("B", finish="content_filter")), letters).finish == "filter"


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(_json, st.sampled_from([(), ("choices",), ("choices", 0), ("choices", 0, "message")]), st.booleans())
def test_any_body_is_a_reply_or_a_failure_that_may_pass(junk: Any, place: tuple[str | int, ...], letters: bool) -> None:
    body: Any = body_of(completion("A"))
    inner: Any = body
    for step in place[:-1]:
        inner = inner[step]
    if place:
        inner[place[-1]] = junk
    else:
        body = junk
    _read(body, ask(choices=("A", "B") if letters else ()))


@given(_json, st.sampled_from(["content", "refusal", "finish_reason", "logprobs", "usage"]))
def test_any_field_is_a_reply_or_a_failure_that_may_pass(junk: Any, name: str) -> None:
    body = body_of(completion("A"))
    choice = body["choices"][0]
    within = {"usage": body, "content": choice["message"], "refusal": choice["message"]}.get(name, choice)
    within[name] = junk
    _read(body, ask(choices=("A", "B")))


def _read(body: Any, request: ChatRequest) -> None:
    try:
        reply = from_body(body, request)
    except TransientError as error:
        assert str(error) in {"the answer holds no chat completion", "the answer is empty"}
    else:
        assert reply.text.encode() is not None
        assert reply.usage.prompt_tokens >= 0
        assert reply.probabilities is None or sum(reply.probabilities.values()) == pytest.approx(1.0)
