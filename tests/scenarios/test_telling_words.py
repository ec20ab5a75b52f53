"""Talk about nothing: among several, no word of it can be taken for a value of what the dialogue is about."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.items.words import content_words
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.script import Move
from dtomtrack.scenarios.telling import harmless, telling_words

PASSING = {
    Move.GREET,
    Move.OPEN,
    Move.REPLY,
    Move.ASIDE,
    Move.SMALL_TALK,
    Move.ANSWER_SMALL_TALK,
    Move.LEAVE,
    Move.COME_BACK,
    Move.JOIN,
    Move.CLOSE,
    Move.DODGE,
}


class Listening:
    """Plays as scripted actors do, and keeps the turns that are about nothing, with the words that would tell."""

    name = "scripted"

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self.passing: list[tuple[str, frozenset[str]]] = []

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        performance = await self._domain.actor.play(character, turn, heard)
        if PASSING.issuperset(one.move for one in character.directions[turn]):
            telling = telling_words(map(self._domain.pack.topic, character.topics))
            self.passing.append((performance.utterance, telling))
        return performance


@pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])
async def test_talk_about_nothing_has_no_word_of_a_value(name: str, domains: dict[str, Domain]) -> None:
    domain, difficulty = domains[name], preset("group")
    actor = Listening(domain)
    context = RoleplayContext({name: domain}, actor=actor, verifiers=(), difficulty=difficulty)
    for index in range(6):
        await play(context, Attempt(domains=[name], seed=5, index=index, attempt=0, length=difficulty.turns))
    assert len(actor.passing) > 20
    told = [(line, content_words(line) & telling) for line, telling in actor.passing]
    assert [one for one in told if one[1]] == []


def test_lines_are_left_as_they_are_where_all_of_them_tell() -> None:
    assert harmless(["A cat.", "A dog."], frozenset({"dog"})) == ("A cat.",)
    assert harmless(["A dog."], frozenset({"dog"})) == ("A dog.",)
