"""The prompt of an item, and the JSON that may be asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from dtomtrack.evaluation.records import AnswerMode, AskConfig, PromptStyle
from dtomtrack.items.item import Select
from dtomtrack.items.letters import LETTERS
from dtomtrack.items.presented import PresentedItem
from dtomtrack.llm.prompts import Prompt, as_data, prompt

__all__ = ["answer_schema", "option_text", "prompt_text"]

_PACKAGE = "dtomtrack.evaluation"
_AT_HAND = 256
"""Lists of options in memory: items that ask for labels share theirs."""


def prompt_text(shown: PresentedItem, config: AskConfig, focus: str = "") -> str:
    """The text that a model is asked, the context first: that is what items of one dialogue have in common.

    Args:
        focus: what to think about where reasoning is asked for ("who held what at which turn").
    """
    item = shown.item
    own = config.template
    template = _template(config.prompt, config.mode, item.select) if own is None else _own(own.text)
    values = {
        "how_many": _how_many(shown, config),
        "context": "" if item.context is None else item.context.text(config.context),
        "question": as_data(item.question),
        "options": _listed(shown.options),
        "focus": f" about {focus}" if focus else "",
    }
    return template.fill(**{name: values[name] for name in template.placeholders}).strip()


def option_text(shown: PresentedItem, config: AskConfig, letter: str) -> str:
    """The text that a model is asked about one option alone, the one that is shown under this letter."""
    item = shown.item
    template = prompt(_PACKAGE, "each") if config.template is None else _own(config.template.text)
    values = {
        "context": "" if item.context is None else item.context.text(config.context),
        "question": as_data(item.question),
        "options": _listed(shown.options),
        "letter": letter,
        "option": as_data(shown.shown[letter]),
    }
    return template.fill(**{name: values[name] for name in template.placeholders}).strip()


@lru_cache(maxsize=_AT_HAND)
def _listed(options: tuple[str, ...]) -> str:
    """Options under letters, one a line."""
    return "\n".join(f"{letter}) {as_data(text)}" for letter, text in zip(LETTERS, options, strict=False))


@lru_cache(maxsize=8)
def _own(text: str) -> Prompt:
    return Prompt(text)


def _how_many(shown: PresentedItem, config: AskConfig) -> str:
    """How many options are right, as far as it is told."""
    size = len(shown.item.gold)
    if not config.tell_size:
        return "One or several of the options are"
    return "Exactly one of the options is" if size == 1 else f"Exactly {size} of the options are"


def _template(style: PromptStyle, mode: AnswerMode, select: Select) -> Prompt:
    form = ("json-cot" if style == "cot" else "json") if mode == "json" else style
    return prompt(_PACKAGE, form if select == "one" else f"{form}-any")


def answer_schema(letters: Iterable[str], select: Select, style: PromptStyle) -> dict[str, Any]:
    """The JSON Schema of an answer in JSON: "reasoning" first, where it is asked for, then "answer"."""
    letter = {"type": "string", "enum": list(letters)}
    answer = letter if select == "one" else {"type": "array", "items": letter, "minItems": 1}
    properties = {"reasoning": {"type": "string"}, "answer": answer} if style == "cot" else {"answer": answer}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
