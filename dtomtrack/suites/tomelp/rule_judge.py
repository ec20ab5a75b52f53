"""The judge `rules`: formulas over the closed world of a scene. It is no model and stands for none.

Elaboration e decides between evidence q and cues c; what a reply takes up of the mind adds h:

    q = .35 relevant + .25 rebutted + .20 specific + .20 coherent      c = min(1, types / 2) - .25 a type beyond three
    v = .65 (e q + (1 - e) c) + .35 h                                  e = .85 for high_cog, .25 for low_cog

and attitude is 0 below .30, 1 below .60, 2 from there; 0 where the reply says a false claim as if it were so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dtomtrack.errors import InputError
from dtomtrack.graphs.route_judging import without_tags
from dtomtrack.graphs.route_state import Alignment, Consistency, Lines, Minds, Outcome, Predicted
from dtomtrack.scenarios.route.state import MIND_FIELDS, Mind, Resources, SceneState
from dtomtrack.scenarios.route.terms import Cell, Persona, Route
from dtomtrack.suites.tomelp.citations import Sentence, numbers_in, sentences_of, tags_in, without_list_numbers
from dtomtrack.suites.tomelp.closed_world import ClosedWorld, addressed
from dtomtrack.suites.tomelp.false_claims import adopts_claim
from dtomtrack.suites.tomelp.labels import nearest_label

__all__ = ["ELABORATION", "Reading", "RulePanel", "cue_strength", "read_reply", "route_of"]

ELABORATION: Mapping[Persona, float] = {"high_cog": 0.85, "low_cog": 0.25}
"""How much of the listener's judgement goes by evidence."""
_SOME, _MUCH = 0.30, 0.60
_BY_ROUTE, _BY_MIND = 0.65, 0.35
_RELEVANT, _REBUTTED, _SPECIFIC, _COHERENT = 0.35, 0.25, 0.20, 0.20
_ENOUGH = 2
_MOST_TYPES, _TOO_MANY = 3, 0.25


@dataclass(frozen=True)
class Reading:
    """What rules read in a reply.

    Attributes:
        relevant, rebutted, specific, coherent: from 0 to 1, as the formula has them.
        used: how many items are used; ``cues``: how strong its cues are, from 0 to 1.
        adopts: whether it says a false claim as if it were so.
    """

    relevant: float
    rebutted: float
    specific: float
    coherent: float
    used: int
    cues: float
    adopts: bool

    @property
    def evidence(self) -> float:
        """q."""
        return (
            _RELEVANT * self.relevant
            + _REBUTTED * self.rebutted
            + _SPECIFIC * self.specific
            + _COHERENT * self.coherent
        )

    def value(self, elaboration: float, taken_up: int) -> float:
        """v, from 0 to 1, for a listener of this elaboration when so many of three states are taken up."""
        if self.adopts:
            return 0.0
        by_route = elaboration * self.evidence + (1 - elaboration) * self.cues
        return _BY_ROUTE * by_route + _BY_MIND * taken_up / len(MIND_FIELDS)

    def attitude(self, elaboration: float, taken_up: int) -> int:
        """0, 1 or 2."""
        value = self.value(elaboration, taken_up)
        return 0 if value < _SOME else 1 if value < _MUCH else 2

    def dimensions(self) -> tuple[int, ...]:
        """Relevance, credibility, sufficiency, coherence and specificity, 0 to 2 each."""
        sufficient = (self.relevant >= 1) + (self.rebutted >= 1)
        credible = min(self.used, 1) * (1 + (self.coherent >= 1))
        return (
            round(2 * self.relevant),
            credible,
            sufficient,
            round(2 * self.coherent) if self.used else 0,
            round(2 * self.specific),
        )


