"""Lines of the stand-in for a small model: right ones, in plain words, and wrong ones of each kind."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.items.words import content_words

__all__ = ["Part", "good_line", "parts_of", "wrong_line"]

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_STARTS = {
    "You hold": "voice",
    "Change your mind": "update",
    "You wrongly take": "presume",
    "You alone know": "reveal",
    "Bring the talk": "ask",
}


@dataclass(frozen=True)
class Part:
    """One stage direction.

    Attributes:
        kind: "voice", "update", "presume", "reveal", "ask"; "chat" for all others.
        quotes: what it quotes.
        text: its words.
    """

    kind: str
    quotes: tuple[str, ...] = ()
    text: str = ""

    @property
    def state(self) -> str:
        """The thought that is to be said, or the content that is to be taken for granted."""
        position = 1 if self.kind == "update" else 0
        return self.quotes[position] if len(self.quotes) > position else ""

    @property
    def content(self) -> str:
        """The content of that."""
        return _split(self.state)[1]


def parts_of(directions: str) -> list[Part]:
    """The stage directions in a prompt."""
    starts = "|".join(_STARTS)
    pieces = re.split(rf"(?=(?:{starts}))|\n", directions.partition("\n\nWrite only")[0])
    texts = [piece.strip().removeprefix("- ") for piece in pieces if piece and piece.strip(" -")]
    return [_part(text) for text in texts] or [Part("chat")]


def _part(text: str) -> Part:
    kind = next((kind for start, kind in _STARTS.items() if text.startswith(start)), "chat")
    return Part(kind, tuple(json.loads(quote) for quote in _QUOTED.findall(text)), text)


def _split(thought: str) -> tuple[str, str]:
    for prefix in ("I believe that ", "I will ", "I want ", "I feel ", "I know "):
        if thought.startswith(prefix):
            return prefix.strip(), thought.removeprefix(prefix)
    return "", thought


def _stated(thought: str) -> str:
    """A state as people say it."""
    prefix, content = _split(thought)
    return {"I will": f"I'll {content}", "I want": f"I want {content}", "I feel": f"I feel {content}"}.get(
        prefix, content
    )


_OPENERS = ("Honestly,", "If you ask me,", "Well,", "For my part,", "To be frank,", "I should say that", "Look,")
_TAILS = (
    "That much is certain.",
    "So there you are.",
    "I slept on it.",
    "It came to me early.",
    "You know how it is.",
    "My sister says the same.",
    "No two ways about it.",
    "Let's leave it there.",
    "",
)
_STARTED = ("I'll plan around that", "that is taken care of", "we need not lose a word on it", "I've put it down")
_CHAT = (
    ("The weather", "The way here", "This place", "The whole week", "Your voice", "That little bell", "My old coat"),
    ("reminds me of", "goes well with", "beats", "makes up for", "is nothing beside", "belongs with"),
    ("a Sunday in May", "my first job", "the seaside", "warm bread", "the old radio", "a good book", "home"),
)


def _chat(rng: Random) -> str:
    return f"{' '.join(rng.choice(words) for words in _CHAT)}."


_SECOND = {"believes": "think", "will": "will", "wants": "want", "feels": "feel", "knows": "know"}


def good_line(part: Part, partner: str, begun: str, rng: Random) -> str:
    """What a direction asks for; behind ``begun``, if the line is begun."""
    tail = rng.choice(_TAILS)
    match part.kind:
        case "voice":
            return f"{rng.choice(_OPENERS)} {_stated(part.state)}. {tail}".strip()
        case "update":
            marker = "" if begun else _marker(part)
            return f"{marker} {_stated(part.state)}. {tail}".strip()
        case "presume":
            return _presumption(part, begun, rng)
        case "reveal":
            return f"{part.quotes[0].rstrip('.')}, I hear. {tail}".strip()
        case "ask" if part.quotes:
            return f"Tell me, {partner}, is it {part.quotes[0]}, or {part.quotes[-1]}?"
        case _:
            return _chat(rng)


def _marker(part: Part) -> str:
    shown = part.quotes[2] if len(part.quotes) > 2 else ""
    return shown.replace("...", _split(part.quotes[0])[1])


def _presumption(part: Part, begun: str, rng: Random) -> str:
    verb = re.search(r"granted that \S+ (?P<verb>\w+) ", part.text)
    second = _SECOND.get(verb["verb"] if verb else "", "think")
    start = "" if begun else f"As you {second} "
    return f"{start}{part.quotes[0]}, {rng.choice(_STARTED)}."


def wrong_line(
    error: str,
    part: Part,
    names: tuple[str, str],
    thought: str,
    heard: Sequence[str],
    begun: str,
    good: str,
    rng: Random,
) -> str:
    """A line that goes wrong in this way."""
    own, partner = names
    match error:
        case "aloud":
            return re.sub(r"^I believe that ", "I believe ", part.state) + "."
        case "unsaid" | "nothing_asked":
            return f"I was going to say, {_chat(rng).lower()}"
        case "repeated" if heard:
            return heard[-1]
        case "negated":
            return f"I don't think {part.content}." if not begun else f"it's not as if {part.content}."
        case "one_word":
            words = [word for word in part.content.split() if content_words(word)] or part.content.split()
            return f"it all comes down to the right {words[0]}, {rng.choice(_STARTED)}."
        case "third_person" if not begun:
            return f"{own or partner} thinks {part.content}, {rng.choice(_STARTED)}."
        case "asked" | "asked_begun":
            return f"{'' if begun else 'Do you think '}{part.content}, or am I mistaken?"
        case _:
            return f'{good.rstrip(".")}," {own or "the other"} says.'
