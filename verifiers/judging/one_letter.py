"""Answers of one letter, and grades made of them.

Where the server gives probabilities they decide: a small model's text says yes to everything, its probabilities know
better.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dtomtrack.items.replies import read_answer
from dtomtrack.llm import ChatReply

__all__ = ["GRADES", "LETTER_TOKENS", "chosen_letter", "chosen_level", "expected_grade", "withheld"]

GRADES: Mapping[str, str] = {"A": "not at all", "B": "hardly", "C": "partly", "D": "mostly", "E": "completely"}
"""Worst first: small models favour the letter A, which so makes them strict instead of lenient. One scale for all
items, so that what a model favours shifts all grades alike."""

LETTER_TOKENS = 16
"""Tokens for a letter where the server can't hold the model to it."""

_WORD = re.compile(r"[^\W_]+")


def withheld(reply: ChatReply) -> str | None:
    """Why a reply is no answer at all, if it is none."""
    if reply.finish == "refusal":
        return "the model refused"
    if reply.finish == "filter":
        return "the provider's content filter cut the reply"
    return None


def chosen_letter(reply: ChatReply, options: Mapping[str, str]) -> str | None:
    """The most probable letter or, without probabilities, the one in the text; None if none can be read."""
    return None if withheld(reply) else _likeliest(reply, options) or read_answer(reply.text, options)


def chosen_level(reply: ChatReply, levels: Mapping[str, str]) -> str | None:
    """The letter of a level, as `chosen_letter`; its words are one only as the whole reply.

    They are words of any talk, unlike the text of an option: "completely implausible" is no grade.
    """
    return None if withheld(reply) else _likeliest(reply, levels) or _read_level(reply.text, levels)


def _read_level(text: str, levels: Mapping[str, str]) -> str | None:
    said = _words_of(text)
    for letter, words in levels.items():
        level, own = _words_of(words), _words_of(letter)
        if said in (level, own + level, level + own):
            return letter
    return read_answer(text, {letter: letter for letter in levels})


def _words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def expected_grade(reply: ChatReply) -> float | None:
    """A grade from 0 (not at all) to 1 (completely), expected under the probabilities; None if none can be read."""
    letter = chosen_level(reply, GRADES)
    if letter is None:
        return None
    probabilities = _probabilities(reply, GRADES) or {letter: 1.0}
    steps = {grade: step for step, grade in enumerate(GRADES)}
    return sum(steps[one] * share for one, share in probabilities.items()) / (len(GRADES) - 1)


def _likeliest(reply: ChatReply, options: Mapping[str, str]) -> str | None:
    probabilities = _probabilities(reply, options)
    return None if probabilities is None else max(probabilities, key=lambda letter: probabilities[letter])


def _probabilities(reply: ChatReply, options: Mapping[str, str]) -> dict[str, float] | None:
    given = reply.probabilities or {}
    shares = {letter: given.get(letter, 0.0) for letter in options}
    total = sum(shares.values())
    return {letter: share / total for letter, share in shares.items()} if total > 0 else None
