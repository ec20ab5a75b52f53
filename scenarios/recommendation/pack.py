"""A pack: things to recommend, which do not exist, and the words for them; and the forms that all packs share."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from dtomtrack.errors import PackError
from dtomtrack.files import text_of
from dtomtrack.records import Record, Text, first_problem
from dtomtrack.scenarios.located_yaml import parse

__all__ = ["DIMENSIONS", "Forms", "RecommendationPack", "Thing", "builtin_packs", "forms", "load_pack"]

_FOLDER = "dtomtrack.scenarios.recommendation"
DIMENSIONS = ("kind", "mood", "trait")
_JOINTS = frozenset({"the", "a", "an", "of", "&", "and"})
_LEAST_FORMS, _LEAST_THINGS = 4, 40

Wordings = Annotated[tuple[Text, ...], Field(min_length=_LEAST_FORMS)]


class Thing(Record):
    """Something to recommend, with one quality of each dimension."""

    title: Text
    kind: Text
    mood: Text
    trait: Text

    @property
    def qualities(self) -> tuple[str, str, str]:
        """Its qualities, in the order of the dimensions."""
        return self.kind, self.mood, self.trait


class RecommendationPack(Record):
    """Things to recommend, and the words for them.

    Attributes:
        use: what one does with one of them ("watch"); ``used``: the same, done.
        qualities: by dimension, the qualities that there are.
    """

    name: Text
    thing: Text
    things: Text
    use: Text
    used: Text
    qualities: dict[Literal["kind", "mood", "trait"], Annotated[tuple[Text, ...], Field(min_length=3)]]
    catalogue: Annotated[tuple[Thing, ...], Field(min_length=_LEAST_THINGS)]

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        known: dict[frozenset[str], str] = {}
        for one in self.catalogue:
            words = _told_apart_by(one.title)
            if words in known:
                raise ValueError(f"the titles {known[words]!r} and {one.title!r} can't be told apart")
            known[words] = one.title
        if set(self.qualities) != set(DIMENSIONS):
            raise ValueError(f"qualities has to have {', '.join(DIMENSIONS)}")
        for one in self.catalogue:
            for dimension, quality in zip(DIMENSIONS, one.qualities, strict=True):
                if quality not in self.dimension(dimension):
                    raise ValueError(f"{one.title!r}: {quality!r} is no quality of {dimension}")
        return self

    def dimension(self, name: str) -> tuple[str, ...]:
        """The qualities of a dimension."""
        return next(values for key, values in self.qualities.items() if key == name)

    def thing_called(self, title: str) -> Thing:
        """The thing of this title."""
        return next(one for one in self.catalogue if one.title == title)


def _told_apart_by(title: str) -> frozenset[str]:
    """The words of a title that a listener keeps in mind: not its articles, nor what joins them."""
    return frozenset(title.lower().split()) - _JOINTS


class Forms(Record):
    """The forms of every label by role, and what may be said beside them; one clause each."""

    recommender: dict[str, Wordings]
    seeker: dict[str, Wordings]
    liking: dict[Literal["liked", "disliked", "sounds good", "sounds bad", "changed"], Wordings]
    reasons: dict[Literal["wanted", "unwanted", "unless", "won over"], Wordings]
    dislikes: Wordings
    wished: dict[Literal["asked", "unasked"], Wordings]
    told: Wordings
    admitted: Wordings
    opinions: dict[Literal["liked", "disliked"], Wordings]
    named: dict[Literal["seen", "unseen"], Wordings]


def builtin_packs() -> list[str]:
    """The names of the packs that come with dtomtrack."""
    folder = resources.files(_FOLDER) / "packs"
    return sorted(one.name.removesuffix(".yaml") for one in folder.iterdir() if one.name.endswith(".yaml"))


_ALSO = {"movies": "films"}
"""Other words for built-in packs."""


def load_pack(named: str) -> RecommendationPack:
    """A built-in pack by name, or one from a file.

    Raises:
        PackError: there is none, or it is wrong; the message names the field.
    """
    name = _ALSO.get(named, named)
    if name in builtin_packs():
        text = (resources.files(_FOLDER) / "packs" / f"{name}.yaml").read_text(encoding="utf-8")
    elif Path(named).is_file():
        text = text_of(Path(named), "pack", PackError)
    else:
        raise PackError(
            f"domain {named!r}: there is no such pack; there are {', '.join(builtin_packs())}, or name a file"
        )
    try:
        return TypeAdapter(RecommendationPack).validate_python(parse(named, text, keys="name, thing, catalogue"))
    except ValidationError as error:
        raise PackError(f"{named}: {first_problem(error)}") from None


@cache
def forms() -> Forms:
    """The forms that all packs share."""
    text = (resources.files(_FOLDER) / "forms.yaml").read_text(encoding="utf-8")
    return Forms.model_validate(parse("forms.yaml", text, keys="recommender, seeker"))
