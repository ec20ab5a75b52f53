"""Asking a model an item, and reading the answer from its reply.

An answer that came and holds no letter is unparsed; one that a provider's filter kept back is an error.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.errors import InputError, ReplyError
from dtomtrack.evaluation.benchmark import ReplyReader
from dtomtrack.evaluation.examples import NO_EXAMPLES, Examples, example_messages
from dtomtrack.evaluation.prompting import answer_schema, option_text, prompt_text
from dtomtrack.evaluation.records import Answer, AskConfig, Outcome
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letters_of
from dtomtrack.items.plain_reply import without_thinking
from dtomtrack.items.presented import PresentedItem
from dtomtrack.llm.chat import CallKey, ChatModel, ChatReply, ChatRequest, Finish, Message, Usage
from dtomtrack.llm.failures import RefusedRequestError
from dtomtrack.llm.structured import read_record
from dtomtrack.records import Record

__all__ = ["ModelSubject", "answer_of", "check_mode", "read_again", "requests_for"]

_LONG = 100_000
"""Characters of a reply that takes a tenth of a second to read: meanwhile others are asked, and a stop is heard."""
_LETTER_TOKENS = 16
"""Tokens for a letter where the server can't hold the model to it."""
_ANSWER_LINE = re.compile(r"answer\W{0,6}[:=](?P<rest>.*)", re.IGNORECASE)
_YES, _NO = "Y", "N"
_EVEN = 0.5
_MOST_REFUSED = 5
"""Items that a server may refuse before it has answered one: then the item is not at fault."""
_FILTERED = "the provider's content filter cut the reply"
_NOTHING = Usage(0, 0)
_ENDS: tuple[Finish, ...] = ("filter", "refusal", "length")
"""Ends of replies other than the usual one; which is told first of several."""


class _Pick(Record):
    """An answer as JSON; ``reasoning`` is there where it was asked for."""

    reasoning: str | None = None
    answer: str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Reply:
    """A reply, with the probabilities of the letters as shown where there are any."""

    chat: ChatReply
    probabilities: dict[str, float] | None


class ModelSubject:
    """A language model that answers items, asked as a configuration says.

    Args:
        focus: what the suite's items want thought about, where reasoning is asked for.
        examples: which are shown before items.
    """

    def __init__(self, model: ChatModel, config: AskConfig, focus: str = "", examples: Examples = NO_EXAMPLES) -> None:
        self._model = model
        self._config = config
        self._focus = focus
        self._examples = examples
        self._replied = False
        self._refused = 0
        self._reading = asyncio.Semaphore(1)

    async def answer(self, shown: PresentedItem) -> Answer:
        """The model's answer; an error where the server won't answer this item.

        Raises:
            ModelError: no answer can be had, or the server has refused several items and answered none.
            InputError: the item can't be asked in this mode.
        """
        try:
            reply = await self._reply(shown)
        except RefusedRequestError as error:
            self._refused += 1
            if not self._replied and self._refused > _MOST_REFUSED:
                raise
            return _answer(shown, outcome="error", reason=str(error))
        self._replied = True
        if len(reply.chat.text) < _LONG:
            return answer_of(shown, self._config, reply)
        # one after another: a stop waits for the one that is being read
        async with self._reading:
            return await asyncio.to_thread(answer_of, shown, self._config, reply)

    async def _reply(self, shown: PresentedItem) -> _Reply:
        requests = requests_for(shown, self._config, self._focus, self._examples)
        if self._config.mode != "each":
            return _with_probabilities(shown, self._config, await self._model.chat(requests[0]))
        return _together(shown, [await self._model.chat(request) for request in requests])


def requests_for(
    shown: PresentedItem, config: AskConfig, focus: str = "", examples: Examples = NO_EXAMPLES
) -> Sequence[ChatRequest]:
    """The requests that ask a model this item: one, or with mode each one an option.

    Raises:
        InputError: the letters' probabilities choose one option, and of this item several may be right.
    """
    before = example_messages(examples.for_item(shown.item), config, focus)
    if config.mode == "each":
        return [_option_request(shown, config, letter, before) for letter in shown.letters]
    return [_request(shown, config, focus, before)]


