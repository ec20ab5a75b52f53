"""The options of the library, checked by name and type before anything is done with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from dtomtrack.errors import InputError

__all__ = ["check_options", "did_you_mean"]

_IN_WORDS: Mapping[object, str] = {int: "a whole number", float: "a number", str: "a text", NoneType: "None"}


def check_options(given: Mapping[str, object], kind: type) -> None:
    """Refuse options that there are none of, and values of another type than numbers, texts and choices have to be.

    Args:
        kind: the typed dictionary of the options.

    Raises:
        InputError: one is unknown, or its value is of the wrong type.
    """
    hints = get_type_hints(kind)
    for name, value in given.items():
        if name not in hints:
            raise InputError(f"option {name!r}: {_suggestion(name, list(hints))}")
        allowed = _alternatives(hints[name])
        if not any(_fits(value, one) for one in allowed):
            raise InputError(f"{name} is {value!r}; it has to be {' or '.join(map(_in_words, allowed))}")


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """The name that is most like one that is none, as a question; all there are, where none is like it."""
    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"


def _suggestion(name: str, known: list[str]) -> str:
    hint = did_you_mean(name, known)
    return f"there is none of this name; {hint}" if hint.endswith("?") else hint


def _alternatives(hint: object) -> tuple[object, ...]:
    return get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)


def _fits(value: object, hint: object) -> bool:
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if hint in {int, float}:
        # True is a whole number to Python, and to nobody else
        return isinstance(value, int if hint is int else int | float) and not isinstance(value, bool)
    if hint is str:
        return isinstance(value, str)
    return hint is not NoneType or value is None


def _in_words(hint: object) -> str:
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(repr(one) for one in get_args(hint))
    return _IN_WORDS.get(hint) or str(getattr(hint, "__name__", hint))
