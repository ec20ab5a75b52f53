"""How users name language models, and how they may say that these are to be asked."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TypeAlias, TypedDict

from dtomtrack.errors import InputError
from dtomtrack.llm.chat import ChatModel
from dtomtrack.llm.clients import ClientSettings
from dtomtrack.llm.ledger import Budget
from dtomtrack.llm.spec import ModelSpec, parse_spec

__all__ = ["NO_MODEL", "AnyModel", "ClientOptions", "client_settings", "named_model"]

AnyModel: TypeAlias = ModelSpec | ChatModel
"""A model by name, or an object of the caller's own."""
NO_MODEL = frozenset({"scripted", "pack", "rules"})
"""What stands in place of a model's name where there is to be none."""


class ClientOptions(TypedDict, total=False):
    """How models may be asked: nothing here changes what they answer.

    Attributes:
        concurrency: calls to a model at once; 16 if not given.
        requests_per_minute, tokens_per_minute: to a model.
        timeout: seconds that one try of a call may take; 300 if not given.
        max_cost: US dollars that the run may cost; max_tokens_total: tokens that it may take.
        prices: a file of prices.
    """

    concurrency: int
    requests_per_minute: float
    tokens_per_minute: float
    timeout: float
    max_cost: float
    max_tokens_total: int
    prices: str | PathLike[str]


def named_model(named: str | ChatModel, base_url: str | None = None) -> AnyModel | None:
    """A model by name, or the caller's own; None for the names that say that there is none.

    Raises:
        ModelSpecError: it can't be used as it is named.
    """
    if not isinstance(named, str):
        return named
    return None if named in NO_MODEL else parse_spec(named, base_url)


def client_settings(options: ClientOptions) -> ClientSettings:
    """The settings that these options make, checked.

    Raises:
        InputError: an option is out of range.
    """
    concurrency = options.get("concurrency", 16)
    if concurrency < 1:
        raise InputError(f"concurrency is {concurrency}; it has to be 1 or more")
    for name in ("requests_per_minute", "tokens_per_minute", "timeout"):
        value = options.get(name)
        if isinstance(value, int | float) and not 0 < value < float("inf"):
            raise InputError(f"{name.replace('_', '-')} is {value}; it has to be more than 0")
    for name, most in {"max_cost": 1e9, "max_tokens_total": 10**15}.items():
        value = options.get(name)
        if isinstance(value, int | float) and not 0 <= value <= most:
            raise InputError(f"{name.replace('_', '-')} is {value}; it has to be from 0 to {most:g}")
    prices = options.get("prices")
    return ClientSettings(
        concurrency=concurrency,
        requests_per_minute=options.get("requests_per_minute"),
        tokens_per_minute=options.get("tokens_per_minute"),
        timeout=options.get("timeout", 300.0),
        budget=Budget(options.get("max_cost"), options.get("max_tokens_total")),
        prices=None if prices is None else Path(prices),
    )
