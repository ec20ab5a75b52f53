"""Fresh characters by seed: minds drawn under the rules of packs, and topics that no published benchmark has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random

import yaml

from dtomtrack.errors import InputError
from dtomtrack.records import Record, Text
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack import HiddenMind, PersuasionPack, Tier

__all__ = ["draw_mind", "fresh_pack", "fresh_packs"]

_WALK_OUT = -0.95
_HARD: tuple[Tier, ...] = ("hard", "very_hard", "extreme")


@dataclass(frozen=True)
class _Made:
    """Between which values the parameters of a tier lie; ``following`` is the second class as a share of the best."""

    start: tuple[float, float]
    threshold: tuple[float, float]
    repeat_penalty: tuple[float, float]
    best: tuple[float, float]
    following: tuple[float, float]
    rest: tuple[float, float]


_MADE: Mapping[Tier, _Made] = {
    "easy": _Made((-0.32, -0.24), (0.24, 0.26), (0.06, 0.07), (0.17, 0.2), (0.87, 0.97), (0.08, 0.14)),
    "medium": _Made((-0.5, -0.42), (0.26, 0.29), (0.07, 0.09), (0.24, 0.28), (0.38, 0.49), (0.02, 0.09)),
    # weaker classes stay below a positive tone, also when trust amplifies them
    "hard": _Made((-0.8, -0.58), (0.2, 0.32), (0.08, 0.12), (0.29, 0.325), (0.203, 0.212), (0.01, 0.055)),
}


class _Frame(Record):
    role: Text
    topic: Text
    position: Text
    doing: Text
    worry: Text
    peers: Text
    context: Text
    opening: Text
    pivot: tuple[Text, Text, Text]
    answer: Text


class _Frames(Record):
    names: tuple[Text, ...]
    frames: tuple[_Frame, ...]


def draw_mind(rng: Random, dominant: ArgumentClass, tier: Tier = "hard") -> HiddenMind:
    """A mind of a tier: in hard ones and above one class is five times as strong as the next, and the rest weaker."""
    made = _MADE.get(tier, _MADE["hard"])
    best = round(rng.uniform(*made.best), 3)
    others = [one for one in APPEALS if one is not dominant]
    rng.shuffle(others)
    following = round(best * rng.uniform(*made.following), 3)
    rest = sorted((round(rng.uniform(*made.rest), 3) for _ in others[1:]), reverse=True)
    shifts = dict(zip(others, [following, *rest], strict=True))
    return HiddenMind(
        start=round(rng.uniform(*made.start), 2),
        threshold=round(rng.uniform(*made.threshold), 2),
        walk_out=_WALK_OUT,
        repeat_penalty=round(rng.uniform(*made.repeat_penalty), 2),
        profile={one: shifts.get(one, best) for one in APPEALS},
    )


def fresh_packs(count: int, seed: int) -> Iterator[PersuasionPack]:
    """Characters 0 to ``count - 1`` of a seed; each depends on the seed and its number alone.

    Raises:
        InputError: the count is less than 1.
    """
    if count < 1:
        raise InputError(f"{count} characters: at least one has to be made")
    for number in range(count):
        yield fresh_pack(number, seed)


def fresh_pack(number: int, seed: int) -> PersuasionPack:
    """Character ``number`` of a seed."""
    rng, texts = Random(f"fresh {seed}/{number}"), _frames()  # noqa: S311 - reproducible, no secret
    frame = texts.frames[number % len(texts.frames)]
    name = rng.choice(texts.names)
    return PersuasionPack(
        id=f"fresh_{seed}_{number}" if seed >= 0 else f"fresh_m{-seed}_{number}",
        tier=rng.choice(_HARD),
        name=name,
        mind=draw_mind(rng, rng.choice(APPEALS)),
        **{field: getattr(frame, field) for field in _Frame.model_fields if field != "context"},
        context=frame.context.replace("NAME", name),
    )


@cache
def _frames() -> _Frames:
    text = (resources.files("dtomtrack.scenarios.persuasion_npc") / "frames.yaml").read_text(encoding="utf-8")
    return _Frames.model_validate(yaml.safe_load(text))
