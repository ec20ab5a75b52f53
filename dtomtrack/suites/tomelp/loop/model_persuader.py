"""A language model as persuader in the closed loop: it hears what the listener says, and nothing else.

With inferred states it works out, before each message, what the listener has in mind and how the listener decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from dtomtrack.errors import ReplyError
from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.graphs.route_state import ShownResources
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest, Finish, Message
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.quotes import unquoted
from dtomtrack.llm.structured import ask_for
from dtomtrack.records import Record, Text
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.scenarios.route.state import Mind
from dtomtrack.suites.tomelp.asking import Asking
from dtomtrack.suites.tomelp.loop.giving import GivenListener, Giving
from dtomtrack.suites.tomelp.loop.records import ListensTo, LoopFlag, LoopInference
from dtomtrack.suites.tomelp.wording import PACKAGE, quoted

__all__ = ["ModelLoopPersuader", "Part"]

_LONGEST = 6_000
_GOES_BY: Mapping[ListensTo, str] = {
    "evidence": "facts and reasons",
    "cues": "who says it, what others do, warmth, favours or urgency",
    "unclear": "not clear yet, or both",
}
_FLAGS: Mapping[Finish, LoopFlag] = {"length": "cut", "filter": "withheld", "refusal": "withheld"}
_Phrase = Annotated[Text, Field(max_length=200)]


class _Inferred(Record):
    belief: _Phrase
    desire: _Phrase
    intent: _Phrase
    listens_to: ListensTo


@dataclass(frozen=True)
class Part:
    """The part that a model has in one conversation.

    Attributes:
        unit: what its calls are known by.
        infers: whether it works out states before each message.
        giving: states that it is handed instead.
    """

    unit: str
    seed: int
    turns: int
    infers: bool = False
    giving: Giving | None = None


class ModelLoopPersuader:
    """Plays one conversation (a `dtomtrack.graphs.persuasion.Persuader`).

    Attributes:
        inferred: what it worked out before each message.
        flags: what was wrong with the reply that each message is, if anything.
    """

    def __init__(self, model: ChatModel, asking: Asking, resources: ShownResources, part: Part) -> None:
        self._model = model
        self._asking = asking
        self._resources = resources
        self._part = part
        self.inferred: list[LoopInference] = []
        self.flags: list[LoopFlag | None] = []

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        """The next message."""
        number = sum(line.by == "persuader" for line in lines)
        worked_out = await self._worked_out(number, briefing, lines)
        told = self._instructions(briefing, "" if worked_out is None else _block(briefing, worked_out))
        call = CallKey(self._part.unit, f"turn {number + 1}")
        request = ChatRequest(
            call=call,
            messages=(Message("system", told), *map(_message, lines)),
            max_tokens=self._asking.max_tokens,
            temperature=self._asking.temperature,
            seed=call.seed(self._part.seed),
        )
        reply = await self._model.chat(request)
        self.flags.append(_FLAGS.get(reply.finish))
        return unquoted(reply.text)

    async def _worked_out(self, number: int, briefing: Briefing, lines: Sequence[Spoken]) -> GivenListener | None:
        if self._part.giving is not None:
            return self._part.giving(lines)
        return await self._infer(number, briefing, lines) if self._part.infers else None

    async def _infer(self, number: int, briefing: Briefing, lines: Sequence[Spoken]) -> GivenListener | None:
        text = prompt(PACKAGE, "loop_infer").fill(
            name=briefing.name,
            role=briefing.role,
            position=briefing.position,
            dialogue=prompt(PACKAGE, "dialogue").fill(lines=_shown(briefing, lines)),
        )
        call = CallKey(self._part.unit, f"infer {number + 1}")
        request = ChatRequest(call, (Message("user", text),), self._asking.max_tokens, seed=call.seed(self._part.seed))
        try:
            found = await ask_for(self._model, request, _Inferred)
        except ReplyError as error:
            self.inferred.append(LoopInference(invalid=str(error)))
            return None
        mind = Mind(belief=found.belief, desire=found.desire, intent=found.intent)
        self.inferred.append(LoopInference(mind=mind, listens_to=found.listens_to))
        return GivenListener(mind=mind, listens_to=found.listens_to)

    def _instructions(self, briefing: Briefing, worked_out: str) -> str:
        return prompt(PACKAGE, "loop").fill(
            name=briefing.name,
            role=briefing.role,
            position=briefing.position,
            context=briefing.context,
            dossier="\n".join(f"[{name}] {quoted(text)}" for name, text in self._resources.dossier.items()),
            cues="\n".join(f"{kind}: {'; '.join(map(quoted, own))}" for kind, own in self._resources.cues.items()),
            turns=str(self._part.turns),
            worked_out=worked_out,
        )


def _block(briefing: Briefing, given: GivenListener) -> str:
    return prompt(PACKAGE, "loop_mind").fill(
        name=briefing.name,
        belief=quoted(given.mind.belief),
        desire=quoted(given.mind.desire),
        intent=quoted(given.mind.intent),
        goes_by=_GOES_BY[given.listens_to],
    )


def _shown(briefing: Briefing, lines: Sequence[Spoken]) -> str:
    by = {"persuader": "the persuader", "character": briefing.name}
    return "\n".join(f"{by[line.by]}: {as_data(line.text[:_LONGEST])}" for line in lines)


def _message(line: Spoken) -> Message:
    return Message("assistant" if line.by == "persuader" else "user", line.text)
