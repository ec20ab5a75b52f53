"""A stand-in for a language model that writes scenes of ToMELP and reads them: every line says by a word of its own
what it is for, and the reader knows the words. It is no model, and stands for none."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence

from loopback import Answer, Request, completion

__all__ = ["company", "writes"]

_QUOTED = r"(\"(?:[^\"\\]|\\.)*\")"
_APPEALS = {
    "authority": "an expert",
    "social_proof": "what other people",
    "liking": "warmth",
    "reciprocity": "a favour",
    "scarcity": "limited",
}


def company(request: Request) -> Answer:
    """The reply of whoever is asked."""
    asked = str(request["messages"][0]["content"])
    return completion(_read(asked) if "Exactly one of the options" in asked else writes(asked))


def writes(asked: str) -> str:
    """A line, or a dossier."""
    if "Prepare material" in asked:
        doubts = [json.loads(one) for one in re.findall(rf"^\d\. {_QUOTED}$", asked, re.MULTILINE)]
        return json.dumps(_dossier(doubts))
    told = re.search(r"(?:call it by its name: |What you believe: )(.*)$", asked, re.MULTILINE)
    if told is None:
        raise ValueError(asked)
    return f"Well then, {' and '.join(_word(json.loads(one)) for one in re.findall(_QUOTED, told[1]))}."


def _dossier(doubts: Sequence[str]) -> dict[str, object]:
    facts = [_item(doubt, f"{place}{half}") for place, doubt in enumerate(doubts) for half in "ab"]
    counterpoints = [_item(doubt, f"{place}c") for place, doubt in enumerate(doubts)]
    cues = {kind: [f"Think of {_word(sign)} {number}." for number in "xyz"] for kind, sign in _APPEALS.items()}
    return {"facts": facts, "counterpoints": counterpoints, **cues}


def _item(doubt: str, name: str) -> dict[str, str]:
    town, office = _word(f"town {name}"), _word(f"office {name}")
    return {
        "text": f"In {town} the {office} counted 12 cases of {_word(doubt.partition(';')[0])}.",
        "said": f"There were 12, if you ask the {office} of {town}.",
    }


def _read(asked: str) -> str:
    """The letter of the option whose word is in the last line."""
    said = re.findall(rf"^\"[^\"]+\": {_QUOTED}$", asked, re.MULTILINE)[-1]
    for letter, text in re.findall(rf"^([A-Z])\W+{_QUOTED}$", asked, re.MULTILINE):
        option = json.loads(text).partition(";")[0]
        signs = [option, *(sign for sign in _APPEALS.values() if option.startswith(sign))]
        if any(_word(sign) in said for sign in signs):
            return str(letter)
    raise ValueError(asked)


def _word(text: str) -> str:
    """A word that nothing else has."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return "".join(chr(ord("a") + int(one, 16)) for one in digest[:12])