def read_reply(text: str, world: ClosedWorld, concern: str) -> Reading:
    """The reading of a reply to a doubt."""
    sentences, resources = sentences_of(text), world.resources
    used = list(world.used(sentences))
    ids = {tag for _, tag in used}
    relevant = {one.id for one in resources.facts if concern in one.concerns}
    rebuttals = {one.id for one in resources.counterpoints if concern in one.concerns}
    adopts = adopts_claim([one.text for one in sentences])
    # a false claim that is taken for true goes against all that the dossier says
    wrong = len(set(tags_in(text)) - {one.id for one in resources.dossier}) + _contradicted(used, resources) + adopts
    # a source that is named in an argument is a part of it
    types = {kind for one in sentences if not world.argues(one.text) for kind in world.cue_types(one.text)}
    return Reading(
        relevant=min(1.0, len(ids & relevant) / min(_ENOUGH, len(relevant))) if relevant else 0.0,
        rebutted=float(bool(ids & rebuttals)),
        specific=min(1.0, len(numbers_in(without_tags(without_list_numbers(text))) & world.numbers) / _ENOUGH),
        coherent=1 - min(1.0, float(wrong)),
        used=len(ids),
        cues=cue_strength(len(types)),
        adopts=adopts,
    )


def _contradicted(used: list[tuple[Sentence, str]], resources: Resources) -> int:
    """Items whose sentence has numbers, and none of the item's."""
    numbers = {one.id: numbers_in(one.text) for one in resources.dossier}
    said = [(numbers_in(sentence.text), numbers[tag]) for sentence, tag in used]
    return sum(bool(own and theirs) and not own & theirs for own, theirs in said)


def cue_strength(types: int) -> float:
    """c: two kinds of cue do all they can, and more than three wear off."""
    return max(0.0, min(1.0, types / _ENOUGH) - _TOO_MANY * max(0, types - _MOST_TYPES))


def route_of(text: str, world: ClosedWorld) -> Route:
    """The route of a text without tags: central where more sentences argue than have cues alone."""
    arguing = cued = 0
    for sentence in sentences_of(text):
        argues = world.argues(sentence.text)
        arguing += argues
        cued += not argues and bool(world.cue_types(sentence.text))
    return "central" if arguing > cued else "peripheral"


def _listener(cell: Cell) -> Persona:
    """The listener whose elaboration counts: the other one, where the two are swapped."""
    if cell.ablation != "elaboration-swapped":
        return cell.persona
    return "low_cog" if cell.persona == "high_cog" else "high_cog"


class RulePanel:
    """Rules that judge at one state (a `dtomtrack.graphs.route_state.Panel`)."""

    def __init__(self, state: SceneState, elaboration: Mapping[Persona, float] = ELABORATION) -> None:
        """Get ready.

        Args:
            elaboration: of either listener.

        Raises:
            InputError: nobody has said what bears on what in this scene.
        """
        if state.resources is None or state.concern is None or not state.minds:
            raise InputError(
                f"state {state.id}: the judge rules knows scenes of generate alone, where it is known what bears on "
                "what; name a model as --judge"
            )
        self._elaboration = elaboration
        self._concern = state.concern
        self._mind = state.minds["persuadee"]
        self._labels = state.labels["persuadee"]
        self._world = ClosedWorld(state.resources)

    async def predict(self, lines: Lines, text: str, number: int) -> Predicted:
        """Sentences that argue against sentences with cues; cues where there are as many."""
        return route_of(text, self._world)

    async def outcome(self, lines: Lines, cell: Cell, text: str) -> Outcome:
        """By the formulas; the states that count are the scene's own."""
        reading = read_reply(text, self._world, self._concern)
        route = route_of(without_tags(text), self._world)
        return Outcome(
            attitude=reading.attitude(self._elaboration[_listener(cell)], addressed(text, self._mind)),
            match=int(route == cell.route),
            route=route,
            evidence=reading.dimensions() if cell.route == "central" else None,
        )

    async def alignment(self, lines: Lines, cell: Cell, mind: Mind, text: str) -> Alignment:
        """Nothing of the states taken up is 0, one of them 1, more 2."""
        return min(2, addressed(text, mind))

    async def consistency(self, lines: Lines, persona: Persona, minds: Minds) -> Consistency:
        """How many of the persuadee's states are the gold ones: none is 0, one 1, more 2."""
        inferred = minds["persuadee"]
        right = sum(
            bool(nearest_label(getattr(inferred, name), labels) == getattr(self._mind, name))
            for name, labels in self._labels.items()
        )
        return min(2, right)
