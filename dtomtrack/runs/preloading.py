"""Imported first by the process that workers are forked from: its own imports, and its workers, search garbage rarely.

Two things that libraries of LangGraph's import, and no worker has a use for, are left out of what it imports: a quarter
of the time that takes. Nothing else may import this module, as what it begins has no end.
"""

from __future__ import annotations

import sys

from dtomtrack.runs.garbage import rare_collections
from dtomtrack.runs.late_modules import load_late

__all__: list[str] = []

_from_now_on = rare_collections()
_from_now_on.__enter__()
# one of its 150 modules is asked for, of records that LangSmith keeps
load_late("langsmith.types")
# the command line of httpx, which goes without where that can't be imported
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
