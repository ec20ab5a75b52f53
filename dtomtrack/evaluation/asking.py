"""Asking a model a question, and reading what it answers.

The conversation comes first and does not change from question to question, which is cheap for servers that cache
prefixes. An answer that came and holds no letter is unparsed; one that a provider's filter kept back is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from dtomtrack.beliefs.question import LETTERS, Letter
from dtomtrack.errors import ReplyError
from dtomtrack.evaluation.asked import Asked, Shown
from dtomtrack.evaluation.records import Answer, AskConfig, Outcome
from dtomtrack.items.replies import read_answer
from dtomtrack.llm.chat import CallKey, ChatModel, ChatReply, ChatRequest, Message, Usage
from dtomtrack.llm.failures import RefusedRequestError
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.structured import read_record, schema_of
from dtomtrack.records import Record
from dtomtrack.suites.dtom.contexts import ContextText

__all__ = ["Asker", "Reply", "answered", "read_again"]

_PACKAGE = "dtomtrack.evaluation"
_LETTER_TOKENS = 16
"""For a letter where the server can't hold the model to it."""
_ANSWER_LINE = re.compile(r"answer\W{0,6}[:=]", re.IGNORECASE)
_MOST_REFUSED = 5
"""Questions that a server may refuse before it has answered one: then it is no matter of the question."""
_FILTERED = "the provider's content filter cut the reply"
_NOTHING = Usage(0, 0)

R = TypeVar("R", bound=Record)


class _Pick(Record):
    """An answer as JSON."""

    answer: Letter


class _ReasonedPick(Record):
    """An answer as JSON, once it has been thought about."""

    reasoning: str
    answer: Letter


@dataclass(frozen=True, slots=True)
class Reply:
    """What there is to read an answer from.

    Attributes:
        probabilities: by letter as shown; None where there are none.
    """

    chat: ChatReply
    probabilities: dict[Letter, float] | None


class Asker:
    """Asks a model, as a configuration says."""

    def __init__(self, model: ChatModel, config: AskConfig) -> None:
        self._model = model
        self._config = config
        self._contexts = ContextText(config.context)
        name = ("json-cot" if config.prompt == "cot" else "json") if config.mode == "json" else config.prompt
        self._prompt = prompt(_PACKAGE, name)
        self._schema = schema_of(_record_of(config)) if config.mode == "json" else None
        self._replied = False
        self._refused = 0

    async def ask(self, asked: Asked) -> Answer:
        """The model's answer; an error where the server won't answer this question.

        Raises:
            ModelError: no answer can be had, or the server has refused several questions and answered none.
        """
        try:
            reply = await self._model.chat(self.request(asked))
        except RefusedRequestError as error:
            self._refused += 1
            if not self._replied and self._refused > _MOST_REFUSED:
                raise
            return Answer(
                question_id=asked.question.id,
                dialogue_id=asked.question.dialogue_id,
                rotation=asked.rotation,
                outcome="error",
                reason=str(error),
            )
        self._replied = True
        return answered(self._config, asked, _reply(self._config, reply))

    def request(self, asked: Asked) -> ChatRequest:
        """What the model is asked."""
        question, config = asked.question, self._config
        text = self._prompt.fill(
            context=self._contexts.of(asked.dialogue, question),
            question=as_data(question.question),
            options="\n".join(f"{letter}) {as_data(text)}" for letter, text in asked.shown.items()),
        )
        call = CallKey(question.id, f"answer rotated by {asked.rotation}")
        by_letter = config.mode == "logprobs"
        return ChatRequest(
            call=call,
            messages=(Message("user", text),),
            max_tokens=min(_LETTER_TOKENS, config.max_tokens) if by_letter else config.max_tokens,
            temperature=config.temperature,
            seed=call.seed(config.seed),
            schema=self._schema,
            choices=LETTERS if by_letter else (),
        )


def _record_of(config: AskConfig) -> type[Record]:
    return _ReasonedPick if config.prompt == "cot" else _Pick


def _reply(config: AskConfig, reply: ChatReply) -> Reply:
    given = reply.probabilities
    if config.mode != "logprobs" or not given:
        return Reply(reply, None)
    return Reply(reply, {letter: given.get(letter, 0.0) for letter in LETTERS})


def answered(config: AskConfig, asked: Asked, reply: Reply) -> Answer:
    """A reply as an answer: right, wrong, unparsed, or an error."""
    shown = _read(config, asked.shown, reply)
    meant = None if shown is None else asked.meant(shown)
    outcome: Outcome = "unparsed" if meant is None else "correct" if meant == asked.question.answer else "wrong"
    filtered = reply.chat.finish == "filter"
    return Answer(
        question_id=asked.question.id,
        dialogue_id=asked.question.dialogue_id,
        rotation=asked.rotation,
        reply=reply.chat.text,
        finish=reply.chat.finish,
        shown=shown,
        answer=meant,
        outcome="error" if filtered else outcome,
        reason=_FILTERED if filtered else None,
        probabilities=reply.probabilities,
    )


def read_again(config: AskConfig, asked: Asked, answer: Answer) -> Answer:
    """An answer as it is read today from what was replied."""
    chat = ChatReply(answer.reply, answer.finish, _NOTHING)
    return answered(config, asked, Reply(chat, answer.probabilities))


def _read(config: AskConfig, shown: Shown, reply: Reply) -> Letter | None:
    """The letter as shown; None if there is none to be read."""
    chat = reply.chat
    if chat.finish in {"filter", "refusal"}:
        return None
    if config.mode == "logprobs":
        # the text would measure something else under the same name
        return None if reply.probabilities is None else _likeliest(reply.probabilities)
    if config.mode == "json":
        return _from_json(config, shown, chat)
    if chat.finish == "length":
        return _from_part(config, shown, chat.text)
    return _letter(chat.text, shown)


def _likeliest(probabilities: Mapping[Letter, float]) -> Letter | None:
    likeliest: Letter = max(LETTERS, key=lambda letter: probabilities[letter])
    return likeliest if probabilities[likeliest] > 0 else None


def _letter(text: str, shown: Shown) -> Letter | None:
    bare = text.strip()
    # what most models answer, and a third of a call's processor time to find it out otherwise
    read = bare if bare in shown else read_answer(text, dict[str, str](shown.items()))
    return next((letter for letter in LETTERS if letter == read), None)


def _from_part(config: AskConfig, shown: Shown, text: str) -> Letter | None:
    """Of a reply that was cut, what it states as its answer: what it weighs on the way there is none."""
    stated = [found.start() for found in _ANSWER_LINE.finditer(text)]
    if stated:
        return _letter(text[stated[-1] :].partition("\n")[0], shown)
    return None if config.prompt == "cot" else _letter(text.strip().partition("\n")[0], shown)


def _from_json(config: AskConfig, shown: Shown, chat: ChatReply) -> Letter | None:
    """Strictly, then, unless the reply was cut, leniently."""
    for record in (_ReasonedPick, _Pick):
        picked = _picked(chat, record)
        if picked is not None:
            return picked
    return None if chat.finish == "length" else _letter(chat.text, shown)


def _picked(chat: ChatReply, record: type[_ReasonedPick | _Pick]) -> Letter | None:
    try:
        return read_record(chat, record).answer
    except ReplyError:
        return None
