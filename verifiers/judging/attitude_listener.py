"""A language model that hears what a seeker says of their attitudes: a letter for each, so that none hides another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import prompt
from dtomtrack.verifiers.judging.one_letter import LETTER_TOKENS, chosen_letter
from dtomtrack.verifiers.judging.quotation import quoted
from dtomtrack.verifiers.recommendation import SaidClause
from dtomtrack.verifiers.verdicts import ACCEPTED, Verdict

__all__ = ["AttitudeListener", "attitude_replies"]

_PACKAGE = "dtomtrack.verifiers.judging"
_LETTERS = {"A": "the first", "B": "the second", "C": "neither"}
_LAST = "what was suggested last"


@dataclass(frozen=True)
class _Said:
    """What a line is to say of something.

    Attributes:
        about: in words; ``first``, ``second``: the two things that can be said.
        is_first: which of them is meant.
    """

    about: str
    first: str
    second: str
    is_first: bool

    @property
    def letter(self) -> str:
        """The letter of what is meant."""
        return "A" if self.is_first else "B"


def _said_in(clauses: Iterable[SaidClause]) -> Iterator[_Said]:
    for one in clauses:
        title = _LAST if one.title is None else quoted(one.title)
        seen = {"SEE": True, "NRE": False}.get(one.label, one.seen)
        if seen is not None:
            yield _Said(f"whether they know {title}", "they know it already", "it is new to them", seen)
        if one.liked is not None:
            first, second = "it is to their liking, or sounds so", "it is not to their liking, or sounds so"
            yield _Said(f"how they like {title}", first, second, one.liked)
        if one.label in {"ACC", "REJ"}:
            first, second = "they take it up", "they turn it down, for now at least"
            yield _Said(f"whether they want {title}", first, second, one.label == "ACC")
        if one.label in {"PRO", "ANS"} and one.quality is not None:
            first, second = "it is to their taste, or what they want", "it is not to their taste"
            yield _Said(f"what is {quoted(one.quality)}", first, second, not one.disliked)


def attitude_replies(clauses: Iterable[SaidClause], unit: str) -> dict[CallKey, str]:
    """The letters with which a listener hears the attitudes that a seeker's line is to tell.

    Args:
        unit: the try at a line that the calls belong to.
    """
    return {_call(unit, one): one.letter for one in _said_in(clauses)}


def _call(unit: str, said: _Said) -> CallKey:
    return CallKey(unit, f"hear {said.about}", 0)


class AttitudeListener:
    """Hears in a line whether the seeker knows, likes and wants something, and what is to their taste.

    Args:
        seed: of the run.
    """

    def __init__(self, model: ChatModel, seed: int) -> None:
        self._model = model
        self._seed = seed

    async def verdict(self, clauses: Iterable[SaidClause], speaker: str, utterance: str, unit: str) -> Verdict:
        """Whether a seeker's line tells the attitudes of these clauses, as the model hears it.

        Args:
            unit: the try at a line that the calls belong to.

        Raises:
            ModelError: no answer can be had.
        """
        meant = list(dict.fromkeys(_said_in(clauses)))
        letters = await asyncio.gather(*(self._letter(one, speaker, utterance, unit) for one in meant))
        for one, letter in zip(meant, letters, strict=True):
            if letter != one.letter:
                told = one.first if one.is_first else one.second
                return Verdict("reject", reason=f"the line does not tell of {one.about} that {told}")
        return ACCEPTED

    async def _letter(self, said: _Said, speaker: str, utterance: str, unit: str) -> str | None:
        text = prompt(_PACKAGE, "attitude").fill(
            speaker=quoted(speaker),
            utterance=quoted(utterance),
            about=said.about,
            first=said.first,
            second=said.second,
        )
        call = _call(unit, said)
        reply = await self._model.chat(
            ChatRequest.asking(call, text, self._seed, LETTER_TOKENS, choices=tuple(_LETTERS))
        )
        return chosen_letter(reply, _LETTERS)
