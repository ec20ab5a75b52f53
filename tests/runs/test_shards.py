"""Replies of workers on other machines: kept there, sent to the run, found again after a kill."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import closing
from multiprocessing.util import get_temp_dir
from pathlib import Path

import pytest
from commands import ended
from journal_writer import SPEC, STORED, request_of
from loopback import Loopback
from model_folder import command, journaled, seeds
from performer import perform

from dtomtrack.api import Options, make_job
from dtomtrack.errors import DatasetError, WorkerError, WriteError
from dtomtrack.llm.budget import NOTHING, Spending, reservation_for
from dtomtrack.llm.chat import CallKey
from dtomtrack.llm.journal import JOURNAL, journal_totals, key_of_request
from dtomtrack.llm.journal_rows import Row
from dtomtrack.runs.crew import Crew
from dtomtrack.runs.merging import Merging
from dtomtrack.runs.messages import Assignment, End, Filled, Found, Lost, Released, ShardName, Sought, Stored
from dtomtrack.runs.ray_worker import RayWorker
from dtomtrack.runs.shard import Shard, remove_shard, rows_of_shard
from dtomtrack.runs.shards import SHARDS, Shards
from dtomtrack.runs.workplace import Workplace

NAME = ShardName("0123456789abcdef01234567", "0-01234567")


@pytest.fixture(autouse=True)
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A disk of a machine of one's own."""
    # that of the servers in other processes is kept till the end of all tests: not on this disk
    get_temp_dir()
    folder = made(tmp_path / "disk")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


class Line:
    """The line to a run that is written down."""

    def __init__(self) -> None:
        self.sent: list[object] = []

    def send(self, message: object) -> bool:
        """A message to the run."""
        self.sent.append(message)
        return True

    def listen(self, hear: object) -> None:
        """Nobody says anything."""


async def stored(line: Line, replies: int = 3) -> None:
    """A shard that was closed, with some replies."""
    shard = Shard(NAME, line, seeking=False)
    requests = [request_of(slot) for slot in range(replies)]
    await asyncio.gather(*(shard.store(key_of_request(SPEC, one), SPEC, one, STORED, 0.5) for one in requests))
    await shard.end()


def left_in(folder: Path) -> list[Path]:
    """Shards, and lists of them."""
    return [*folder.rglob("*-*.sqlite*"), *folder.rglob(SHARDS)]


def file_of(disk: Path) -> Path:
    """The file of the shard."""
    return next(disk.rglob("*.sqlite"))


