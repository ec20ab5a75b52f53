"""How users name language models, and how they may say that these are to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TypeAlias, TypedDict

from pydantic import ValidationError

from dtomtrack.errors import InputError
from dtomtrack.llm.chat import ChatModel
from dtomtrack.llm.own_model import check_own_model
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import ModelSpec, parse_spec
from dtomtrack.options import check_range
from dtomtrack.records import option_problem

__all__ = ["NO_MODEL", "AnyModel", "ClientOptions", "client_settings", "is_on_server", "named_model"]

AnyModel: TypeAlias = ModelSpec | ChatModel
"""A model by name, or an object of the caller's own."""
NO_MODEL = frozenset({"scripted", "pack", "rules"})
"""Words that stand in place of a model's name where there is to be none."""


_SLOWEST = 0.01
"""Requests or tokens a minute: with fewer, a run would seem to hang."""


class ClientOptions(TypedDict, total=False):
    """How models may be asked: nothing here changes what they answer.

    Attributes:
        concurrency: calls to a model at once; 16 if not given.
        requests_per_minute, tokens_per_minute: to a model; at least 0.01.
        timeout: seconds that one try of a call may take; 300 if not given.
        max_reply_mb: megabytes that one answer of a server may have, decompressed; 16 if not given.
        max_cost: US dollars that the run may cost; max_tokens_total: tokens that it may take.
        prices: a file of prices.
        gguf_threads, gguf_context: of a model in this process: threads that compute it, one a core if not given, and
            tokens that one call may take, 8192 if not given.
        fresh_journal: put a damaged journal aside, and begin a new one with what of it can be read.
    """

    concurrency: int | None
    requests_per_minute: float
    tokens_per_minute: float
    timeout: float
    max_reply_mb: float
    max_cost: float
    max_tokens_total: int
    prices: str | PathLike[str]
    gguf_threads: int
    gguf_context: int
    fresh_journal: bool


def named_model(named: str | ChatModel, base_url: str | None = None) -> AnyModel | None:
    """A model by name, or the caller's own; None for the names that say that there is none.

    Raises:
        ModelSpecError: it can't be used as it is named.
        InputError: an object is no model.
    """
    if not isinstance(named, str):
        check_own_model(named)
        return named
    return None if named in NO_MODEL else parse_spec(named, base_url)


def is_on_server(model: AnyModel) -> bool:
    """Whether any process may ask it: it isn't computed in this one, and is no object of the caller's own."""
    return isinstance(model, ModelSpec) and model.base_url is not None


def client_settings(options: Mapping[str, object]) -> ClientSettings:
    """The settings that come of a user's options, among which may be others.

    Raises:
        InputError: an option is out of range.
    """
    given = {name: options[name] for name in ClientOptions.__annotations__ if options.get(name) is not None}
    for name in ("requests_per_minute", "tokens_per_minute"):
        # here, and not in the settings: of several processes each has a part of it
        if isinstance(rate := given.get(name), int | float):
            check_range(name.replace("_", "-"), rate, _SLOWEST)
    try:
        return ClientSettings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        raise InputError(option_problem(error, ClientSettings.__pydantic_fields__)) from error  # type: ignore[attr-defined]
