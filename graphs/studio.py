"""The role-play workflow for LangGraph Studio (``langgraph dev``): built-in domains, scripted actors, no context."""

from __future__ import annotations

from dtomtrack.graphs.roleplay import build

__all__ = ["graph"]

graph = build(context_schema=None)
