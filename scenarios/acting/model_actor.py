"""Language models as actors: one call a turn for strong models, one thing at a time for weak ones.

An actor is given what its character may know: its own part and what it heard. What it writes is read, matched
to the values of topics, and checked by rules (`dtomtrack.verifiers.turns`) before anybody hears it; of what fails, only
that is asked for again.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from dtomtrack.llm.chat import ChatModel
from dtomtrack.scenarios.acting.asked_turn import ActorSettings, ActorStyle, AskedTurn, Part, TurnFormat
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.acting.one_call import in_one_call
from dtomtrack.scenarios.acting.two_call import in_two_calls

__all__ = ["ActorSettings", "ActorStyle", "ModelActor", "TurnFormat"]


class ModelActor:
    """Plays any character of any domain."""

    def __init__(self, model: ChatModel, settings: ActorSettings) -> None:
        self._model = model
        self._settings = settings
        self._parts: WeakKeyDictionary[Character, Part] = WeakKeyDictionary()
        self.name = model.name

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        """The character's turn, after what it has heard.

        Raises:
            ReplyError: no try gave a turn that passes the rules.
            ModelError: no answer can be had.
        """
        asked = AskedTurn(self._model, self._settings, self._part(character), character, turn, heard)
        ask = in_two_calls if self._settings.style == "two-call" else in_one_call
        return asked.performance(await ask(asked))

    def _part(self, character: Character) -> Part:
        part = self._parts.get(character)
        if part is None:
            part = self._parts[character] = Part(character, self._settings.style)
        return part
