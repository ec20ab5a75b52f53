"""Families of models: a judge prefers what models of its own family write."""

from __future__ import annotations

import re

__all__ = ["family_of", "same_family"]

_KNOWN = {
    "gpt": "gpt",
    "chatgpt": "gpt",
    "o1": "gpt",
    "o3": "gpt",
    "o4": "gpt",
    "claude": "claude",
    "gemini": "gemini",
    "gemma": "gemini",
    "llama": "llama",
    "smollm": "smollm",
    "qwen": "qwen",
    "qwq": "qwen",
    "mistral": "mistral",
    "mixtral": "mistral",
    "ministral": "mistral",
    "deepseek": "deepseek",
    "phi": "phi",
    "command": "command",
    "granite": "granite",
}
_WORD = re.compile(r"[a-z]+\d*")


def family_of(name: str) -> str | None:
    """The family of a model by its name; None where the name tells none."""
    for word in _WORD.findall(name.lower().rpartition("/")[2]):
        for stem in (word, word.rstrip("0123456789")):
            if stem in _KNOWN:
                return _KNOWN[stem]
    return None


def same_family(judge: str, subject: str) -> str | None:
    """The family that judge and subject have in common, or their name where they are the same model; else None."""
    if judge == subject:
        return judge
    family = family_of(judge)
    return family if family is not None and family == family_of(subject) else None
