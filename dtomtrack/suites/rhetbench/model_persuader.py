"""A language model as persuader: it is told who, what and how long, then hears nothing but what the character says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest, Finish, Message
from dtomtrack.llm.prompts import prompt
from dtomtrack.llm.quotes import unquoted
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.suites.rhetbench.episode import Flag
from dtomtrack.suites.rhetbench.kinds import lettered, listed
from dtomtrack.suites.rhetbench.talking import Talking

__all__ = ["ModelPersuader", "instructions"]

_SUITE = "dtomtrack.suites.rhetbench"
_LETTERS = lettered(asks=False, appeals_only=True)
_DECLARED = re.compile(
    rf"(?P<open>[*_`]*)\[\s*(?P<letter>[{''.join(_LETTERS)}])\s*(?:[).:,;=\N{{EN DASH}}-][^\]\n]{{0,80}})?\]"
    r"(?P<close>[*_`]*)(?:\s*[:.,;\N{EN DASH}\N{EM DASH}-]+(?=[\s*_`]|$))?(?P<late>[*_`]*)\s*",
    re.IGNORECASE,
)
"""A letter in square brackets, perhaps with the name of its kind, with emphasis, or with a colon behind it."""
_SILENCE = "..."
_FLAGS: Mapping[Finish, Flag] = {"length": "cut", "filter": "withheld", "refusal": "withheld"}


class ModelPersuader:
    """Plays one episode (a `dtomtrack.graphs.persuasion.Persuader`).

    Args:
        episode: what its calls are known by.

    Attributes:
        declared: the kind of each message so far, where the model has named it.
        flags: what was wrong with the reply that each message comes from, if anything.
    """

    def __init__(self, model: ChatModel, talking: Talking, turns: int, episode: str, seed: int) -> None:
        self._model = model
        self._talking = talking
        self._turns = turns
        self._episode = episode
        self._seed = seed
        self.declared: list[ArgumentClass | None] = []
        self.flags: list[Flag | None] = []

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        """The next message."""
        number = sum(line.by == "persuader" for line in lines) + 1
        call = CallKey(unit=self._episode, purpose=f"turn {number}")
        request = ChatRequest(
            call=call,
            messages=(
                Message("system", instructions(briefing, self._talking, self._turns)),
                *map(self._message, lines),
            ),
            max_tokens=self._talking.max_tokens,
            temperature=self._talking.temperature,
            seed=call.seed(self._seed),
        )
        reply = await self._model.chat(request)
        self.flags.append(_FLAGS.get(reply.finish))
        return self._message_of(unquoted(reply.text))

    def _message_of(self, text: str) -> str:
        """The message without what is declared of it, however often; what is declared first counts."""
        letters = list[str]()
        while self._talking.declare and (declared := _DECLARED.match(text)) is not None:
            letters.append(declared["letter"].upper())
            emphasis = "" if declared["close"] or declared["late"] else declared["open"]
            text = unquoted(emphasis + text[declared.end() :])
        self.declared.append(_LETTERS[letters[0]] if letters else None)
        return text

    @staticmethod
    def _message(line: Spoken) -> Message:
        # some servers refuse a message without text, each time the run goes on again
        return Message("assistant" if line.by == "persuader" else "user", line.text.strip() or _SILENCE)


def instructions(briefing: Briefing, talking: Talking, turns: int) -> str:
    """The instructions of a model before the first turn: who it talks with, what is wanted, and how long it has."""
    kinds = ""
    if talking.taxonomy == "told":
        kinds = f"\n{prompt(_SUITE, 'kinds').fill(name=briefing.name)}\n"
    if talking.declare:
        example = next(iter(_LETTERS))
        kinds += f"\n{prompt(_SUITE, 'declare').fill(name=briefing.name, example=example, kinds=listed(_LETTERS))}\n"
    return prompt(_SUITE, "persuader").fill(
        name=briefing.name,
        role=briefing.role,
        topic=briefing.topic,
        position=briefing.position,
        context=briefing.context,
        turns=str(turns),
        kinds=kinds,
    )
