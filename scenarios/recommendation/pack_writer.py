"""A language model fills a catalogue from a brief: what the things are called, their qualities, and forty titles.

Which title has which qualities is laid down, so that each is as frequent as the others.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, ValidationError, model_validator

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.structured import ask_for
from dtomtrack.records import Record, Text, first_problem
from dtomtrack.scenarios.recommendation.pack import RecommendationPack, Thing

__all__ = ["write_catalogue"]

_PACKAGE = "dtomtrack.scenarios.recommendation"
_TOKENS = 2_400
_EACH, _TITLES = 5, 40

Qualities = Annotated[tuple[Text, ...], Field(min_length=_EACH, max_length=_EACH)]


class _Catalogue(Record):
    thing: Text
    things: Text
    use: Text
    used: Text
    kind: Qualities
    mood: Qualities
    trait: Qualities
    titles: Annotated[tuple[Text, ...], Field(min_length=_TITLES, max_length=_TITLES)]

    @model_validator(mode="after")
    def _can_be_told_apart(self) -> _Catalogue:
        for names in ((*self.kind, *self.mood, *self.trait), self.titles):
            low = [name.lower() for name in names]
            for place, name in enumerate(low):
                if any(name in other for number, other in enumerate(low) if number != place):
                    raise ValueError(f"{names[place]!r} is part of another one; nobody could tell them apart")
        return self


async def write_catalogue(model: ChatModel, name: str, brief: str, seed: int = 0) -> RecommendationPack:
    """A catalogue in a model's words, from one call.

    Args:
        name: what the pack is to be called.
        brief: what the things are, in words.

    Raises:
        ReplyError: what the model writes can't be used, also when it is asked again.
        ModelError: no answer can be had.
    """
    text = prompt(_PACKAGE, "catalogue").fill(brief=as_data(brief))
    request = ChatRequest.asking(CallKey(f"pack {name}", "catalogue"), text, seed, _TOKENS, temperature=0.7)
    written = await ask_for(model, request, _Catalogue)
    try:
        return RecommendationPack(
            name=name,
            thing=written.thing,
            things=written.things,
            use=written.use,
            used=written.used,
            qualities={"kind": written.kind, "mood": written.mood, "trait": written.trait},
            catalogue=tuple(_thing(written, number) for number in range(_TITLES)),
        )
    except ValidationError as error:
        raise ReplyError(f"the pack can't be used: {first_problem(error)}") from None


def _thing(written: _Catalogue, number: int) -> Thing:
    """Titles in rows of five: kinds run along a row, moods and traits are shifted from row to row."""
    row, place = divmod(number, _EACH)
    return Thing(
        title=written.titles[number],
        kind=written.kind[place],
        mood=written.mood[(place + row) % _EACH],
        trait=written.trait[(2 * place + row * 3 + row // _EACH) % _EACH],
    )
