"""Dialogues of several as scripted actors play them, with the directions behind their words, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.occasions import with_occasions
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import Direction, Move

__all__ = ["Played", "played_dialogues"]


@dataclass(frozen=True)
class Played:
    """One dialogue: what is to be done at each turn, with its occasion, and what is said."""

    pack: DomainPack
    dialogue: Dialogue
    script: tuple[tuple[Direction, ...], ...]
    said: tuple[str, ...]

    @property
    def scenario(self) -> Scenario:
        """Its scenario."""
        return self.dialogue.scenario

    def carried_out(self, *moves: Move) -> Iterator[tuple[int, Direction, str]]:
        """Turn, direction and words of all directions of these kinds."""
        for turn, (directions, words) in enumerate(zip(self.script, self.said, strict=True)):
            yield from ((turn, one, words) for one in directions if one.move in moves)


async def played_dialogues(domain: Domain, name: str, difficulty_name: str, count: int) -> AsyncIterator[Played]:
    """So many dialogues of a domain, of a preset."""
    difficulty = preset(difficulty_name)
    context = RoleplayContext({name: domain}, verifiers=(), difficulty=difficulty)
    for index in range(count):
        given = Attempt(domains=[name], seed=3, index=index, attempt=0, length=difficulty.turns)
        dialogue = (await play(context, given)).dialogue
        if dialogue is not None:
            directed = sample_scenario(domain.pack, slot_at(3, index, [name]), 0, difficulty.turns, difficulty)
            said = tuple(turn.utterance for turn in dialogue.turns)
            yield Played(domain.pack, dialogue, with_occasions(directed), said)
