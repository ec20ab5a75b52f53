"""What somebody has just come to hold: no line says that it was always so, none draws a conclusion from a marker."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

import pytest

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.scenario import PlannedUpdate
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.scenarios.dials import difficulty_of
from dtomtrack.scenarios.domain import Domain

ALWAYS_SO = re.compile(
    r"last week|own eyes|lay awake|ever since|never wanted|in my calendar|a letter about|from the start|since you ask"
    r"|since I was|always|twice by now|asked twice|to my face|black on white|for years|all along|I was told|told me"
    r"|I've (?:been|seen|set|had|heard|known|wanted|kept|trusted|suspected|already)"
)
CONCLUDES = re.compile(
    r"(?:Actually|of it|thought|Wait|Hold on|what|that|case|something|back|but|all)[,:]? so (?:it|one)"
)
_SENTENCES = re.compile(r"(?<=[.?!]) ")

Played = tuple[Domain, list[Dialogue]]


@pytest.fixture(scope="module", params=["family", "medical", "restaurant", "team", "travel"])
def played(request: pytest.FixtureRequest, domains: dict[str, Domain]) -> Played:
    """Dialogues of a domain with many changes, half of them unmarked; nothing is verified."""
    dials = {"turns": "100", "signals.none": "0.5", "signals.implicit": "0.3", "signals.explicit": "0.2"}
    return domains[request.param], dialogues(domains[request.param], dials)


def dialogues(domain: Domain, dials: Mapping[str, str]) -> list[Dialogue]:
    """Four hard dialogues of a domain."""
    name, difficulty = domain.pack.name, difficulty_of("hard", dials)
    context = RoleplayContext({name: domain}, verifiers=(), difficulty=difficulty)
    given = [Attempt(domains=[name], seed=8, index=index, attempt=0, length=difficulty.turns) for index in range(4)]

    async def all_played() -> list[Dialogue]:
        reviewed = [await play(context, one) for one in given]
        return [one.dialogue for one in reviewed if one.dialogue is not None]

    return asyncio.run(all_played())


def stated(domain: Domain, dialogue: Dialogue, update: PlannedUpdate) -> Iterator[str]:
    """The sentences of the turn of a change, one or two, by which its holder says what they hold now."""
    reader = domain.reader([agent.name for agent in dialogue.scenario.agents])
    single = _SENTENCES.split(dialogue.turns[update.turn].utterance)
    for sentence in (*single, *map(" ".join, pairwise(single))):
        if any(
            (one.act, one.topic, one.content) == (Act.STATE, update.topic, update.new)
            for one in reader.read(update.turn, update.agent, sentence)
        ):
            yield sentence


def test_an_unmarked_change_is_said_and_not_as_if_it_had_long_been_so(played: Played) -> None:
    domain, several = played
    changes = 0
    for dialogue in several:
        for update in dialogue.scenario.updates:
            if not update.marker:
                shortest = next(stated(domain, dialogue, update))
                assert not ALWAYS_SO.search(shortest)
                changes += 1
    assert changes > 10


@pytest.mark.parametrize("name", ["family", "team"])
def test_what_is_said_behind_a_marker_is_no_conclusion(name: str, domains: dict[str, Domain]) -> None:
    pack = domains[name].pack
    learned = tuple(topic for topic in pack.topics if topic.state is MentalState.KNOWLEDGE)
    told = Domain(pack.model_copy(update={"topics": learned}))
    changes = 0
    for dialogue in dialogues(told, {"signals.none": "0", "signals.implicit": "0.6", "signals.explicit": "0.4"}):
        said = [dialogue.turns[update.turn].utterance for update in dialogue.scenario.updates if update.marker]
        assert [words for words in said if CONCLUDES.search(words)] == []
        changes += len(said)
    assert changes > 10
