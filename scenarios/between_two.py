"""A pack as it is where two talk alone: nothing in it speaks to several, and what all packs share is mixed in.

A pack in another language, which brings its own talk or none, is mixed with none of what all packs share. Its own words
of transition, those of `Reactions.shift`, stand for the lines by which people come to a topic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

from dtomtrack.records import Record
from dtomtrack.scenarios.company_lines import CompanyLines
from dtomtrack.scenarios.pack import DomainPack, Situation
from dtomtrack.scenarios.talk_lines import any_of

__all__ = ["between_two", "not_long_since"]


class _PackOfTwo(DomainPack):
    """A pack with the lines that two share with all packs."""

    mixed_in: CompanyLines

    @cached_property
    def lines(self) -> CompanyLines:
        """The lines beside those of topics, stories and reactions."""
        return self.mixed_in


def between_two(pack: DomainPack) -> DomainPack:
    """The pack as it is where two talk alone."""
    two = pack.lines.talk.between_two
    more = any_of(two.to_more)
    fields = dict(pack) | {name: _kept(more, getattr(pack, name)) for name in _SAID}
    fields["situations"] = tuple(map(_opened_further, fields["situations"]))
    fields["greetings"] = _with_further(fields["greetings"], {"invites": two.invites})
    further = {name: getattr(two, name) for name in _REACTIONS}
    fields["reactions"] = _with_further(fields["reactions"], further)
    lines = _own_lines(pack) if pack.has_own_talk else _kept(more, _with_more_openings(pack.lines))
    if _by_telephone(pack):
        lines = _without_a_room(lines)
    lines = _unsurprised(fields["reactions"].accept, lines)
    return _PackOfTwo.model_construct(**fields, mixed_in=lines)


_REACTIONS = ("ponder", "let_stand", "neither", "correct", "concede")
_SAID = ("greetings", "situations", "reactions", "small_talk")
"""What of a pack is said in passing."""


@cache
def not_long_since(lines: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    """The lines that don't say by any of these words that something is long since."""
    kept: tuple[str, ...] = _kept(any_of(words), lines)
    return kept


def _own_lines(pack: DomainPack) -> CompanyLines:
    own, shift = pack.company, pack.reactions.shift
    coming = {name: getattr(own, name) or shift for name in ("lead", "back_to", "bring_up", "turned_over")}
    return own.model_copy(update=coming)


def _opened_further(story: Situation) -> Situation:
    """A story with the first and last lines for two among those that come beside its own."""
    more = {name: (*own, *getattr(story.two, name)) for name, own in story.company}
    return story.model_copy(update={"company": story.company.model_copy(update=more)})


def _with_more_openings(lines: CompanyLines) -> CompanyLines:
    """The lines of all packs with those by which two alone come to a topic."""
    two = lines.talk.between_two
    wonder = {state: (*own, *two.wonder.get(state, ())) for state, own in lines.wonder.items()}
    talk = lines.talk.model_copy(
        update={"greet": (*lines.talk.greet, *two.greet), "asides": (*lines.talk.asides, *two.asides)}
    )
    return lines.model_copy(update={"wonder": wonder, "lead": (*lines.lead, *two.lead), "talk": talk})


def _unsurprised(accept: tuple[str, ...], lines: CompanyLines) -> CompanyLines:
    """The lines with what is said to any change among those to one that one has argued for, where it will do for it."""
    if not lines.talk.gratified:
        return lines
    surprised = any_of(lines.talk.between_two.surprised)
    talk = lines.talk.model_copy(
        update={"gratified": (*_kept(surprised, (*accept, *lines.talk.accept)), *lines.talk.gratified)}
    )
    return lines.model_copy(update={"talk": talk})


def _by_telephone(pack: DomainPack) -> bool:
    """Whether two are not where several of them are: then they mostly greet each other otherwise."""
    greetings = (*pack.greetings.a, *pack.greetings.b)
    return sum(line in pack.company.instead for line in greetings) > len(greetings) / 2


def _without_a_room(lines: CompanyLines) -> CompanyLines:
    """Lines that fit the telephone: none about what can be seen, or is at hand."""
    kept: CompanyLines = _kept(any_of(lines.talk.between_two.in_one_room), lines)
    return kept.model_copy(update={"talk": kept.talk.model_copy(update={"greet": (), "asides": (), "small_talk": ()})})


def _with_further(lines: Any, further: Mapping[str, tuple[str, ...]]) -> Any:
    """A record of lists, some of them with further lines."""
    longer = {name: (*getattr(lines, name), *more) for name, more in further.items()}
    return lines.model_copy(update=longer)


def _kept(words: re.Pattern[str] | None, lines: Any) -> Any:
    """What is left of lists of lines without those that have these words; a list of which nothing is left stays."""
    if words is None or isinstance(lines, str):
        return lines
    if isinstance(lines, Record):
        return lines.model_copy(update={name: _kept(words, one) for name, one in lines if name not in _NO_LINES})
    if isinstance(lines, Mapping):
        return {key: _kept(words, one) for key, one in lines.items()}
    if any(isinstance(one, Record) for one in lines):
        return tuple(_kept(words, one) for one in lines)
    return tuple(line for line in lines if not words.search(line if isinstance(line, str) else " ".join(line))) or lines


_NO_LINES = frozenset(
    {
        "between_two",
        "instead",
        "long_held",
        "misplaced",
        "of_late",
        "points_back",
        "reckoned",
        "sourced",
        "to_several",
        "unmoved",
    }
)
"""Lists of words by which lines are told."""
