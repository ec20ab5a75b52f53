"""What a model writes for a scene: the lines of both, and the dossier with its cues. Rules see that it can be used."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.structured import ask_for
from dtomtrack.records import Record, Text
from dtomtrack.scenarios.route.model_actors import ModelRoutePersuadee, ModelRoutePersuader, in_words
from dtomtrack.scenarios.route.pack import Concern, Counterpoint, Fact, RoutePack
from dtomtrack.scenarios.route.pack_rules import problems
from dtomtrack.scenarios.route.sampler import ScenePlan
from dtomtrack.scenarios.route.terms import CUE_TYPES
from dtomtrack.scenarios.voice import SpeechSettings
from dtomtrack.suites.tomelp.citations import numbers_in
from dtomtrack.suites.tomelp.written_cues import MOST_PHRASES, WrittenCues

__all__ = ["dossier_call", "dossier_reply", "doubt_text", "write_dossier", "write_lines"]

_PACKAGE = "dtomtrack.suites.tomelp.generation"
_TOKENS = 2_400
_FACTS_A_DOUBT = 2


class _Item(Record):
    """A sentence as the dossier has it, and as somebody says it."""

    text: Text
    said: Text


class _Dossier(WrittenCues):
    facts: Annotated[tuple[_Item, ...], Field(min_length=6, max_length=6)]
    counterpoints: Annotated[tuple[_Item, ...], Field(min_length=3, max_length=3)]


async def write_lines(model: ChatModel, plan: ScenePlan, settings: SpeechSettings) -> list[str]:
    """The lines of a scene, the persuader's first.

    Raises:
        ReplyError: a line can't be had, or can't be used: it has a figure, or calls a strategy by its name.
        ModelError: no answer can be had.
    """
    # imported late: LangGraph takes half a second
    from dtomtrack.graphs.route_dialogue import RouteDialogue, play_dialogue

    actors = RouteDialogue(ModelRoutePersuader(model, plan, settings), ModelRoutePersuadee(model, plan, settings))
    lines = await play_dialogue(plan, actors)
    named = [one.name.casefold() for one in plan.pack.strategies]
    for number, line in enumerate(lines):
        if number % 2 == 0 and numbers_in(line):
            raise ReplyError("a line of the persuader has a figure in it; those are for the dossier")
        if any(name in line.casefold() for name in named):
            raise ReplyError("a line calls a strategy by its name")
    return lines


def doubt_text(concern: Concern) -> str:
    """A doubt in words: what is believed, and what is wanted instead."""
    return f"{in_words(concern.belief)}; wants {in_words(concern.desire)}"


def dossier_call(unit: str) -> CallKey:
    """The call for a dossier."""
    return CallKey(unit, "dossier")


def dossier_reply(pack: RoutePack) -> str:
    """The reply with which a model gives the dossier that a pack has already."""
    items = {
        name: tuple(_Item(text=one.text, said=one.said) for one in own)
        for name, own in (("facts", pack.facts), ("counterpoints", pack.counterpoints))
    }
    cues = {kind: pack.cues[kind][:MOST_PHRASES] for kind in CUE_TYPES}
    return _Dossier.model_validate({**items, **cues}).model_dump_json()


async def write_dossier(model: ChatModel, pack: RoutePack, settings: SpeechSettings) -> RoutePack:
    """A pack whose facts, counterpoints and cues a model wrote: two facts and a counterpoint for each of its doubts.

    Raises:
        ReplyError: what the model writes can't be used, also when it is asked again.
        ModelError: no answer can be had.
    """
    call = dossier_call(settings.unit)
    doubts = dict(zip(("first", "second", "third"), map(as_data, map(doubt_text, pack.concerns)), strict=True))
    text = prompt(_PACKAGE, "dossier").fill(setting=pack.setting, doing=pack.doing, **doubts)
    request = ChatRequest.asking(call, text, settings.seed, _TOKENS, temperature=settings.temperature)
    written = _with_dossier(pack, await ask_for(model, request, _Dossier))
    if wrong := problems(written):
        place, problem = wrong[0]
        raise ReplyError(f"the dossier can't be used: {'.'.join(map(str, place))} {problem}")
    return written


def _with_dossier(pack: RoutePack, written: _Dossier) -> RoutePack:
    owners = [one.id for one in pack.concerns for _ in range(_FACTS_A_DOUBT)]
    facts = tuple(
        Fact(text=one.text, said=one.said, bears_on=(owner,)) for one, owner in zip(written.facts, owners, strict=True)
    )
    counterpoints = tuple(
        Counterpoint(text=one.text, said=one.said, answers=concern.id)
        for one, concern in zip(written.counterpoints, pack.concerns, strict=True)
    )
    return pack.model_copy(update={"facts": facts, "counterpoints": counterpoints, "cues": written.cues()})
