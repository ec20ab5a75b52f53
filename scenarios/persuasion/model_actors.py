"""Language models as actors of a persuasive conversation: directions of a round into their own words.

Each is given its own direction and the lines that were said. That the words say what they should is for the verifier.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest, Message
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.scenarios.persuasion.pack import GoalPack
from dtomtrack.scenarios.persuasion.plan import PersuasionPlan, desire_of
from dtomtrack.scenarios.persuasion.script import PersuadeeDirection, PersuaderDirection

__all__ = ["ModelPersuadee", "ModelPersuader", "SpeechSettings"]

_PACKAGE = "dtomtrack.scenarios.persuasion"
_TOKENS = 250
_LONGEST = 800
"""Characters of a line: more is no line of a conversation."""


@dataclass(frozen=True)
class SpeechSettings:
    """How lines are asked for; ``unit`` names the attempt that the calls belong to."""

    unit: str
    seed: int = 0
    temperature: float = 0.7


class ModelPersuader:
    """A model that argues."""

    def __init__(self, model: ChatModel, plan: PersuasionPlan, settings: SpeechSettings) -> None:
        self._plan = plan
        self._voice = _Voice(model, plan.er, plan.ee, settings)

    async def say(self, direction: PersuaderDirection, heard: Sequence[str]) -> str:
        """The utterance of a round.

        Raises:
            ReplyError: the model's reply is no line.
            ModelError: no answer can be had.
        """
        then = direction.announced
        announcement = "" if then is None else f" End with a word on what will come up next: {as_data(then.topic)}."
        return await self._voice.line(
            "persuader",
            heard,
            {
                **_situation(self._plan, self._plan.er, self._plan.ee),
                "strategy": as_data(direction.strategy.label),
                "tone": as_data(direction.tone.word),
                "announcement": announcement,
            },
        )


class ModelPersuadee:
    """A model that answers."""

    def __init__(self, model: ChatModel, plan: PersuasionPlan, settings: SpeechSettings) -> None:
        self._plan = plan
        self._voice = _Voice(model, plan.ee, plan.er, settings)

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
                "attitude": as_data(direction.attitude.word),
                "intention": as_data(direction.intention.label),
            },
        )


def _situation(plan: PersuasionPlan, name: str, partner: str) -> Mapping[str, str]:
    context = plan.goal.context.format(er=plan.er, ee=plan.ee)
    return {"name": name, "partner": partner, "context": context, "target": plan.goal.target}


def _desire(goal: GoalPack, concerns: Sequence[str]) -> str:
    """What somebody with these worries says about the matter."""
    clauses = [as_data(one.clause) for one in goal.concerns if one.id in concerns]
    stands = {
        "Yes": "Nothing about it worries you: let it be heard that you will do it.",
        "Neutral": "You are of two minds, and neither agree nor refuse. One thing worries you, and you say so: {}.",
        "No": "You will not do it, and say so. These things worry you, and you name each: {}.",
    }
    return stands[desire_of(concerns)].replace("{}", ", ".join(clauses))


class _Voice:
    """Asks a model for the lines of one character."""

    def __init__(self, model: ChatModel, name: str, partner: str, settings: SpeechSettings) -> None:
        self._model = model
        self._speakers = (name, partner)
        self._settings = settings

    async def line(self, part: str, heard: Sequence[str], values: Mapping[str, str]) -> str:
        settings = self._settings
        own = len(heard) % 2
        names = self._speakers if own == 0 else self._speakers[::-1]
        said = [f"{names[place % 2]}: {as_data(line)}" for place, line in enumerate(heard)] or ["(nothing yet)"]
        call = CallKey(settings.unit, f"{part} line {len(heard)}", 0)
        text = prompt(_PACKAGE, part).fill(**values, lines="\n".join(said))
        reply = await self._model.chat(
            ChatRequest(
                call=call,
                messages=(Message("user", text),),
                max_tokens=_TOKENS,
                temperature=settings.temperature,
                seed=call.seed(settings.seed),
            )
        )
        return _spoken(reply.text if reply.finish == "stop" else "", self._speakers[0])


def _spoken(text: str, name: str) -> str:
    """A reply as one line, without the speaker's name in front or quotation marks around it.

    Raises:
        ReplyError: nothing is left, or it is too long.
    """
    bare = re.sub(r"\s+", " ", re.sub(r"\([^)]*\)|\*[^*]*\*", " ", text)).strip()
    bare = bare.removeprefix(f"{name}:").strip()
    bare = bare[1:-1].strip() if len(bare) > 1 and bare[0] == bare[-1] == '"' else bare
    if not bare:
        raise ReplyError("the model says nothing, refuses, or was cut")
    if len(bare) > _LONGEST:
        raise ReplyError(f"the line has {len(bare)} characters; {_LONGEST} are the most")
    return bare
