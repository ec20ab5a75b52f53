"""Rules for a character's pack beyond its shape, so that it can be won, and only by finding out how."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import BaseModel

from dtomtrack.scenarios.located_yaml import FieldPath
from dtomtrack.scenarios.persuasion_npc.answering import answers
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.pack import HiddenMind, PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pools import replies_of, shared_lines

__all__ = ["problems"]

Problem = tuple[FieldPath, str]

_PLACEHOLDER = re.compile(r"\{([^}]*)\}")
_FILLED = frozenset({"topic", "doing", "worry", "peers", "claim"})
_MEDIUM_NEXT = 0.5
_HARD_NEXT = (0.20, 0.33)
_EASY_WITHIN = 0.85
_LEAST_POOL = 5
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def problems(pack: PersuasionPack) -> list[Problem]:
    """Everything that is wrong with a pack, in the order of the file."""
    found = [*_levels(pack.mind), *_profile(pack.mind)]
    if not found:
        found += _dominance(pack)
    return [*found, *_classes_of_replies(pack), *_pools(pack), *_repeated_lines(pack), *_texts(pack), *_persuader(pack)]


def _levels(mind: HiddenMind) -> Iterator[Problem]:
    if mind.threshold <= mind.start:
        yield ("mind", "threshold"), f"{mind.threshold} is not above the start, {mind.start}: it would be won unheard"
    if mind.walk_out >= mind.start:
        yield ("mind", "walk_out"), f"{mind.walk_out} is not below the start, {mind.start}: it would be lost unheard"


def _profile(mind: HiddenMind) -> Iterator[Problem]:
    missing = [one for one in APPEALS if one not in mind.profile]
    if missing:
        yield ("mind", "profile"), f"lacks {', '.join(missing)}; all six classes are needed"
    for extra in sorted({*mind.profile} - {*APPEALS}):
        yield ("mind", "profile", extra), "is none of the six classes that a character is sensitive to"
    if mind.profile and max(mind.profile.values()) <= 0:
        yield ("mind", "profile"), "nothing in it is above 0: nobody could be persuaded"


def _dominance(pack: PersuasionPack) -> Iterator[Problem]:
    if pack.mechanic or pack.tier == "control":
        return
    best, following = sorted(pack.mind.profile.values(), reverse=True)[:2]
    share = following / best
    path: FieldPath = ("mind", "profile")
    if pack.tier == "easy" and share < _EASY_WITHIN:
        yield path, f"the second class has {share:.2f} of the best; an easy pack needs two within 15 %"
    if pack.tier == "medium" and share > _MEDIUM_NEXT:
        yield path, f"the second class has {share:.2f} of the best; a medium pack allows {_MEDIUM_NEXT}"
    low, high = _HARD_NEXT
    if pack.tier in {"hard", "very_hard", "extreme"} and not low <= round(share, 4) <= high:
        yield path, f"the second class has {share:.2f} of the best; it has to lie within {low} and {high}"


def _classes_of_replies(pack: PersuasionPack) -> Iterator[Problem]:
    for extra in sorted({*pack.replies} - {*APPEALS, ArgumentClass.GENERIC}):
        yield ("replies", extra), "is no class that has replies"


def _persuader(pack: PersuasionPack) -> Iterator[Problem]:
    for extra in sorted({*pack.arguments} - {*APPEALS}):
        yield ("arguments", extra), "is none of the six classes that a character is sensitive to"
    if pack.answer is None:
        return
    for question in pack.pivot:
        if not answers(question, pack.answer):
            yield ("answer",), f"shares fewer than two words with the question {question!r}"


def _pools(pack: PersuasionPack) -> Iterator[Problem]:
    for heard in APPEALS:
        for tone in Tone:
            count = len(replies_of(pack, heard).of(tone))
            if count < _LEAST_POOL:
                yield ("replies", heard, tone), f"{count} replies with the shared ones; {_LEAST_POOL} are needed"


def _repeated_lines(pack: PersuasionPack) -> Iterator[Problem]:
    shared = shared_lines()
    seen: dict[str, str] = {}
    for heard, lines in [*shared.replies.items(), (ArgumentClass.GENERIC, shared.generic)]:
        for tone in Tone:
            seen.update(dict.fromkeys(lines.of(tone), f"the shared {heard} {tone}"))
    for heard, lines in pack.replies.items():
        for tone in Tone:
            for index, line in enumerate(lines.of(tone)):
                if line in seen:
                    yield ("replies", heard, tone, index), f"stands in the pool {seen[line]} already"
                seen[line] = f"{heard} {tone}"


def _texts(pack: PersuasionPack) -> Iterator[Problem]:
    for path, text in _every_text(pack):
        allowed = _FILLED if path[0] == "replies" else frozenset[str]()
        for name in _PLACEHOLDER.findall(text):
            if name not in allowed:
                yield path, f"unknown slot {{{name}}}; here it may be one of {sorted(allowed) or 'none'}"
        if _CONTROL.search(text):
            yield path, "has a control character"


def _every_text(node: object, path: FieldPath = ()) -> Iterator[tuple[FieldPath, str]]:
    if isinstance(node, BaseModel):
        for name in type(node).model_fields:
            yield from _every_text(getattr(node, name), (*path, name))
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from _every_text(value, (*path, str(key)))
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            yield from _every_text(value, (*path, index))
    elif isinstance(node, str):
        yield path, node
