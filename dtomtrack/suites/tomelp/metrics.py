"""The records of what a play adds up to: ``metrics.json``."""

from __future__ import annotations

from pydantic import Field

from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.evaluation.equivalence import Equivalence
from dtomtrack.records import Count, Record, Text
from dtomtrack.scenarios.route.terms import Ablation, Disturbance, Persona, Route, Variant
from dtomtrack.suites.tomelp.learned_judge import LearnedRoutes

__all__ = ["AblationEffect", "Contrast", "GroupedEstimate", "PlayMetrics", "Retention", "VariantFigures"]


class GroupedEstimate(Record):
    """An estimate for one group of cells; a part of the cell that is None is not told apart."""

    estimate: Estimate
    persona: Persona | None = None
    route: Route | None = None
    variant: Variant | None = None


class Contrast(Record):
    """One variant minus another, on the same states, listeners and routes.

    Attributes:
        score: of what, by name.
        interaction: the contrast by the central route minus that by the peripheral one: the paper's first claim, a
            difference in differences.
        equivalence: whether it is nought, give or take a twentieth of the score's range.
    """

    score: Text
    variant: Variant
    minus: Variant
    estimate: Estimate
    cells: tuple[GroupedEstimate, ...] = ()
    interaction: Estimate | None = None
    equivalence: Equivalence | None = None


class AblationEffect(Record):
    """Replies with a part of the design taken away minus those of the whole design, on the same cells.

    Attributes:
        disturbance: under which the replies were written; ``clean`` but for warnings.
        score: of what, by name.
        cells: by listener and route.
    """

    ablation: Ablation
    disturbance: Disturbance
    variant: Variant
    score: Text
    estimate: Estimate
    cells: tuple[GroupedEstimate, ...] = ()

    def of(self, persona: Persona, route: Route) -> Estimate:
        """The effect for one listener by one route."""
        found = (one.estimate for one in self.cells if (one.persona, one.route) == (persona, route))
        return next(found, Estimate())


class Retention(Record):
    """What a disturbance leaves of the attitude change.

    Attributes:
        retained: equation 6, over instances with a clean change; None without any.
        change: disturbed minus clean attitude, over all instances.
        beyond_null: retained minus that of a mere redraw, on the same instances; None where nothing was redrawn.
    """

    disturbance: Disturbance
    retained: Estimate
    change: Estimate
    beyond_null: Estimate | None = None


class VariantFigures(Record):
    """The figures of a variant over clean cells.

    Attributes:
        scores: by name (attitude, route_fit, predicted, anchored, evidence and its dimensions, alignment, substitution,
            contradiction, and those of the audits), over both listeners and both routes where they have both.
        anchoring: the route read by a judge that is told it minus by one that is not.
        robust: equation 7, over the three disturbances.
        persona_gap: attitude for high_cog minus for low_cog, by route.
        by_default: means as the paper's defaults would make them: what a judge failed to judge counts as 0.
    """

    variant: Variant
    scores: dict[str, Estimate]
    anchoring: Estimate
    retention: tuple[Retention, ...] = ()
    robust: Estimate = Estimate()
    persona_gap: tuple[GroupedEstimate, ...] = ()
    by_default: dict[str, float] = Field(default_factory=dict)


class PlayMetrics(Record):
    """Everything that a play adds up to.

    Attributes:
        invalid: outputs of the subject that could not be used, by stage; ``unjudged``: verdicts that could not be had.
        asked: outputs of the subject, by stage.
        strategy: equation 1, with ``strategy_by_label`` split by the label of effectiveness.
        persona_shift: share of states and routes for which another strategy is chosen for another listener.
        consistency: equation 4, by listener, with the shares of 0, 1 and 2.
        states_right: share of inferred states that stand for the gold one, by role and field; where gold is known.
        without_gold: states in which nothing was written with gold states, as nobody knows any.
        ablations: effects of what was taken away.
        learned: a bag of words as second blind judge, by variant.
    """

    subject: Text
    judge: Text
    states: Count
    scenes: Count
    replies: Count
    asked: dict[str, int]
    invalid: dict[str, int]
    unjudged: dict[str, int]
    strategy: Estimate
    strategy_by_label: dict[str, Estimate]
    persona_shift: Estimate
    consistency: Estimate
    consistency_shares: dict[Persona, tuple[float, float, float]]
    states_right: dict[str, Estimate]
    variants: tuple[VariantFigures, ...]
    contrasts: tuple[Contrast, ...]
    ablations: tuple[AblationEffect, ...] = ()
    without_gold: Count = 0
    learned: tuple[LearnedRoutes, ...] = ()
    calls: Count = 0
    tokens: Count = 0
    cost: float = 0.0

    def figures(self, variant: Variant) -> VariantFigures | None:
        """The figures of a variant, if it was played."""
        return next((one for one in self.variants if one.variant == variant), None)

    def learned_of(self, variant: Variant) -> LearnedRoutes | None:
        """What the learnt judge finds of a variant, if there was anything to learn from."""
        return next((one for one in self.learned if one.variant == variant), None)

    def contrast(self, score: str, variant: Variant, minus: Variant) -> Contrast | None:
        """A contrast, if both variants were played."""
        wanted = (score, variant, minus)
        return next((one for one in self.contrasts if (one.score, one.variant, one.minus) == wanted), None)
