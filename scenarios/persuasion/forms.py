"""The forms in which things are said in a goal's conversations, for who overhears them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from dtomtrack.scenarios.persuasion.pack import Expressions, GoalPack, Intention
from dtomtrack.scenarios.persuasion.ways import ways_of
from dtomtrack.verifiers.persuasion import SpokenForms

__all__ = ["clash", "opening", "spoken_forms", "weighed_form"]


def opening(frame: str, target: str, ee: str) -> str:
    """A sentence that tells ``ee`` what they are to do."""
    return frame.format(target=target, ee=ee)


def spoken_forms(goal: GoalPack, forms: Expressions, ee: str) -> SpokenForms:
    """All that is said to ``ee`` and by them about a goal, by what it says."""
    return SpokenForms(
        goals={target: [opening(frame, target, ee) for frame in forms.openings] for target in goal.targets},
        strategies={one.label: ways_of(one.say) for one in goal.strategies},
        desires={str(desire): ways_of(says) for desire, says in forms.desires.items()},
        concerns={one.id: ways_of(one.say) for one in goal.concerns},
        attitudes={one.name: ways_of(one.say) for one in forms.attitudes},
        tones={
            **{one.word: ways_of(one.say) for one in forms.tones},
            **{one.name: ways_of(one.say) for one in forms.feelings},
        },
        intentions=_intentions(forms.intentions, forms.weighing),
        unchanged=ways_of(forms.unchanged),
        reversed=ways_of(forms.reversed),
    )


@cache
def _intentions(intentions: tuple[Intention, ...], weighing: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    """The ways of saying each intention, also where another one is left aside."""
    clauses = {one.label: ways_of((one.clause,)) for one in intentions if one.clause is not None}
    found = {}
    for one in intentions:
        left = [clause for label, ways in clauses.items() if label != one.label for clause in ways]
        weighed = product(ways_of(weighing), clauses.get(one.label, ()), left)
        alone = ways_of((*one.say, *one.say_with_yes))
        found[one.label] = (*alone, *(weighed_form(frame, own, other) for frame, own, other in weighed))
    return found


def weighed_form(frame: str, wanted: str, left: str) -> str:
    """A sentence that asks one thing and leaves another aside."""
    return frame.replace("{wanted}", wanted).replace("{left}", left)


def clash(goal: GoalPack, forms: Expressions) -> tuple[str, str] | None:
    """A way of saying something, of which at least one is the goal's, and one within it that says something else.

    Who overhears the first could not tell which of the two is meant.
    """
    own = [(says, way) for says in goal.forms() for way in _bare(says)]
    shared = [(says, way) for says in forms.says() for way in _bare(says)]
    for says, way in own:
        for other, held in (*own, *shared):
            if other is not says and held in way:
                return way, held
            if other is not says and way in held:
                return held, way
    return None


def _bare(says: tuple[str, ...]) -> Iterator[str]:
    """The ways of saying something as they may stand in a sentence: without a capital and a last mark."""
    return (way.lower().rstrip(".?!") for way in ways_of(says))
