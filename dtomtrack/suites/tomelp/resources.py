"""Facts, counterpoints and cues for a dialogue, written by a language model. Nobody has checked them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dtomtrack.errors import ReplyError
from dtomtrack.graphs.route_state import Lines
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import prompt
from dtomtrack.llm.structured import ask_for
from dtomtrack.records import Text
from dtomtrack.scenarios.route.state import DossierItem, Resources
from dtomtrack.suites.tomelp.wording import PACKAGE, dialogue_text, quoted
from dtomtrack.suites.tomelp.written_cues import WrittenCues

__all__ = ["write_resources"]

_TOKENS = 1_600


class _Written(WrittenCues):
    facts: Annotated[tuple[Text, ...], Field(min_length=6, max_length=6)]
    counterpoints: Annotated[tuple[Text, ...], Field(min_length=3, max_length=3)]


async def write_resources(model: ChatModel, scene: str, background: str, lines: Lines, seed: int) -> Resources:
    """The resources of a scene.

    Raises:
        ReplyError: what the model writes can't be used, also when it is asked again.
        ModelError: no answer can be had.
    """
    call = CallKey(f"scene {scene}", "resources")
    text = prompt(PACKAGE, "resources").fill(background=quoted(background), dialogue=dialogue_text(lines))
    written = await ask_for(model, ChatRequest.asking(call, text, seed, _TOKENS), _Written)
    if len({one.casefold() for one in written.facts}) < len(written.facts):
        raise ReplyError("two of the facts are the same")
    return Resources(
        facts=tuple(DossierItem(id=f"F{number}", text=one) for number, one in enumerate(written.facts, 1)),
        counterpoints=tuple(
            DossierItem(id=f"C{number}", text=one) for number, one in enumerate(written.counterpoints, 1)
        ),
        cues=written.cues(),
    )
