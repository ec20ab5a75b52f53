"""Scenes drawn from a pack: dialogues of 2 to 14 lines whose gold states and strategies hold by construction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from dtomtrack.items.words import stems
from dtomtrack.runs.slots import BLOCK, Slot
from dtomtrack.scenarios.route.course import Move, draw_course
from dtomtrack.scenarios.route.pack import Concern, RoutePack, strategies_for
from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.scenarios.route.state import Choice, DossierItem, Mind, Resources, SceneState, Utterance
from dtomtrack.scenarios.route.terms import PERSONAS, Persona, Role

__all__ = ["ROLES_OF_OPTIONS", "quiet_line", "resources_of", "scene_states"]

ROLES_OF_OPTIONS = ("right", "already_used", "other_persona", "other_concern")
_LENGTHS = {1: 1, 2: 2, 3: 5, 4: 6, 5: 4, 6: 2, 7: 1}
"""States of a scene, and how often there are so many: 3.95 on average, as PersuasiveToM has 3.89."""


def scene_states(pack: RoutePack, slot: Slot) -> tuple[SceneState, ...]:
    """The states of a scene, from the first doubt on."""
    rng = slot.random("scene")
    states = slot.block_random("length").choices(list(_LENGTHS), list(_LENGTHS.values()))[0]
    moves = draw_course(pack, rng.choice(PERSONAS), states, rng)
    speakers = rng.sample(pack.names, 2)
    names: dict[Role, str] = {"persuader": speakers[0], "persuadee": speakers[1]}
    lines = list(_lines(pack, moves, names, rng))
    noise = quiet_line(pack.setting, lines, rng)
    return tuple(
        _state(pack, slot, moves, number, tuple(lines[: 2 * number + 2]), noise) for number in range(len(moves))
    )


def _state(
    pack: RoutePack, slot: Slot, moves: Sequence[Move], number: int, history: tuple[Utterance, ...], noise: str
) -> SceneState:
    move = moves[number]
    concern = pack.concern(move.concern)
    tried = {strategy.name for one in moves[: number + 1] for strategy in one.tried}
    return SceneState(
        id=f"{slot.index}-{2 * number}",
        scene=str(slot.index),
        turn=2 * number,
        topic=pack.id,
        suggestion=pack.suggestion,
        background=pack.setting,
        history=history,
        concern=concern.id,
        choices={
            persona: _choice(pack, slot, persona, concern.id, tried, 2 * number + place)
            for place, persona in enumerate(PERSONAS)
        },
        effective=move.effective,
        minds={"persuader": _persuaders_mind(concern), "persuadee": _mind(concern)},
        labels={field: tuple(getattr(one, field) for one in pack.concerns) for field in ("belief", "desire", "intent")},
        resources=resources_of(pack),
        noise=noise,
        generator="scripted",
    )


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


def _lines(pack: RoutePack, moves: Sequence[Move], names: dict[Role, str], rng: Random) -> Iterator[Utterance]:
    uses = Counter[str]()
    opening = rng.choice(pack.openings)
    wordings = {one.id: rng.sample(one.wordings, len(one.wordings)) for one in pack.concerns}
    reactions = {True: list(shared().settled), False: list(shared().unsettled)}
    for number, move in enumerate(moves):
        said = [] if number else [opening]
        for strategy in move.tried:
            said.append(strategy.lines[uses[strategy.name] % len(strategy.lines)])
            uses[strategy.name] += 1
        yield Utterance(role="persuader", speaker=names["persuader"], text=" ".join(said))
        reaction = [_taken(reactions[move.settled], rng)] if number else []
        doubt = wordings[move.concern].pop()
        yield Utterance(role="persuadee", speaker=names["persuadee"], text=" ".join([*reaction, doubt]))


def _taken(texts: list[str], rng: Random) -> str:
    return texts.pop(rng.randrange(len(texts)))


def quiet_line(background: str, lines: Iterable[Utterance], rng: Random) -> str:
    """Chatter that has no content word in common with a scene; where all has, the line that has the fewest."""
    told = frozenset[str]().union(stems(background), *(stems(line.text) for line in lines))
    fewest = min(len(stems(line) & told) for line in shared().noise)
    return rng.choice([line for line in shared().noise if len(stems(line) & told) == fewest])


# -- strategies ------------------------------------------------------------------------------------------------------


def _choice(pack: RoutePack, slot: Slot, persona: Persona, concern: str, tried: set[str], number: int) -> Choice:
    """Two strategies for this doubt, of which one was tried, and two for another: each may be right at first sight."""
    rng = slot.random("choice", number)
    other = rng.choice([one.id for one in pack.concerns if one.id != concern])
    by_role = dict(zip(ROLES_OF_OPTIONS, _options(pack, persona, concern, other, tried), strict=True))
    wrong = rng.sample(ROLES_OF_OPTIONS[1:], len(ROLES_OF_OPTIONS) - 1)
    offset = slot.block_random("letters").sample(range(BLOCK), BLOCK)[slot.position]
    gold = (number + offset) % len(ROLES_OF_OPTIONS)
    roles = (*wrong[:gold], ROLES_OF_OPTIONS[0], *wrong[gold:])
    return Choice(options=tuple(by_role[role] for role in roles), gold=gold, roles=roles)


def _options(pack: RoutePack, persona: Persona, concern: str, other: str, tried: set[str]) -> tuple[str, ...]:
    """The names of the strategies in the order of their roles."""
    own = strategies_for(pack, persona, concern)
    (right,) = (one.name for one in own if one.name not in tried)
    (used,) = (one.name for one in own if one.name in tried)
    opposite: Persona = "low_cog" if persona == "high_cog" else "high_cog"
    others = strategies_for(pack, persona, other)
    (for_other,) = (one.name for one in others if one.answers(opposite) == concern)
    (elsewhere,) = (one.name for one in others if one.answers(opposite) != concern)
    return right, used, for_other, elsewhere
