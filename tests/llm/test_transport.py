"""One request over HTTP: every failure becomes one clear sentence, and the API key goes to its server only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from asking import KEY, ask, body_of, refused, said_by, with_message
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import ModelError, ModelSpecError
from dtomtrack.llm.chat import ChatReply, ChatRequest
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.failures import SchemaError, TransientError
from dtomtrack.llm.journal import Journal
from dtomtrack.llm.openai_chat import OpenAIChat
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import PROVIDERS, Dialect, Provider, Secret, key_of, parse_spec

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


async def sent(base_url: str, request: ChatRequest | None = None, seconds: float = 5.0) -> ChatReply:
    async with OpenAIChat(parse_spec("openai/small", base_url), seconds) as model:
        return await model.chat(request or ask())


async def reply_to(answer: Answer, request: ChatRequest | None = None) -> ChatReply:
    with Loopback(lambda _: answer) as server:
        return await sent(server.base_url, request)


async def failed(answer: Answer, request: ChatRequest | None = None) -> ModelError:
    """What an answer becomes, which is a sentence without the key."""
    with pytest.raises(ModelError) as caught:
        await reply_to(answer, request)
    told = str(caught.value)
    assert "\n" not in told
    assert KEY not in said_by(caught.value)
    return caught.value


def html(status: int) -> Answer:
    page = b"<html><head><title>Bad Gateway</title></head>\n<body>\x1b[31mnginx</body></html>"
    return Answer(page, status=status, headers={"Content-Type": "text/html"})


async def test_an_answer_is_read_whole() -> None:
    reply = await reply_to(completion("On the mat.\n"))
    assert (reply.text, reply.finish) == ("On the mat.\n", "stop")
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.estimated) == (11, 7, False)


async def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    with Loopback(lambda _: completion("x")) as server:
        await sent(server.base_url)
    assert server.headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in json.dumps(server.requests)


WORTH_ANOTHER_TRY = {
    "too many requests": (refused(429, "slow down"), "answered 429 (slow down)"),
    "server error": (refused(500, "oops"), "answered 500 (oops)"),
    "HTML from a proxy": (html(502), "answered 502 (<html>"),
    "overloaded": (Answer(b"", status=503), "answered 503"),
    "request timeout": (refused(408), "answered 408"),
    "no JSON": (Answer(b"ready"), "broken JSON"),
    "half of the JSON": (Answer(completion("a long story").body[:60]), "broken JSON"),
    "too deep to be read": (Answer(b'{"choices":' + b"[" * 100_000), "broken JSON"),
    "no choices": (Answer(b'{"choices": []}'), "holds no chat completion"),
    "an error with status 200": (Answer(b'{"error": {"message": "no provider"}}'), "holds no chat completion"),
    "choices that are none": (Answer(b'{"choices": "none"}'), "holds no chat completion"),
    "a list": (Answer(b"[1, 2]"), "holds no chat completion"),
    "no message": (Answer(b'{"choices": [{"finish_reason": "stop"}]}'), "holds no chat completion"),
    "content of another kind": (with_message(content={"text": "x"}), "holds no chat completion"),
    "empty": (completion(""), "answered, but the answer is empty"),
    "blank": (completion(" \n"), "answered, but the answer is empty"),
    "null": (completion(None), "answered, but the answer is empty"),
    "tools": (with_message(content=None, tool_calls=[{"id": "1"}]), "answered, but the answer is empty"),
    "dropped in the middle": (Answer(completion("a long story").body, cut=20), "the connection broke"),
    "dropped at once": (Answer(completion("a long story").body, cut=0), "the connection broke"),
}


@pytest.mark.parametrize("kind", WORTH_ANOTHER_TRY)
async def test_what_another_try_may_mend(kind: str) -> None:
    answer, words = WORTH_ANOTHER_TRY[kind]
    error = await failed(answer)
    assert isinstance(error, TransientError)
    assert words in str(error)
    assert "openai/small" in str(error)
    assert "http://127.0.0.1:" in str(error)
    assert error.after is None
    assert not error.nobody_there


LONG = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"
FINAL = {
    "wrong key": (refused(401, f"Incorrect API key provided: {KEY}."), "the key was refused; set OPENAI_API_KEY"),
    "wrong key without a word": (Answer(b"", status=401), "the key was refused; set OPENAI_API_KEY"),
    "why the key is wrong": (
        refused(401, "it ran out in May"),
        "set OPENAI_API_KEY to a key that it takes (it ran out",
    ),
    "a key that may not": (refused(403, f"Key {KEY} may not"), "the key was refused; set OPENAI_API_KEY"),
    "not authenticated": (refused(403, "x", type="authentication_error"), "the key was refused"),
    "no permission": (refused(403, "You have insufficient permissions"), "a key that it takes (You have insufficient"),
    "another country": (refused(403, "country not supported"), "answered 403: country not supported"),
    "another reason": (refused(403, "the monkey is out"), "answered 403: the monkey is out"),
    "out of range": (
        refused(400, "Expected a value between 0 and 2", param="temperature", code="decimal_above_max_value"),
        "answered 400: Expected a value between 0 and 2",
    ),
    "limit too large": (
        refused(400, "max_tokens is too large: 50. This model supports at most 5.", param="max_tokens"),
        "answered 400: max_tokens is too large",
    ),
    "no such model": (refused(404, "The model `small` does not exist"), "no such model or address there"),
    "page not found": (html(404), "check the name and --base-url"),
    "no money": (refused(402, "Insufficient credits"), "the quota is used up"),
    "quota": (refused(429, "You exceeded your current quota", type="insufficient_quota"), "the quota is used up"),
    "quota by code alone": (refused(429, "sorry", code="insufficient_quota"), "the quota is used up"),
    "prompt too long": (refused(400, LONG), "longer than the model's context window"),
    "prompt too long for llama.cpp": (
        refused(400, "the request exceeds the available context size", type="exceed_context_size_error"),
        "longer than the model's context window",
    ),
    "redirect": (Answer(b"", status=307, headers={"Location": "http://127.0.0.1:9/v1"}), "redirects"),
    "bad request": (refused(400, "temperature has to be 1"), "answered 400: temperature has to be 1"),
    "bad request without a word": (Answer(b"", status=400), "answered 400"),
}


@pytest.mark.parametrize("kind", FINAL)
async def test_what_no_other_try_mends(kind: str) -> None:
    answer, words = FINAL[kind]
    error = await failed(answer)
    assert not isinstance(error, TransientError | SchemaError)
    assert words in str(error)
    assert "openai/small" in str(error)


async def test_a_redirect_takes_the_key_nowhere() -> None:
    with Loopback(lambda _: completion("got it")) as elsewhere:
        target = {"Location": f"{elsewhere.base_url}/chat/completions"}
        await failed(Answer(b"", status=307, headers=target))
        assert elsewhere.count == 0


@pytest.mark.parametrize(
    "said",
    [
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model",
        "guided decoding is not available",
        "Failed to parse grammar",
    ],
)
async def test_a_server_without_schemas_says_so_for_good(said: str) -> None:
    error = await failed(refused(400, said), ask(schema=SCHEMA))
    assert isinstance(error, SchemaError)
    assert error.lasting


async def test_a_schema_that_the_servers_own_model_broke_is_broken_this_time() -> None:
    error = await failed(refused(500, "The model output does not match the expected grammar"), ask(schema=SCHEMA))
    assert isinstance(error, SchemaError)
    assert not error.lasting


async def test_a_prompt_that_is_filtered_is_a_reply_with_nothing_in_it() -> None:
    reply = await reply_to(refused(400, "The prompt triggered the content filter", code="content_filter"))
    assert (reply.text, reply.finish) == ("", "filter")


@pytest.mark.parametrize(
    ("answer", "text", "finish"),
    [
        (completion('{"a": "hal', finish="length"), '{"a": "hal', "length"),
        (completion("", finish="content_filter"), "", "filter"),
        (completion("x", finish="something new"), "x", "stop"),
        (with_message(content=None, refusal="I can't help with that."), "I can't help with that.", "refusal"),
        (
            with_message(content=[{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]),
            "in parts",
            "stop",
        ),
        (completion("<think>the mat? the bed?</think>\n\nOn the mat."), "On the mat.", "stop"),
    ],
)
async def test_how_a_reply_ended_is_told(answer: Answer, text: str, finish: str) -> None:
    reply = await reply_to(answer)
    assert (reply.text, reply.finish) == (text, finish)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a lone \ud83d surrogate", "a lone \ufffd surrogate"),
        ("a pair \ud83d\ude00", "a pair \U0001f600"),
        ("[" * 50_000, "[" * 50_000),
        ("x" * 2**20, "x" * 2**20),
        ("\x00\x1b[31m<|im_end|>", "\x00\x1b[31m<|im_end|>"),
    ],
    ids=["lone surrogate", "pair", "deep", "one megabyte", "control characters"],
)
async def test_any_text_is_a_reply_that_can_be_stored(text: str, read: str) -> None:
    reply = await reply_to(completion(text))
    assert reply.text == read
    assert reply.text.encode()


COUNTS = [
    {},
    {"prompt_tokens": None, "completion_tokens": 3},
    {"prompt_tokens": "many", "completion_tokens": 3},
    {"prompt_tokens": -5, "completion_tokens": 3},
    {"prompt_tokens": 10**30, "completion_tokens": 3},
    {"prompt_tokens": float("inf"), "completion_tokens": 3},
    {"prompt_tokens": float("nan"), "completion_tokens": 3},
    [11, 7],
]


@pytest.mark.parametrize("usage", COUNTS, ids=str)
async def test_a_count_that_is_none_is_estimated(usage: object) -> None:
    body = body_of(completion("On the mat, as ever."))
    body["usage"] = usage
    reply = await reply_to(Answer(json.dumps(body).encode()))
    assert reply.usage.estimated
    assert 0 < reply.usage.prompt_tokens < 100
    assert 0 < reply.usage.completion_tokens < 100


NO_LOGPROBS = [
    None,
    {},
    {"content": None},
    {"content": [{"token": "A", "top_logprobs": [{"token": "A", "logprob": "high"}]}]},
    {"content": [{"token": "A", "top_logprobs": [{"token": "A", "logprob": 10**400}]}]},
    {"content": [{"token": "Q", "top_logprobs": [{"token": "Q", "logprob": -0.1}]}]},
]


@pytest.mark.parametrize("logprobs", NO_LOGPROBS)
async def test_probabilities_that_are_none_are_none(logprobs: object) -> None:
    reply = await reply_to(completion("A", logprobs=logprobs), ask(choices=("A", "B")))
    assert (reply.text, reply.probabilities) == ("A", None)


async def test_probabilities_are_those_among_the_letters() -> None:
    likely = [{"token": "B", "logprob": -0.5}, {"token": " B", "logprob": -2.0}, {"token": "Q", "logprob": -1.0}]
    place = {"token": "B", "logprob": -0.5, "top_logprobs": [*likely, {"token": "A", "logprob": -3.0}]}
    reply = await reply_to(completion("B", logprobs={"content": [place]}), ask(choices=("A", "B", "C")))
    assert reply.probabilities is not None
    assert sum(reply.probabilities.values()) == pytest.approx(1.0)
    assert reply.probabilities["B"] > reply.probabilities["A"] > reply.probabilities["C"] == 0.0


async def test_how_long_to_wait_is_told_in_seconds_or_as_a_date() -> None:
    in_seconds = await failed(refused(429, headers={"Retry-After": "7.5"}))
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    as_date = await failed(refused(503, headers={"retry-after": date}))
    assert isinstance(in_seconds, TransientError) and isinstance(as_date, TransientError)
    assert in_seconds.after == 7.5
    assert as_date.after is not None
    assert 0 < as_date.after <= 100


@pytest.mark.parametrize(
    ("given", "after"),
    [
        ("soon", None),
        ("", None),
        ("nan", None),
        ("-3", 0.0),
        ("1e9", 600.0),
        ("inf", 600.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 21 Oct 2015 07:28:00", None),
        ("Wed, 99 Oct 2015 07:28:00 GMT", None),
        ("Wed, 21 Oct 99999999999999999999 07:28:00 GMT", None),
        ("Wed, 21 Oct 2015 07:28:00 +99999999999999999999", None),
    ],
)
async def test_a_strange_wait_holds_nobody_up(given: str, after: float | None) -> None:
    error = await failed(refused(429, headers={"Retry-After": given}))
    assert isinstance(error, TransientError)
    assert error.after == after


@pytest.mark.parametrize("behind", [-3600, 0, 3600])
async def test_a_date_is_compared_with_the_servers_own(behind: int) -> None:
    server = datetime.now(UTC) + timedelta(seconds=behind)
    date = format_datetime(server + timedelta(seconds=2), usegmt=True)
    headers = {"Retry-After": date, "Date": format_datetime(server, usegmt=True)}
    error = await failed(refused(503, headers=headers))
    assert isinstance(error, TransientError)
    assert error.after == 2.0


async def test_a_server_that_hangs_is_given_up() -> None:
    slow = Answer(completion("late").body, after=30.0)
    with Loopback(lambda _: slow) as server, pytest.raises(TransientError, match=r"no answer within 0\.1 s") as caught:
        await sent(server.base_url, seconds=0.1)
    assert KEY not in said_by(caught.value)


async def test_a_server_that_is_not_there_is_named() -> None:
    with Loopback(lambda _: completion("x")) as server:
        gone = server.base_url
    with pytest.raises(TransientError, match=r"can't be reached .* is the server running\?") as caught:
        await sent(gone)
    assert caught.value.nobody_there
    assert gone in str(caught.value)
    assert KEY not in said_by(caught.value)


@asynccontextmanager
async def speaking(words: bytes) -> AsyncIterator[str]:
    """A server that says just this to everybody."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65_536)
        writer.write(words)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000 + b"\r\n\r\n{}",
    ],
    ids=["nothing", "another protocol", "broken length", "broken encoding", "broken chunks", "endless header"],
)
async def test_a_server_that_speaks_no_http_shows_no_key(words: bytes) -> None:
    async with speaking(words) as base_url:
        with pytest.raises(TransientError, match="the connection broke") as caught:
            await sent(base_url)
    assert KEY not in said_by(caught.value)


