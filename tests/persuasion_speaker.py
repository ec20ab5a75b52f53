"""A stand-in that speaks for both of a persuasive conversation, by saying its directions, and reads what was said."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from examinee import prompt_of
from loopback import Answer as Reply
from loopback import Request, completion

from dtomtrack.scenarios.persuasion.pack_files import find_goals
from dtomtrack.suites.persuasivetom.generation.questions import PRINCIPLE_TEXTS

__all__ = ["company", "spoken"]

PRINCIPLES = {one.label: one.principle for goal in find_goals("all").values() for one in goal.strategies}
_QUOTED = r"(\"(?:[^\"\\]|\\.)*\")"


def spoken(prompt: str) -> str:
    """A line that says its direction in so many words."""
    if "Argue by this strategy" in prompt:
        told = re.search(rf"Argue by this strategy.*?: {_QUOTED}\. Sound {_QUOTED}", prompt)
        target = re.search(r"You want \w+ to (.*?)\. What stands", prompt)
        assert told is not None and target is not None
        wanted = f"I'd like it: {target[1]}; " if "Begin by saying" in prompt else ""
        return f"{wanted}By «{json.loads(told[1])}» and “{json.loads(told[2])}”."
    told = re.search(rf"(?:Sound {_QUOTED}\.)? What you want to do with your line: {_QUOTED}", prompt)
    worries = re.search(r"(?:worries you, and you say so|you name each): (.*?)\.(?: Sound| What you)", prompt)
    assert told is not None
    named = "|".join(json.loads(one) for one in re.findall(_QUOTED, worries[1])) if worries else ""
    attitude = json.loads(told[1]) if told[1] else ""
    return f"Worries «{named}», “{attitude}”, to {json.loads(told[2])}!"


def read(prompt: str) -> str:
    """The answer that the lines of such a conversation give."""
    said = [json.loads(text) for text in re.findall(rf"^\"\w+\": {_QUOTED}$", prompt, re.MULTILINE)]
    asked = re.search(rf"^Question: {_QUOTED}$", prompt, re.MULTILINE)
    assert asked is not None
    question = str(json.loads(asked[1]))
    options: dict[str, str] = {
        json.loads(text).lower(): letter for letter, text in re.findall(rf"^([A-Z]): {_QUOTED}$", prompt, re.M)
    }
    return options[_meant(question, said).lower()]


def _meant(question: str, said: Sequence[str]) -> str:
    argued, answered, before = said[-2], said[-1], said[-3] if len(said) > 2 else ""
    inside = {name: re.search(r"«(.*?)».*?“(.*?)”", text) for name, text in (("er", argued), ("ee", answered))}
    assert inside["er"] is not None and inside["ee"] is not None
    worries = [one for one in inside["ee"][1].split("|") if one]
    if "trying to get" in question:
        target = re.search(r"I'd like it: (.*?); By", said[0])
        return "Yes" if target is not None and f"to {target[1]}?" in question else "No"
    if "Will this strategy" in question:
        earlier = re.search(r"«(.*?)»", before)
        helped = bool(set(filter(None, earlier[1].split("|") if earlier else [])) - set(worries))
        return "Yes" if helped == ("be effective" in question) else "No"
    simple: Mapping[str, str] = {
        "likely to": ("Yes", "Neutral", "No")[min(2, len(worries))],
        "having heard the last line": inside["ee"][2],
        "attitude to be in the last exchange": inside["er"][2],
        "intend with the way": PRINCIPLE_TEXTS[PRINCIPLES[inside["er"][1]]],
        "want to do with the last line": answered.rpartition(", to ")[2].rstrip("!"),
        "use next": inside["er"][1],
    }
    return next(text for sign, text in simple.items() if sign in question)


def company(request: Request) -> Reply:
    prompt = prompt_of(request)
    return completion(spoken(prompt) if "Write your next line" in prompt else read(prompt))
