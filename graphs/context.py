"""The context of a role-play: who writes, plays and verifies. It holds for all attempts of a run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.matching import ThoughtGuidedReader
from dtomtrack.beliefs.reading import Reader
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.script import DirectedScenario
from dtomtrack.verifiers.review import RULES
from dtomtrack.verifiers.verifier import Verifier

__all__ = ["Actor", "RoleplayContext", "Writer"]


class Actor(Protocol):
    """Speaks for a character."""

    name: str
    """Its name in datasets: "scripted", or a model."""

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        """The character's turn, after what it has heard.

        Raises:
            ReplyError: the actor can't, also when asked again; the attempt fails.
        """
        ...


class Writer(Protocol):
    """Writes scenarios for a domain."""

    async def write(self, slot: Slot, attempt: int, turns: int) -> DirectedScenario:
        """A scenario, laid out over ``turns`` turns.

        Raises:
            ReplyError: none came about, also when asked again; the attempt fails.
        """
        ...


@dataclass(frozen=True)
class RoleplayContext:
    """All that attempts are made with.

    Attributes:
        domains: by name.
        scenarios: by slot, scenarios to be played as they are; other slots have theirs written, or drawn from their
            domain.
        writers: by domain, who writes scenarios, if they are not drawn.
        actor: who plays, if not the domain's own scripted actor.
        verifiers: what an attempt has to pass, in this order.
        difficulty: of scenarios that are drawn, and of the scripts of all.
        paraphrased: actors don't say things in the sentences of the domain's pack.
        compute_lock: where many dialogues wait for models, what is pure computation is done under it, one piece after
            another, with a look at what has come in between two.
    """

    domains: Mapping[str, Domain]
    scenarios: Mapping[int, Scenario] | None = None
    writers: Mapping[str, Writer] | None = None
    actor: Actor | None = None
    verifiers: tuple[Verifier, ...] = RULES
    difficulty: Difficulty = field(default_factory=Difficulty)
    paraphrased: bool = False
    compute_lock: asyncio.Semaphore | None = None

    @property
    def never_waits(self) -> bool:
        """Whether all of it is computed here: drawn, played by scripts, and verified by rules."""
        return self.actor is None and self.writers is None and self.verifiers == RULES and self.compute_lock is None

    @asynccontextmanager
    async def computing(self) -> AsyncIterator[None]:
        """Hold the lock, if there is one, for a piece of computation."""
        if self.compute_lock is None:
            yield
            return
        async with self.compute_lock:
            await asyncio.sleep(0)
            yield

    def actor_of(self, domain: Domain) -> Actor:
        """Who plays in a domain."""
        return self.actor or domain.actor

    def reader_of(self, domain: Domain, scenario: Scenario, turns: Sequence[Turn]) -> Reader:
        """A reader of what was said in these turns."""
        if self.paraphrased:
            return ThoughtGuidedReader(turns, scenario.topics)
        return domain.reader(scenario.names)
