"""The prices of calls: a small table, which users can go before with their own."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field, TypeAdapter, ValidationError

from dtomtrack.errors import ModelSpecError
from dtomtrack.files import text_of
from dtomtrack.llm.chat import Usage
from dtomtrack.llm.spec import PROVIDERS, ModelSpec
from dtomtrack.records import NotBoolean, Record
from dtomtrack.validation import in_words

__all__ = ["Price", "Prices", "load_prices"]

_MILLION = 1_000_000
Dollars = Annotated[float, Field(ge=0.0, allow_inf_nan=False), NotBoolean]


class Price(Record):
    """US dollars per million tokens."""

    input: Dollars
    output: Dollars

    def of(self, usage: Usage) -> float:
        """The price of a call."""
        return (usage.prompt_tokens * self.input + usage.completion_tokens * self.output) / _MILLION


_FREE = Price(input=0.0, output=0.0)
_MOST_EVENTS = 100_000
_TABLE = TypeAdapter(dict[str, Price])


class Prices:
    """Prices by model; local models cost nothing unless the table says otherwise."""

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._table = dict(table)

    def of(self, spec: ModelSpec) -> Price | None:
        """The price of a model; None if nobody knows."""
        own = PROVIDERS.get(spec.provider)
        return self._table.get(spec.label, _FREE if own is not None and own.free else None)


def load_prices(own: Path | None = None) -> Prices:
    """The prices, those in a file of one's own first.

    Raises:
        ModelSpecError: the file can't be read or is no such table.
    """
    table = _read((resources.files("dtomtrack.llm") / "prices.yaml").read_text(encoding="utf-8"), "prices.yaml")
    if own is None:
        return Prices(table)
    try:
        text = text_of(own, "table of prices", ModelSpecError)
    except (FileNotFoundError, NotADirectoryError):
        raise ModelSpecError(f"{own}: there is no such file") from None
    return Prices(table | _read(text, str(own)))


def _read(text: str, name: str) -> dict[str, Price]:
    try:
        for number, event in enumerate(yaml.parse(text)):
            if isinstance(event, yaml.AliasEvent):
                raise ModelSpecError(f"{name}: aliases are not read here; write the prices out")
            if number > _MOST_EVENTS:
                raise ModelSpecError(f"{name}: has more than {_MOST_EVENTS:,} words in it, which no table needs")
        return _TABLE.validate_python(yaml.safe_load(text) or {})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "".join(f"{part}: " for part in first["loc"])
        raise ModelSpecError(
            f"{name}: {where}{in_words(first)}; write a line as PROVIDER/NAME: {{input: 0.15, output: 0.60}}"
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ModelSpecError(f"{name}: is no YAML ({str(error).splitlines()[0]})") from error
