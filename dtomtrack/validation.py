"""Errors of validation in our own words: what is wrong with a field that somebody wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

__all__ = ["in_words", "json_problem", "located_problems"]

_KINDS: Mapping[str, str] = {
    "string": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "set": "a list",
    "frozen_set": "a list",
    "dict": "fields, each NAME: VALUE",
    "mapping": "fields, each NAME: VALUE",
    "model": "fields, each NAME: VALUE",
    "model_attributes": "fields, each NAME: VALUE",
    "dataclass": "fields, each NAME: VALUE",
}
"""What a field has to hold, by how the errors of its type begin."""


def _number_of(count: object, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def json_problem(error: object) -> str:
    """What is wrong with JSON, in the library's words, without "line 1": the line of a file has a number of its own."""
    return str(error).replace(" at line 1 column ", " at column ")


_SENTENCES: Mapping[str, Callable[[Mapping[str, object]], str]] = {
    "missing": lambda _: "is missing",
    "extra_forbidden": lambda _: "there is no such field",
    "literal_error": lambda context: f"has to be {context['expected']}",
    "enum": lambda context: f"has to be {context['expected']}",
    "greater_than_equal": lambda context: f"has to be {context['ge']} or more",
    "greater_than": lambda context: f"has to be more than {context['gt']}",
    "less_than_equal": lambda context: f"has to be {context['le']} or less",
    "less_than": lambda context: f"has to be less than {context['lt']}",
    "too_short": lambda context: (
        f"has to have at least {_number_of(context['min_length'], 'entry', 'entries')}, not {context['actual_length']}"
    ),
    "too_long": lambda context: (
        f"has to have at most {_number_of(context['max_length'], 'entry', 'entries')}, not {context['actual_length']}"
    ),
    "string_unicode": lambda _: "has half of a character, which no file can hold; take it out",
    "string_too_short": lambda context: (
        "may not be empty"
        if context["min_length"] == 1
        else f"has to have at least {_number_of(context['min_length'], 'character', 'characters')}"
    ),
    "string_too_long": lambda context: (
        f"has to have at most {_number_of(context['max_length'], 'character', 'characters')}"
    ),
    "string_pattern_mismatch": lambda context: f"has to be written as {context['pattern']}",
    "none_required": lambda _: "has to be left out, or null",
    "json_invalid": lambda context: (
        "breaks off before its end; is the file whole?"
        if str(context["error"]).startswith("EOF while parsing")
        and not str(context["error"]).endswith("line 1 column 0")
        else f"is no JSON ({json_problem(context['error'])})"
    ),
    "finite_number": lambda _: "has to be a finite number",
}


_BOUNDS = frozenset({"greater_than_equal", "greater_than", "less_than_equal", "less_than"})


def in_words(wrong: ErrorDetails) -> str:
    """What is wrong with a field, to be read behind its name and a colon."""
    kind = wrong["type"]
    # of the command line it is still a text
    if kind in _BOUNDS and str(wrong.get("input")).strip(" +-").lower() == "nan":
        return "is nan, which is no number"
    sentence = _SENTENCES.get(kind)
    if sentence is not None:
        return sentence(wrong.get("ctx", {}))
    held = next((words for start, words in _KINDS.items() if kind in {f"{start}_type", f"{start}_parsing"}), None)
    if kind == "int_from_float":
        held = _KINDS["int"]
    return f"has to be {held}" if held else wrong["msg"].removeprefix("Value error, ")


def located_problems(error: ValidationError) -> list[tuple[tuple[int | str, ...], str]]:
    """Everything that validation found wrong: where, and in words what.

    A list is not told to be short for entries of it that are told to be wrong: they weren't counted.
    """
    found = error.errors(include_url=False)
    within = {one["loc"][:depth] for one in found for depth in range(len(one["loc"]))}
    return [
        (tuple(one["loc"]), in_words(one)) for one in found if one["type"] != "too_short" or one["loc"] not in within
    ]
