"""A language model as judge (a `dtomtrack.graphs.route_state.Panel`).

The blind question shows no route and no tags; the others are the paper's, with small whole numbers or one letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from dtomtrack.graphs.route_state import Alignment, Consistency, Lines, Minds, Outcome, Predicted
from dtomtrack.llm.chat import CallKey, ChatModel
from dtomtrack.llm.prompts import prompt
from dtomtrack.records import Record
from dtomtrack.scenarios.route.state import Mind
from dtomtrack.scenarios.route.terms import EVIDENCE_DIMENSIONS, ROUTES, Cell, Persona
from dtomtrack.suites.tomelp.wording import PACKAGE, dialogue_text, name_in, persona_text, quoted, route_text
from dtomtrack.verifiers.judging.scales import Flag, Level, Question, Unjudged, ask_level, ask_scores

__all__ = ["ModelPanel"]

_ROUTES: Mapping[str, str] = {
    "A": "by facts, data or reasons, and by answering objections",
    "B": "by who says it, what others do, warmth, favours or urgency",
}
_ALIGNMENT: Mapping[str, str] = {
    "A": "not tailored, or generic",
    "B": "somewhat tailored",
    "C": "clearly tailored to belief, desire or intent and to the person",
}
_CONSISTENCY: Mapping[str, str] = {
    "A": "it contradicts them, or would fit anybody",
    "B": "it follows in part",
    "C": "it follows",
}


class _Evidence(Record):
    relevance: Level
    credibility: Level
    sufficiency: Level
    coherence: Level
    specificity: Level


class _Central(Record):
    attitude_change: Level
    elm_match: Flag
    route_pred: Literal["central", "peripheral"]
    evidence_quality: _Evidence


class _Peripheral(Record):
    attitude_change: Level
    elm_match: Flag
    route_pred: Literal["central", "peripheral"]
    evidence_quality: None = None


class ModelPanel:
    """A model that judges at one dialogue state.

    Args:
        unit: what its calls are known by.
        purpose: put before the purpose of each call, so that a state may be judged more than once.
    """

    def __init__(self, model: ChatModel, unit: str, seed: int, purpose: str = "judge") -> None:
        self._model = model
        self._unit = unit
        self._seed = seed
        self._purpose = purpose

    async def predict(self, lines: Lines, text: str, number: int) -> Predicted:
        """The route that a text follows."""
        asked = prompt(PACKAGE, "judge_blind").fill(dialogue=dialogue_text(lines), reply=quoted(text))
        level = await self._level(f"blind {number}", asked, _ROUTES)
        return level if isinstance(level, Unjudged) else ROUTES[level]

    async def outcome(self, lines: Lines, cell: Cell, text: str) -> Outcome | Unjudged:
        """Attitude, route and evidence."""
        asked = prompt(PACKAGE, "judge_outcome").fill(
            dialogue=dialogue_text(lines),
            persuadee=name_in(lines, "persuadee"),
            persona=persona_text(cell.persona),
            route=route_text(cell.route),
            reply=quoted(text),
            evidence=prompt(PACKAGE, f"evidence_{cell.route}").fill(),
        )
        call = self._call(f"outcome {cell}")
        if cell.route == "peripheral":
            plain = await ask_scores(self._model, call, asked, _Peripheral, self._seed)
            return plain if isinstance(plain, Unjudged) else _outcome(plain, None)
        scored = await ask_scores(self._model, call, asked, _Central, self._seed)
        return scored if isinstance(scored, Unjudged) else _outcome(scored, scored.evidence_quality)

    async def alignment(self, lines: Lines, cell: Cell, mind: Mind, text: str) -> Alignment:
        """How far a reply is tailored."""
        asked = prompt(PACKAGE, "judge_alignment").fill(
            dialogue=dialogue_text(lines),
            persuadee=name_in(lines, "persuadee"),
            persona=persona_text(cell.persona),
            belief=quoted(mind.belief),
            desire=quoted(mind.desire),
            intent=quoted(mind.intent),
            route=route_text(cell.route),
            reply=quoted(text),
        )
        return await self._level(f"alignment {cell}", asked, _ALIGNMENT)

    async def consistency(self, lines: Lines, persona: Persona, minds: Minds) -> Consistency:
        """Whether states follow."""
        states = {
            f"{role}_{field}": quoted(getattr(minds[role], field))
            for role in minds
            for field in ("belief", "desire", "intent")
        }
        asked = prompt(PACKAGE, "judge_consistency").fill(
            dialogue=dialogue_text(lines),
            persuader=name_in(lines, "persuader"),
            persuadee=name_in(lines, "persuadee"),
            persona=persona_text(persona),
            **states,
        )
        return await self._level(f"consistency {persona}", asked, _CONSISTENCY)

    def _call(self, what: str) -> CallKey:
        return CallKey(self._unit, f"{self._purpose} {what}")

    async def _level(self, what: str, text: str, levels: Mapping[str, str]) -> int | Unjudged:
        return await ask_level(self._model, Question(self._call(what), text, levels, self._seed))


def _outcome(scored: _Central | _Peripheral, evidence: _Evidence | None) -> Outcome:
    dimensions = None if evidence is None else tuple(getattr(evidence, name) for name in EVIDENCE_DIMENSIONS)
    return Outcome(scored.attitude_change, scored.elm_match, scored.route_pred, dimensions)
