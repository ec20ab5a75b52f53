"""The JSON Schema (2020-12) of each file of a dataset: of the file for JSON, of a line for JSON Lines."""

from __future__ import annotations

from typing import Any

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.records import Record
from dtomtrack.runs.manifest import Manifest, SlotEntry
from dtomtrack.suites.dtom.verdict_line import VerdictLine

__all__ = ["json_schemas"]

_RECORDS: dict[str, type[Record]] = {
    "dialogues.schema.json": Dialogue,
    "questions.schema.json": Question,
    "rejected.schema.json": Rejection,
    "progress.schema.json": SlotEntry,
    "manifest.schema.json": Manifest,
    "verdicts.schema.json": VerdictLine,
}


def json_schemas() -> dict[str, dict[str, Any]]:
    """Schemas by file name."""
    return {
        name: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **record.model_json_schema(mode="serialization"),
        }
        for name, record in _RECORDS.items()
    }
