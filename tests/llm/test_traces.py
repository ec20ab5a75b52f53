"""Calls have ids that follow from the run and from what they are for, wherever and whenever they are made."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest
from asking import KEY, ask, in_turn, refused
from loopback import Answer, Loopback, Request, completion

from dtomtrack.llm.chat import CallKey
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.journal import Journal
from dtomtrack.llm.journal_run import run_of_journal
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.llm.tracing import RunTrace, working_on

SETTINGS = ClientSettings(first_pause=0.001, hedge_after=0.1)
CALL = CallKey("slot 3 attempt 0", "turn 4")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """The log of calls."""
    caplog.set_level(logging.INFO, "dtomtrack.llm")
    return caplog


def ids_in(log: pytest.LogCaptureFixture, about: str) -> list[tuple[str, str]]:
    """The ids of the lines that say this."""
    return [(vars(one)["trace_id"], vars(one)["span_id"]) for one in log.records if about in one.getMessage()]


def test_ids_follow_from_the_run_and_the_call() -> None:
    run, other = RunTrace(), RunTrace()
    ids = run.ids_of_call(CALL)
    assert RunTrace(run.id).ids_of_call(CALL) == ids
    assert (len(ids.trace), len(ids.span), ids.parent) == (32, 16, None)
    assert run.ids_of_call(CALL.next_try()).trace == ids.trace
    assert run.ids_of_call(CALL.next_try()).span != ids.span
    assert other.ids_of_call(CALL).trace != ids.trace


def test_calls_for_a_piece_of_work_are_in_its_trace() -> None:
    run = RunTrace()
    piece = run.ids_of_piece("slot 3")
    with working_on(piece):
        inside = run.ids_of_call(CALL)
    assert (inside.trace, inside.parent) == (piece.trace, piece.span)
    assert inside.span == run.ids_of_call(CALL).span


async def test_a_run_keeps_its_name_in_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    await Journal(path).close()
    first, second = run_of_journal(path), run_of_journal(path)
    assert first.id == second.id
    assert first.session != second.session
    # what was there before it was named can still be read
    journal = Journal(path)
    assert journal.before.calls == 0
    await journal.close()


async def test_a_retry_has_the_ids_of_its_call(log: pytest.LogCaptureFixture) -> None:
    with Loopback(in_turn(refused(503), completion("good"))) as server:
        async with Clients(SETTINGS) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            await model.chat(ask())
    assert ids_in(log, "asked again") == ids_in(log, " tokens, ")


async def test_a_call_that_is_made_a_second_time_has_its_own_ids(log: pytest.LogCaptureFixture) -> None:
    """The alarm that has it made is one for all calls, and was set by another."""
    good, hangs = completion("good"), replace(completion("good"), after=600.0)

    def answer(_: Request) -> Answer:
        return hangs if server.count == 12 else good

    with Loopback(answer) as server:
        async with Clients(SETTINGS) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            for slot in range(13):
                await model.chat(ask(slot=slot))
    assert ids_in(log, "takes long") == ids_in(log, "slot 11 turn 0 try 0: openai/small stop")
    hung = next(one for one in log.records if "slot 11 turn 0 try 0: openai/small stop" in one.getMessage())
    assert float(hung.getMessage().split()[-2]) > 0.05
