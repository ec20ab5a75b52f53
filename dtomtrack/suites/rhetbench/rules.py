"""The rules that a character's mind follows: one engine, and a file of constants for each set of rules.

Constants: RhetBench, "The Hidden NPC State", "NPC Fatigue", "Proportional Repeat Penalty", "Pivot Signals"; what the
paper leaves open is as in the published environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Annotated, Literal

import yaml
from pydantic import Field, ValidationError

from dtomtrack.errors import InputError
from dtomtrack.records import Count, Record, Share, first_problem

__all__ = ["ABLATIONS", "Rules", "load_rules", "rule_names"]

_FOLDER = resources.files("dtomtrack.suites.rhetbench") / "rules"
_NotNegative = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
_Finite = Annotated[float, Field(allow_inf_nan=False)]


class BaseShifts(Record):
    """How far a turn moves the character where the profile doesn't say."""

    generic: _Finite
    absent: _Finite
    ask: _Finite


class Fatigue(Record):
    """After ``free_turns`` every further turn takes ``per_turn`` of the effect, down to ``floor``."""

    free_turns: Count
    per_turn: _NotNegative
    floor: Share


class Weakness(Record):
    """Bounds of the share of the repeat penalty that a class pays; no cap: a hostile class pays more than the whole."""

    floor: Share
    cap: _NotNegative | None


class RapportRules(Record):
    """How trust grows and breaks: slowly up, fast down, faster where there is none."""

    bound: _NotNegative
    gain: _NotNegative
    gain_streak: _NotNegative
    loss: _NotNegative
    loss_streak: _NotNegative
    distrust: _NotNegative
    recovery_below: _Finite
    recovery: Share


class PivotRules(Record):
    """When the character asks its question, and what answering it is worth.

    Attributes:
        measured_from: "start" is the paper's level, half way from where the character started to its threshold;
            "bottom" is the published code's, measured from -1.
        share: of the way; None takes the character's own.
        answered: factor on what a turn moves that answers the question.
    """

    measured_from: Literal["start", "bottom"]
    share: Share | None
    answered: _NotNegative


class Rules(Record):
    """All constants of the update."""

    name: str
    base: BaseShifts
    amplification: _NotNegative
    fatigue: Fatigue
    weakness: Weakness
    delta_floor: _Finite
    modulates_hostile: bool
    rapport: RapportRules
    positive_above: _NotNegative
    pivot: PivotRules
    asks: bool
    repeats: _NotNegative = 1.0
    """Factor on what repeats cost a character."""
    strips_openers: bool = True
    """Whether polite beginnings of messages are passed over."""


def _no_rapport(rules: Rules) -> Rules:
    return rules.model_copy(update={"amplification": 0.0})


def _no_fatigue(rules: Rules) -> Rules:
    return rules.model_copy(update={"fatigue": rules.fatigue.model_copy(update={"per_turn": 0.0})})


def _no_penalty(rules: Rules) -> Rules:
    return rules.model_copy(update={"repeats": 0.0})


def _no_pivot(rules: Rules) -> Rules:
    return rules.model_copy(update={"pivot": rules.pivot.model_copy(update={"answered": 1.0})})


def _no_openers(rules: Rules) -> Rules:
    return rules.model_copy(update={"strips_openers": False})


_ABLATED: Mapping[str, Callable[[Rules], Rules]] = {
    "rapport": _no_rapport,
    "fatigue": _no_fatigue,
    "penalty": _no_penalty,
    "pivot": _no_pivot,
    "openers": _no_openers,
}
_WITHOUT = "-no-"
ABLATIONS: Sequence[str] = tuple(_ABLATED)
"""Parts that rules can be had without: "dtomtrack-no-fatigue"."""


def rule_names() -> list[str]:
    """Names of the rules that come with dtomtrack, whole."""
    return sorted(entry.name.removesuffix(".yaml") for entry in _FOLDER.iterdir() if entry.name.endswith(".yaml"))


@cache
def load_rules(name: str = "dtomtrack") -> Rules:
    """The rules of this name; NAME-no-PART are the rules NAME without one of their parts.

    Raises:
        InputError: there are none of that name, or their file is wrong.
    """
    whole, without, part = name.partition(_WITHOUT)
    if whole not in rule_names():
        raise InputError(f"no rules {name[:80]!r}; there are {', '.join(rule_names())}")
    if without and part not in _ABLATED:
        raise InputError(f"no rules {name[:80]!r}; {whole} can be had without {', '.join(ABLATIONS)}")
    text = (_FOLDER / f"{whole}.yaml").read_text(encoding="utf-8")
    try:
        rules = Rules.model_validate(yaml.safe_load(text))
    except ValidationError as error:
        raise InputError(f"{whole}.yaml: {first_problem(error)}") from error
    return _ABLATED[part](rules).model_copy(update={"name": name}) if without else rules
