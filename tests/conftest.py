"""What tests share: the built-in domains, and dialogues made from them once a session."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import threading
from collections.abc import Iterator

import pytest
from commands import ForkedWorkers
from hypothesis import HealthCheck, settings

from dtomtrack.runs import starting
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import builtin_domains, find_pack, load_pack
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.generation import build_context, fill_slots
from dtomtrack.suites.dtom.slot_result import SlotResult

pytest_plugins = ["report_datasets"]

# on a busy machine drawing takes long, too, and that says nothing of what is drawn
settings.register_profile("dtomtrack", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dtomtrack")

# a shell that runs the tests in the background has Ctrl-C ignored, by the commands that they start, too
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait, for a server or for a process that they stop."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """What has been collected stays; it isn't searched through for garbage again and again."""
    gc.collect()
    gc.freeze()


MADE_FOR_GROUPS = ("family", "team")
"""Domains whose topics anybody may hold, so that only plans for several have them."""


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test reaches beyond this machine."""
    connect = socket.socket.connect

    def local_only(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else address
        if self.family != socket.AF_UNIX and host not in {"127.0.0.1", "::1", "localhost"}:
            raise AssertionError(f"a test tried to reach {host!r}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", local_only)
    yield


@pytest.fixture(autouse=True)
def _signals_as_they_were() -> Iterator[None]:
    """A command that is run in this process leaves no signal ignored, which every later program would inherit."""
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    if threading.current_thread() is threading.main_thread():
        for one, handler in before.items():
            signal.signal(one, handler)


@pytest.fixture(autouse=True)
def _workers_are_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting takes no second; those of commands that are really started, with their workers, are spawned."""
    monkeypatch.setattr(starting, "CONTEXT", ForkedWorkers())


@pytest.fixture(scope="session")
def domains() -> dict[str, Domain]:
    """The built-in domains by name."""
    return {name: Domain(load_pack(find_pack(name))) for name in builtin_domains()}


@pytest.fixture(scope="session")
def restaurant(domains: dict[str, Domain]) -> Domain:
    """The restaurant domain."""
    return domains["restaurant"]


async def _fill(domain: Domain, n: int, turns: int) -> list[SlotResult]:
    config = RunConfig(domains=(domain.pack.name,), packs={}, turns=turns)
    context = build_context(config, {domain.pack.name: domain.pack})
    return [slot async for slot in fill_slots(context, config, range(n), concurrency=4)]


@pytest.fixture(scope="session")
def slots(domains: dict[str, Domain]) -> dict[str, list[SlotResult]]:
    """By domain for two, forty filled slots of ten turns in which everybody hears everything."""
    for_two = {name: domain for name, domain in domains.items() if name not in MADE_FOR_GROUPS}
    return {name: asyncio.run(_fill(domain, 40, 10)) for name, domain in for_two.items()}


@pytest.fixture(scope="session")
def long_slots(restaurant: Domain) -> list[SlotResult]:
    """Eight filled slots of thirty turns."""
    return asyncio.run(_fill(restaurant, 8, 30))
