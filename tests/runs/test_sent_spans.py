"""Spans of runs, slots and calls are sent to a collector of OpenTelemetry's, from worker processes, too."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from asking import KEY, ask, refused
from collector import Collected, Collector
from commands import PYTHON, ended, script
from log_lines import lines_of
from loopback import Loopback, completion
from model_folder import command, dialogues, journaled
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from performer import perform

from dtomtrack.errors import ModelError
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.span_export import sending_spans, telling_spans
from dtomtrack.llm.spec import parse_spec

N = 4
CLIENT = 3
WORDS = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)


async def spans_of(server: Loopback, call: str = "turn 0") -> InMemorySpanExporter:
    """The spans of a call."""
    found = InMemorySpanExporter()
    with telling_spans(SimpleSpanProcessor(found)):
        async with Clients(ClientSettings(tries=2, first_pause=0.001)) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            await model.chat(ask("Where is the cat?", name=call, seed=7, temperature=0.5))
    return found


async def test_a_call_is_told_in_the_words_of_the_conventions() -> None:
    with Loopback(lambda _: completion("Here.")) as server:
        [span] = (await spans_of(server)).get_finished_spans()
        port = server.port
    told = dict(span.attributes or {})
    assert span.name == "chat small"
    assert told.pop("dtomtrack.call.server_seconds") != 0
    assert len(str(told.pop("dtomtrack.run.id"))) == 32
    assert told == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "small",
        "gen_ai.request.max_tokens": 50,
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.top_p": 1.0,
        "gen_ai.request.seed": 7,
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 11,
        "gen_ai.usage.output_tokens": 7,
        "server.address": "127.0.0.1",
        "server.port": port,
        "dtomtrack.call.unit": "slot 0",
        "dtomtrack.call.purpose": "turn 0",
        "dtomtrack.call.try": 0,
    }


async def test_what_is_said_is_told_only_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WORDS, "SPAN_ONLY")
    with Loopback(lambda _: completion("Here.")) as server:
        [span] = (await spans_of(server)).get_finished_spans()
    told = dict(span.attributes or {})
    asked, said = (json.loads(str(told[f"gen_ai.{name}.messages"])) for name in ("input", "output"))
    assert asked == [{"role": "user", "parts": [{"type": "text", "content": "Where is the cat?"}]}]
    assert said == [{"role": "assistant", "parts": [{"type": "text", "content": "Here."}], "finish_reason": "stop"}]


async def test_a_call_that_fails_is_told_as_failed() -> None:
    found = InMemorySpanExporter()
    with Loopback(lambda _: refused(401)) as server, telling_spans(SimpleSpanProcessor(found)):
        async with Clients(ClientSettings(tries=1)) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            with pytest.raises(ModelError) as caught:
                await model.chat(ask())
    [span] = found.get_finished_spans()
    assert not span.status.is_ok
    assert dict(span.attributes or {})["error.type"] == type(caught.value).__name__


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_run_is_told_with_its_slots_and_calls(tmp_path: Path, workers: str) -> None:
    out, log = tmp_path / "out", tmp_path / "log"
    with Loopback(perform) as server, Collector() as collector:
        more = ["--quiet", "--workers", workers, "--trace", collector.url, "--log", str(log)]
        run = ended(command(server, out, *more, n=N))
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert set(collector.paths) == {"/v1/traces"}
    assert collector.resource["service.name"] == "dtomtrack"
    slots, calls = collector.named("slot"), collector.named("chat x")
    [whole] = collector.named("run")
    assert whole.attributes["dtomtrack.suite"] == "dtom"
    assert sorted(str(one.attributes["dtomtrack.slot"]) for one in slots) == [str(slot) for slot in range(N)]
    assert len({one.trace for one in slots}) == N
    assert all(one.links == (whole.trace,) and not one.parent for one in slots)
    # each call is a part of its slot, and is known by the same ids in the log
    parts = {(one.trace, one.span) for one in slots}
    assert all((one.trace, one.parent) in parts and one.kind == CLIENT for one in calls)
    assert {(one.trace, one.span) for one in calls} == {(one.trace, one.span) for one in lines_of(log)}
    assert len(calls) == len(journaled(out)) == server.count
    assert_no_words(collector.spans, out)


def assert_no_words(spans: list[Collected], out: Path) -> None:
    """Nothing of what was said is in them."""
    told = json.dumps([dict(span.attributes) for span in spans])
    for dialogue in dialogues(out):
        assert not any(turn.utterance in told for turn in dialogue.turns)
    assert KEY not in told


def test_the_environment_says_where_and_how(tmp_path: Path) -> None:
    with Loopback(perform) as server, Collector() as collector:
        own = {"OTEL_SERVICE_NAME": "benchmarks", "OTEL_TRACES_SAMPLER": "traceidratio"}
        environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **own}
        off = {**environment, "OTEL_SDK_DISABLED": "true"}
        assert ended(command(server, tmp_path / "off", "--quiet", n=1), env=off).returncode == 0
        assert not collector.spans
        half = {**environment, "OTEL_TRACES_SAMPLER_ARG": "0.5"}
        assert ended(command(server, tmp_path / "on", "--quiet", n=12), env=half).returncode == 0
    assert collector.resource["service.name"] == "benchmarks"
    sampled = {one.trace for one in collector.named("slot")}
    assert 0 < len(sampled) < 12
    # all of a trace or nothing
    assert {one.trace for one in collector.named("chat x")} == sampled


@pytest.mark.parametrize(
    ("exporters", "sent"),
    [("otlp", True), ("console,otlp", True), ("otlp, console", True), ("", True), ("none", False), ("console", False)],
)
async def test_spans_are_sent_where_otlp_is_among_the_exporters(
    monkeypatch: pytest.MonkeyPatch, exporters: str, sent: bool
) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", exporters)
    with Loopback(lambda _: completion("Here.")) as server, Collector() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        with sending_spans(None):
            async with Clients(ClientSettings(tries=1)) as clients:
                await (await clients.open(parse_spec("openai/small", server.base_url))).chat(ask("Where is the cat?"))
        assert bool(collector.spans) == sent


def test_a_collector_that_takes_nothing_is_told_once(tmp_path: Path) -> None:
    with Loopback(perform) as server, Collector(status=400) as collector:
        run = ended(command(server, tmp_path / "out", "--quiet", "--trace", collector.url, n=2))
        told = f"dtomtrack: {collector.url}/v1/traces: spans can't be sent ("
    assert run.returncode == 0
    assert run.stderr.startswith(told)
    assert run.stderr.endswith("; the run goes on without them\n")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("url", ["localhost:4318", "http://me:secret@localhost:4318", "http://[::1", "http://x:99999"])
def test_what_is_no_address_is_refused(tmp_path: Path, url: str) -> None:
    """And one with a password is shown nowhere."""
    with Loopback(perform) as server:
        run = ended(command(server, tmp_path / "out", "--trace", url, n=1))
    assert run.returncode == 2
    assert run.stderr.startswith("dtomtrack: --trace has to be the address of an OpenTelemetry collector")
    assert run.stderr.count("\n") == 1 and "secret" not in run.stderr
    assert not (tmp_path / "out").exists()


WITHOUT_OPENTELEMETRY = """
import sys
from dtomtrack.cli.main import main
for name in [name for name in sys.modules if name.startswith("opentelemetry.")]:
    del sys.modules[name]
sys.modules["opentelemetry"] = None
main()
"""


def test_without_the_extra_a_sentence_names_it(tmp_path: Path) -> None:
    """And where only the environment speaks of collectors, nothing is said."""
    (tmp_path / "opentelemetry.py").write_text("raise ImportError", encoding="utf-8")
    arguments = ["generate", "--n", "1", "--quiet", "--out", str(tmp_path / "out")]
    (tmp_path / "without.py").write_text(WITHOUT_OPENTELEMETRY, encoding="utf-8")
    run = script(tmp_path / "without.py", tmp_path, *arguments, "--trace", "http://localhost:4318")
    assert (run.returncode, run.stdout) == (2, "")
    assert "--trace needs an extra: pip install 'dtomtrack[telemetry]'" in run.stderr
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}
    silent = subprocess.run([*PYTHON, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert (silent.returncode, silent.stderr) == (0, "")
