"""Scenes drawn from a pack: dialogues of 2 to 14 lines whose gold states and strategies hold by construction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from dtomtrack.items.words import stems
from dtomtrack.runs.slots import BLOCK, Slot
from dtomtrack.scenarios.route.course import LAYOUTS, Move, Pair, answered, draw_course, pairs_for
from dtomtrack.scenarios.route.pack import Concern, RoutePack, Strategy
from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.scenarios.route.state import (
    MIND_FIELDS,
    Choice,
    DossierItem,
    Mind,
    MindField,
    Resources,
    SceneState,
    Utterance,
)
from dtomtrack.scenarios.route.terms import PERSONAS, Persona, Role

__all__ = ["ROLES_OF_OPTIONS", "ScenePlan", "SceneStep", "quiet_line", "resources_of", "scene_states"]

ROLES_OF_OPTIONS = ("right", "already_used", "other_persona", "other_concern")
_LENGTHS = (4, 3, 5, 2, 6, 4, 7, 1)
"""States of scenes: topics and their rounds of scenes take turns at them; 4.0 on average, PersuasiveToM has 3.89."""
_OPTIONS = len(ROLES_OF_OPTIONS)
_ROLES: tuple[Role, Role] = ("persuader", "persuadee")


@dataclass(frozen=True)
class SceneStep:
    """What happens in two lines of a scene.

    Attributes:
        tried: the strategies of the persuader's line.
        settled: whether that line settled the doubt before; of the first step, where there is none, False.
        concern: the doubt that the persuadee then voices.
    """

    tried: tuple[Strategy, ...]
    settled: bool
    concern: Concern


@dataclass(frozen=True)
class ScenePlan:
    """What is decided of a scene before anybody speaks.

    Attributes:
        place: of its topic among those that take turns.
    """

    pack: RoutePack
    slot: Slot
    place: int = 0

    @property
    def round(self) -> int:
        """The scene's number among those of its topic."""
        return self.slot.block * BLOCK + self.slot.position

    @cached_property
    def moves(self) -> list[Move]:
        """The course, which as many scenes of the topic share as there are ways to lay doubts on it."""
        shared_by, which = self.round // len(LAYOUTS), f"{self.slot.seed}/{self.pack.id}"
        rng = Random(f"course/{which}/{shared_by}")  # noqa: S311 - reproducible, no secret
        states = _LENGTHS[(self.place + shared_by) % len(_LENGTHS)]
        return draw_course(rng.choice(PERSONAS), states, rng)

    @property
    def steps(self) -> list[SceneStep]:
        """The course in the pack's terms, two lines a step."""
        return [
            SceneStep(tuple(map(self.strategy, move.tried)), move.settled, self.concern(move.doubt))
            for move in self.moves
        ]

    @cached_property
    def names(self) -> tuple[str, str]:
        """The names of persuader and persuadee."""
        first, second = self.slot.random("scene").sample(self.pack.names, 2)
        return first, second

    def states(self, texts: Sequence[str], resources: Resources, generator: str, rng: Random) -> tuple[SceneState, ...]:
        """The states of the scene, from the first doubt on, once its lines are there.

        Args:
            texts: the lines of both, the persuader's first.
            generator: who wrote them.
            rng: draws the line of noise.
        """
        lines = [
            Utterance(role=_ROLES[place % 2], speaker=self.names[place % 2], text=text)
            for place, text in enumerate(texts)
        ]
        made = _Made(resources, generator, quiet_line(self.pack.setting, lines, rng))
        return tuple(
            _state(self, self.moves[: number + 1], tuple(lines[: 2 * number + 2]), made)
            for number in range(len(self.moves))
        )

    def concern(self, doubt: int) -> Concern:
        """The pack's concern for a doubt of the course."""
        return self.pack.concerns[LAYOUTS[self.round % len(LAYOUTS)][doubt]]

    def strategy(self, pair: Pair) -> Strategy:
        """The pack's strategy for one of the course."""
        wanted = tuple(self.concern(doubt).id for doubt in pair)
        return next(one for one in self.pack.strategies if (one.high_cog, one.low_cog) == wanted)


@dataclass(frozen=True)
class _Made:
    """What the states of a scene have in common once it is written."""

    resources: Resources
    generator: str
    noise: str


def scene_states(pack: RoutePack, slot: Slot, place: int = 0) -> tuple[SceneState, ...]:
    """The states of a scene in the pack's words.

    Args:
        place: of the topic among those that take turns.
    """
    scene, rng = ScenePlan(pack, slot, place), slot.random("scene")
    rng.sample(pack.names, 2)  # the names, as the plan draws them
    return scene.states(tuple(_lines(scene, rng)), resources_of(pack), "scripted", rng)


