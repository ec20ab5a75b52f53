"""A stand-in for a language model that persuades and judges in set phrases, for tests and benchmarks of the machinery.

It sees what is asked by the schema of the reply, and answers by a hash of the request: the same request always gets the
same reply. Nothing that it says is ever passed off as a model's.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

from loopback import Answer, Request, completion

__all__ = ["answer_by_schema", "persuade", "persuade_text"]

_TAG = re.compile(r"^\[(F\d|C\d)\]", re.MULTILINE)
_ASKED = re.compile(r"^\d+\. The persua", re.MULTILINE)
_STRATEGY = re.compile(r'^- "(.*)"$', re.MULTILINE)


def persuade(request: Request) -> Answer:
    """The reply to a request."""
    return completion(persuade_text(request))


def persuade_text(request: Request) -> str:
    """What the reply says."""
    asked = request["messages"][0]["content"]
    rng = Random(hashlib.sha256(json.dumps(request["messages"]).encode()).hexdigest())
    form = request.get("response_format")
    if request["messages"][0]["role"] == "system":
        return _turn(asked, rng)
    if form is None:
        return rng.choice("ABC" if "\nC: " in asked else "AB")
    return json.dumps(answer_by_schema(form["json_schema"]["schema"]["properties"], asked, rng))


def answer_by_schema(fields: Mapping[str, Any], asked: str, rng: Random) -> dict[str, Any]:
    """An object with these fields."""
    if "selected_strategy" in fields:
        return {"selected_strategy": rng.choice(_STRATEGY.findall(asked))}
    if "reply_text" in fields:
        return {"outline": ["one"], "reply_text": _turn(asked, rng)}
    if "attitude_change" in fields:
        scores: dict[str, Any] = {
            "attitude_change": rng.randrange(3),
            "elm_match": rng.randrange(2),
            "route_pred": rng.choice(["central", "peripheral"]),
        }
        central = "five fields" in asked
        names = ("relevance", "credibility", "sufficiency", "coherence", "specificity")
        return {**scores, "evidence_quality": {name: rng.randrange(3) for name in names} if central else None}
    if "letters" in fields:
        return {"letters": [rng.choice("AB") for _ in _ASKED.findall(asked)]}
    mind = {"belief": "thinks so", "desire": "wants rest", "intent": "will wait"}
    if "listens_to" in fields:
        return {**mind, "listens_to": rng.choice(["evidence", "cues"])}
    return {"persuader": mind, "persuadee": {**mind, "belief": f"thinks of {rng.randrange(10**6)}"}}


def _turn(asked: str, rng: Random) -> str:
    tags = " ".join(f"Item {tag} bears on it [{tag}]." for tag in sorted(set(_TAG.findall(asked)))[:2])
    return f"I hear you, number {rng.randrange(10**6)}. {tags}".strip()
