"""A stand-in for a weak model: it answers from the prompt alone, and mixes up whose mind is asked about, and when.

It is no model. It finds lines, the question and the options in the text that it is sent, as any model has to, and
knows neither golds nor groups nor records. What it gets wrong is what weak readers are said to get wrong:

- who heard a thing: asked what A thinks of B, it takes what B said last by then (egocentric);
- when it was said: of some questions, what anybody said last at all (recency);
- everything, now and then, where it guesses.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from loopback import Answer, Request, completion

from dtomtrack.evaluation.said import mentions

__all__ = ["GUESSED", "RECENT", "Line", "ReadPrompt", "answer_to", "read_prompt"]

RECENT, GUESSED = 0.4, 0.1
"""Shares of the questions of which it takes what was said last at all, and of which it guesses."""

_LINE = re.compile(r'^Turn (\d+), ("[^"]*")(?: \(.*?\)| in a note to .*?)?: (".*")$', re.MULTILINE)
_QUESTION = re.compile(r'^Question: (".*")$', re.MULTILINE)
_OPTION = re.compile(r'^([A-Z])\) (".*")$', re.MULTILINE)
_TURN = re.compile(r"\bturn (\d+)\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:just before|until|before) ", re.IGNORECASE)
_EVENT = r"\bwhen (?:{names}) (?:left|came back|joined|read a note from (?:{names}))\b"
_ANY = "letters of all that are right"


@dataclass(frozen=True)
class Line:
    """What somebody says at a turn."""

    turn: int
    speaker: str
    text: str


@dataclass(frozen=True)
class ReadPrompt:
    """A prompt as it is read: what was said, the question, and the options by letter.

    Attributes:
        several: whether several options may be right.
    """

    lines: Sequence[Line]
    question: str
    options: Mapping[str, str]
    several: bool

    @cached_property
    def whose(self) -> str | None:
        """The name that is given last, which is whose state it is ("what did A think B wanted"); events left out."""
        names = "|".join(sorted({re.escape(line.speaker) for line in self.lines}))
        told = self.question.partition(", despite what ")[0]
        told = re.sub(_EVENT.format(names=names), "", told, flags=re.IGNORECASE)
        found = re.findall(rf"\b(?:{names})\b", told)
        return found[-1] if found else None

    @cached_property
    def until(self) -> int:
        """The last turn that counts: the one named in the question, or the one before it; else the last of all."""
        named = _TURN.search(self.question)
        if named is None:
            return self.lines[-1].turn
        return int(named[1]) - bool(_BEFORE.search(self.question[: named.start()]))

    @cached_property
    def turns(self) -> Mapping[str, int]:
        """The turns that options name, where they name turns."""
        found = {letter: _TURN.search(text) for letter, text in self.options.items()}
        return {letter: int(turn[1]) for letter, turn in found.items() if turn is not None}

    def last_said(self, counts: Callable[[Line], bool]) -> str | None:
        """The letter of the option that is said last in the lines that count."""
        said = [letter for line in self.lines if counts(line) for letter in mentions(self.options, [line.text])]
        return said[-1] if said else None


def read_prompt(prompt: str) -> ReadPrompt:
    """What a prompt says and asks.

    Raises:
        ValueError: it is no prompt of DToM-Track.
    """
    lines = [Line(int(turn), json.loads(name), json.loads(text)) for turn, name, text in _LINE.findall(prompt)]
    question, options = _QUESTION.search(prompt), {letter: json.loads(text) for letter, text in _OPTION.findall(prompt)}
    if not lines or question is None or not options:
        raise ValueError(f"this is no prompt with lines, a question and options: {prompt[:200]!r}")
    return ReadPrompt(lines, json.loads(question[1]), options, _ANY in prompt)


def answer_to(request: Request) -> Answer:
    """The reply to a request, of which it reads the last message."""
    prompt = request["messages"][-1]["content"]
    rng = Random(hashlib.sha256(prompt.encode()).hexdigest())
    return completion(_letters(read_prompt(prompt), rng))


def _letters(asked: ReadPrompt, rng: Random) -> str:
    share = rng.random()
    guess = rng.choice(sorted(asked.options))
    if share < GUESSED:
        return guess
    if asked.several:
        return ", ".join(sorted(asked.options))
    if asked.turns:
        return _turn(asked)
    if share < GUESSED + RECENT:
        return asked.last_said(lambda line: True) or guess
    return asked.last_said(lambda line: line.speaker == asked.whose and line.turn <= asked.until) or guess


def _turn(asked: ReadPrompt) -> str:
    """Of turns the last; where a change is told and asked is who learnt of it, the first: everybody did at once."""
    choose = min if _TURN.search(asked.question) else max
    return choose(asked.turns, key=lambda letter: asked.turns[letter])
