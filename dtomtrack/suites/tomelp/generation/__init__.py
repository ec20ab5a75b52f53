"""Scenes whose lines and resources a language model writes, and a language model reads."""
