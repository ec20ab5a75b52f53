"""A language model that words a character's replies; what they say, and in which tone, is decided by rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.quotes import unquoted
from dtomtrack.scenarios.persuasion_npc.arguments import Tone
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.tone_reader import reader_without

__all__ = ["ModelVerbalizer"]

_SUITE = "dtomtrack.suites.rhetbench"
_TOKENS = 160
_TRIES = 3
_LONGEST = 400
"""Characters; a longer reply is asked for again."""
_SOUNDS: Mapping[Tone, str] = {
    Tone.POSITIVE: "it went down well",
    Tone.NEUTRAL: "it changes little, neither welcome nor unwelcome",
    Tone.RESISTANT: "it was unwelcome and put the listener off",
}


class ModelVerbalizer:
    """Speaks for the character of one episode (a `dtomtrack.suites.rhetbench.listening.Verbalizer`).

    Args:
        episode: what its calls are known by.
    """

    def __init__(self, model: ChatModel, pack: PersuasionPack, episode: str, seed: int) -> None:
        self._model = model
        self._pack = pack
        self._episode = episode
        self._seed = seed
        self._reader = reader_without(pack.id)

    async def say(self, line: str, tone: Tone, message: str, turn: int) -> str | None:
        """A reply in the model's words; None if no try was whole and had a tone that can be heard."""
        call = CallKey(unit=self._episode, purpose=f"reply of turn {turn}")
        request = ChatRequest.asking(call, self._prompt(line, tone, message), self._seed, _TOKENS)
        for _ in range(_TRIES):
            reply = await self._model.chat(request)
            said = unquoted(" ".join(reply.text.split()))
            if reply.finish == "stop" and 0 < len(said) <= _LONGEST and self._reader.read(said) is tone:
                return said
            following = request.call.next_try()
            request = replace(request, call=following, seed=following.seed(self._seed))
        return None

    def _prompt(self, line: str, tone: Tone, message: str) -> str:
        pack = self._pack
        return prompt(_SUITE, "verbalizer").fill(
            name=pack.name,
            role=pack.role,
            topic=pack.topic,
            position=pack.position,
            message=as_data(message),
            line=as_data(line),
            sound=_SOUNDS[tone],
        )
