"""A language model writes a goal from a brief: the situation, five worries, and fifteen strategies.

Which worries each strategy lays to rest or raises, and on which principle it works, is laid down as in the built-in
packs; the model finds the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, ValidationError, model_validator

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.structured import ask_for
from dtomtrack.records import Record, Text, first_problem
from dtomtrack.scenarios.persuasion.forms import clash
from dtomtrack.scenarios.persuasion.pack import Concern, GoalPack, Principle, Strategy
from dtomtrack.scenarios.persuasion.pack_files import expressions

__all__ = ["write_goal"]

_PACKAGE = "dtomtrack.scenarios.persuasion"
_TOKENS = 4_000
_WORRIES = 5
_NAMES = {"er": "{er}", "ee": "{ee}"}
"""Stand as they are in prompts and packs: people get names when a conversation is planned."""
_LAYING: tuple[Principle, ...] = ("reciprocity", "authority", "consensus", "scarcity", "commitment")
_RAISING_ONE: tuple[Principle, ...] = ("liking", "consensus", "commitment", "scarcity", "authority")
_RAISING_TWO: tuple[Principle, ...] = ("reciprocity", "authority", "consensus", "liking", "commitment")

Three = Annotated[tuple[Text, ...], Field(min_length=3, max_length=3)]


class _Worry(Record):
    clause: Text
    say: Three


class _Situation(Record):
    target: Text
    rivals: Three
    context: Text
    worries: Annotated[tuple[_Worry, ...], Field(min_length=_WORRIES, max_length=_WORRIES)]

    @model_validator(mode="after")
    def _names_both(self) -> _Situation:
        if "{er}" not in self.context or "{ee}" not in self.context:
            raise ValueError("the context has to name both people, {er} and {ee}")
        return self


class _Argument(Record):
    label: Text
    say: Three


class _Arguments(Record):
    strategies: Annotated[tuple[_Argument, ...], Field(min_length=3 * _WORRIES, max_length=3 * _WORRIES)]


async def write_goal(model: ChatModel, domain: str, brief: str, seed: int = 0) -> GoalPack:
    """A goal in a model's words, from two calls.

    Args:
        domain: what the pack is to be called.
        brief: what it is to be about, in words.

    Raises:
        ReplyError: what the model writes can't be used, also when it is asked again.
        ModelError: no answer can be had.
    """
    text = prompt(_PACKAGE, "goal").fill(brief=as_data(brief), **_NAMES)
    situation = await ask_for(model, _request(f"pack {domain}", "goal", text, seed), _Situation)
    designs = list(_designs())
    text = prompt(_PACKAGE, "strategies").fill(
        target=as_data(situation.target),
        context=as_data(situation.context),
        wanted="\n".join(_wanted(situation, *one) for one in designs),
        **_NAMES,
    )
    written = await ask_for(model, _request(f"pack {domain}", "strategies", text, seed), _Arguments)
    return _pack(domain, situation, written, designs)


def _request(unit: str, purpose: str, text: str, seed: int) -> ChatRequest:
    return ChatRequest.asking(CallKey(unit, purpose), text, seed, _TOKENS, temperature=0.7)


_Design = tuple[Principle, tuple[int, ...], tuple[int, ...]]
"""A principle, the worries that are laid to rest, and those that are raised, by number."""


def _designs() -> Sequence[_Design]:
    pairs = [(number, (number + 1) % _WORRIES) for number in range(_WORRIES)]
    return [
        *((principle, pair, ()) for principle, pair in zip(_LAYING, pairs, strict=True)),
        *((principle, (), (number,)) for number, principle in enumerate(_RAISING_ONE)),
        *((principle, (), pair) for principle, pair in zip(_RAISING_TWO, pairs, strict=True)),
    ]


def _wanted(situation: _Situation, principle: Principle, laid: Sequence[int], raised: Sequence[int]) -> str:
    doubts = " and ".join(as_data(situation.worries[number].clause) for number in (*laid, *raised))
    does = "answers the doubts about" if laid else "means well, but raises the doubts about"
    return f"- {principle}: {does} {doubts}"


def _pack(domain: str, situation: _Situation, written: _Arguments, designs: Sequence[_Design]) -> GoalPack:
    names = [f"worry{number + 1}" for number in range(_WORRIES)]
    try:
        pack = GoalPack(
            domain=domain,
            target=situation.target,
            rivals=situation.rivals,
            context=situation.context,
            concerns=tuple(
                Concern(id=name, clause=one.clause, say=one.say)
                for name, one in zip(names, situation.worries, strict=True)
            ),
            strategies=tuple(
                Strategy(
                    label=one.label,
                    principle=principle,
                    addresses=tuple(names[number] for number in laid),
                    provokes=tuple(names[number] for number in raised),
                    say=one.say,
                )
                for one, (principle, laid, raised) in zip(written.strategies, designs, strict=True)
            ),
        )
    except ValidationError as error:
        raise ReplyError(f"the pack can't be used: {first_problem(error)}") from None
    found = clash(pack, expressions())
    if found is not None:
        raise ReplyError(
            f"the pack can't be used: {as_data(found[0])} holds {as_data(found[1])}, which says something else"
        )
    return pack
