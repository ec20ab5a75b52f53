"""The options of the library, checked by name and type before anything is done with them."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from typing_extensions import get_protocol_members, is_protocol

from dtomtrack.errors import InputError
from dtomtrack.records import in_figures

__all__ = [
    "MOST",
    "MOST_AT_ONCE",
    "check_options",
    "check_range",
    "did_you_mean",
    "most_like",
    "names_options",
    "path_of",
]

MOST = 10**9
"""Of whatever is counted: dialogues, samples, workers."""
MOST_AT_ONCE = 10_000
"""Calls or dialogues under way together: a machine has fewer connections."""

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_IN_WORDS: Mapping[object, str] = {
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    str: "a text",
    NoneType: "None",
    Sequence: "a list",
    Mapping: "a dictionary",
    PathLike: "a path",
    Callable: "a function",
}


_SHOWN = reprlib.Repr()
"""How a value is shown that may be a whole scenario."""
_SHOWN.maxstring = _SHOWN.maxother = 200
_SHOWN.maxlevel = 1


def check_options(given: Mapping[str, object], kind: type) -> None:
    """Refuse options that there are none of, and values of another type; what a list holds is not looked at.

    Args:
        kind: the typed dictionary of the options.

    Raises:
        InputError: one is unknown, or its value is of the wrong type.
    """
    hints = get_type_hints(kind)
    for name, value in given.items():
        _check_name(name, list(hints))
        allowed = _alternatives(hints[name])
        if not any(_fits(value, one) for one in allowed):
            raise InputError(f"{name} is {_SHOWN.repr(value)}; it has to be {' or '.join(map(_in_words, allowed))}")


def check_range(name: str, number: float, least: float, most: float = MOST) -> None:
    """See that a number that a user gave lies between two others, which it may be, too.

    Args:
        name: of the option or parameter.

    Raises:
        InputError: it doesn't, or is nan.
    """
    if not least <= number <= most:
        raise InputError(f"{name} is {number}; it has to be from {in_figures(least)} to {in_figures(most)}")


def names_options(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Have a function whose options stand in its signature refuse others as `check_options` does."""
    known = [name for name in inspect.signature(function).parameters if name != "self"]

    @wraps(function)
    def call(*args: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        for name in options:
            _check_name(name, known)
        return function(*args, **options)

    return call


def _check_name(name: str, known: list[str]) -> None:
    if name not in known:
        raise InputError(f"option {name!r}: {_suggestion(name, known)}")


def path_of(name: str, given: object) -> Path:
    """A path that a user gave.

    Args:
        name: of the parameter.

    Raises:
        InputError: it is none, or empty, as a variable that is not set: the folder that one is in has the name "."
    """
    if given == "":
        raise InputError(f"{name} is empty; name a path, or . for the folder that you are in")
    if not isinstance(given, str | PathLike):
        raise InputError(f"{name} is {reprlib.repr(given)}; it has to be a path")
    return Path(given)


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """The name that is most like one that is none, as a question; all there are, where none is like it."""
    close = most_like(name, known)
    return f"did you mean {close}?" if close else f"there are {', '.join(known)}"


def most_like(name: str, known: Iterable[str]) -> str | None:
    """The name that is most like one that is none, large letters or small; None if none is like it."""
    folded = {one.casefold(): one for one in known}
    return next((folded[one] for one in get_close_matches(name.casefold(), folded, n=1)), None)


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
    kind = get_origin(hint) or hint
    if kind is Sequence and isinstance(value, str | bytes):
        return False
    if not isinstance(kind, type):
        return True
    return (
        all(hasattr(value, name) for name in get_protocol_members(kind))
        if is_protocol(kind)
        else isinstance(value, kind)
    )


def _in_words(hint: object) -> str:
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(repr(one) for one in get_args(hint))
    return _IN_WORDS.get(get_origin(hint) or hint) or str(getattr(hint, "__name__", hint))
