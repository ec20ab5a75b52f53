"""A language model as the voice of one of two people who talk: line by line, each a call of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import as_data, prompt

__all__ = ["SpeechSettings", "Voice", "line_call"]

_TOKENS = 250
_LONGEST = 800
"""Characters of a line: more is no line of a conversation."""


@dataclass(frozen=True)
class SpeechSettings:
    """How lines are asked for; ``unit`` names the attempt that the calls belong to."""

    unit: str
    seed: int = 0
    temperature: float = 0.7


def line_call(unit: str, part: str, number: int) -> CallKey:
    """The call for a line, the number of lines before it given."""
    return CallKey(unit, f"{part} line {number}", 0)


class Voice:
    """Asks a model for the lines of one character.

    Args:
        package: has the prompts, which have the placeholder ``lines`` beside those of the directions.
        speakers: the name of the character, and the partner's.
    """

    def __init__(self, model: ChatModel, package: str, speakers: tuple[str, str], settings: SpeechSettings) -> None:
        self._model = model
        self._package = package
        self._speakers = speakers
        self._settings = settings

    async def line(self, part: str, heard: Sequence[str], values: Mapping[str, str]) -> str:
        """The next line of the character.

        Args:
            part: the name of the prompt, and of the role in the names of calls.
            heard: the lines so far, the two taking turns.
            values: fill the prompt.

        Raises:
            ReplyError: the model's reply is no line.
            ModelError: no answer can be had.
        """
        settings = self._settings
        own = len(heard) % 2
        names = self._speakers if own == 0 else self._speakers[::-1]
        said = [f"{names[place % 2]}: {as_data(line)}" for place, line in enumerate(heard)] or ["(nothing yet)"]
        call = line_call(settings.unit, part, len(heard))
        text = prompt(self._package, part).fill(**values, lines="\n".join(said))
        reply = await self._model.chat(
            ChatRequest.asking(call, text, settings.seed, _TOKENS, temperature=settings.temperature)
        )
        return _spoken(reply.text if reply.finish == "stop" else "", self._speakers[0])


def _spoken(text: str, name: str) -> str:
    """A reply as one line, without the speaker's name in front or quotation marks around it.

    Raises:
        ReplyError: nothing is left, or it is too long.
    """
    bare = re.sub(r"\s+", " ", re.sub(r"\([^)]*\)|\*[^*]*\*", " ", text)).strip()
    bare = bare.removeprefix(f"{name}:").strip()
    bare = bare[1:-1].strip() if len(bare) > 1 and bare[0] == bare[-1] == '"' else bare
    if not bare:
        raise ReplyError("the model says nothing, refuses, or was cut")
    if len(bare) > _LONGEST:
        raise ReplyError(f"the line has {len(bare)} characters; {_LONGEST} are the most")
    return bare
