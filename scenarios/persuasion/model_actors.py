"""Language models as actors of a persuasive conversation: directions of a round into their own words.

Each is given its own direction and the lines that were said. That the words say what they should is for the verifier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dtomtrack.llm.chat import ChatModel
from dtomtrack.llm.prompts import as_data
from dtomtrack.scenarios.persuasion.pack import GoalPack
from dtomtrack.scenarios.persuasion.plan import PersuasionPlan, desire_of
from dtomtrack.scenarios.persuasion.script import PersuadeeDirection, PersuaderDirection
from dtomtrack.scenarios.voice import SpeechSettings, Voice

__all__ = ["ModelPersuadee", "ModelPersuader"]

_PACKAGE = "dtomtrack.scenarios.persuasion"


class ModelPersuader:
    """A model that argues."""

    def __init__(self, model: ChatModel, plan: PersuasionPlan, settings: SpeechSettings) -> None:
        self._plan = plan
        self._voice = Voice(model, _PACKAGE, (plan.er, plan.ee), settings)

    async def say(self, direction: PersuaderDirection, heard: Sequence[str]) -> str:
        """The utterance of a round.

        Raises:
            ReplyError: the model's reply is no line.
            ModelError: no answer can be had.
        """
        return await self._voice.line(
            "persuader",
            heard,
            {
                **_situation(self._plan, self._plan.er, self._plan.ee),
                "strategy": as_data(direction.strategy.label),
                "tone": as_data(direction.tone.word),
                "opening": "" if direction.wanted is None else self._opening(direction.wanted),
                "taking_up": self._taking_up(direction),
            },
        )

    def _taking_up(self, direction: PersuaderDirection) -> str:
        """The order to take up what the other asked for, where they did."""
        asked = direction.answered is not None and direction.answered[0].asks_for is not None
        return f" So you take up what {self._plan.ee} asked for last." if asked else ""

    def _opening(self, wanted: str) -> str:
        """The order to say what this is about: nothing was said of it yet."""
        return f" Begin by saying in plain words what you would like {self._plan.ee} to do: {as_data(wanted)}."


class ModelPersuadee:
    """A model that answers."""

    def __init__(self, model: ChatModel, plan: PersuasionPlan, settings: SpeechSettings) -> None:
        self._plan = plan
        self._voice = Voice(model, _PACKAGE, (plan.ee, plan.er), settings)

    async def say(self, direction: PersuadeeDirection, heard: Sequence[str]) -> str:
        """The utterance of a round.

        Raises:
            ReplyError: the model's reply is no line.
            ModelError: no answer can be had.
        """
        return await self._voice.line(
            "persuadee",
            heard,
            {
                **_situation(self._plan, self._plan.ee, self._plan.er),
                "desire": _desire(self._plan.goal, direction.concerns),
                "attitude": _attitude(direction),
                "intention": as_data(direction.intention.label),
            },
        )


def _attitude(direction: PersuadeeDirection) -> str:
    word = None if direction.attitude is None else direction.attitude.word(desire_of(direction.concerns))
    return "" if word is None else f" Sound {as_data(word)}."


def _situation(plan: PersuasionPlan, name: str, partner: str) -> Mapping[str, str]:
    return {"name": name, "partner": partner, "context": plan.context, "target": plan.target}


def _desire(goal: GoalPack, concerns: Sequence[str]) -> str:
    """What somebody with these worries says about the matter."""
    clauses = [as_data(one.clause) for one in goal.concerns if one.id in concerns]
    stands = {
        "Yes": "Nothing about it worries you: let it be heard that you will do it.",
        "Neutral": "You are of two minds, and neither agree nor refuse. One thing worries you, and you say so: {}.",
        "No": "You will not do it, and say so. These things worry you, and you name each: {}.",
    }
    return stands[desire_of(concerns)].replace("{}", ", ".join(clauses))
