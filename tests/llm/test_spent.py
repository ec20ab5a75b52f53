"""The calls that a journal has of a model, by unit."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dtomtrack.errors import DatasetError
from dtomtrack.llm.chat import CallKey, ChatReply, ChatRequest, Message, Usage
from dtomtrack.llm.journal import Journal, key_of_request
from dtomtrack.llm.spec import parse_spec
from dtomtrack.llm.spent import Spent, spent_by_unit

_MODEL, _OTHER = parse_spec("vllm/one"), parse_spec("vllm/other")


async def _keep(path: Path) -> None:
    journal = Journal(path)
    for spec, unit, purpose in ((_MODEL, "a", "1"), (_MODEL, "a", "2"), (_MODEL, "b", "1"), (_OTHER, "a", "1")):
        request = ChatRequest(CallKey(unit, purpose), (Message("user", "well?"),), max_tokens=9)
        reply = ChatReply("yes", "stop", Usage(10, 2))
        await journal.store(key_of_request(spec, request), spec, request, reply, 0.0)
    await journal.close()


def test_calls_and_tokens_are_those_of_the_model(tmp_path: Path) -> None:
    asyncio.run(_keep(tmp_path / "journal.sqlite"))
    assert spent_by_unit(tmp_path / "journal.sqlite", _MODEL) == {
        "a": Spent(2, Usage(20, 4)),
        "b": Spent(1, Usage(10, 2)),
    }
    assert not spent_by_unit(tmp_path / "journal.sqlite", parse_spec("vllm/one", "http://localhost:1/v1"))


def test_where_there_is_no_journal_nothing_was_spent(tmp_path: Path) -> None:
    assert not spent_by_unit(tmp_path / "journal.sqlite", _MODEL)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_journal_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(DatasetError, match=r"journal\.sqlite: is damaged, or no journal"):
        spent_by_unit(path, _MODEL)
