"""Scripted actors: they do what the stage directions ask, in the language of a domain pack. No model takes part.

An actor is given what its character may know: its own part and what was said aloud. What it thinks of its partner's
states it reads from the partner's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.inner_speech import second_order, thought
from dtomtrack.reading import Act, FormReader, Forms
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.speech import Speech
from dtomtrack.scenarios.stage import Direction, Move, StagedScenario
from dtomtrack.schema import InnerSpeech, MentalState, Personality

__all__ = ["Character", "Performance", "ScriptedActor", "characters"]


@dataclass(frozen=True)
class Character:
    """What an actor knows of its part.

    Attributes:
        role: "a" or "b".
        reasons: what this character knows that can change the partner's mind, by (topic, content).
        directions: by turn, what to do.
        length: how many turns the dialogue has.
        random: makes the generator of random numbers of a turn.
    """

    domain: str
    name: str
    role: str
    partner: str
    goal: str
    personality: Personality
    slots: Mapping[str, str]
    situation: str
    reasons: Mapping[tuple[str, str], str]
    directions: Mapping[int, tuple[Direction, ...]]
    length: int
    random: Callable[[int], Random]

    def speaks_last(self, turn: int) -> bool:
        """Whether the dialogue ends with this turn."""
        return turn + 1 == self.length


def characters(staged: StagedScenario, random: Callable[[int], Random]) -> tuple[Character, Character]:
    """The two parts of a staged scenario, each with nothing of the other's but the name."""
    first, second = (_character(staged, index, random) for index in (0, 1))
    return first, second


def _character(staged: StagedScenario, index: int, random: Callable[[int], Random]) -> Character:
    agent, partner = staged.scenario.agents[index], staged.scenario.agents[1 - index]
    told = {update.topic for update in staged.scenario.updates if update.agent == partner.name}
    return Character(
        domain=staged.scenario.domain,
        name=agent.name,
        role="ab"[index],
        partner=partner.name,
        goal=agent.goal,
        personality=agent.personality,
        slots=staged.slots,
        situation=staged.situation,
        reasons={key: reason for key, reason in staged.reasons.items() if key[0] in told},
        directions={turn: here for turn, here in enumerate(staged.script) if turn % 2 == index},
        length=len(staged.script),
        random=random,
    )


@dataclass(frozen=True)
class Performance:
    """What an actor thought, in the paper's text form ``(I want ... )``, and what it said."""

    inner_speech: str
    utterance: str


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
            thoughts = [thought(MentalState.DESIRE, character.goal)]
        return Performance(
            inner_speech=f"({' '.join(f'{one.text}.' for one in thoughts)})",
            utterance=speech.utterance(directions, character.personality),
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
