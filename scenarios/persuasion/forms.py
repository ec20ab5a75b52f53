"""The forms in which things are said in a goal's conversations, for who overhears them."""

from __future__ import annotations

from collections.abc import Iterator

from dtomtrack.scenarios.persuasion.pack import Expressions, GoalPack
from dtomtrack.scenarios.persuasion.ways import ways_of
from dtomtrack.verifiers.persuasion import SpokenForms

__all__ = ["clash", "opening", "spoken_forms"]


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
        tones={one.word: ways_of(one.say) for one in forms.tones},
        intentions={one.label: ways_of((*one.say, *one.say_with_yes)) for one in forms.intentions},
    )


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