def check_mode(item: Item, config: AskConfig) -> None:
    """See that a model can answer an item as it is asked to.

    Raises:
        InputError: the letters' probabilities choose one option, and of this item several may be right.
    """
    if config.mode == "logprobs" and item.select != "one":
        raise InputError(
            f"{item.id}: several options may be right, and mode logprobs chooses one; take --mode each, text or json, "
            "or --type for other types alone"
        )


def _option_request(shown: PresentedItem, config: AskConfig, letter: str, before: tuple[Message, ...]) -> ChatRequest:
    call = CallKey(shown.item.id, f"option {letter} rotated by {shown.rotation}", shown.repeat)
    return ChatRequest(
        call=call,
        messages=(*before, Message("user", option_text(shown, config, letter))),
        max_tokens=min(_LETTER_TOKENS, config.max_tokens),
        temperature=config.temperature,
        seed=call.seed(config.seed),
        choices=(_YES, _NO),
    )


def _together(shown: PresentedItem, replies: Sequence[ChatReply]) -> _Reply:
    """The replies to questions about each option as one, with the probability of yes to each.

    A reply that ended otherwise than the others is one for all, one that was kept back before one that was cut; without
    probabilities of one there are none.
    """
    by_letter = dict(zip(shown.letters, replies, strict=True))
    finish: Finish = next((how for how in _ENDS if any(one.finish == how for one in replies)), "stop")
    text = "\n".join(f"{letter}: {one.text}" for letter, one in by_letter.items())
    yes = {letter: _share_of_yes(one) for letter, one in by_letter.items()}
    known = {letter: share for letter, share in yes.items() if share is not None}
    return _Reply(ChatReply(text, finish, _NOTHING), known if len(known) == len(yes) else None)


def _share_of_yes(reply: ChatReply) -> float | None:
    given = reply.probabilities or {}
    yes, no = given.get(_YES, 0.0), given.get(_NO, 0.0)
    return yes / (yes + no) if yes + no else None


def _request(shown: PresentedItem, config: AskConfig, focus: str, before: tuple[Message, ...]) -> ChatRequest:
    item, by_letter = shown.item, config.mode == "logprobs"
    check_mode(item, config)
    letters = shown.letters
    call = CallKey(item.id, f"answer rotated by {shown.rotation}", shown.repeat)
    return ChatRequest(
        call=call,
        messages=(*before, Message("user", prompt_text(shown, config, focus))),
        max_tokens=min(_LETTER_TOKENS, config.max_tokens) if by_letter else config.max_tokens,
        temperature=config.temperature,
        seed=call.seed(config.seed),
        schema=answer_schema(letters, item.select, config.prompt) if config.mode == "json" else None,
        choices=letters if by_letter else (),
    )


def _with_probabilities(shown: PresentedItem, config: AskConfig, reply: ChatReply) -> _Reply:
    given = reply.probabilities
    if config.mode != "logprobs" or not given:
        return _Reply(reply, None)
    return _Reply(reply, {letter: given.get(letter, 0.0) for letter in shown.letters})


def answer_of(shown: PresentedItem, config: AskConfig, reply: _Reply) -> Answer:
    """A reply as an answer: right, wrong, unparsed, or an error."""
    return _judged(shown, reply, _read(shown, config, reply))


def _judged(shown: PresentedItem, reply: _Reply, seen: frozenset[str] | None) -> Answer:
    """An answer by the letters that were read."""
    filtered = reply.chat.finish == "filter"
    meant = shown.meant(seen) if seen else None
    outcome: Outcome = "unparsed" if meant is None else "correct" if meant == shown.item.gold else "wrong"
    return _answer(
        shown,
        outcome="error" if filtered else outcome,
        reason=_FILTERED if filtered else None,
        chosen=meant,
        reply=reply,
    )


def _answer(
    shown: PresentedItem,
    *,
    outcome: Outcome,
    reason: str | None = None,
    chosen: frozenset[int] | None = None,
    reply: _Reply | None = None,
) -> Answer:
    return Answer(
        question_id=shown.item.id,
        dialogue_id=shown.item.cluster,
        rotation=shown.rotation,
        repeat=shown.repeat,
        reply=reply.chat.text if reply else "",
        finish=reply.chat.finish if reply else "stop",
        shown="".join(sorted(shown.seen(chosen))) if chosen else None,
        answer=letters_of(chosen) if chosen else None,
        outcome=outcome,
        reason=reason,
        probabilities=reply.probabilities if reply else None,
    )


