"""The forms in which things are said in a goal's conversations, for who overhears them."""

from __future__ import annotations

from dtomtrack.scenarios.persuasion.pack import Expressions, GoalPack
from dtomtrack.verifiers.persuasion import SpokenForms

__all__ = ["announcement", "opening", "spoken_forms"]


def announcement(frame: str, topic: str) -> str:
    """A sentence that hints at a strategy to come."""
    return frame.replace("{topic}", topic)


def opening(frame: str, target: str, ee: str) -> str:
    """A sentence that tells ``ee`` what they are to do."""
    return frame.format(target=target, ee=ee)


def spoken_forms(goal: GoalPack, forms: Expressions) -> SpokenForms:
    """All forms of a goal and of the expressions, by what they say."""
    return SpokenForms(
        goals={goal.target: [opening(frame, goal.target, ee) for frame in forms.openings for ee in forms.names]},
        strategies={one.label: one.say for one in goal.strategies},
        announced={
            one.label: [
                announcement(frame, one.topic) for frame in (*forms.announcements, *forms.leading_announcements)
            ]
            for one in goal.strategies
        },
        desires={str(desire): says for desire, says in forms.desires.items()},
        concerns={one.id: one.say for one in goal.concerns},
        attitudes={one.word: one.say for one in forms.attitudes},
        tones={one.word: one.say for one in forms.tones},
        intentions={one.label: one.say for one in forms.intentions},
    )
