"""A turn in one call, for strong models: thought and utterance together; of what fails, only that is asked for again.

Thoughts that are laid down and that a model left out are put in place by the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import ChatReply
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.structured import read_record
from dtomtrack.scenarios.acting.asked_turn import PROMPTS, AskedTurn
from dtomtrack.scenarios.acting.replies import check
from dtomtrack.scenarios.acting.turn_format import (
    LineOutput,
    ThoughtOutput,
    TurnOutput,
    TurnWords,
    read_text_turn,
    spoken,
    thought_words,
)

__all__ = ["in_one_call"]

_TURN_TOKENS = 400
_SHOWN_PROBLEMS = 3


@dataclass
class _SoFar:
    """The pieces of a turn that can be used so far; None for what is still to be had."""

    thought: str | None = None
    line: str | None = None


async def in_one_call(turn: AskedTurn) -> TurnWords:
    """The turn, asked for until nothing is wrong with it.

    Raises:
        ReplyError: no try gave one that passes the rules.
    """
    asking: _Asking = _InJson(turn) if turn.settings.turn_format == "json" else _InText(turn)
    have, problems = _SoFar(), list[str]()
    for number in range(turn.settings.retries + 1):
        try:
            thought, line = await _pieces(asking, have, number, problems)
        except ReplyError as error:
            problems = [str(error)]
            continue
        of_thought, of_line = turn.thought_problems(thought), turn.line_problems(thought, line)
        problems = [*of_thought, *of_line]
        if not problems:
            return TurnWords(thought, line)
        have = _SoFar(None if of_thought else thought, None if of_line else line)
    raise turn.given_up(problems[0])


async def _pieces(asking: _Asking, have: _SoFar, number: int, problems: Sequence[str]) -> tuple[str, str]:
    """Thought and line: what there is of them, and the rest asked for."""
    if have.thought is not None:
        return have.thought, await asking.line(number, problems, have.thought)
    if have.line is not None:
        return await asking.thought(number, problems, have.line), have.line
    return await asking.whole(number, problems)


class _Asking(Protocol):
    async def whole(self, number: int, problems: Sequence[str]) -> tuple[str, str]:
        """Thought and line."""
        ...

    async def thought(self, number: int, problems: Sequence[str], line: str) -> str:
        """The thought alone, before a line that stands."""
        ...

    async def line(self, number: int, problems: Sequence[str], thought: str) -> str:
        """The line alone, behind a thought that stands."""
        ...


class _InJson:
    """Asks for JSON objects."""

    def __init__(self, turn: AskedTurn) -> None:
        self._turn = turn

    async def whole(self, number: int, problems: Sequence[str]) -> tuple[str, str]:
        asked = _asked(self._turn, prompt(PROMPTS, "form_json").fill(), problems)
        draft = read_record(await self._turn.send(number, "", asked, _TURN_TOKENS, form=TurnOutput), TurnOutput)
        return _completed(self._turn, thought_words(draft.thought)), spoken(draft.utterance)

    async def thought(self, number: int, problems: Sequence[str], line: str) -> str:
        asked = _asked(self._turn, prompt(PROMPTS, "form_json_thought").fill(utterance=as_data(line)), problems)
        reply = await self._turn.send(number, " thought", asked, _TURN_TOKENS, form=ThoughtOutput)
        return _completed(self._turn, thought_words(read_record(reply, ThoughtOutput).thought))

    async def line(self, number: int, problems: Sequence[str], thought: str) -> str:
        form = prompt(PROMPTS, "form_json_line").fill(thought=as_data(thought))
        reply = await self._turn.send(
            number, " line", _asked(self._turn, form, problems), _TURN_TOKENS, form=LineOutput
        )
        return spoken(read_record(reply, LineOutput).utterance)


class _InText:
    """Asks for the paper's text form, with its beginning written for the model."""

    def __init__(self, turn: AskedTurn) -> None:
        self._turn = turn
        self._name = turn.character.name

    async def whole(self, number: int, problems: Sequence[str]) -> tuple[str, str]:
        wanted = self._turn.wanted
        begun = f"{self._name}: ({wanted[0].prefix if wanted else 'I'}"
        words = read_text_turn((await self._reply(number, "", problems, begun)).text, self._name, begun)
        return _completed(self._turn, words.thought), words.utterance

    async def thought(self, number: int, problems: Sequence[str], line: str) -> str:
        settled = f"what you say is settled, repeat it behind another thought: {as_data(line)}"
        return (await self.whole(number, [*problems[: _SHOWN_PROBLEMS - 1], settled]))[0]

    async def line(self, number: int, problems: Sequence[str], thought: str) -> str:
        reply = await self._reply(number, " line", problems, f'{self._name}: ({thought}) "')
        return spoken(reply.text.strip().strip('"'))

    async def _reply(self, number: int, piece: str, problems: Sequence[str], begun: str) -> ChatReply:
        asked = _asked(self._turn, prompt(PROMPTS, "form_text").fill(name=self._name), problems)
        reply = await self._turn.send(number, piece, asked, _TURN_TOKENS, begun=begun)
        check(reply)
        return reply


def _asked(turn: AskedTurn, form: str, problems: Sequence[str]) -> str:
    """The prompt; what was wrong with an earlier try stands in it, but not the try, which a model would repeat."""
    whole = _free(turn, form) if turn.free else _directed(turn, form)
    if not problems:
        return whole
    return f"{whole}\n{prompt(PROMPTS, 'again').fill(problems='; '.join(problems[:_SHOWN_PROBLEMS]))}"


def _directed(turn: AskedTurn, form: str) -> str:
    return prompt(PROMPTS, "turn").fill(
        conversation=turn.conversation(),
        hearers=turn.hearers(),
        directions="\n".join(f"- {sentence}" for sentence in turn.sentences),
        partner=turn.character.company,
        thoughts="\n".join(f"- {wanted.words()}" for wanted in turn.wanted),
        form=form,
    )


def _free(turn: AskedTurn, form: str) -> str:
    """A prompt in which nothing is directed but a change of mind."""
    changes = "".join(f"In this turn: {sentence}\n" for sentence in turn.sentences)
    laid_down = "".join(f"This turn it has to hold {wanted.words()}.\n" for wanted in turn.wanted)
    return prompt(PROMPTS, "turn_free").fill(
        conversation=turn.conversation(),
        number=str(turn.index + 1),
        length=str(turn.character.length),
        change=changes,
        partner=turn.character.company,
        wanted=laid_down,
        form=form,
    )


def _completed(turn: AskedTurn, thought: str) -> str:
    """A thought with those that are laid down and that it does not have."""
    had = {(one.order, one.about, one.topic, one.content) for one in turn.thoughts_in(thought)}
    missing = [
        one.sentence
        for one in turn.wanted
        if one.content
        and not {(new.order, new.about, new.topic, new.content) for new in turn.thoughts_in(one.sentence)} <= had
    ]
    return " ".join((thought if thought[-1] in ".!?" else f"{thought}.", *missing)) if missing else thought
