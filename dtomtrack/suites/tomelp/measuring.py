"""What a play adds up to: Table 2, its contrasts, retention with its null, and the audits; all clustered by scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from dtomtrack.evaluation.bounded import Estimate, Part, Range, estimate, mean_score
from dtomtrack.scenarios.route.terms import DISTURBANCES, PERSONAS, ROUTES, VARIANTS, Persona, Variant
from dtomtrack.suites.tomelp.contrasts import contrasts_of
from dtomtrack.suites.tomelp.metrics import GroupedEstimate, PlayMetrics, VariantFigures
from dtomtrack.suites.tomelp.retaining import retention_of, robust_of
from dtomtrack.suites.tomelp.scoring import (
    RANGES,
    InferenceRow,
    ReplyRow,
    Scene,
    StrategyRow,
    inference_rows,
    known_scores,
    reply_rows,
    strategy_rows,
)

__all__ = ["PlayedBy", "measure_play"]

_UNIT, _TWO = Range(0, 1), Range(0, 2)


@dataclass(frozen=True)
class PlayedBy:
    """Who played and who judged, and what it took."""

    subject: str
    judge: str
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


@dataclass
class _Rows:
    """The rows of a play, and counts of what failed."""

    replies: list[ReplyRow] = field(default_factory=list)
    strategies: list[StrategyRow] = field(default_factory=list)
    inferences: list[InferenceRow] = field(default_factory=list)
    unjudged: Counter[str] = field(default_factory=Counter)
    states: int = 0

    def add(self, scene: Scene) -> None:
        """A state."""
        self.states += 1
        self.replies += reply_rows(scene)
        self.strategies += strategy_rows(scene)
        self.inferences += inference_rows(scene)
        self.unjudged.update(name for reply in scene.played.replies for name in reply.verdicts.unjudged)
        self.unjudged.update("consistency" for one in scene.played.inferred.values() if one.unjudged is not None)

    @property
    def invalid(self) -> dict[str, int]:
        return {
            "infer": sum(one.invalid for one in self.inferences),
            "choose": sum(one.chosen is None for one in self.strategies),
            "write": sum(one.invalid for one in self.replies),
        }


def measure_play(by: PlayedBy, scenes: Iterable[Scene]) -> PlayMetrics:
    """The metrics of a play; scenes are read once, and of each its scores are kept and no text."""
    rows = _Rows()
    for scene in scenes:
        rows.add(scene)
    variants = [one for one in VARIANTS if any(row.cell.variant == one for row in rows.replies)]
    return PlayMetrics(
        subject=by.subject,
        judge=by.judge,
        states=rows.states,
        scenes=len({row.scene for row in rows.replies}),
        replies=len(rows.replies),
        asked={"infer": len(rows.inferences), "choose": len(rows.strategies), "write": len(rows.replies)},
        invalid=rows.invalid,
        unjudged=dict(sorted(rows.unjudged.items())),
        strategy=_right(rows.strategies),
        strategy_by_label=_by_label(rows.strategies),
        persona_shift=_persona_shift(rows.strategies),
        consistency=mean_score(_consistencies(rows.inferences), _TWO),
        consistency_shares=_shares(rows.inferences),
        states_right=_states_right(rows.inferences),
        variants=tuple(_figures(variant, rows.replies) for variant in variants),
        contrasts=contrasts_of(rows.replies, variants),
        calls=by.calls,
        tokens=by.tokens,
        cost=by.cost,
    )


# -- before a word is written ----------------------------------------------------------------------------------------


def _right(rows: Iterable[StrategyRow]) -> Estimate:
    return mean_score([(row.scene, float(row.right)) for row in rows], _UNIT)


def _by_label(rows: Sequence[StrategyRow]) -> dict[str, Estimate]:
    labels = {"effective": True, "ineffective": False}
    found = {name: [row for row in rows if row.effective is label] for name, label in labels.items()}
    return {name: _right(own) for name, own in found.items() if own}


def _persona_shift(rows: Iterable[StrategyRow]) -> Estimate:
    """How often the two listeners get different strategies; over states for which all could be read."""
    by_state: dict[tuple[int, str], dict[Persona, set[str | None]]] = {}
    for row in rows:
        by_state.setdefault((row.scene, row.state), {}).setdefault(row.persona, set()).add(row.chosen)
    known = [
        (scene, float(len({frozenset(one) for one in chosen.values()}) > 1))
        for (scene, _), chosen in by_state.items()
        if len(chosen) == len(PERSONAS) and not any(None in one for one in chosen.values())
    ]
    return mean_score(known, _UNIT)


def _consistencies(rows: Iterable[InferenceRow]) -> list[tuple[int, float]]:
    return [(row.scene, float(row.consistency)) for row in rows if row.consistency is not None]


def _shares(rows: Sequence[InferenceRow]) -> dict[Persona, tuple[float, float, float]]:
    found: dict[Persona, tuple[float, float, float]] = {}
    for persona in PERSONAS:
        levels = [row.consistency for row in rows if row.persona == persona and row.consistency is not None]
        if levels:
            none, some, full = (round(levels.count(level) / len(levels), 6) for level in (0, 1, 2))
            found[persona] = none, some, full
    return found


def _states_right(rows: Iterable[InferenceRow]) -> dict[str, Estimate]:
    by_field: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        for (role, name), right in row.fields.items():
            by_field.setdefault(f"{role} {name}", []).append((row.scene, float(right)))
    return {name: mean_score(scores, _UNIT) for name, scores in by_field.items()}


# -- replies ---------------------------------------------------------------------------------------------------------


def _figures(variant: Variant, rows: Sequence[ReplyRow]) -> VariantFigures:
    own = [row for row in rows if row.cell.variant == variant]
    clean = [row for row in own if row.cell.disturbance == "clean"]
    names = dict.fromkeys(name for row in clean for name in row.scores)
    both = [
        (row.scene, anchored - blind)
        for row in clean
        if (anchored := row.scores.get("anchored")) is not None and (blind := row.scores.get("predicted")) is not None
    ]
    return VariantFigures(
        variant=variant,
        scores={name: mean_score(known_scores(clean, name), RANGES.get(name, _UNIT)) for name in names},
        anchoring=mean_score(both, Range(-1, 1)),
        retention=retention_of(own),
        robust=robust_of(own, DISTURBANCES),
        persona_gap=tuple(_gaps(variant, clean)),
        by_default=_by_default(clean),
    )


def _gaps(variant: Variant, clean: Sequence[ReplyRow]) -> Iterator[GroupedEstimate]:
    """Attitude for who weighs evidence minus for who goes by cues, by route."""
    for route in ROUTES:
        high, low = (
            [row for row in clean if row.cell.route == route and row.cell.persona == persona] for persona in PERSONAS
        )
        parts = [Part(list(known_scores(high, "attitude"))), Part(list(known_scores(low, "attitude")), -1.0)]
        yield GroupedEstimate(estimate=estimate(parts, Range(-2, 2)), route=route, variant=variant)


def _by_default(clean: Sequence[ReplyRow]) -> dict[str, float]:
    names = dict.fromkeys(name for row in clean for name in row.by_default)
    return {name: round(fmean(_defaults(clean, name)), 6) for name in names}


def _defaults(rows: Iterable[ReplyRow], name: str) -> list[float]:
    return [row.by_default[name] for row in rows if name in row.by_default]
