"""The JSON Schema (2020-12) of each file of a suite's datasets: of the file for JSON, of a line for JSON Lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from pydantic import create_model

from dtomtrack.evaluation.dates import Dates
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics
from dtomtrack.records import Record
from dtomtrack.runs.manifest import Manifest, SlotEntry
from dtomtrack.suites.suite import Suite

__all__ = ["json_schemas"]


def json_schemas(suite: Suite) -> dict[str, dict[str, Any]]:
    """Schemas by file name: those of the suite's own files, and of the files that all datasets and evaluations have."""
    own = {PurePath(name).stem: record for name, record in suite.records.items()}
    return {f"{name}.schema.json": _schema(record) for name, record in {**own, **_common(suite)}.items()}


def _common(suite: Suite) -> Mapping[str, type[Record]]:
    return {
        "progress": SlotEntry,
        "manifest": _manifest(suite.config),
        "answers": Answer,
        "metrics": Metrics,
        "config": AskConfig,
        "dates": Dates,
    }


def _manifest(config: type[Record] | None) -> type[Manifest]:
    """The manifest of a dataset whose configuration is such a record."""
    return Manifest if config is None else create_model("Manifest", __base__=Manifest, config=config)


def _schema(record: type[Record]) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **record.model_json_schema(mode="serialization"),
    }
