"""What decides the bytes of a generated dataset."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dtomtrack.suites.generation.from_packs import PackConfig

__all__ = ["GenerationConfig"]


class GenerationConfig(PackConfig):
    """The configuration in the manifest.

    Attributes:
        length: lines of a dialogue.
    """

    length: Annotated[int, Field(ge=20, le=60)] = 32
