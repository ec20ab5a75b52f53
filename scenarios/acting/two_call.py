"""A turn in pieces, for weak models: thoughts that are laid down are put in place, the rest is asked for one by one."""

from __future__ import annotations

import re

from dtomtrack.errors import ReplyError
from dtomtrack.items.words import stems
from dtomtrack.llm.chat import ChatReply
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.scenarios.acting.asked_turn import PROMPTS, AskedTurn
from dtomtrack.scenarios.acting.direction_text import ThoughtWanted
from dtomtrack.scenarios.acting.replies import check, first_sentences, whole_sentences
from dtomtrack.scenarios.acting.turn_format import TurnWords, spoken, thought_words
from dtomtrack.scenarios.script import Move

__all__ = ["in_two_calls"]

_THOUGHT_TOKENS = 60
_LINE_TOKENS = 120
_LINES_SHOWN = 6
_WORD = re.compile(r"\w+")
_QUOTES = '"“”„«»'
_A_PHRASE = 3
_MOST_SENTENCES = 3


async def in_two_calls(turn: AskedTurn) -> TurnWords:
    """The turn: first its thoughts, then its line, each asked for until nothing is wrong with it.

    Raises:
        ReplyError: no try gave a piece that passes the rules.
    """
    sentences = [
        wanted.sentence if wanted.content else await _thought(turn, position, wanted)
        for position, wanted in enumerate(turn.wanted)
    ]
    thought = thought_words(" ".join(sentences))
    if problems := turn.thought_problems(thought):
        raise turn.given_up(problems[0])

    async def ask(number: int) -> str:
        return await _one_line(turn, number, thought)

    return TurnWords(thought, await turn.tried(ask, lambda line: turn.line_problems(thought, line)))


async def _thought(turn: AskedTurn, position: int, wanted: ThoughtWanted) -> str:
    """A thought on the goal, asked for once; the goal itself, where what comes has nothing to do with it."""
    asked = prompt(PROMPTS, "weak_thought").fill(
        conversation=turn.conversation(_LINES_SHOWN),
        name=turn.character.name,
        direction=f"Think this: {wanted.words()}",
    )
    reply = await turn.send(0, f" thought {position}", asked, _THOUGHT_TOKENS, begun=wanted.prefix)
    try:
        sentence = first_sentences(_usable(reply), 1).strip(" \"'()").rstrip(".!? ")
        thought = thought_words(f"{wanted.prefix} {sentence}.")
    except ReplyError:
        return thought_words(wanted.sentence)
    shows_a_state = any(one.topic is not None for one in turn.thoughts_in(thought))
    if shows_a_state or stems(sentence).isdisjoint(stems(wanted.or_else)):
        return thought_words(wanted.sentence)
    return thought


async def _one_line(turn: AskedTurn, number: int, thought: str) -> str:
    asked = prompt(PROMPTS, "weak_utterance").fill(
        conversation=turn.conversation(_LINES_SHOWN),
        name=turn.character.name,
        partner=turn.character.company,
        thought=as_data(thought),
        direction=turn.hearers() + " ".join(_main_sentences(turn)),
    )
    begun = turn.part.text.beginning(turn.directions)
    first = _usable(await turn.send(number, " line", asked, _LINE_TOKENS, begun=begun)).strip().split("\n", 1)[0]
    if begun and not _WORD.search(first):
        raise ReplyError(f"it says nothing behind {begun!r}; go on from there")
    if _repeats(first, begun):
        raise ReplyError(f"it says {begun!r} twice; go on from there")
    return spoken(f"{begun} {_unquoted(first_sentences(first, _MOST_SENTENCES))}".strip())


def _unquoted(reply: str) -> str:
    """A reply without quotation marks around it, of which the first may stand before what was begun for the model."""
    bare = reply.strip()
    if sum(bare.count(mark) for mark in _QUOTES) % 2:
        return bare.rstrip(_QUOTES) if bare[-1] in _QUOTES else bare.lstrip(_QUOTES)
    return bare[1:-1].strip() if bare[:1] in _QUOTES and bare[-1:] in _QUOTES else bare


def _repeats(line: str, beginning: str) -> bool:
    """Whether a line says its beginning again: few words at its start, and more wherever they stand."""
    words, begun = _words(line), _words(beginning)
    starts = range(1 if len(begun) < _A_PHRASE else len(words))
    return bool(begun) and any(words[start : start + len(begun)] == begun for start in starts)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _main_sentences(turn: AskedTurn) -> list[str]:
    """The weightiest direction of the turn, with what belongs to it: a weak model follows one, not three."""
    both = zip(turn.directions, turn.sentences, strict=True)
    return [sentence for direction, sentence in both if direction.move in _WEIGHTY] or turn.sentences[-1:]


_WEIGHTY = frozenset(
    {
        Move.VOICE,
        Move.UPDATE,
        Move.RESTATE,
        Move.MISLEAD,
        Move.PRESUME,
        Move.ACT,
        Move.TELL,
        Move.REVEAL,
        Move.ASK,
        Move.WONDER,
        Move.CORRECT,
        Move.STAY,
    }
)


def _usable(reply: ChatReply) -> str:
    """What of a reply can be used: if it was cut, its whole sentences."""
    if reply.finish in {"filter", "refusal"}:
        check(reply)
    return whole_sentences(reply.text) if reply.finish == "length" else reply.text
