"""A language model that says which kind of argument a message is, by one letter."""

from __future__ import annotations

from dataclasses import replace

from dtomtrack.llm.chat import CallKey, ChatModel, ChatReply, ChatRequest
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.suites.rhetbench.kinds import lettered, listed
from dtomtrack.verifiers.judging.one_letter import chosen_letter

__all__ = ["ModelClassifier"]

_SUITE = "dtomtrack.suites.rhetbench"
_TOKENS = 64
_TRIES = 2


class ModelClassifier:
    """Classifies the messages of one episode (a `dtomtrack.suites.rhetbench.listening.Classifier`).

    Args:
        episode: what its calls are known by.
        asks: whether a question that puts no case is a kind of its own.
    """

    def __init__(self, model: ChatModel, episode: str, seed: int, *, asks: bool) -> None:
        self._model = model
        self._episode = episode
        self._seed = seed
        self._letters = lettered(asks=asks)

    async def read(self, message: str, turn: int) -> ArgumentClass | None:
        """The kind of a message; None if no letter can be read, also at a second try."""
        text = prompt(_SUITE, "classifier").fill(message=as_data(message), kinds=listed(self._letters))
        call = CallKey(unit=self._episode, purpose=f"class of turn {turn}")
        request = ChatRequest.asking(call, text, self._seed, _TOKENS, choices=tuple(self._letters))
        for _ in range(_TRIES):
            letter = self._letter(await self._model.chat(request))
            if letter is not None:
                return self._letters[letter]
            following = request.call.next_try()
            request = replace(request, call=following, seed=following.seed(self._seed))
        return None

    def _letter(self, reply: ChatReply) -> str | None:
        """The letter of a reply; none of one that was refused or filtered, or cut before it could be weighed."""
        if reply.finish == "length" and not reply.probabilities:
            return None
        return chosen_letter(reply, {letter: kind.lower() for letter, kind in self._letters.items()})
