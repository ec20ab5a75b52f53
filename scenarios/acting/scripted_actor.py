"""Scripted actors: they do what the stage directions ask, in the language of a domain pack. No model takes part.

An actor is given what its character may know: its own part and what was said aloud. What it thinks of its partner's
states it reads from the partner's words.
"""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.reading import Act, FormReader, Forms
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.scenarios.acting.character import Character, Performance
from dtomtrack.scenarios.acting.speech import Speech
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.stage import Direction, Move

__all__ = ["ScriptedActor"]


class ScriptedActor:
    """Plays any character of one pack."""

    name = "scripted"

    def __init__(self, pack: DomainPack, forms: Forms) -> None:
        self._pack = pack
        self._forms = forms
        self._situations = {situation.id: situation for situation in pack.situations}

    async def play(self, character: Character, transcript: Sequence[tuple[str, str]]) -> Performance:
        """The character's next turn, after the (speaker, utterance) pairs of ``transcript``."""
        turn = len(transcript)
        directions = character.directions[turn]
        speech = Speech(
            self._pack,
            self._situations[character.situation],
            character.role,
            character.slots,
            character.reasons,
            [utterance for _, utterance in transcript],
            character.random(turn),
        )
        thoughts = self._heard(character, transcript) + self._own(character, directions)
        if not thoughts:
            thoughts = [thought(MentalState.DESIRE, character.agent.goal)]
        return Performance(
            inner_speech=f"({' '.join(f'{one.text}.' for one in thoughts)})",
            utterance=speech.utterance(directions, character.agent.personality),
        )

    def _heard(self, character: Character, transcript: Sequence[tuple[str, str]]) -> list[InnerSpeech]:
        """Thoughts about what the partner has just said of their own states."""
        if not transcript:
            return []
        names = {character.role: character.name, "b" if character.role == "a" else "a": character.partner}
        speaker, utterance = transcript[-1]
        readings = FormReader(self._forms, names).read(len(transcript) - 1, speaker, utterance)
        held = {reading.topic: reading.content for reading in readings if reading.act is Act.STATE}
        return [
            second_order(character.partner, self._pack.topic(topic).state, content) for topic, content in held.items()
        ]

    def _own(self, character: Character, directions: Sequence[Direction]) -> list[InnerSpeech]:
        """Thoughts behind what the character is about to say."""
        thoughts = []
        for direction in directions:
            if direction.move in {Move.VOICE, Move.UPDATE}:
                thoughts.append(thought(self._pack.topic(direction.topic).state, direction.value))
            elif direction.move is Move.PRESUME:
                state = self._pack.topic(direction.topic).state
                thoughts.append(second_order(character.partner, state, direction.value))
        return thoughts
