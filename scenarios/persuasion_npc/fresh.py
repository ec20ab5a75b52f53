"""Fresh characters by seed: minds drawn under the rules of packs, and topics that no published benchmark has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from random import Random

import yaml

from dtomtrack.errors import InputError
from dtomtrack.records import Record, Text
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack import HiddenMind, PersuasionPack, Tier

__all__ = ["draw_mind", "fresh_packs"]

_WALK_OUT = -0.95
_LARGEST_MINOR = 0.065
"""Weaker classes stay below a positive tone, also when trust amplifies them."""
_HARD: tuple[Tier, ...] = ("hard", "very_hard", "extreme")


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


class _Frames(Record):
    names: tuple[Text, ...]
    frames: tuple[_Frame, ...]


def draw_mind(rng: Random, dominant: ArgumentClass) -> HiddenMind:
    """A mind of a hard pack: one class five times as strong as the next, the rest weaker still."""
    best = round(rng.uniform(0.29, 0.325), 3)
    others = [one for one in APPEALS if one is not dominant]
    rng.shuffle(others)
    following = round(rng.uniform(0.20 * best + 0.0006, _LARGEST_MINOR + 0.002), 3)
    shifts = [following, *sorted((round(rng.uniform(0.01, 0.055), 3) for _ in others[1:]), reverse=True)]
    return HiddenMind(
        start=round(rng.uniform(-0.8, -0.58), 2),
        threshold=round(rng.uniform(0.20, 0.32), 2),
        walk_out=_WALK_OUT,
        repeat_penalty=round(rng.uniform(0.08, 0.12), 2),
        profile={one: best if one is dominant else shifts[others.index(one)] for one in APPEALS},
    )


def fresh_packs(count: int, seed: int) -> Iterator[PersuasionPack]:
    """Characters 0 to ``count - 1`` of a seed; each depends on the seed and its number alone.

    Raises:
        InputError: the count is less than 1.
    """
    if count < 1:
        raise InputError(f"--n {count}: at least one character has to be made")
    for number in range(count):
        yield _fresh_pack(number, seed)


def _fresh_pack(number: int, seed: int) -> PersuasionPack:
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
