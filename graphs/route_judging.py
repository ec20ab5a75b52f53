"""The judges of route-controlled persuasion: all replies are gathered, and each judge sees what it needs to.

    gather ─> judge_blind, judge_outcome, judge_alignment, judge_minds

The blind judge's node has no key for routes, variants or tagged replies: it gets bare texts in an order of their own.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from dtomtrack.graphs.route_state import (
    Inferred,
    Lines,
    Persuasion,
    PersuasionState,
    Predicted,
    Replies,
    Unusable,
    Written,
    of_persuadee,
)
from dtomtrack.scenarios.route.state import Mind
from dtomtrack.scenarios.route.terms import Cell

__all__ = ["add_judges", "blind_text", "judging_graph", "without_tags"]

_TAG = r"(?:(?:[^\W\d_]{1,14}[ .:#]+){0,2}[^\W\d_]{0,14}\d{1,3}|[FC])"
"""An id, with at most two words before it."""
_ID = r"[FC]\d{1,3}"
_IN_OTHERS = rf"[(\uff08\u3010\u3014\uff3b]\s*{_ID}(?:(?:[\s,;/&+\u2013-]|and\b)+{_ID})*\s*[)\uff09\u3011\u3015\uff3d]"
"""Ids alone in brackets of other kinds; what else these hold is said."""
_BEFORE_MARK = re.compile(r" +(?=[.,](?!\d))")
_TAGS = re.compile(
    rf"{_IN_OTHERS}|"
    rf"\[{{1,3}}\s*(?:{_TAG}(?:(?:\s*[,;/&+\N{{EN DASH}}-]\s*|\s+){_TAG}){{0,40}})?\s*\]+|\[\s{{0,3}}[FC]\d{{1,3}}\b",
    re.IGNORECASE,
)
_JUDGES = ("judge_blind", "judge_outcome", "judge_alignment", "judge_minds")


class GatherSees(TypedDict):
    """The part that takes tags off replies."""

    replies: Replies


class BlindSees(TypedDict):
    """The part that the blind judge sees."""

    lines: Lines
    bare: Sequence[str]


class OutcomeSees(TypedDict):
    """The part that the judge of outcomes sees."""

    lines: Lines
    replies: Replies


class AlignmentSees(OutcomeSees):
    """The part that the judge of alignment sees."""

    minds: Inferred


class ConsistencySees(TypedDict):
    """The part that the judge of inferred states sees."""

    lines: Lines
    minds: Inferred


def without_tags(text: str) -> str:
    """A reply without its tags, [F1], (F1), [facts 1 and 2] or an unclosed [C1: they stand in central replies alone,
    and would give them away. What else is in brackets is a part of what is said, and stays."""
    return _BEFORE_MARK.sub("", " ".join(_TAGS.sub("", text).split()))


def blind_text(cell: Cell, text: str) -> str:
    """A reply as the blind judge sees it: without tags, unless it is to see them."""
    return " ".join(text.split()) if cell.ablation == "tags-shown" else without_tags(text)


async def _gather(state: GatherSees, runtime: Runtime[Persuasion]) -> dict[str, object]:
    """Each text once, in an order that is nobody's: that of their hashes."""
    again = {cell: state["replies"][cell.whole] for cell in runtime.context.cells if not cell.written}
    replies = {**state["replies"], **again}
    texts = {blind_text(cell, one.text) for cell, one in replies.items() if isinstance(one, Written)}
    return {"replies": again, "bare": sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())}


async def _judge_blind(state: BlindSees, runtime: Runtime[Persuasion]) -> dict[str, Mapping[str, Predicted]]:
    panel, bare = runtime.context.panel, state["bare"]
    found = await asyncio.gather(*(panel.predict(state["lines"], text, number) for number, text in enumerate(bare)))
    return {"predicted": dict(zip(bare, found, strict=True))}


def _usable(replies: Replies) -> dict[Cell, str]:
    """Replies as judges see them that know the cell; tags that are shown to the blind judge change nothing here."""
    return {
        cell: without_tags(one.text) if cell.ablation == "tags-stripped" else one.text
        for cell, one in replies.items()
        if isinstance(one, Written) and cell.ablation != "tags-shown"
    }


async def _judge_outcome(state: OutcomeSees, runtime: Runtime[Persuasion]) -> dict[str, object]:
    panel, texts = runtime.context.panel, _usable(state["replies"])
    found = await asyncio.gather(*(panel.outcome(state["lines"], cell, text) for cell, text in texts.items()))
    return {"outcomes": dict(zip(texts, found, strict=True))}


async def _judge_alignment(state: AlignmentSees, runtime: Runtime[Persuasion]) -> dict[str, object]:
    """Against the states that were inferred in this scene, whatever the writer was given."""
    minds = {persona: of_persuadee(one) for persona, one in state["minds"].items()}
    texts = {
        (cell, mind): text
        for cell, text in _usable(state["replies"]).items()
        if isinstance(mind := minds[cell.persona], Mind)
    }
    found = await asyncio.gather(
        *(runtime.context.panel.alignment(state["lines"], cell, mind, text) for (cell, mind), text in texts.items())
    )
    return {"alignments": {cell: one for (cell, _), one in zip(texts, found, strict=True)}}


async def _judge_minds(state: ConsistencySees, runtime: Runtime[Persuasion]) -> dict[str, object]:
    minds = {persona: one for persona, one in state["minds"].items() if not isinstance(one, Unusable)}
    panel = runtime.context.panel
    found = await asyncio.gather(*(panel.consistency(state["lines"], who, one) for who, one in minds.items()))
    return {"consistencies": dict(zip(minds, found, strict=True))}


def add_judges(builder: StateGraph[PersuasionState, Persuasion, Any, PersuasionState]) -> None:
    """Add the judges to a workflow, behind the node ``gather``."""
    builder.add_node("gather", _gather, input_schema=GatherSees)
    builder.add_node("judge_blind", _judge_blind, input_schema=BlindSees)
    builder.add_node("judge_outcome", _judge_outcome, input_schema=OutcomeSees)
    builder.add_node("judge_alignment", _judge_alignment, input_schema=AlignmentSees)
    builder.add_node("judge_minds", _judge_minds, input_schema=ConsistencySees)
    for name in _JUDGES:
        builder.add_edge("gather", name)
        builder.add_edge(name, END)


def _build_judging() -> CompiledStateGraph[PersuasionState, Persuasion, Any, PersuasionState]:
    """Judges alone, over replies that are there already: they are part of what a run begins with."""
    builder = StateGraph(PersuasionState, context_schema=Persuasion)
    add_judges(builder)
    builder.add_edge(START, "gather")
    return builder.compile(name="route_judging")


judging_graph = _build_judging()
