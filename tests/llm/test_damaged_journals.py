"""Damaged journals: one sentence, never other data in silence, and a way on with what can be read."""

from __future__ import annotations

import asyncio
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from asking import ask
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.journal import Journal, journal_totals
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec

CALLS = 60


def echo(request: Request) -> Answer:
    return completion(f"{request['messages'][-1]['content']} {'and so on ' * 40}")


SERVERS: list[Loopback] = []


@pytest.fixture(scope="module", autouse=True)
def _server() -> Iterator[None]:
    with Loopback(echo) as server:
        SERVERS.append(server)
        yield


async def replies(path: Path, *, fresh: bool = False) -> tuple[list[ChatReply], int]:
    """The replies to so many calls, and how many were made."""
    server = SERVERS[-1]
    before = server.count
    async with Clients(ClientSettings(first_pause=0.001), Journal(path, fresh=fresh)) as clients:
        model = await clients.open(parse_spec("vllm/small", server.base_url))
        found = await asyncio.gather(*(model.chat(ask(f"call {slot}", slot=slot)) for slot in range(CALLS)))
    return list(found), server.count - before


@pytest.fixture
async def journal(tmp_path: Path) -> tuple[Path, list[ChatReply]]:
    path = tmp_path / "journal.sqlite"
    made, count = await replies(path)
    assert count == CALLS
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("pragma wal_checkpoint(truncate)")
    return path, made


def executed(*commands: str) -> Callable[[Path], None]:
    def execute(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as journal:
            for command in commands:
                journal.execute(command)

    return execute


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no text": executed("update replies set text = null"),
    "another text": executed("update replies set text = text || 'x'"),
    "garbage as probabilities": executed("update replies set probabilities = '{{{'"),
    "no tokens": executed("update replies set prompt_tokens = null"),
    "words for tokens": executed("update replies set prompt_tokens = 'many'"),
    "another finish": executed("update replies set finish = 'why'"),
    "bytes as text": executed("update replies set text = x'ff00ff'"),
    "other columns": executed("drop table replies", "create table replies (key blob primary key, words text)"),
    "fewer columns": executed("alter table replies drop column cost"),
    "no table": executed("drop table replies", "create view replies as select 1 as key"),
    "no database": lambda path: path.write_bytes(b"precious words " * 1000),
    "cut": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
}


@pytest.mark.parametrize("kind", DAMAGE)
async def test_damage_is_one_sentence_and_there_is_a_way_on(journal: tuple[Path, list[ChatReply]], kind: str) -> None:
    path, made = journal
    DAMAGE[kind](path)
    damaged = path.read_bytes()
    with pytest.raises(DatasetError, match="--fresh-journal goes on with what of it can be read") as caught:
        await replies(path)
    assert "\n" not in str(caught.value)
    again, _ = await replies(path, fresh=True)
    assert again == made
    kept = path.with_name("journal.sqlite.damaged-1")
    assert len(kept.read_bytes()) >= len(damaged) // 2
    assert (await replies(path))[1] == 0


async def test_changed_bytes_never_give_other_replies(journal: tuple[Path, list[ChatReply]]) -> None:
    path, made = journal
    sound, rng = path.read_bytes(), Random(3)
    told = 0
    for _ in range(40):
        broken = bytearray(sound)
        for _ in range(20):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        path.write_bytes(broken)
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        try:
            again, _ = await replies(path)
        except DatasetError:
            told += 1
        else:
            assert again == made
    assert told > 10


async def test_a_whole_journal_is_not_put_aside(journal: tuple[Path, list[ChatReply]]) -> None:
    path, made = journal
    assert await replies(path, fresh=True) == (made, 0)
    assert [one.name for one in path.parent.iterdir()] == [path.name]


PAID_FOR = """
import asyncio, os, sys
from pathlib import Path
from dtomtrack.llm.chat import CallKey, ChatReply, ChatRequest, Message, Usage
from dtomtrack.llm.journal import Journal, key_of_request
from dtomtrack.llm.spec import ModelSpec

async def main():
    journal, spec = Journal(Path(sys.argv[1])), ModelSpec("own", "x")
    for number in range(20):
        request = ChatRequest(CallKey(f"slot {number}", "p"), (Message("user", "q"),), 5)
        reply = ChatReply("paid", "stop", Usage(1, 1))
        await journal.store(key_of_request(spec, request), spec, request, reply, 0.1)
    os._exit(9)

asyncio.run(main())
"""
KILLED = """
import os, sys
from pathlib import Path
from dtomtrack.llm.journal import journal_totals

left = int(sys.argv[2])

def dies(name):
    inner = getattr(Path, name)
    def step(*arguments, **more):
        global left
        done = inner(*arguments, **more)
        left -= 1
        if left == 0:
            os._exit(9)
        return done
    setattr(Path, name, step)

for name in ("rename", "replace", "unlink", "hardlink_to"):
    dies(name)
journal_totals(Path(sys.argv[1]), fresh=True)
"""


