"""A language model as the voice of one of two people who talk: line by line, each a call of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.scenarios.acting.turn_format import spoken

__all__ = ["SpeechSettings", "Voice", "line_call"]

_TOKENS = 250
_LONGEST = 800
"""Characters of a line: more is no line of a conversation."""
_MARKED = re.compile(r"\([^()]*\)|(?<!\w)(?P<marks>[*_]+)(?P<words>[^\s*_](?:[^*_]*[^\s*_])?)(?P=marks)(?!\w)")
"""What stands in round brackets, and words in marks of emphasis."""
_BETWEEN = frozenset({"", *'.!?…:"“”。！？'})  # noqa: RUF001
"""What stands before something that is no part of a sentence."""


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

    Emphasis loses its marks, and a stage direction between two sentences goes. Where it can't be told what brackets or
    marks are about, the reply is refused: left out, words would be missing; left in, a thought might be heard.

    Raises:
        ReplyError: nothing is left, it is too long, or holds brackets, marks or a tag.
    """
    bare = _plain(text).removeprefix(f"{name}:").strip()
    if not bare:
        raise ReplyError("the model says nothing, refuses, or was cut")
    if len(bare) > _LONGEST:
        raise ReplyError(f"the line has {len(bare)} characters; {_LONGEST} are the most")
    return spoken(bare)


def _plain(text: str) -> str:
    return " ".join(_MARKED.sub(_plain_words, " ".join(text.split())).split())


def _plain_words(marked: re.Match[str]) -> str:
    """What is said of words in brackets or marks: nothing, the words, or what can't be told, as it is."""
    before, behind = marked.string[: marked.start()].rstrip(), marked.string[marked.end() :].lstrip(' "“')
    stands_alone = before[-1:] in _BETWEEN and (not behind or behind[0].isupper())
    words = marked["words"]
    if stands_alone:
        return " " if words is None or words[0].islower() else marked[0]
    return marked[0] if words is None else words
