"""Filling a folder: slots, engines, append-only files, resuming, the manifest."""
