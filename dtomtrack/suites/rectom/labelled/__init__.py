"""Dialogues of anybody's with IARD's labels, as items of those eight of RecToM's types that the labels settle."""

__all__ = ["SOURCE"]

SOURCE = "IARD"
"""The source that the manifest of such a dataset names."""
