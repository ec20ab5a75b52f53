"""The calls and tokens that a journal has of a model, by the unit of work that they were for."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.llm.chat import Usage
from dtomtrack.llm.spec import ModelSpec

__all__ = ["Spent", "spent_by_unit"]

_BY_UNIT = """
select unit, count(*), sum(prompt_tokens), sum(completion_tokens) from replies
where provider = ? and address is ? and model = ? group by unit
"""


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls, and the tokens of their prompts and replies as the server counted them."""

    calls: int = 0
    usage: Usage = field(default_factory=lambda: Usage(0, 0))


def spent_by_unit(journal: Path, model: ModelSpec) -> Mapping[str, Spent]:
    """By unit, the calls of a model; none where there is no journal. The file is only read.

    Raises:
        DatasetError: it is damaged, or no journal.
    """
    if not journal.is_file():
        return {}
    try:
        with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as opened:
            rows = opened.execute(_BY_UNIT, (model.provider, model.base_url, model.name)).fetchall()
    except sqlite3.Error as error:
        raise DatasetError(f"{journal}: is damaged, or no journal ({error})") from error
    return {unit: Spent(calls, Usage(prompt, completion)) for unit, calls, prompt, completion in rows}
