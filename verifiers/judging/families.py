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
    "codegemma": "gemini",
    "llama": "llama",
    "codellama": "llama",
    "smollm": "smollm",
    "qwen": "qwen",
    "codeqwen": "qwen",
    "qwq": "qwen",
    "mistral": "mistral",
    "mixtral": "mistral",
    "ministral": "mistral",
    "codestral": "mistral",
    "devstral": "mistral",
    "magistral": "mistral",
    "pixtral": "mistral",
    "deepseek": "deepseek",
    "phi": "phi",
    "command": "command",
    "granite": "granite",
}
_WORD = re.compile(r"[a-z]+\d*")


def family_of(name: str) -> str | None:
    """The family of a model by its name, or by the folders of its file; None where they tell none."""
    _, *parts = name.lower().split("/")
    words = (word for part in reversed(parts or [name.lower()]) for word in _WORD.findall(part))
    stems = (stem for word in words for stem in (word, word.rstrip("0123456789")))
    return next((_KNOWN[stem] for stem in stems if stem in _KNOWN), None)


def same_family(judge: str, subject: str) -> str | None:
    """The family that judge and subject have in common, or their name where they are the same model; else None."""
    if judge == subject:
        return judge
    family = family_of(judge)
    return family if family is not None and family == family_of(subject) else None
