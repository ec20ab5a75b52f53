"""The records that are read and written: frozen, and closed to unknown fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.fields import FieldInfo

from dtomtrack.errors import InputError
from dtomtrack.validation import in_words

__all__ = [
    "LARGEST_SEED",
    "Count",
    "NotBoolean",
    "Record",
    "Seed",
    "Share",
    "Text",
    "first_problem",
    "in_figures",
    "option_problem",
]

LARGEST_SEED = 2**63 - 1
"""What a column of whole numbers holds, in Parquet, say."""


def _refuse_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"has to be a number, not {str(value).lower()}")
    return value


NotBoolean = BeforeValidator(_refuse_boolean)
"""For numbers in files of other people's making, where true would be read as 1."""
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Count = Annotated[int, Field(ge=0)]
Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Record(BaseModel):
    """A frozen record that refuses unknown fields."""

    # made ready when it is first used: of the records that are imported, a command needs few
    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_serialization_defaults_required=True, defer_build=True
    )

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, which works out anew whatever this one remembers of itself.

        Raises:
            InputError: there is no such field.
        """
        fields = type(self).model_fields
        for name in update or {}:
            if name not in fields:
                near = get_close_matches(name, fields, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(fields)}"
                raise InputError(f"{type(self).__name__} has no field {name!r}; {hint}")
        copied = super().model_copy(update=update, deep=deep)
        if len(copied.__dict__) > len(fields):
            for remembered in copied.__dict__.keys() - fields.keys():
                del copied.__dict__[remembered]
        return copied


def first_problem(error: ValidationError, whole: str = "file") -> str:
    """The first thing that validation found wrong, as "field: what is wrong"; ``whole`` stands for no field."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or whole
    return f"{field}: {in_words(first)}"


def option_problem(error: ValidationError, fields: Mapping[str, FieldInfo]) -> str:
    """The first thing wrong with an option that a user gave, as "temperature is 9.0; it has to be from 0 to 2".

    Args:
        fields: of the record that was to be made.
    """
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    bounds = {kind: bound for one in fields[name].metadata for kind, bound in _bounds(one)}
    if first["type"] == "finite_number":
        allowed = "a finite number"
    elif "le" in bounds:
        allowed = f"from {in_figures(bounds['ge'])} to {in_figures(bounds['le'])}"
    elif "gt" in bounds:
        allowed = f"more than {in_figures(bounds['gt'])}"
    elif "ge" in bounds:
        allowed = f"{in_figures(bounds['ge'])} or more"
    else:
        return f"{name.replace('_', '-')}: {in_words(first)}"
    return f"{name.replace('_', '-')} is {first['input']}; it has to be {allowed}"


def _bounds(constraint: object) -> Iterator[tuple[str, float]]:
    for kind in ("ge", "gt", "le"):
        bound = getattr(constraint, kind, None)
        if isinstance(bound, int | float):
            yield kind, bound


def in_figures(bound: float) -> str:
    """A bound as people read it: "1,000,000", "0.01"."""
    # a float would round the largest seed
    return f"{int(bound):,}" if bound == int(bound) else f"{bound:g}"
