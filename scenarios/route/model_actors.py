"""Language models as persuader and persuadee of a scene: what the plan says of two lines into their own words.

Each is given its own direction and the lines that were said. That the words say what they should is for the verifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dtomtrack.llm.chat import ChatModel
from dtomtrack.llm.prompts import as_data
from dtomtrack.scenarios.route.pack import Concern, RoutePack
from dtomtrack.scenarios.route.sampler import ScenePlan
from dtomtrack.scenarios.voice import SpeechSettings, Voice

__all__ = ["ModelRoutePersuadee", "ModelRoutePersuader", "PersuadeeStep", "PersuaderStep", "directions", "in_words"]

_PACKAGE = "dtomtrack.scenarios.route"
_REACTIONS = {
    True: "What you objected before is settled for you now; say so first. ",
    False: "What was just said did not settle it for you; say so first. ",
    None: "",
}


@dataclass(frozen=True)
class PersuaderStep:
    """The persuader's part: the names of the strategies of a line, and whether it opens the conversation."""

    strategies: tuple[str, ...]
    opens: bool


@dataclass(frozen=True)
class PersuadeeStep:
    """The persuadee's part: the doubt of a line, and whether the one before is settled; None where there is none."""

    concern: Concern
    settled: bool | None


def directions(plan: ScenePlan) -> tuple[list[PersuaderStep], list[PersuadeeStep]]:
    """The parts of both, by step of the plan."""
    persuader, persuadee = list[PersuaderStep](), list[PersuadeeStep]()
    for number, step in enumerate(plan.steps):
        persuader.append(PersuaderStep(tuple(one.name for one in step.tried), opens=number == 0))
        persuadee.append(PersuadeeStep(step.concern, step.settled if number else None))
    return persuader, persuadee


def in_words(state: str) -> str:
    """A mental state's phrase in words, without its first (believes, wants, will)."""
    return state.partition("_")[2].replace("_", " ")


class ModelRoutePersuader:
    """A model that carries out strategies (a `dtomtrack.graphs.two_roles.Speaker`)."""

    def __init__(self, model: ChatModel, plan: ScenePlan, settings: SpeechSettings) -> None:
        self._plan = plan
        self._voice = Voice(model, _PACKAGE, plan.names, settings)

    async def say(self, direction: PersuaderStep, heard: Sequence[str]) -> str:
        """The line that carries out a step.

        Raises:
            ReplyError: the model's reply is no line.
            ModelError: no answer can be had.
        """
        pack = self._plan.pack
        strategies = " and after that ".join(map(as_data, direction.strategies))
        opening = "Say first what you suggest. " if direction.opens else ""
        given = _situation(pack, *self._plan.names)
        return await self._voice.line("persuader", heard, {**given, "opening": opening, "strategies": strategies})


class ModelRoutePersuadee:
    """A model that doubts (a `dtomtrack.graphs.two_roles.Speaker`)."""

    def __init__(self, model: ChatModel, plan: ScenePlan, settings: SpeechSettings) -> None:
        self._plan = plan
        self._voice = Voice(model, _PACKAGE, plan.names[::-1], settings)

    async def say(self, direction: PersuadeeStep, heard: Sequence[str]) -> str:
        """The line that voices the doubt.

        Raises:
            ReplyError: the model's reply is no line.
            ModelError: no answer can be had.
        """
        concern, (persuader, persuadee) = direction.concern, self._plan.names
        return await self._voice.line(
            "persuadee",
            heard,
            {
                **_situation(self._plan.pack, persuadee, persuader),
                "reaction": _REACTIONS[direction.settled],
                "belief": as_data(in_words(concern.belief)),
                "desire": as_data(in_words(concern.desire)),
                "intent": as_data(in_words(concern.intent)),
            },
        )


def _situation(pack: RoutePack, name: str, partner: str) -> dict[str, str]:
    return {"name": name, "partner": partner, "setting": pack.setting, "suggestion": pack.suggestion}
