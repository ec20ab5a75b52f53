"""What a play adds up to: Table 2, its contrasts, retention with its null, and the audits; all clustered by scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from statistics import fmean
from typing import Literal

from dtomtrack.evaluation.bounded import Part, Range, estimate, mean_score
from dtomtrack.scenarios.route.terms import DISTURBANCES, PERSONAS, ROUTES, VARIANTS, Persona, Route, Variant
from dtomtrack.suites.tomelp.ablating import Ablations
from dtomtrack.suites.tomelp.columns import Column, Columns
from dtomtrack.suites.tomelp.contrasts import Contrasts
from dtomtrack.suites.tomelp.metrics import GroupedEstimate, PlayMetrics, VariantFigures
from dtomtrack.suites.tomelp.retaining import Retentions
from dtomtrack.suites.tomelp.scoring import (
    RANGES,
    InferenceRow,
    ReplyRow,
    Scene,
    StrategyRow,
    inference_rows,
    reply_rows,
    strategy_rows,
)

__all__ = ["PlayedBy", "measure_play"]

_UNIT, _TWO = Range(0, 1), Range(0, 2)
_LABELS = ("effective", "ineffective")


@dataclass(frozen=True)
class PlayedBy:
    """Who played and who judged, and what it took."""

    subject: str
    judge: str
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


def measure_play(by: PlayedBy, scenes: Iterable[Scene], *, defaults: bool = False) -> PlayMetrics:
    """The metrics of a play; scenes are read once, and of each its scores are kept and no text.

    Args:
        defaults: whether verdicts that could not be had count as 0, as the paper's defaults have it.
    """
    play = _Play(defaults)
    for scene in scenes:
        play.add(scene)
    choices, inferences, replies = play.choices, play.inferences, play.replies
    variants = replies.variants
    return PlayMetrics(
        subject=by.subject,
        judge=by.judge,
        states=play.states,
        scenes=len(play.scenes),
        replies=replies.asked,
        asked=_stages(play, "asked"),
        invalid=_stages(play, "invalid"),
        without_gold=play.without_gold,
        unjudged=dict(sorted(play.unjudged.items())),
        strategy=mean_score(choices.right["all"], _UNIT),
        strategy_by_label={name: mean_score(choices.right[name], _UNIT) for name in _LABELS if name in choices.right},
        persona_shift=mean_score(choices.shifted, _UNIT),
        consistency=mean_score(chain.from_iterable(inferences.levels[one] for one in PERSONAS), _TWO),
        consistency_shares={one: _shares(inferences.levels[one]) for one in PERSONAS if one in inferences.levels},
        states_right={name: mean_score(inferences.right[name], _UNIT) for name in inferences.right},
        variants=tuple(replies.figures(variant) for variant in variants),
        contrasts=replies.contrasts.figures(variants),
        ablations=replies.ablations.figures(),
        calls=by.calls,
        tokens=by.tokens,
        cost=by.cost,
    )


def _stages(play: _Play, count: Literal["asked", "invalid"]) -> dict[str, int]:
    """Outputs of the subject by stage; placing is none where nothing was asked about."""
    placings = play.inferences.placings
    stages: dict[str, _Choices | _Inferences | _Replies | _Placings] = {"infer": play.inferences}
    stages |= {"place": placings} if placings.asked else {}
    stages |= {"choose": play.choices, "write": play.replies}
    return {name: getattr(one, count) for name, one in stages.items()}


@dataclass
class _Play:
    """The scores of a play, and counts of what failed; states are added one after another."""

    defaults: bool = False
    choices: _Choices = field(default_factory=lambda: _Choices())
    inferences: _Inferences = field(default_factory=lambda: _Inferences())
    replies: _Replies = field(default_factory=lambda: _Replies())
    unjudged: Counter[str] = field(default_factory=Counter)
    scenes: set[int] = field(default_factory=set)
    states: int = 0
    without_gold: int = 0

    def add(self, scene: Scene) -> None:
        """A state."""
        self.states += 1
        self.without_gold += scene.played.without_gold
        if scene.played.replies:
            self.scenes.add(scene.number)
        self.choices.add(list(strategy_rows(scene)))
        inferred, replies = inference_rows(scene), reply_rows(scene)
        if self.defaults:
            inferred = (replace(row, consistency=row.consistency or 0) for row in inferred)
            replies = (replace(row, scores={**row.scores, **row.by_default}) for row in replies)
        self.inferences.add(inferred)
        self.replies.add(list(replies))
        self.unjudged.update(name for reply in scene.played.replies for name in reply.verdicts.unjudged)
        self.unjudged.update("consistency" for one in scene.played.inferred.values() if one.unjudged is not None)


# -- before a word is written ----------------------------------------------------------------------------------------


@dataclass
class _Choices:
    """Choices of a strategy: right by label, and whether the two listeners get different ones by the same route."""

    right: Columns[str] = field(default_factory=Columns)
    shifted: Column = field(default_factory=Column)
    asked: int = 0
    invalid: int = 0

    def add(self, rows: Sequence[StrategyRow]) -> None:
        """The choices in a state."""
        by_route: dict[Route, list[str | None]] = {}
        for row in rows:
            self.asked += 1
            self.invalid += row.chosen is None
            self.right.add("all", row.scene, float(row.right))
            if row.effective is not None:
                self.right.add(_LABELS[not row.effective], row.scene, float(row.right))
            by_route.setdefault(row.route, []).append(row.chosen)
        for chosen in by_route.values():
            if len(chosen) == len(PERSONAS) and None not in chosen:
                self.shifted.add(rows[0].scene, float(len(set(chosen)) > 1))


@dataclass
class _Placings:
    """How often inferred states were to be placed among options, and could not be."""

    asked: int = 0
    invalid: int = 0


@dataclass
class _Inferences:
    """Inferred states: how consistent, by listener, and right by role and field."""

    levels: Columns[Persona] = field(default_factory=Columns)
    right: Columns[str] = field(default_factory=Columns)
    placings: _Placings = field(default_factory=_Placings)
    asked: int = 0
    invalid: int = 0

    def add(self, rows: Iterable[InferenceRow]) -> None:
        """The inferences in a state."""
        for row in rows:
            self.asked += 1
            self.invalid += row.invalid
            self.placings.asked += row.placed is not None
            self.placings.invalid += row.placed is False
            if row.consistency is not None:
                self.levels.add(row.persona, row.scene, float(row.consistency))
            for (role, name), right in row.fields.items():
                self.right.add(f"{role} {name}", row.scene, float(right))


def _shares(levels: Column) -> tuple[float, float, float]:
    none, some, full = (round(levels.scores.count(level) / len(levels), 6) for level in (0, 1, 2))
    return none, some, full


# -- replies ---------------------------------------------------------------------------------------------------------


@dataclass
class _Replies:
    """Replies: scores of clean ones by variant, and what disturbances leave of them.

    Attributes:
        scores: by variant and name; ``default`` those of the paper's defaults.
        attitudes: by variant, route and listener.
    """

    scores: Columns[tuple[Variant, str]] = field(default_factory=Columns)
    default: Columns[tuple[Variant, str]] = field(default_factory=Columns)
    anchoring: Columns[Variant] = field(default_factory=Columns)
    attitudes: Columns[tuple[Variant, Route, Persona]] = field(default_factory=Columns)
    contrasts: Contrasts = field(default_factory=Contrasts)
    ablations: Ablations = field(default_factory=Ablations)
    retentions: dict[Variant, Retentions] = field(default_factory=dict)
    names: dict[Variant, dict[str, None]] = field(default_factory=dict)
    asked: int = 0
    invalid: int = 0

    @property
    def variants(self) -> list[Variant]:
        """Those that were played, in their order."""
        return [one for one in VARIANTS if one in self.retentions]

    def add(self, rows: Sequence[ReplyRow]) -> None:
        """The replies of a state."""
        written = [row for row in rows if row.cell.written]
        self.asked += len(written)
        self.invalid += sum(row.invalid for row in written)
        self.ablations.add(rows)
        whole = [row for row in rows if row.cell.ablation == "none"]
        for variant in dict.fromkeys(row.cell.variant for row in whole):
            own = [row for row in whole if row.cell.variant == variant]
            self.retentions.setdefault(variant, Retentions()).add(own)
        clean = [row for row in whole if row.cell.disturbance == "clean"]
        self.contrasts.add(clean)
        for row in clean:
            self._add_clean(row)

    def _add_clean(self, row: ReplyRow) -> None:
        cell, scores = row.cell, row.scores
        self.names.setdefault(cell.variant, {}).update(dict.fromkeys(scores))
        for name, score in scores.items():
            if score is not None:
                self.scores.add((cell.variant, name), row.scene, score)
        for name, score in row.by_default.items():
            self.default.add((cell.variant, name), row.scene, score)
        anchored, blind, attitude = (scores.get(name) for name in ("anchored", "predicted", "attitude"))
        if anchored is not None and blind is not None:
            self.anchoring.add(cell.variant, row.scene, anchored - blind)
        if attitude is not None:
            self.attitudes.add((cell.variant, cell.route, cell.persona), row.scene, attitude)

    def figures(self, variant: Variant) -> VariantFigures:
        """The figures of a variant."""
        names = self.names.get(variant, {})
        default = {name: self.default[variant, name].scores for name in names if (variant, name) in self.default}
        retentions = self.retentions[variant]
        return VariantFigures(
            variant=variant,
            scores={name: mean_score(self.scores[variant, name], RANGES.get(name, _UNIT)) for name in names},
            anchoring=mean_score(self.anchoring[variant], Range(-1, 1)),
            retention=retentions.figures(),
            robust=retentions.robust(DISTURBANCES),
            persona_gap=tuple(self._gap(variant, route) for route in ROUTES),
            by_default={name: round(fmean(own), 6) for name, own in default.items()},
        )

    def _gap(self, variant: Variant, route: Route) -> GroupedEstimate:
        """Attitude for who weighs evidence minus for who goes by cues."""
        high, low = (self.attitudes[variant, route, persona] for persona in PERSONAS)
        return GroupedEstimate(
            estimate=estimate([Part(high), Part(low, -1.0)], Range(-2, 2)), route=route, variant=variant
        )
