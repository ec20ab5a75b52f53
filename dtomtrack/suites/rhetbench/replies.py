"""Replies of the character: lines from its pools, chosen by hash and by how often it was so addressed.

Nothing is drawn from a stream, so that a reply depends on its own turn and not on how many others were made before it.
What the persuader said comes into a reply as a quotation: a clause of at most sixty characters, control characters
taken out, filled in once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, TypeAlias

from dtomtrack.items.signs import visible
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pools import replies_of, shared_lines
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.suites.rhetbench.classifier import classify

__all__ = [
    "LEGIBILITIES",
    "Legibility",
    "Reply",
    "claim_of",
    "closing_line",
    "pivot_question",
    "reply_numbers",
    "reply_text",
    "stable_number",
]

Legibility: TypeAlias = Literal["clear", "subtle", "delayed"]
"""How well the tone can be heard: said first, in the line alone, or in the reply to the next message."""
LEGIBILITIES: tuple[Legibility, ...] = ("clear", "subtle", "delayed")

_HINTS = 2
"""Questions of an episode that buy something."""
_CLAIM = "{claim}"
_LONGEST_CLAIM = 60
_LONGEST_READ = 2_000
_LEAST_WORDS = 3
_CLAUSE = re.compile(r"[^,.;:!?\u2014\n]+")
_JOINING = re.compile(r"^(?:(?:and|or|but|so|then|because|since) )+", re.IGNORECASE)
"""Words that a clause begins with only where another went before it."""
_HANGING = re.compile(r"(?:of|than|which|who|whose|to|for|with|where|that) ", re.IGNORECASE)
"""A clause that begins so says nothing by itself."""
_QUOTES = re.compile(r"[\"\u201c\u201d\u201e<>{}]")


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything that a reply depends on, beside the pack.

    Attributes:
        tone: the tone to be heard, ``before`` that of the turn before.
        uses: how often the class was used before in the episode.
        hint: the class that works, which a question may bring to light.
        answers: whether the message takes up the character's question.
    """

    seed: int
    turn: int
    heard: ArgumentClass
    tone: Tone
    before: Tone
    uses: int
    hint: ArgumentClass
    message: str
    legibility: Legibility = "clear"
    answers: bool = False


def reply_text(pack: PersuasionPack, reply: Reply) -> str:
    """The reply, without a question that may follow it."""
    if reply.heard is ArgumentClass.ASK:
        return _filled(pack, reply, _hint(pack, reply))
    tone = reply.before if reply.legibility == "delayed" else reply.tone
    if reply.answers and reply.heard is ArgumentClass.GENERIC:
        return _one_of(shared_lines().answered, pack, reply)
    line = _line(pack, reply, tone)
    if reply.legibility != "subtle" and (reply.heard is not ArgumentClass.GENERIC or tone is not Tone.NEUTRAL):
        line = f"{_opener(pack, reply, tone, line)} {line}"
    if reply.answers:
        line = f"{_one_of(shared_lines().heeded, pack, reply)} {line}"
    return _filled(pack, reply, line)


def _line(pack: PersuasionPack, reply: Reply, tone: Tone) -> str:
    """A line of the pool; where nothing can be quoted that was heard as such an argument, one without a quotation."""
    lines = replies_of(pack, reply.heard).of(tone)
    number = stable_number(reply.seed, pack.id, reply.heard, tone) + reply.uses
    line = lines[number % len(lines)]
    if _CLAIM not in line or claim_of(reply.message, reply.heard):
        return line
    others = [one for one in lines if _CLAIM not in one]
    return others[(number + len(others) // 2) % len(others)]


def _one_of(lines: Sequence[str], pack: PersuasionPack, reply: Reply) -> str:
    """One of the lines said to an answer."""
    return lines[(stable_number(reply.seed, pack.id, "answered") + reply.turn) % len(lines)]


def pivot_question(pack: PersuasionPack, seed: int) -> str:
    """The question that the character asks when it is half convinced."""
    return pack.pivot[stable_number(seed, pack.id, "pivot") % len(pack.pivot)]


def closing_line(pack: PersuasionPack, seed: int, *, won: bool) -> str:
    """The last words of a character that is won over, or walks out."""
    closings = shared_lines().closings
    lines = closings.won if won else closings.walked_out
    return fill(lines[stable_number(seed, pack.id, "closing") % len(lines)], pack.placeholders)


def reply_numbers(pack: PersuasionPack, seed: int, tones: Sequence[Tone]) -> Mapping[str, Mapping[str, int] | int]:
    """The numbers that the replies of an episode are chosen by: of classes and openers by tone, and of hints."""
    return {
        **{heard: {tone: stable_number(seed, pack.id, heard, tone) for tone in tones} for heard in ArgumentClass},
        "opener": {tone: stable_number(seed, pack.id, "opener", tone) for tone in tones},
        "hint": stable_number(seed, pack.id, "hint"),
        "closing": stable_number(seed, pack.id, "closing"),
        "answered": stable_number(seed, pack.id, "answered"),
    }


def stable_number(seed: int, *names: object) -> int:
    """A number that depends on these names alone."""
    key = "/".join(map(str, (seed, *names))).encode()
    return int.from_bytes(blake2b(key, digest_size=6).digest(), "big")


@lru_cache(maxsize=1024)
def claim_of(message: str, heard: ArgumentClass) -> str:
    """The clause of a message that says most of those that make it an argument of its class; empty if none does.

    Clauses that can be quoted whole go before others.
    """
    clauses = [" ".join(_QUOTES.sub("", one).split()) for one in _CLAUSE.findall(visible(message[:_LONGEST_READ]))]
    spoken = [one for one in (_JOINING.sub("", clause) for clause in clauses) if len(one.split()) >= _LEAST_WORDS]
    spoken = [one for one in spoken if classify(one, asks=False).argument is heard]
    fitting = [one for one in spoken if len(one) <= _LONGEST_CLAIM]
    fitting = [one for one in fitting if not _HANGING.match(one)] or fitting
    if fitting:
        return max(fitting, key=len)
    return _cut(spoken[0]) if spoken else ""


def _cut(clause: str) -> str:
    return clause[: _LONGEST_CLAIM - 1].rsplit(" ", 1)[0] + "\u2026"


def _hint(pack: PersuasionPack, reply: Reply) -> str:
    shared = shared_lines()
    lines: Sequence[str] = shared.hints[reply.hint] if reply.uses < _HINTS else shared.no_more_hints
    return lines[(stable_number(reply.seed, pack.id, "hint") + reply.uses) % len(lines)]


def _opener(pack: PersuasionPack, reply: Reply, tone: Tone, line: str) -> str:
    """An opener that doesn't begin like the line that follows; in its place comes one that is no neighbour's."""
    openers = shared_lines().openers.of(tone)
    first = (stable_number(reply.seed, pack.id, "opener", tone) + reply.turn) % len(openers)
    far = (first + len(openers) // 2) % len(openers)
    return next(one for one in (openers[first], *openers[far:], *openers[:far]) if one[:3] != line[:3])


def _filled(pack: PersuasionPack, reply: Reply, line: str) -> str:
    return fill(line, {**pack.placeholders, "claim": claim_of(reply.message, reply.heard)})
