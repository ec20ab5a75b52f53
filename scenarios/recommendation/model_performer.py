"""A language model as actor of a recommendation dialogue: stage directions into its own words.

It is given its own directions and the lines that were said. What a line does is heard by somebody else, and one that
does not do what it should is asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.scenarios.recommendation.clauses import Clause, LinePlan
from dtomtrack.scenarios.recommendation.pack import RecommendationPack

__all__ = ["Listening", "ModelPerformer", "PerformanceSettings", "line_call", "listening_unit", "names_all"]

_PACKAGE = "dtomtrack.scenarios.recommendation"
_TOKENS = 300
_LONGEST = 1000
"""Characters of a line: more is no line of a conversation."""

Listening = Callable[[LinePlan, str, str], Awaitable[str | None]]
"""Why an utterance does not do what it should, or None where it does; the last argument names the unit of its calls."""


@dataclass(frozen=True)
class PerformanceSettings:
    """How lines are asked for.

    Attributes:
        unit: the attempt that the calls belong to.
        retries: how often a line that does something else is asked for again.
    """

    unit: str
    seed: int = 0
    temperature: float = 0.7
    retries: int = 3


def line_call(unit: str, role: str, number: int, again: int = 0) -> CallKey:
    """The call for a line, asked for the so-manieth time; the number of lines before it is given."""
    return CallKey(unit, f"{role} line {number}", again)


def listening_unit(unit: str, number: int, again: int = 0) -> str:
    """The unit of the calls in which such a line is heard."""
    return f"{unit} line {number} try {again}"


class ModelPerformer:
    """A model that speaks for one of the two.

    Args:
        wordings: by label, what it says.
        listening: tells whether a line does what it should.
    """

    def __init__(
        self,
        model: ChatModel,
        pack: RecommendationPack,
        wordings: Mapping[str, str],
        listening: Listening,
        settings: PerformanceSettings,
    ) -> None:
        self._model = model
        self._pack = pack
        self._wordings = wordings
        self._listening = listening
        self._settings = settings

    async def say(self, direction: LinePlan, heard: Sequence[str]) -> str:
        """The next utterance.

        Raises:
            ReplyError: no reply does what it should, however often it was asked for.
            ModelError: no answer can be had.
        """
        reason: str | None = None
        for number in range(self._settings.retries + 1):
            text = await self._line(direction, heard, number)
            unit = listening_unit(self._settings.unit, len(heard), number)
            reason = names_all(direction, text) or await self._listening(direction, text, unit)
            if reason is None:
                return text
        raise ReplyError(f"line {len(heard) + 1}: {reason}")

    async def _line(self, direction: LinePlan, heard: Sequence[str], number: int) -> str:
        call = line_call(self._settings.unit, direction.role, len(heard), number)
        reply = await self._model.chat(
            ChatRequest.asking(
                call,
                self._prompt(direction, heard),
                self._settings.seed,
                _TOKENS,
                temperature=self._settings.temperature,
            )
        )
        text = " ".join(reply.text.split()).strip('" ')
        if reply.finish != "stop" or not text or len(text) > _LONGEST:
            return ""
        return text

    def _prompt(self, direction: LinePlan, heard: Sequence[str]) -> str:
        names = ("SEEKER", "RECOMMENDER")
        said = [f"{names[place % 2]}: {as_data(line)}" for place, line in enumerate(heard)]
        return prompt(_PACKAGE, "line").fill(
            role=direction.role,
            thing=self._pack.thing,
            things=self._pack.things,
            lines="\n".join(said) or "(nothing yet)",
            directions="\n".join(f"- {' '.join(self._told(clause))}" for clause in direction.clauses),
        )

    def _told(self, clause: Clause) -> Iterator[str]:
        """A clause as stage direction."""
        yield f"{self._wordings[clause.label]}."
        if clause.title is not None:
            yield f"It is about {as_data(clause.title)}."
        if clause.seen is not None:
            yield f"The speaker brings it up, and {'knows it already' if clause.seen else 'does not know it yet'}."
        if clause.label == "R-ANS" and clause.quality is not None:
            yield f"The speaker {'likes' if clause.liked else 'does not like'} it when something has that quality."
        elif clause.liked is not None:
            yield f"It is {'very much' if clause.liked else 'not at all'} to the speaker's liking, as is said."
        if clause.quality is not None:
            yield f"It names the quality {as_data(clause.quality)}{_beside_quality(clause)}."
        if clause.conditional:
            yield "The speaker lets it be heard that they would think again if there were more to be said for it."
        if clause.reason:
            yield "The speaker gives a reason that has nothing to do with liking."


def _beside_quality(clause: Clause) -> str:
    """What the quality is to the speaker, where the label does not say."""
    if clause.label == "ACC":
        return ", which is why the speaker takes it up"
    if clause.wish:
        return ", which the next suggestion is to have"
    if clause.label == "EXP-I" and clause.disliked:
        return ", admitting it, since the seeker does not like that"
    return ", as one that is not liked" if clause.disliked else ""


def names_all(direction: LinePlan, text: str) -> str | None:
    """The title or quality that a line does not name in whole words, in a sentence; None where it names all."""
    wanted = [name for clause in direction.clauses for name in (clause.title, clause.quality) if name]
    missing = next((name for name in wanted if not _named(name, text)), None)
    return None if missing is None else f"the line does not name {missing}"


def _named(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
