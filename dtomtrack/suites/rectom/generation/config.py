"""What decides the bytes of a generated dataset."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dtomtrack.records import Record, Text
from dtomtrack.suites.dtom.config import ModelConfig

__all__ = ["GenerationConfig"]


class GenerationConfig(Record):
    """The configuration in the manifest.

    Attributes:
        domains: of the packs, which take turns; ``packs``: SHA-256 of each.
        length: lines of a dialogue.
        generator: who spoke; ``models``: which models took part and how they were asked, None where none did.
    """

    domains: tuple[Text, ...]
    packs: dict[str, str]
    seed: int = 0
    length: Annotated[int, Field(ge=20, le=60)] = 32
    max_attempts: Annotated[int, Field(ge=1)] = 5
    generator: Text = "scripted"
    models: ModelConfig | None = None
    variant: Text = "generated"
