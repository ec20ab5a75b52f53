"""A loopback "model" for whole runs: it writes scenarios, plays turns and verifies, each as it is told to."""

from __future__ import annotations

import json
import re

from competent_author import good_draft
from loopback import Answer, Request, completion
from performer import perform

__all__ = ["do_all"]

_OPTION = re.compile(r"^([A-Z]): (.+)$", re.MULTILINE)


def do_all(request: Request) -> Answer:
    """The reply to any request of a run."""
    text = "\n".join(message["content"] for message in request["messages"])
    if "Generate a realistic conversation scenario" in text:
        return completion(json.dumps(good_draft(text)))
    if "Stage directions" in text:
        return perform(request)
    options = dict(_OPTION.findall(text))
    if "thinks now:" in text:
        return completion(_state_shown(options, text.rpartition("thinks now:")[2]))
    return completion(max(options))


def _state_shown(options: dict[str, str], thought: str) -> str:
    """The letter of the state that is thought; the one that says neither has no quotation marks."""
    named = [letter for letter, state in options.items() if state.startswith('"') and state.strip('"') in thought]
    return named[0] if named else next(letter for letter, state in options.items() if not state.startswith('"'))