def read_again(shown: PresentedItem, config: AskConfig, answer: Answer, published: ReplyReader | None = None) -> Answer:
    """An answer as today's reading reads it from the stored reply.

    Args:
        published: reads in place of ours where the configuration says so; letters that the item lacks are unparsed.
    """
    if answer.outcome == "error":
        return answer
    reply = _Reply(ChatReply(answer.reply, answer.finish, _NOTHING), answer.probabilities)
    if config.parser == "published" and published is not None:
        letters = published(answer.reply, shown, config.prompt)
        fits = letters and letters <= shown.shown.keys() and (shown.item.select == "any" or len(letters) == 1)
        return _judged(shown, reply, letters if fits else None)
    return answer_of(shown, config, reply)


# -- reading ---------------------------------------------------------------------------------------------------------


def _read(shown: PresentedItem, config: AskConfig, reply: _Reply) -> frozenset[str] | None:
    """The letters as shown; None if there are none to be read."""
    chat = reply.chat
    if chat.finish in {"filter", "refusal"}:
        return None
    if config.mode in {"logprobs", "each"}:
        # the text would measure something else under the same name
        several = config.mode == "each" and shown.item.select == "any"
        found = reply.probabilities
        return None if found is None else _likelier(found) if several else _likeliest(found)
    if config.mode == "json":
        return _from_json(shown, chat)
    if chat.finish == "length":
        return _from_part(shown, config, chat.text)
    return _letters(shown, chat.text)


def _likelier(probabilities: Mapping[str, float]) -> frozenset[str] | None:
    """The letters to which yes is likelier than no; None if there is none."""
    return frozenset(letter for letter, share in probabilities.items() if share > _EVEN) or None


def _likeliest(probabilities: Mapping[str, float]) -> frozenset[str] | None:
    likeliest = max(probabilities, key=lambda letter: probabilities[letter])
    return frozenset((likeliest,)) if probabilities[likeliest] > 0 else None


def _letters(shown: PresentedItem, text: str) -> frozenset[str] | None:
    bare = text.strip()
    # what most models answer, and a third of a call's processor time to find it out otherwise
    if bare in shown.letters:
        return frozenset((bare,))
    return _stated(shown, text)


def _stated(shown: PresentedItem, text: str) -> frozenset[str] | None:
    # imported late: its patterns take as long to compile as hundreds of calls, and most models answer a letter
    from dtomtrack.items.replies import read_answers

    return read_answers(text, shown.shown, shown.item.select)


def _from_part(shown: PresentedItem, config: AskConfig, text: str) -> frozenset[str] | None:
    """The answer that a reply states before it was cut: options that it weighs on the way are none."""
    lines = [line for line in without_thinking(text).splitlines() if line.strip()]
    headed = [(place, found["rest"]) for place, line in enumerate(lines) if (found := _ANSWER_LINE.search(line))]
    if not headed:
        return None if config.prompt == "cot" or not lines else _letters(shown, lines[0])
    first, rest = headed[-1]
    last = first + 1 if any(map(str.isalnum, rest)) else first + 2
    if shown.item.select == "any" and last >= len(lines) and not text.endswith("\n"):
        # the cut may have taken letters
        return None
    return _letters(shown, "\n".join(lines[first:last]))


def _from_json(shown: PresentedItem, chat: ChatReply) -> frozenset[str] | None:
    """Strictly, then, unless the reply was cut, leniently."""
    try:
        picked = read_record(chat, _Pick).answer
    except ReplyError:
        return None if chat.finish == "length" else _letters(shown, chat.text)
    if isinstance(picked, str):
        return _letters(shown, picked)
    each = [_stated(shown, one) for one in picked]
    if not all(each):
        return None
    letters = frozenset[str]().union(*(one for one in each if one))
    return letters if letters and (shown.item.select == "any" or len(letters) == 1) else None