async def test_a_server_that_speaks_no_tls_is_told_from_one_that_is_not_there() -> None:
    async with speaking(b"HTTP/1.1 400 Bad Request\r\n\r\n") as base_url:
        with pytest.raises(TransientError) as caught:
            await sent(base_url.replace("http:", "https:"))
    assert base_url.removeprefix("http") in str(caught.value)
    assert KEY not in said_by(caught.value)


def all_bytes(folder: Path) -> bytes:
    """Of all files of a folder."""
    return b"".join(file.read_bytes() for file in folder.iterdir())


async def test_nothing_of_the_layer_shows_the_key(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    spec = parse_spec("openai/small")
    secret = key_of(spec)
    with Loopback(lambda _: completion(f"x{KEY[:4]}")) as server:
        spec = parse_spec("openai/small", server.base_url)
        path = tmp_path / "journal.sqlite"
        async with Clients(ClientSettings(), Journal(path)) as clients, OpenAIChat(spec) as transport:
            model = await clients.open(spec)
            reply = await model.chat(ask())
            shown = [clients, model, transport, spec, secret, reply, vars(clients), vars(transport), vars(model)]
            assert all(KEY not in repr(one) for one in shown)
    assert isinstance(secret, Secret)
    assert secret.reveal() == KEY
    assert KEY not in str(secret)
    assert KEY.encode() not in all_bytes(tmp_path)
    assert KEY not in caplog.text


@pytest.mark.parametrize("key", ["sk-with\nline", "sk-\x1b[31m", "sk-ключ"])
async def test_a_key_that_can_be_none_is_refused_before_it_is_sent(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with Loopback(lambda _: completion("x")) as server, pytest.raises(ModelSpecError) as caught:
        await sent(server.base_url)
    assert "OPENAI_API_KEY holds characters that no key has" in str(caught.value)
    assert key not in said_by(caught.value)
    assert server.count == 0


async def test_without_a_key_openai_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ModelSpecError, match="openai/small needs a key: set the environment variable OPENAI_API_KEY"):
        OpenAIChat(parse_spec("openai/small"))
    assert (await reply_to(completion("a server of one's own wants none"))).finish == "stop"


def unless(refusal: Answer, *names: str) -> Callable[[Request], Answer]:
    """A server that refuses requests in which one of these parameters stands."""
    return lambda body: refusal if not body.keys().isdisjoint(names) else completion("A")


LIMIT = "Unsupported parameter: '{}' is not supported with this model. Use '{}' instead."
PARAMETERS = {
    "named": (refused(400, "no", param="temperature"), {"temperature"}),
    "in words": (
        refused(400, "Unsupported parameter: 'temperature' is not supported with this model"),
        {"temperature"},
    ),
    "this value": (refused(400, "Unsupported value: 'temperature' does not support 0.7"), {"temperature"}),
    "only one": (refused(400, "invalid temperature: only 1 is allowed for this model"), {"temperature"}),
    "one of two": (refused(400, "`temperature` and `top_p` cannot both be specified"), {"top_p"}),
    "seed": (
        Answer(b'{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}', 422),
        {"seed"},
    ),
    "logprobs": (refused(400, "'logprobs' is not supported with this model"), {"logprobs", "top_logprobs"}),
    "so many": (refused(400, "top_logprobs: at most 5"), {"logprobs", "top_logprobs"}),
    "forbidden": (
        refused(403, "You are not allowed to request logprobs from this model"),
        {"logprobs", "top_logprobs"},
    ),
}
LETTERS = ask(temperature=0.7, top_p=0.9, seed=3, choices=("A", "B"))


@pytest.mark.parametrize("kind", PARAMETERS)
async def test_a_parameter_that_is_refused_is_left_out_from_then_on(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    refusal, names = PARAMETERS[kind]
    with Loopback(unless(refusal, *names)) as server:
        async with OpenAIChat(parse_spec("openai/small", server.base_url)) as model:
            replies = [await model.chat(LETTERS) for _ in range(2)]
    first, again, later = (set(body) for body in server.requests)
    assert [reply.text for reply in replies] == ["A", "A"]
    assert again == later == first - names
    assert len(caplog.records) == 1
    assert "openai/small: the server refuses " in caplog.text
    assert "this model" not in caplog.text


@pytest.mark.parametrize(
    ("limit", "other"), [("max_tokens", "max_completion_tokens"), ("max_completion_tokens", "max_tokens")]
)
async def test_a_limit_goes_by_the_name_that_the_server_knows(
    limit: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loopback(unless(refused(400, LIMIT.format(limit, other), param=limit), limit)) as server:
        # only the address of OpenAI itself is spoken to in its own dialect
        own = Dialect.OPENAI if limit == "max_completion_tokens" else Dialect.COMPATIBLE
        monkeypatch.setitem(PROVIDERS, "openai", Provider(own, server.base_url, "OPENAI_API_KEY"))
        assert (await sent(server.base_url)).text == "A"
    assert [body.get(limit) for body in server.requests] == [50, None]
    assert [body.get(other) for body in server.requests] == [None, 50]


async def test_several_parameters_are_left_out_one_by_one() -> None:
    def answer(body: Request) -> Answer:
        name = next((name for name in ("max_tokens", "temperature", "top_p", "seed", "logprobs") if name in body), None)
        return completion("A") if name is None else refused(400, "not supported", param=name)

    with Loopback(answer) as server:
        reply = await sent(server.base_url, LETTERS)
    assert server.count == 6
    assert (reply.text, reply.probabilities) == ("A", None)
    assert set(server.requests[-1]) == {"model", "messages", "max_completion_tokens"}


@pytest.mark.parametrize("name", ["temperature", "logprobs", "max_tokens", "model"])
async def test_a_server_that_is_never_content_is_given_up(name: str) -> None:
    def answer(body: Request) -> Answer:
        names = ["max_tokens", "max_completion_tokens"] if name == "max_tokens" else [name]
        return refused(400, f"Unsupported: {' '.join(names)}", param=next((one for one in names if one in body), name))

    with Loopback(answer) as server, pytest.raises(ModelError, match="answered 400: Unsupported"):
        await sent(server.base_url, LETTERS)
    assert server.count == (1 if name == "model" else 2)


async def test_calls_under_way_together_learn_it_together(caplog: pytest.LogCaptureFixture) -> None:
    with Loopback(unless(refused(400, "no", param="temperature"), "temperature"), latency=0.05) as server:
        async with OpenAIChat(parse_spec("openai/small", server.base_url)) as model:
            replies = await asyncio.gather(*(model.chat(ask(slot=slot)) for slot in range(8)))
    assert [reply.text for reply in replies] == ["A"] * 8
    assert server.count == 16
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    "refusal", [refused(403, "Unsupported temperature"), refused(500, "seed not supported"), refused(404, "seed")]
)
async def test_what_is_not_said_of_a_parameter_costs_no_parameter(refusal: Answer) -> None:
    with Loopback(lambda _: refusal) as server, pytest.raises(ModelError):
        await sent(server.base_url, LETTERS)
    assert server.count == 1


class AnswersTwice:
    """A server that answers every third request a second time, a little later, on the same connection.

    Args:
        after: seconds.
    """

    def __init__(self, after: float) -> None:
        self._after = after
        self.count = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
                asked = json.loads(await reader.readexactly(length))["messages"][-1]["content"]
                self.count += 1
                body = completion(f"reply to {asked}").body
                whole = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
                writer.write(whole)
                if self.count % 3 == 0:
                    asyncio.get_running_loop().call_later(self._after, writer.write, whole)
        writer.close()


async def test_a_second_answer_is_never_taken_for_that_to_the_next_request() -> None:
    server = await asyncio.start_server(AnswersTwice(0.01), "127.0.0.1", 0)
    base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with server, OpenAIChat(parse_spec("openai/small", base_url), 5.0) as model:
        for number in range(30):
            reply = await model.chat(ask(f"request {number}"))
            assert reply.text == f"reply to request {number}"
            await asyncio.sleep(0.05)
