"""Scripted actors: they do what the stage directions ask, in the language of a domain pack. No model takes part.

An actor is given what its character may know: its own part and what it heard. What it thinks of others' states it reads
from their words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from dtomtrack.beliefs.dialogue import Expression, InnerSpeech
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.reading import Act, FormReader, Forms
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.acting.company_speech import small_words
from dtomtrack.scenarios.acting.speech import Speech
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.script import Direction, Move

__all__ = ["ScriptedActor"]


class ScriptedActor:
    """Plays any character of one pack."""

    name = "scripted"

    def __init__(self, pack: DomainPack, forms: Forms) -> None:
        self._pack = pack
        self._forms = forms
        self._small = small_words(pack)
        self._situations = {situation.id: situation for situation in pack.situations}

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        """The character's turn, after what it has heard."""
        directions = character.directions[turn]
        speech = Speech(
            self._pack,
            self._situations[character.situation],
            character,
            [line.text for line in heard],
            character.random(turn),
            self._small,
        )
        thoughts = self._of_others(character, heard) + self._own(character, directions)
        if not thoughts:
            thoughts = [thought(MentalState.DESIRE, character.agent.goal)]
        return Performance(
            inner_speech=f"({' '.join(f'{one.text}.' for one in thoughts)})",
            utterance=speech.utterance(directions),
        )

    def _of_others(self, character: Character, heard: Sequence[Heard]) -> list[InnerSpeech]:
        """Thoughts about what others have said of their own states since the character last spoke."""
        names = {character.role: character.name, **{other.role: other.name for other in character.others}}
        reader = FormReader(self._forms, names)
        fresh = list(takewhile(lambda line: line.speaker != character.name, reversed(heard)))
        readings = [one for line in reversed(fresh) for one in reader.read(line.turn, line.speaker, line.text)]
        held = {(one.holder, one.topic): one.content for one in readings if one.act is Act.STATE}
        return [
            second_order(holder, self._pack.topic(topic).state, content) for (holder, topic), content in held.items()
        ]

    def _own(self, character: Character, directions: Sequence[Direction]) -> list[InnerSpeech]:
        """Thoughts behind what the character is about to say."""
        thoughts = []
        for direction in directions:
            if direction.move in {Move.VOICE, Move.UPDATE, Move.RESTATE}:
                thoughts.append(thought(self._pack.topic(direction.topic).state, direction.value))
            elif direction.move is Move.MISLEAD:
                thoughts.append(thought(self._pack.topic(direction.topic).state, direction.old))
            elif direction.move in {Move.PRESUME, Move.ACT, Move.TELL}:
                topic = character.topics[direction.topic]
                holder = direction.holder or topic.holder
                thoughts.append(second_order(holder, topic.mental_state, direction.old or direction.value))
        return thoughts

    @staticmethod
    def said(character: Character, directions: Sequence[Direction]) -> tuple[Expression, ...] | None:
        """The states that the words of these directions express; None if they are just the speaker's own thoughts."""
        if not any(direction.move in _NOT_OWN for direction in directions):
            return None
        said = []
        for one in directions:
            if one.move in {Move.VOICE, Move.UPDATE, Move.RESTATE, Move.MISLEAD}:
                said.append(Expression(topic=one.topic, content=one.value))
            elif one.move in _NOT_OWN:
                about = one.holder or character.topics[one.topic].holder
                said.append(Expression(topic=one.topic, content=one.value, about=about))
        return tuple(said)


_NOT_OWN = frozenset({Move.PRESUME, Move.ACT, Move.TELL, Move.MISLEAD})
"""Moves whose words express something else than what the speaker holds."""
