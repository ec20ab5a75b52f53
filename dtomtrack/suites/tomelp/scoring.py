"""Replies as rows of scores: what the judge found, what the audits find, and what failed.

A subject's unusable output scores 0 and is counted beside; what a judge could not judge is in no mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from dtomtrack.evaluation.bounded import Range
from dtomtrack.graphs.route_judging import without_tags
from dtomtrack.scenarios.route.overlap import words_of
from dtomtrack.scenarios.route.state import MindField, SceneState
from dtomtrack.scenarios.route.terms import EVIDENCE_DIMENSIONS, Cell, Persona, Role, Route
from dtomtrack.suites.tomelp.citation_audit import audit_citations, unsupported_cues
from dtomtrack.suites.tomelp.closed_world import ClosedWorld
from dtomtrack.suites.tomelp.labels import nearest_label
from dtomtrack.suites.tomelp.played import InferredStates, PlayedReply, PlayedState

__all__ = [
    "RANGES",
    "InferenceRow",
    "ReplyRow",
    "Scene",
    "StrategyRow",
    "inference_rows",
    "known_scores",
    "reply_rows",
    "strategy_rows",
]

RANGES: Mapping[str, Range] = {
    **{name: Range(0, 2) for name in ("attitude", "alignment", "evidence", "consistency", *EVIDENCE_DIMENSIONS)},
    "words": Range(0, 10_000),
}
"""The ranges of scores; those that are not named go from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A state that was played, with what is known of it.

    Attributes:
        number: of the scene, for clustering.
    """

    number: int
    state: SceneState
    played: PlayedState


@dataclass(frozen=True, slots=True)
class ReplyRow:
    """The scores of a reply.

    Attributes:
        scores: by name; None where the judge gave none, absent where a score means nothing.
        invalid: whether the subject's output could not be used.
        by_default: those that the paper's "safe defaults" would have put in for failures of the judge, too.
    """

    scene: int
    state: str
    cell: Cell
    scores: Mapping[str, float | None]
    invalid: bool
    by_default: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One choice: whether it is the gold one, whether it could be read, and the label of the state."""

    scene: int
    state: str
    persona: Persona
    route: Route
    right: bool
    chosen: str | None
    effective: bool | None


@dataclass(frozen=True, slots=True)
class InferenceRow:
    """One inference for one listener.

    Attributes:
        fields: by role and field, whether the label it stands for, or the option it was placed at, is the gold one;
            where gold is known.
        placed: whether the subject's output of options could be used; None where it was not asked for any.
    """

    scene: int
    persona: Persona
    consistency: int | None
    invalid: bool
    fields: Mapping[tuple[Role, MindField], bool]
    placed: bool | None = None


# -- replies ---------------------------------------------------------------------------------------------------------


def reply_rows(scene: Scene) -> Iterator[ReplyRow]:
    """The rows of a state's replies; clean ones are audited, too."""
    world = None if scene.state.resources is None else ClosedWorld(scene.state.resources)
    for reply in scene.played.replies:
        scores = _zeros(reply) if reply.text is None else _judged(reply)
        # without inferred states no reply of any variant is tailored to them: the subject's failure, on all sides alike
        inferred = scene.played.inferred.get(reply.persona)
        if inferred is not None and inferred.minds is None:
            scores["alignment"] = 0.0
        unread = reply.text is None or reply.disturbance != "clean" or reply.ablation != "none"
        audits = {} if unread or world is None else _audits(reply.text or "", reply, world, scene.state.concern)
        yield ReplyRow(
            scene=scene.number,
            state=scene.state.id,
            cell=reply.cell,
            scores={**scores, **audits},
            invalid=reply.text is None,
            by_default={name: score or 0.0 for name, score in scores.items()},
        )


def _judged(reply: PlayedReply) -> dict[str, float | None]:
    verdicts = reply.verdicts
    scores: dict[str, float | None] = {
        "attitude": verdicts.attitude,
        "route_fit": verdicts.match,
        "predicted": None if verdicts.blind is None else float(verdicts.blind == reply.route),
        "anchored": None if verdicts.anchored is None else float(verdicts.anchored == reply.route),
        "alignment": verdicts.alignment,
        "contradiction": None
        if verdicts.match is None
        else float(verdicts.match != (verdicts.anchored == reply.route)),
    }
    if reply.route == "central":
        scores["substitution"] = None if verdicts.blind is None else float(verdicts.blind == "peripheral")
        evidence = verdicts.evidence
        scores["evidence"] = None if evidence is None else fmean(evidence)
        scores |= dict(zip(EVIDENCE_DIMENSIONS, evidence or [None] * len(EVIDENCE_DIMENSIONS), strict=True))
    return scores


def _zeros(reply: PlayedReply) -> dict[str, float | None]:
    """An unusable output persuades nobody, keeps no route and shows no evidence."""
    names = ["attitude", "route_fit", "predicted", "anchored", "alignment"]
    if reply.route == "central":
        names += ["evidence", *EVIDENCE_DIMENSIONS]
    return dict.fromkeys(names, 0.0)


def _audits(text: str, reply: PlayedReply, world: ClosedWorld, concern: str | None) -> dict[str, float | None]:
    found: dict[str, float | None] = {
        "words": float(min(10_000, len(words_of(without_tags(text))))),
        "unsupported": float(unsupported_cues(text, world) > 0),
    }
    if reply.route == "central":
        audit = audit_citations(text, world, concern)
        found |= {
            "precision": audit.precision,
            "recall": audit.recall,
            "phantom": float(audit.phantom > 0),
            "misattributed": audit.misattributed / audit.cited if audit.cited else None,
            "copied": audit.copied,
        }
    return found


# -- choices and inferences ------------------------------------------------------------------------------------------


def strategy_rows(scene: Scene) -> Iterator[StrategyRow]:
    """The rows of a state's choices."""
    for one in scene.played.chosen:
        gold = scene.state.choices[one.persona].answer
        yield StrategyRow(
            scene=scene.number,
            state=scene.state.id,
            persona=one.persona,
            route=one.route,
            right=one.strategy == gold,
            chosen=one.strategy,
            effective=scene.state.effective,
        )


def inference_rows(scene: Scene) -> Iterator[InferenceRow]:
    """The rows of a state's inferences."""
    for persona, one in scene.played.inferred.items():
        invalid = one.minds is None
        consistency = 0 if invalid else one.consistency
        placed = None if one.placed is None and one.unplaced is None else one.placed is not None
        fields = dict(chain(_by_label(scene.state, one), _by_option(scene.state, one)))
        yield InferenceRow(scene.number, persona, consistency, invalid, fields, placed)


def _by_label(state: SceneState, inferred: InferredStates) -> Iterator[tuple[tuple[Role, MindField], bool]]:
    for role, gold in state.minds.items():
        for field, labels in state.labels.get(role, {}).items():
            said = "" if inferred.minds is None else getattr(inferred.minds[role], field)
            yield (role, field), nearest_label(said, labels) == getattr(gold, field)


def _by_option(state: SceneState, inferred: InferredStates) -> Iterator[tuple[tuple[Role, MindField], bool]]:
    """By the text of the option: published questions have some options twice."""
    for number, one in enumerate(state.questions):
        place = None if inferred.placed is None else inferred.placed[number]
        yield (one.role, one.field), place is not None and one.options[place] == one.options[one.gold]


def known_scores(rows: Iterable[ReplyRow], name: str) -> Iterator[tuple[int, float]]:
    """A score of rows that have it, with the numbers of their scenes."""
    for row in rows:
        score = row.scores.get(name)
        if score is not None:
            yield row.scene, score
