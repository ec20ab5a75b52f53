"""The records of a play: one line for each dialogue state, with everything that a subject said and a judge found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from dtomtrack.graphs.route_judging import blind_text
from dtomtrack.graphs.route_state import Consistency, Minds, Options, Outcome, PersuasionState, Unusable, Written
from dtomtrack.records import Count, Record, Text
from dtomtrack.scenarios.route.state import Mind, SceneState
from dtomtrack.scenarios.route.terms import Ablation, Cell, Disturbance, Persona, Role, Route, Variant
from dtomtrack.verifiers.judging.scales import Unjudged

__all__ = [
    "PLAYS",
    "ChosenStrategy",
    "InferredStates",
    "PlayedReply",
    "PlayedState",
    "Verdicts",
    "played_state",
    "replayed",
]

PLAYS = "plays.jsonl"

Score = Annotated[int, Field(ge=0, le=2)]
Judgement = Literal["outcome", "blind", "alignment", "consistency"]


class InferredStates(Record):
    """What a subject took both to have in mind.

    Attributes:
        minds: by role; None where the output could not be used, and then ``invalid`` says why.
        placed: the positions of the options that the subject held nearest to them, in the order of the state's
            questions, None for one that could not be read; None in all where there are no questions, or its output
            could not be used, and then ``unplaced`` says why.
        consistency: 0 to 2 (persona-ToM consistency); None where it was not judged, and then ``unjudged`` says why.
    """

    minds: dict[Role, Mind] | None
    invalid: str | None = None
    placed: tuple[Count | None, ...] | None = None
    unplaced: str | None = None
    consistency: Score | None = None
    unjudged: str | None = None


class ChosenStrategy(Record):
    """The strategy that a subject chose; None where none could be read, and then ``invalid`` says why."""

    persona: Persona
    route: Route
    strategy: str | None
    invalid: str | None = None


class Verdicts(Record):
    """What a judge found of a reply; what it could not judge is None, with the reason in ``unjudged``.

    Attributes:
        blind: the route of the bare text, by a judge that is told none; ``anchored``: by one that is.
        match: elm_match; ``alignment``: with the states inferred in this scene.
    """

    attitude: Score | None = None
    match: Annotated[int, Field(ge=0, le=1)] | None = None
    anchored: Route | None = None
    blind: Route | None = None
    evidence: tuple[Score, Score, Score, Score, Score] | None = None
    alignment: Score | None = None
    unjudged: dict[Judgement, str] = Field(default_factory=dict)


class PlayedReply(Record):
    """One cell of a state.

    Attributes:
        ablation: the part of the design that is taken away; where it concerns the judge alone, the text is that of the
            whole cell.
        text: the reply; None where the output could not be used, and then ``invalid`` says why.
    """

    persona: Persona
    route: Route
    variant: Variant
    disturbance: Disturbance
    ablation: Ablation = "none"
    text: str | None
    outline: str = ""
    invalid: str | None = None
    verdicts: Verdicts = Verdicts()

    @property
    def cell(self) -> Cell:
        """The cell of the design."""
        return Cell(self.persona, self.route, self.variant, self.disturbance, self.ablation)


class PlayedState(Record):
    """A line of ``plays.jsonl``.

    Attributes:
        elsewhere: the state of another scene whose inferred states the shuffled writer was given.
        without_gold: whether replies with gold states were asked for, and nobody knows any.
    """

    index: Count
    state: Text
    scene: Text
    inferred: dict[Persona, InferredStates]
    elsewhere: str | None = None
    without_gold: bool = False
    chosen: tuple[ChosenStrategy, ...] = ()
    replies: tuple[PlayedReply, ...] = ()


def played_state(index: int, state: SceneState, found: PersuasionState, elsewhere: str | None = None) -> PlayedState:
    """The record of a finished run of the workflow."""
    consistencies, placed = found.get("consistencies", {}), found.get("placed", {})
    return PlayedState(
        index=index,
        state=state.id,
        scene=state.scene,
        inferred={
            one: _inferred(minds, consistencies.get(one), placed.get(one))
            for one, minds in found.get("minds", {}).items()
        },
        elsewhere=elsewhere,
        chosen=tuple(
            ChosenStrategy(
                persona=persona,
                route=route,
                strategy=None if isinstance(one, Unusable) else one,
                invalid=one.reason if isinstance(one, Unusable) else None,
            )
            for (persona, route), one in found.get("chosen", {}).items()
        ),
        replies=tuple(_reply(cell, one, found) for cell, one in sorted(found["replies"].items(), key=_order)),
    )


def replayed(played: PlayedState) -> dict[str, object]:
    """The part of a state that was played which judges need, and what they leave as it is: inferred states, replies."""
    return {
        "minds": {
            persona: Unusable(one.invalid or "") if one.minds is None else one.minds
            for persona, one in played.inferred.items()
        },
        "placed": {
            persona: Unusable(one.unplaced or "") if one.placed is None else one.placed
            for persona, one in played.inferred.items()
            if one.placed is not None or one.unplaced is not None
        },
        "replies": {
            one.cell: Unusable(one.invalid or "") if one.text is None else Written(one.text, one.outline)
            for one in played.replies
        },
    }


def _order(entry: tuple[Cell, object]) -> tuple[bool, bool, Cell]:
    cell = entry[0]
    return cell.ablation != "none", cell.disturbance != "clean", cell


def _inferred(
    minds: Minds | Unusable, consistency: Consistency | None, placed: Options | Unusable | None
) -> InferredStates:
    if isinstance(minds, Unusable):
        return InferredStates(minds=None, invalid=minds.reason)
    failed = consistency.reason if isinstance(consistency, Unjudged) else None
    level = None if isinstance(consistency, Unjudged) else consistency
    return InferredStates(
        minds=dict(minds),
        placed=None if placed is None or isinstance(placed, Unusable) else tuple(placed),
        unplaced=placed.reason if isinstance(placed, Unusable) else None,
        consistency=level,
        unjudged=failed,
    )


def _reply(cell: Cell, one: Written | Unusable, found: PersuasionState) -> PlayedReply:
    written = None if isinstance(one, Unusable) else one
    return PlayedReply(
        persona=cell.persona,
        route=cell.route,
        variant=cell.variant,
        disturbance=cell.disturbance,
        ablation=cell.ablation,
        text=None if written is None else written.text,
        outline="" if written is None else written.outline,
        invalid=one.reason if isinstance(one, Unusable) else None,
        verdicts=Verdicts() if written is None else _verdicts(cell, written, found),
    )


def _verdicts(cell: Cell, written: Written, found: PersuasionState) -> Verdicts:
    given: Mapping[Judgement, object] = {
        "outcome": found.get("outcomes", {}).get(cell),
        "blind": found.get("predicted", {}).get(blind_text(cell, written.text)),
        "alignment": found.get("alignments", {}).get(cell),
    }
    known = {name: one for name, one in given.items() if not isinstance(one, Unjudged)}
    outcome = known.get("outcome")
    scores = outcome if isinstance(outcome, Outcome) else None
    return Verdicts.model_validate(
        {
            "attitude": scores and scores.attitude,
            "match": scores and scores.match,
            "anchored": scores and scores.route,
            "evidence": scores and scores.evidence,
            "blind": known.get("blind"),
            "alignment": known.get("alignment"),
            "unjudged": {name: one.reason for name, one in given.items() if isinstance(one, Unjudged)},
        }
    )
