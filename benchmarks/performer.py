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

__all__ = ["perform", "perform_text"]

_WORDS = re.findall(
    r"\w+",
    "amber basil cedar dune ember fennel garnet harbor indigo jasper kelp lantern maple nectar orchid "
    "pebble quartz raven saffron timber umber velvet willow yarrow zephyr acorn birch copper drizzle "
    "emerald falcon ginger hazel ivory juniper ",
)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def perform(request: Request) -> Answer:
    """The reply to a request of an actor."""
    return completion(perform_text(request))


def perform_text(request: Request) -> str:
    """What the reply says."""
    messages = request["messages"]
    asked = next(message["content"] for message in reversed(messages) if message["role"] == "user")
    rng = Random(hashlib.sha256(json.dumps(request["messages"]).encode()).hexdigest())
    if "Stage directions" not in asked:
        asked = next(message["content"] for message in messages if "Stage directions" in message["content"])
    conversation, _, rest = asked.partition("It is your turn.")
    directions, _, thoughts = rest.partition("Before you speak you think.")
    last = conversation.strip().rsplit("\n", 1)[-1].partition(": ")[2]
    heard = json.loads(last) if last.startswith('"') else "to see all of this settled"
    thought = " ".join(_thoughts(thoughts, heard))
    utterance = " ".join(_line(one[2:], rng) for one in directions.split("\n") if one.startswith("- "))
    return json.dumps({"thought": thought, "utterance": utterance})


def _thoughts(asked: str, heard: str) -> Iterator[str]:
    for line in asked.split("\n"):
        if line.startswith("- "):
            wanted = _quotes(line)[0]
            yield f"{wanted.removesuffix('...')}{heard.rstrip('.?') if wanted.endswith('...') else ''}."


def _line(direction: str, rng: Random) -> str:
    quotes = _quotes(direction)
    filler = " ".join(rng.choices(_WORDS, k=5))
    if direction.startswith("You hold"):
        return f"For my part, {_content(quotes[0])}, says the {filler}."
    if direction.startswith("Change your mind"):
        old, new, marker = quotes
        return f"{marker.replace('...', _content(old))} {_content(new)}, by the {filler}."
    if direction.startswith("You wrongly take"):
        return f"As you hold that {quotes[0]}, mind the {filler}."
    if direction.startswith("You alone know"):
        return f"{quotes[0].rstrip('.')}, and so does the {filler}."
    if direction.startswith("Bring the talk"):
        return f"Tell me of the {filler}: is it {quotes[0]}, or {quotes[1]}?"
    return f"Well, the {filler}."


def _quotes(text: str) -> list[str]:
    return [json.loads(quote) for quote in _QUOTED.findall(text)]


def _content(thought: str) -> str:
    for prefix in ("I believe that ", "I will ", "I want ", "I feel ", "I know "):
        thought = thought.removeprefix(prefix)
    return thought
