"""Scripted actors: they do what the stage directions ask, in the language of a domain pack. No model takes part.

An actor is given what its character may know: its own part and what it heard. What it thinks of others' states it reads
from what it heard of them; where two things that it heard disagree and neither is sure to be newer, it thinks neither.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property, lru_cache, partial
from itertools import takewhile

from dtomtrack.beliefs.dialogue import Expression, InnerSpeech
from dtomtrack.beliefs.form_reader import FormReader
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.acting.company_speech import small_words
from dtomtrack.scenarios.acting.speech import Speech
from dtomtrack.scenarios.between_two import between_two
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.script import Direction, Move
from dtomtrack.scenarios.telling import telling_words

__all__ = ["ScriptedActor"]

_thought = lru_cache(maxsize=4096)(thought)
"""Thoughts of one's own come again in dialogue after dialogue."""

_TELLING = 64
"""Sets of topics of which the telling words are kept, those of the dialogues under way."""


class ScriptedActor:
    """Plays any character of one pack.

    Args:
        reader_of: gives the reader of what these agents say, in the order of their scenario.
    """

    name = "scripted"

    def __init__(self, pack: DomainPack, reader_of: Callable[[Sequence[str]], FormReader]) -> None:
        self._pack = pack
        self._reader_of = reader_of
        self._small = small_words(pack)
        self._telling_in = lru_cache(maxsize=_TELLING)(self._new_telling)

    @cached_property
    def _between_two(self) -> DomainPack:
        return between_two(self._pack)

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        """The character's turn, after what it has heard."""
        directions = character.directions[turn]
        character.book.open(turn)
        pack = self._pack.among_several if character.difficulty.several else self._between_two
        speech = Speech(
            pack,
            pack.situation(character.situation),
            character,
            [line.text for line in heard if line.speaker],
            partial(character.random, turn),
            self._small,
            self._telling_in(tuple(character.topics)),
        )
        own = self._own(character, directions)
        meant = {one.about for one in own}
        thoughts = [one for one in self._of_others(character, heard) if one.about not in meant] + own
        # a goal is in anybody's words: what it says is read from them
        shown = thoughts or [thought(MentalState.DESIRE, character.agent.goal)]
        return Performance(
            inner_speech=f"({' '.join(f'{one.text}.' for one in shown)})",
            utterance=speech.utterance(directions),
            thoughts=tuple(thoughts) or None,
            said=_said(character, directions),
        )

    def _of_others(self, character: Character, heard: Sequence[Heard]) -> list[InnerSpeech]:
        """Thoughts about what others hold, as far as that was heard since the character last spoke."""
        reader, name = self._reader_of(character.everybody), character.name
        fresh = set(takewhile(lambda line: line.speaker != name, reversed(heard)))
        told = (one for line in fresh for one in reader.states(line.turn, line.speaker, line.text))
        anew = {(one.holder, one.topic) for one in told if one.holder != name}
        by_state: dict[tuple[str, str], list[tuple[Heard, Reading]]] = {}
        for line in heard if anew else ():
            for one in reader.states(line.turn, line.speaker, line.text):
                if (one.holder, one.topic) in anew:
                    by_state.setdefault((one.holder, one.topic), []).append((line, one))
        return [
            second_order(holder, character.topics[topic].mental_state, content, topic)
            for (holder, topic), known in by_state.items()
            if topic in character.topics and (content := _sure(known, fresh)) is not None
        ]

    def _new_telling(self, topics: tuple[str, ...]) -> frozenset[str]:
        return telling_words(map(self._pack.topic, topics))

    def _own(self, character: Character, directions: Sequence[Direction]) -> list[InnerSpeech]:
        """Thoughts behind what the character is about to say."""
        thoughts = []
        for direction in directions:
            topic = character.topics.get(direction.topic)
            if topic is None:
                continue
            if direction.move in _VOICED:
                thoughts.append(_thought(topic.mental_state, direction.value, topic.id))
            elif direction.move is Move.MISLEAD:
                thoughts.append(_thought(topic.mental_state, direction.old, topic.id))
            elif direction.move in _OF_OTHERS:
                holder = direction.holder or topic.holder
                content = direction.old or direction.value
                thoughts.append(second_order(holder, topic.mental_state, content, topic.id))
        return thoughts


_VOICED = frozenset({Move.VOICE, Move.UPDATE, Move.RESTATE})
_TAKEN_FOR_GRANTED = frozenset({Move.PRESUME, Move.ACT})
_OF_OTHERS = _TAKEN_FOR_GRANTED | {Move.TELL}


def _sure(known: Sequence[tuple[Heard, Reading]], fresh: Collection[Heard]) -> str | None:
    """What was last heard of a state, if it was just heard and nothing else that was heard can be newer.

    The holder's own word, if nobody has told anything since; else what was told, if nothing else was ever heard.
    """
    line, last = known[-1]
    if line not in fresh:
        return None
    if last.act is Act.STATE:
        return last.content if line.turn == max(one.turn for one, _ in known) else None
    return last.content if last.act is Act.TELL and len(known) == 1 else None


def _said(character: Character, directions: Sequence[Direction]) -> tuple[Expression, ...] | None:
    """The states that a turn with these directions expresses; None if they are its own, as they are thought."""
    if not any(direction.move in _OF_OTHERS or direction.move is Move.MISLEAD for direction in directions):
        return None
    own = _VOICED | {Move.MISLEAD}
    return tuple(
        Expression(topic=one.topic, content=one.value)
        if one.move in own
        else Expression(
            topic=one.topic,
            content=one.value,
            about=one.holder or character.topics[one.topic].holder,
            presumed=one.move in _TAKEN_FOR_GRANTED,
        )
        for one in directions
        if one.move in own | _OF_OTHERS
    )