def spoil(path: Path) -> None:
    """Lose a page in the middle."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)


async def test_what_a_shard_stores_it_sends_and_holds(disk: Path) -> None:
    line = Line()
    await stored(line)
    sent = [row for message in line.sent if isinstance(message, Stored) for row in message.rows]
    assert sorted(sent) == rows_of_shard(NAME)
    remove_shard(NAME)
    assert rows_of_shard(NAME) is None
    assert not left_in(disk)


async def test_a_shard_asks_the_run_for_replies_if_it_may_hold_any() -> None:
    line = Line()
    await stored(line, 1)
    row = (rows_of_shard(NAME) or [()])[0]
    shard = Shard(ShardName(NAME.run, "1-01234567"), line, seeking=True)
    looking = [asyncio.create_task(shard.find(key)) for key in (row[0], b"other")]
    await asyncio.sleep(0)
    for message, answer in zip([one for one in line.sent if isinstance(one, Sought)], (row, None), strict=True):
        shard.hear(Found(message.number, answer))
    assert [await one for one in looking] == [STORED, None]
    await shard.end()


async def test_a_shard_whose_worker_goes_on_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtomtrack.runs.shard._PATIENCE", 0.05)
    shard = Shard(NAME, Line(), seeking=False)
    with pytest.raises(DatasetError, match="its worker still goes on"):
        rows_of_shard(NAME)
    await shard.end()
    assert rows_of_shard(NAME) == []


async def test_a_torn_shard_is_told_and_what_can_be_read_of_it_is_taken(disk: Path) -> None:
    await stored(Line(), 300)
    spoil(file_of(disk))
    with pytest.raises(DatasetError, match=r"0-01234567\.sqlite: is damaged .*; --fresh-journal goes on"):
        rows_of_shard(NAME)
    assert 0 < len(rows_of_shard(NAME, fresh=True) or ()) < 300
    assert any(path.suffix == ".damaged-1" for path in left_in(disk))


async def test_a_large_shard_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    await stored(Line(), 10)
    whole = rows_of_shard(NAME) or []
    monkeypatch.setattr("dtomtrack.runs.shard._PIECE", sum(len(one) for one in whole[0] if isinstance(one, str)) * 2)
    found: list[Row] = []
    while piece := rows_of_shard(NAME, after=found[-1][0] if found else b""):
        assert len(piece) < 5
        found += piece
    assert found == whole
    assert len(whole) == 10


async def test_a_shard_of_another_run_is_told(disk: Path) -> None:
    await stored(Line())
    with closing(sqlite3.connect(file_of(disk))) as shard, shard:
        shard.execute("update shard set run = 'other'")
    with pytest.raises(DatasetError, match="is a shard of another run; move it away"):
        rows_of_shard(NAME)


async def test_a_reply_whose_call_is_cancelled_while_it_is_stored_is_sent(disk: Path) -> None:
    line = Line()
    shard = Shard(NAME, line, seeking=False)
    requests = [request_of(slot) for slot in range(8)]
    calls = [asyncio.create_task(shard.store(key_of_request(SPEC, one), SPEC, one, STORED, 0.5)) for one in requests]
    await asyncio.sleep(0)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    await shard.end()
    sent = [row for message in line.sent if isinstance(message, Stored) for row in message.rows]
    assert sorted(sent) == sorted(rows_of_shard(NAME) or ())
    assert len(sent) == 8


def test_open_shards_are_written_down_until_they_are_merged(tmp_path: Path) -> None:
    shards = Shards(tmp_path)
    name = shards.new_name(0)
    shards.opened(name, "here")
    again = Shards(tmp_path)
    assert (again.run, again.machines) == (shards.run, {name.name: "here"})
    again.merged(name)
    assert not (tmp_path / SHARDS).exists()


@pytest.mark.parametrize("text", ["{", '{"run": "../../x", "machines": {}}', '{"run": "1", "machines": {"../x": ""}}'])
def test_a_list_of_shards_that_was_edited_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / SHARDS).write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=r"shards\.json: .*; put the file back, or delete it"):
        Shards(tmp_path)


def test_other_engines_leave_a_run_alone_whose_replies_are_at_a_cluster(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        out = tmp_path / "out"
        assert ended(command(server, out, "--quiet", n=1)).returncode == 0
        seen = server.count
        Shards(out).opened(NAME, "far-away")
        told = ended(command(server, out, "--quiet", n=2))
        assert (told.returncode, server.count) == (2, seen)
        assert "still at the nodes of a Ray cluster; go on with --engine ray" in told.stderr


def made(folder: Path) -> Path:
    """A folder, made if it is not there."""
    folder.mkdir(exist_ok=True)
    return folder


# -- workers with shards, without a cluster ----------------------------------------------------------------------------


class Mortal:
    """A worker as on a cluster, but in this process."""

    def __init__(self, staff: Mortals, worker: RayWorker, hear: Callable[[object], None]) -> None:
        self._staff = staff
        self._worker = worker
        self._hear = hear
        self._listening = asyncio.create_task(self._listen())
        self._talks: set[asyncio.Task[None]] = set()

    def send(self, message: object) -> bool:
        """A message to the worker."""
        self._do(self._worker.hear(message))
        if isinstance(message, self._staff.last):
            self._listening.cancel()
            self._do(self._die())
        return True

    async def end(self, *, merged: bool) -> None:
        """Its end."""
        self._listening.cancel()
        if merged:
            await self._worker.forget()

    async def _listen(self) -> None:
        while True:
            for message in await self._worker.say():
                if self._staff.is_fatal(message):
                    # this message is lost with it, and all that came after
                    await self._die()
                    return
                self._hear(message)
                if isinstance(message, self._staff.last):
                    await self._die()
                    return

    async def _die(self) -> None:
        await self._worker.hear(End())
        self._hear(Lost("its power went"))

    def _do(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._talks.add(task)
        task.add_done_callback(self._talks.discard)


async def pieces(*rows: Sequence[Row]) -> AsyncIterator[Sequence[Row]]:
    """Rows as they come from a machine."""
    for one in rows:
        yield one


class Mortals:
    """Staff whose workers die with the messages that have these replies, counted from one over all workers.

    Args:
        last: workers die when they have sent, or heard, a message of this kind.

    Attributes:
        found: how many requests there were when a shard was found, and the seeds of those whose replies are in it.
    """

    spare = 1
    replaces = True

    def __init__(self, server: Loopback, *fatal: int, last: type | tuple[()] = ()) -> None:
        self.found: list[tuple[int, set[int]]] = []
        self.started = 0
        self.last = last
        self._server = server
        self._heard = 0
        self._fatal = set(fatal)

    def is_fatal(self, message: object) -> bool:
        """Whether a worker dies with this message."""
        before = self._heard
        self._heard += len(message.rows) if isinstance(message, Stored) else 0
        return not self._fatal.isdisjoint(range(before + 1, self._heard + 1))

    def start(self, assignment: Assignment, hear: Callable[[object], None]) -> Mortal:
        """Start one."""
        self.started += 1
        return Mortal(self, RayWorker(assignment), hear)

    async def recover(self, shard: ShardName) -> AsyncIterator[Sequence[Row]] | None:
        """What it left behind, once it is over, in two pieces."""
        rows = await asyncio.to_thread(rows_of_shard, shard) or []
        self.found.append((self._server.count, {CallKey(*row[1:4]).seed(0) for row in rows}))
        return pieces(rows[:3], rows[3:])

    async def discard(self, shard: ShardName) -> None:
        """Remove it."""
        remove_shard(shard)


async def fill(server: Loopback, out: Path, staff: Mortals, n: int, most: int = 10**9) -> tuple[list[bytes], Workplace]:
    """The dialogues of a run whose two workers have shards, and its place."""
    made(out)
    models: Options = {"actor_model": "openai/x", "base_url": server.base_url, "concurrency": 4}
    models["max_tokens_total"] = most
    job = make_job("restaurant", n=n, **models)
    assert job.client is not None
    totals = journal_totals(out / JOURNAL)
    place = Workplace(out / JOURNAL, totals, reservation_for(job.client.budget, totals))
    merging = Merging(place)
    try:
        lines = [one async for one in Crew(job, range(n), place, 2, staff, merging).lines()]
    finally:
        await merging.close()
    return [one.data["dialogues.jsonl"] for one in lines], place


async def test_workers_that_die_change_no_byte_and_nothing_is_paid_for_twice(tmp_path: Path, disk: Path) -> None:
    with Loopback(perform, latency=0.01) as server:
        whole, place = await fill(server, tmp_path / "whole", Mortals(server), 6)
        once = server.count
        staff = Mortals(server, 15, 35)
        torn, torn_place = await fill(server, tmp_path / "torn", staff, 6)
        asked = [request["seed"] for request in server.requests]
    assert staff.started == 4
    assert torn == whole
    assert len(staff.found) == 2
    assert all(held and not held & set(asked[seen:]) for seen, held in staff.found)
    # two calls of each worker were under way, at most
    assert once <= len(asked) - once <= once + 4
    assert seeds(journaled(tmp_path / "torn")) == set(asked)
    assert (torn_place.totals.calls, torn_place.totals.tokens) == (place.totals.calls, place.totals.tokens)
    assert not left_in(disk) + left_in(tmp_path / "torn")


async def test_a_second_session_asks_for_nothing_that_the_first_stored(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        first, _ = await fill(server, tmp_path / "out", Mortals(server), 4)
        seen = server.count
        second, place = await fill(server, tmp_path / "out", Mortals(server), 4)
    assert second == first
    assert server.count == seen
    assert place.totals.replayed == place.totals.calls == seen


async def test_what_dead_workers_held_of_the_budget_is_given_back(tmp_path: Path) -> None:
    with Loopback(perform, latency=0.01) as server:
        # all calls take 18 tokens, and may take 900
        whole, _ = await fill(server, tmp_path / "out", Mortals(server, 15, 35), 6, most=10_000)
    assert len(whole) == 6


@pytest.mark.parametrize("last", [Filled, End])
async def test_what_workers_that_die_last_had_stored_does_not_stay_open(tmp_path: Path, disk: Path, last: type) -> None:
    with Loopback(perform) as server:
        await fill(server, tmp_path / "out", Mortals(server, last=last), 1)
        assert len(journaled(tmp_path / "out")) == server.count > 0
    assert not left_in(disk) + left_in(tmp_path / "out")


async def test_workers_that_die_again_and_again_end_the_run(tmp_path: Path) -> None:
    with (
        Loopback(perform, latency=0.01) as server,
        pytest.raises(WorkerError, match="workers die again and again; the last one: its power went"),
    ):
        await fill(server, tmp_path / "out", Mortals(server, *range(1, 300)), 6)


class Unreachable(Mortals):
    """Staff of a cluster that is gone."""

    async def recover(self, shard: ShardName) -> AsyncIterator[Sequence[Row]] | None:
        """Nobody answers, in words that nobody foresaw."""
        raise RuntimeError("the cluster is gone")


async def test_a_recovery_that_fails_ends_the_run(tmp_path: Path) -> None:
    with Loopback(perform, latency=0.01) as server, pytest.raises(RuntimeError, match="the cluster is gone"):
        async with asyncio.timeout(60):
            await fill(server, tmp_path / "out", Unreachable(server, 15), 6)


async def test_replies_that_the_run_had_no_room_for_stay_where_they_are(tmp_path: Path, disk: Path) -> None:
    out = made(tmp_path / "out")
    journal_totals(out / JOURNAL)
    with closing(sqlite3.connect(out / JOURNAL, isolation_level=None)) as journal:
        journal.execute(
            "create trigger full before insert on replies when (select count(*) from replies) >= 10 "
            "begin select raise(abort, 'database or disk is full'); end"
        )
    with Loopback(perform, latency=0.01) as server:
        with pytest.raises(WriteError, match="disk is full"):
            await fill(server, out, Mortals(server), 6)
        shards = Shards(out)
        rows = [row for name in shards.machines for row in rows_of_shard(ShardName(shards.run, name)) or []]
    held, merged = {CallKey(*row[1:4]).seed(0) for row in rows}, seeds(journaled(out))
    assert held - merged
    # those that were under way
    assert len({request["seed"] for request in server.requests} - held - merged) <= 4


class Watched(Mortals):
    """Staff that notes whether the list of shards names one that is about to be removed."""

    def __init__(self, server: Loopback, out: Path) -> None:
        super().__init__(server)
        self.named: list[bool] = []
        self._out = out

    def start(self, assignment: Assignment, hear: Callable[[object], None]) -> Mortal:
        """Start one that is watched."""
        mortal = super().start(assignment, hear)
        end, shard = mortal.end, assignment.shard

        async def watched(*, merged: bool) -> None:
            if merged and shard is not None:
                self.named.append(shard.name in Shards(self._out).machines)
            await end(merged=merged)

        mortal.end = watched  # type: ignore[method-assign]
        return mortal


async def test_no_shard_is_listed_that_is_gone(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        staff = Watched(server, tmp_path / "out")
        await fill(server, tmp_path / "out", staff, 2)
    assert staff.named == [False, False]


class Confused(Mortals):
    """Staff one of whose workers gives back what it never held."""

    def start(self, assignment: Assignment, hear: Callable[[object], None]) -> Mortal:
        """Start one that says so a little later."""
        asyncio.get_running_loop().call_later(0.05, hear, Released(Spending(1, 0.0), NOTHING))
        return super().start(assignment, hear)


async def test_a_message_that_makes_no_sense_ends_the_run(tmp_path: Path) -> None:
    with Loopback(perform, latency=0.05) as server, pytest.raises(ValueError, match="not in list"):
        async with asyncio.timeout(60):
            await fill(server, tmp_path / "out", Confused(server), 6)
