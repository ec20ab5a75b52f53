"""Among several, an agent is given what reached its character, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from company import NAMES, company_scenario, company_turns

from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.acting.hearing import Audibility
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import find_pack, load_pack

SCENARIO = company_scenario()
SAID = [Heard(turn.index, turn.speaker, turn.utterance) for turn in company_turns(SCENARIO)]


@pytest.mark.parametrize(
    ("name", "turns"),
    [("Ada", [0, 1, 2, 3, 6, 8]), ("Ben", [0, 1, 2, 3, 4, 5, 7, 8]), ("Cleo", [0, 1, 2, 3, 4, 5, 6, 7, 8])],
)
def test_a_character_has_the_lines_that_reached_it(name: str, turns: list[int]) -> None:
    assert [line.turn for line in Audibility(SCENARIO).heard_by(name, SAID) if line.speaker] == turns


@pytest.mark.parametrize("name", NAMES)
def test_what_was_heard_turn_by_turn_is_what_is_heard_at_once(name: str) -> None:
    one = Audibility(SCENARIO)
    for count in (*range(len(SAID) + 1), 3):
        assert one.heard_by(name, SAID[:count]) == Audibility(SCENARIO).heard_by(name, SAID[:count])


def test_a_note_comes_when_it_is_read_and_says_that_it_is_one() -> None:
    before = Audibility(SCENARIO).heard_by("Ada", SAID[:7])
    assert 6 not in {line.turn for line in before if line.speaker}
    note = Audibility(SCENARIO).heard_by("Ada", SAID[:8])[-1]
    assert (note.turn, note.note, note.to) == (6, True, ("Ada", "Ben"))


def test_comings_and_goings_are_seen_by_those_who_are_there() -> None:
    heard = {name: Audibility(SCENARIO).heard_by(name, SAID) for name in NAMES}
    seen = {name: [line.text for line in lines if not line.speaker] for name, lines in heard.items()}
    assert seen["Ben"] == seen["Cleo"] == ["Ada leaves: another call.", "Ada is back."]
    assert "Ada is back." in seen["Ada"]


class Watching:
    """Plays as scripted actors do, and keeps what it was given."""

    name = "scripted"

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self.given: list[tuple[str, int, Sequence[Heard]]] = []
        self.thoughts: dict[str, list[str]] = {}

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        self.given.append((character.name, turn, heard))
        performance = await self._domain.actor.play(character, turn, heard)
        canary = f"CANARY-{character.name}-{turn}."
        self.thoughts.setdefault(character.name, []).append(canary)
        return Performance(f"(I want {canary})", f"{performance.utterance} SAID-{turn}.", None, performance.said)


@pytest.mark.parametrize("seed", range(3))
async def test_no_word_that_was_not_for_it_and_no_thought_reaches_an_agent(seed: int) -> None:
    domain = Domain(load_pack(find_pack("team")))
    actor, difficulty = Watching(domain), preset("group")
    context = RoleplayContext({"team": domain}, actor=actor, verifiers=(), difficulty=difficulty)
    attempt = Attempt(domains=["team"], seed=seed, index=0, attempt=0, length=difficulty.turns)
    reviewed = await play(context, attempt)
    assert reviewed.dialogue is not None
    scenario = reviewed.dialogue.scenario
    assert scenario.audiences or scenario.presence
    for name, turn, heard in actor.given:
        words = " ".join(line.text for line in heard)
        assert "CANARY" not in words
        reached = {at for at in range(turn) if f"SAID-{at}." in words}
        assert reached == {at for at in range(turn) if _reached(scenario, name, at, turn)}


def _reached(scenario: Scenario, name: str, said: int, now: int) -> bool:
    if name == scenario.speaker(said):
        return True
    read_at = scenario.read_at(said)
    if read_at:
        read = read_at.get(name)
        return read is not None and read <= now
    return name in scenario.audience(said)
