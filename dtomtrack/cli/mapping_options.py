"""The options of commands that read other people's files: which field is what, how golds are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from dtomtrack.items.foreign import MappingOptions
    from dtomtrack.items.golds import GoldFormName
    from dtomtrack.items.selects import SelectName

__all__ = ["GoldFormOption", "MapOption", "SelectOption", "mapping_options"]

MapOption = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="FIELDS",
        help="Which field is what, as in question=q,options=choices,gold=label. There are question, options, gold, and "
        "where they can be had context, cluster, select, group, group.NAME, turn and id. Nested fields are written "
        "with dots, options in several fields as A|B|C|D; @file is the name of the record's file. A part of a field "
        "has its number, from 0, or from the end, -1: dialogue_id:0 splits at '-', dialogue_id/_:0 at what stands "
        "behind the slash. Given again, it adds to what is mapped.",
    ),
]
GoldFormOption = Annotated[
    str,
    typer.Option(
        help="How golds are written: letter, text, index0, index1 (counted from 0 or 1), key (of options that are an "
        "object), marks (a list with 0 or 1 for each option); auto finds it out."
    ),
]
SelectOption = Annotated[
    str,
    typer.Option(
        help="With one, exactly one option is right; with any, one or several are; with auto, several where one in "
        "fifty golds or more of the item's group names several (a list, 'A, C' or 'AC'). select=FIELD in --map says it "
        "item by item."
    ),
]


def mapping_options(mapping: Sequence[str] | None, gold_form: str, select: str) -> MappingOptions | None:
    """The options that say how records are read; None if none was given."""
    from dtomtrack.items.foreign import MappingOptions

    said = MappingOptions(
        ",".join(mapping) if mapping else None, cast("GoldFormName", gold_form), cast("SelectName", select)
    )
    return None if said == MappingOptions() else said
