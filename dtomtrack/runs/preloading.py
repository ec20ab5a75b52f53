"""Imported first by the process that workers are forked from: its own imports, and its workers, search garbage rarely.

Nothing else may import this module, as what it begins has no end.
"""

from __future__ import annotations

from dtomtrack.runs.garbage import rare_collections

__all__: list[str] = []

_from_now_on = rare_collections()
_from_now_on.__enter__()
