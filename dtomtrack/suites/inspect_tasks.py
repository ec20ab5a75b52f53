"""The tasks of suites that are played, for Inspect AI: ``inspect eval dtomtrack/NAME``."""

from __future__ import annotations

from dtomtrack.suites.rhetbench.inspect_task import rhetbench
from dtomtrack.suites.tomelp.inspect_task import tomelp

__all__ = ["rhetbench", "tomelp"]