def _state(scene: ScenePlan, moves: Sequence[Move], history: tuple[Utterance, ...], made: _Made) -> SceneState:
    """The state after the last of these moves."""
    pack, turn = scene.pack, len(history) - 2
    concern = scene.concern(moves[-1].doubt)
    choices = {persona: _choice(scene, persona, moves, turn + place) for place, persona in enumerate(PERSONAS)}
    return SceneState(
        id=f"{scene.slot.index}-{turn}",
        scene=str(scene.slot.index),
        turn=turn,
        topic=pack.id,
        suggestion=pack.suggestion,
        background=pack.setting,
        history=history,
        concern=concern.id,
        choices=choices,
        effective=moves[-1].effective,
        minds={"persuader": _persuaders_mind(concern), "persuadee": _mind(concern)},
        labels=_labels(pack),
        resources=made.resources,
        noise=made.noise,
        generator=made.generator,
    )


def _labels(pack: RoutePack) -> dict[Role, dict[MindField, tuple[str, ...]]]:
    """The states that either may have; of the persuader's, only the intention differs from state to state."""
    return {
        "persuader": {"intent": tuple(_persuaders_mind(one).intent for one in pack.concerns)},
        "persuadee": {field: tuple(getattr(one, field) for one in pack.concerns) for field in MIND_FIELDS},
    }


def _mind(concern: Concern) -> Mind:
    return Mind(belief=concern.belief, desire=concern.desire, intent=concern.intent)


def _persuaders_mind(concern: Concern) -> Mind:
    own = shared().persuader
    return Mind(belief=own.belief, desire=own.desire, intent=f"{own.intent}_about_{concern.id}")


def resources_of(pack: RoutePack) -> Resources:
    """The dossier and the cues of a pack."""
    return Resources(
        facts=tuple(
            DossierItem(id=f"F{number}", text=one.text, said=one.said, concerns=one.bears_on)
            for number, one in enumerate(pack.facts, 1)
        ),
        counterpoints=tuple(
            DossierItem(id=f"C{number}", text=one.text, said=one.said, concerns=(one.answers,))
            for number, one in enumerate(pack.counterpoints, 1)
        ),
        cues=pack.cues,
    )


# -- lines -----------------------------------------------------------------------------------------------------------


def _lines(scene: ScenePlan, rng: Random) -> Iterator[str]:
    uses = Counter[str]()
    concerns = scene.pack.concerns
    wordings = {one.id: rng.sample(one.wordings, len(one.wordings)) for one in map(scene.concern, range(len(concerns)))}
    reactions = {True: list(shared().settled), False: list(shared().unsettled)}
    for number, step in enumerate(scene.steps):
        said = [] if number else [rng.choice(scene.pack.openings), rng.choice(shared().forestalled)]
        for strategy in step.tried:
            said.append(strategy.lines[(uses[strategy.name] + scene.round) % len(strategy.lines)])
            uses[strategy.name] += 1
        yield " ".join(said)
        reaction = [_taken(reactions[step.settled], rng)] if number else []
        yield " ".join([*reaction, wordings[step.concern.id].pop()])


def _taken(texts: list[str], rng: Random) -> str:
    return texts.pop(rng.randrange(len(texts)))


def quiet_line(background: str, lines: Iterable[Utterance], rng: Random) -> str:
    """Chatter that has no content word in common with a scene; where all has, the line that has the fewest."""
    told = frozenset[str]().union(stems(background), *(stems(line.text) for line in lines))
    fewest = min(len(stems(line) & told) for line in shared().noise)
    return rng.choice([line for line in shared().noise if len(stems(line) & told) == fewest])


# -- strategies ------------------------------------------------------------------------------------------------------


def _choice(scene: ScenePlan, persona: Persona, moves: Sequence[Move], number: int) -> Choice:
    """Two strategies for this doubt, of which one was tried, and two for another: each may be right at first sight."""
    by_role = _pairs(scene, persona, moves)
    rng = scene.slot.random("choice", number)
    wrong = rng.sample(ROLES_OF_OPTIONS[1:], _OPTIONS - 1)
    gold = (number + scene.round + scene.place) % _OPTIONS
    roles = (*wrong[:gold], ROLES_OF_OPTIONS[0], *wrong[gold:])
    return Choice(options=tuple(scene.strategy(by_role[role]).name for role in roles), gold=gold, roles=roles)


def _pairs(scene: ScenePlan, persona: Persona, moves: Sequence[Move]) -> dict[str, Pair]:
    """The strategies that are offered, by role. The other doubt is one that the right strategy names, or doesn't."""
    doubt, tried = moves[-1].doubt, {pair for move in moves for pair in move.tried}
    own = pairs_for(persona, doubt)
    (right,) = (one for one in own if one not in tried)
    (used,) = (one for one in own if one in tried)
    # states alternate: then all four of a set of options are right equally often, and no text tells which is
    named = (len(moves) + PERSONAS.index(persona) + scene.round // len(LAYOUTS)) % 2 == 0
    other = next(one for one in range(3) if one != doubt and (one in right) == named)
    opposite: Persona = "low_cog" if persona == "high_cog" else "high_cog"
    others = pairs_for(persona, other)
    (for_other,) = (one for one in others if answered(one, opposite) == doubt)
    (elsewhere,) = (one for one in others if answered(one, opposite) != doubt)
    return dict(zip(ROLES_OF_OPTIONS, (right, used, for_other, elsewhere), strict=True))
