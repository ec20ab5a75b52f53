"""A stand-in for a language model that plays its part to the letter, for tests and benchmarks of the machinery.

It reads the stage directions out of a prompt and does just what they say, in words drawn from a hash of the prompt:
the same request always gets the same reply. Nothing that it says is ever passed off as a model's.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from random import Random

from loopback import Answer, Request, completion

__all__ = ["asked_for", "perform", "perform_text"]

_WORDS = re.findall(
    r"\w+",
    "amber basil cedar dune ember fennel garnet harbor indigo jasper kelp lantern maple nectar orchid "
    "pebble quartz raven saffron timber umber velvet willow yarrow zephyr acorn birch copper drizzle "
    "emerald falcon ginger hazel ivory juniper ",
)
_COMPANY = ("You say this to", "To be polite", "Tell ", "You take it for granted")
"""How directions begin that only several people need."""
_STARTS = ("You hold", "Change your mind", "You wrongly take", "You alone know", "Bring the talk", *_COMPANY)
_BEGIN = "Begin your reply with exactly these words and go on from there: "
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def perform(request: Request) -> Answer:
    """The reply to a request of an actor."""
    return completion(perform_text(request))


def perform_text(request: Request) -> str:
    """What the reply says; where its beginning is asked for in words, with that beginning."""
    *before, last = request["messages"]
    asked, _, begun = last["content"].partition(_BEGIN)
    if not begun:
        return _performed(request)
    said = json.loads(begun)
    beginning = {"role": "assistant", "content": said}
    rest = _performed({**request, "messages": [*before, {**last, "content": asked.rstrip()}, beginning]})
    return f"{said} {rest.lstrip()}"


def _performed(request: Request) -> str:
    messages = request["messages"]
    asked = next(message["content"] for message in reversed(messages) if message["role"] == "user")
    rng = Random(hashlib.sha256(json.dumps(request["messages"]).encode()).hexdigest())
    if "You are " in asked and "Stage directions" not in asked:
        begun = messages[-1]["content"] if messages[-1]["role"] == "assistant" else ""
        return _bit(asked, begun, rng)
    if "Stage directions" not in asked:
        asked = next(message["content"] for message in messages if "Stage directions" in message["content"])
    conversation, _, rest = asked.partition("It is your turn.")
    directions, _, thoughts = rest.partition("Before you speak you think.")
    thought = " ".join(_thoughts(thoughts, conversation))
    utterance = " ".join(_line(one[2:], rng) for one in directions.split("\n") if one.startswith("- "))
    if "in one line of this form" in rest:
        begun = messages[-1]["content"] if messages[-1]["role"] == "assistant" else ""
        if begun.endswith(') "'):
            return f'{utterance}"'
        return f"({thought}) {json.dumps(utterance)}".removeprefix(begun.partition(": ")[2])
    return json.dumps(asked_for({"thought": thought, "utterance": utterance}, rest))


def asked_for(turn: dict[str, str], asked: str) -> dict[str, str]:
    """The pieces of a turn that a prompt asks for in JSON."""
    form = asked.rpartition("Answer with one JSON object")[2]
    return {piece: words for piece, words in turn.items() if f'"{piece}"' in form}


def _bit(asked: str, begun: str, rng: Random) -> str:
    """The rest of one thought, or one line, for actors that are asked bit by bit."""
    conversation, _, part = asked.rpartition("You are ")
    if "Think this: " in part:
        wanted = _quotes(part)[0]
        rest = wanted.removeprefix(begun).strip()
        return f"{_heard(wanted, conversation) if rest == '...' else rest}."
    directions = part.partition("You think: ")[2].partition("\n")[2].partition("\n\n")[0]
    starts = "|".join(_STARTS)
    line = " ".join(_line(one.strip(), rng) for one in re.split(rf"(?=(?:{starts}))", directions) if one.strip())
    return line.removeprefix(begun)


def _heard(wanted: str, conversation: str) -> str:
    """What a thought says that is left open: of another's mind, what was heard last; of one's own, nothing much."""
    if not wanted.startswith("I think that "):
        return "to see all of this settled"
    last = conversation.strip().rsplit("\n", 1)[-1].partition(": ")[2]
    return json.loads(last).rstrip(".?") if last.startswith('"') else "to see all of this settled"


def _thoughts(asked: str, conversation: str) -> Iterator[str]:
    for line in asked.split("\n"):
        if line.startswith("- "):
            wanted = _quotes(line)[0]
            rest = _heard(wanted, conversation) if wanted.endswith("...") else ""
            yield f"{wanted.removesuffix('...')}{rest}."


def _line(direction: str, rng: Random) -> str:
    quotes = _quotes(direction)
    filler = " ".join(rng.choices(_WORDS, k=5))
    if "Begin with the words" in direction:
        return f"{quotes[1].replace('...', _content(quotes[0]))} {_content(quotes[0])}, as the {filler} knows."
    if direction.startswith(_COMPANY):
        return _among_several(direction, quotes, filler)
    if direction.startswith("You hold"):
        return f"For my part, {_content(quotes[0])}, says the {filler}."
    if direction.startswith("Change your mind"):
        if len(quotes) < _WITH_MARKER:
            return f"For my part, {_content(quotes[1])}, says the {filler}."
        old, new, marker = quotes
        return f"{marker.replace('...', _content(old))} {_content(new)}, by the {filler}."
    if direction.startswith("You wrongly take"):
        return f"As you hold that {quotes[0]}, mind the {filler}."
    if direction.startswith("You alone know"):
        return f"{quotes[0].rstrip('.')}, and so does the {filler}."
    if direction.startswith("Bring the talk") and not quotes:
        return f"Tell me of the {filler}?"
    if direction.startswith("Bring the talk"):
        return f"Tell me of the {filler}: is it {quotes[0]}, or {quotes[1]}?"
    return f"Well, the {filler}."


_WITH_MARKER = 3
"""Quotes in a direction to change one's mind that has a marker: what was, what is, and the marker."""


def _among_several(direction: str, quotes: list[str], filler: str) -> str:
    if direction.startswith("You say this to"):
        kept_from = direction.partition("Let them know that ")[2].partition(", whom")[0]
        return f"{kept_from} is to hear {quotes[0]} from me." if quotes else f"Between us and the {filler}."
    if direction.startswith("To be polite"):
        return f"For my part, {_content(quotes[1])}, says the {filler}."
    told = re.search(r"(?:what you have of (?P<of>[^:]+): |granted that )(?P<holder>\S+) ", direction)
    holder = told["holder"] if told else ""
    return f"{holder}, I hear: {quotes[0]}, says the {filler}." if quotes else f"Well, the {filler}."


def _quotes(text: str) -> list[str]:
    return [json.loads(quote) for quote in _QUOTED.findall(text)]


def _content(thought: str) -> str:
    for prefix in ("I believe that ", "I will ", "I want ", "I feel ", "I know "):
        thought = thought.removeprefix(prefix)
    return thought
