"""A log can be joined: whoever makes a call, and in whichever session, its slot is one trace."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from commands import ended
from killed_runs import killed
from log_lines import lines_of
from loopback import Loopback
from model_folder import command, journaled
from performer import perform

N = 6


def test_logs_of_all_sessions_and_workers_have_one_trace_a_slot(tmp_path: Path) -> None:
    out, logs = tmp_path / "out", [tmp_path / "first.log", tmp_path / "second.log"]
    with Loopback(perform, latency=0.02) as server:
        killed(command(server, out, "--quiet", "--log", str(logs[0]), n=N), server, out, 30)
        by_two = ["--quiet", "--workers", "2", "--log", str(logs[1])]
        assert ended(command(server, out, *by_two, n=N)).returncode == 0
    sessions = [lines_of(log) for log in logs]
    assert {one.slot for one in sessions[0]} & {one.slot for one in sessions[1]}
    lines = [line for session in sessions for line in session]
    assert {line.call for line in lines} >= set(map(str, journaled(out)))
    slots, calls = defaultdict(set), defaultdict(set)
    for line in lines:
        slots[line.slot].add(line.trace)
        calls[line.call].add(line.span)
    for ids in (slots, calls):
        assert all(len(one) == 1 for one in ids.values())
        assert len({next(iter(one)) for one in ids.values()}) == len(ids)
    assert len(slots) == N


def test_another_run_of_the_same_command_has_other_traces(tmp_path: Path) -> None:
    traces = []
    with Loopback(perform) as server:
        for name in ("one", "two"):
            log = tmp_path / f"{name}.log"
            assert ended(command(server, tmp_path / name, "--quiet", "--log", str(log), n=1)).returncode == 0
            traces.append({line.trace for line in lines_of(log)})
    assert not traces[0] & traces[1]