@pytest.mark.parametrize("step", range(1, 9))
def test_a_kill_at_any_step_of_making_it_anew_loses_no_reply(tmp_path: Path, step: int) -> None:
    """Replies that stand in the log alone, too."""
    path = tmp_path / "journal.sqlite"
    subprocess.run([sys.executable, "-c", PAID_FOR, path], check=False)
    assert path.with_name("journal.sqlite-wal").stat().st_size
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute("pragma wal_autocheckpoint = 0")
        opened.execute("update replies set text = 'x' where unit = 'slot 3'")
        copies = [Path(shutil.copy(one, one.with_name(f"{one.name}.kept"))) for one in tmp_path.glob("journal.sqlite*")]
    for one in copies:
        one.rename(one.with_suffix(""))
    subprocess.run([sys.executable, "-c", KILLED, path, str(step)], check=False)
    assert journal_totals(path, fresh=True).calls == 19


async def test_a_journal_without_checksums_is_made_anew_with_its_replies(journal: tuple[Path, list[ChatReply]]) -> None:
    path, made = journal
    executed("alter table replies drop column checksum", "pragma user_version = 2")(path)
    executed("update replies set text = null where unit = 'slot 3'")(path)
    assert await replies(path, fresh=True) == (made, 1)


async def test_what_can_be_read_is_not_paid_for_again(journal: tuple[Path, list[ChatReply]]) -> None:
    path, made = journal
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute("update replies set text = 'x' where unit in ('slot 3', 'slot 4')")
    again, count = await replies(path, fresh=True)
    assert (again, count) == (made, 2)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file can be longer meanwhile, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_what_cannot_be_made_anew_stays_as_it_was(journal: tuple[Path, list[ChatReply]]) -> None:
    path, made = journal
    executed("update replies set text = 'x' where unit = 'slot 3'")(path)
    damaged = path.read_bytes()
    with room_for(len(damaged) // 2), pytest.raises(WriteError, match="it is as it was"):
        Journal(path, fresh=True)
    assert path.read_bytes() == damaged
    assert {one.name for one in path.parent.iterdir()} == {path.name}
    assert await replies(path, fresh=True) == (made, 1)


async def test_journals_without_checksums_are_gone_on_with(journal: tuple[Path, list[ChatReply]]) -> None:
    path, made = journal
    executed("alter table replies drop column checksum", "pragma user_version = 2")(path)
    again, count = await replies(path)
    assert (again, count) == (made, 0)
    assert journal_totals(path).calls == CALLS


async def test_a_journal_whose_checksums_were_just_added_is_gone_on_with(journal: tuple[Path, list[ChatReply]]) -> None:
    """A kill came before the version was written."""
    path, made = journal
    executed("pragma user_version = 2")(path)
    assert await replies(path) == (made, 0)


class Odd:
    """A model of one's own: some of its replies no file can hold, and it counts tokens in floats."""

    name = "odd"

    async def chat(self, request: ChatRequest) -> ChatReply:
        tokens: Any = 2**70 if request.call.unit == "slot 5" else 1.0
        return ChatReply("half a pair: \ud83d" if request.call.unit == "slot 3" else "fine", "stop", Usage(tokens, 1))


async def test_replies_that_no_file_can_hold_keep_others_from_nothing(tmp_path: Path) -> None:
    async def asked(path: Path) -> list[object]:
        async with Clients(ClientSettings(), Journal(path)) as clients:
            model = await clients.open(Odd())
            calls = (model.chat(ask(f"call {slot}", slot=slot)) for slot in range(16))
            return list(await asyncio.gather(*calls, return_exceptions=True))

    first = await asked(tmp_path / "journal.sqlite")
    assert [slot for slot, one in enumerate(first) if isinstance(one, WriteError)] == [5]
    assert journal_totals(tmp_path / "journal.sqlite").calls == 15
    again = await asked(tmp_path / "journal.sqlite")
    assert again[:5] + again[6:] == first[:5] + first[6:]
