"""What people say in any domain when there are several of them (``lines/common.yaml``).

They come and go, take each other aside, write notes and talk about each other. A pack may bring lists of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated

from pydantic import StringConstraints, field_validator

from dtomtrack.beliefs.markers import MARKERS
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.packaged import packaged_yaml
from dtomtrack.records import Record
from dtomtrack.scenarios.talk_lines import TalkLines, any_of, shared_talk

__all__ = ["CompanyLines", "IgnoranceLines", "PackLine", "company_lines", "misplaced_problems"]

PackLine = Annotated[str, StringConstraints(min_length=1, max_length=600, strip_whitespace=True, pattern=r"^[^\r\n]*$")]
"""What somebody writes into a pack: a text of one line."""
Lines = tuple[str, ...]
ByState = Mapping[MentalState, Lines]


_NONE: ByState = {}


class IgnoranceLines(Record):
    """How one says that one knows nothing of something (``{label}``), others that ``{who}`` does, and a reply to it.

    Attributes:
        lead: before ``say``, where nobody has asked.
        restated: what fills the lines by which one says that it is as it was.
    """

    say: Lines = ()
    lead: Lines = ()
    tell: Lines = ()
    act: Lines = ()
    presume: Lines = ()
    hear: Lines = ()
    restated: str | None = None


class CompanyLines(Record):
    """Lines for several; a list that is empty, of a mental state too, is taken from those that all domains share.

    Attributes:
        say, adopt, presume: ways to voice a value, to take it up, and to take it for granted of somebody to their face,
            beside those of the pack, by mental state, with ``{clause}``.
        ignorance: for who knows nothing of something.
        wonder, lead: open questions and transitions, where a topic has none of its own, with ``{label}``.
        carry_on: before a value that nobody has asked about, where its topic is on the table.
        back_to: before a reason, with ``{label}``, where its topic has not come up for a while.
        bring_up: to name, with ``{label}``, what is spoken of next by who has nothing of their own to say on it.
        again: before a question that was asked before.
        own_reason: before a change that nobody gave a reason for; ``turned_over``, with ``{label}``, where nothing else
            says what it is about; ``found_out``, before something one has just learned.
        pass_on: before a reason that one has from elsewhere, whatever one makes of it.
        since: before a reason of somebody who has argued for something else before: there is news.
        restate: what one holds is what one held, with ``{short}``; ends without a period.
        restated: what fills that, by mental state, with ``{clause}``: a sentence of its own.
        waver: a sentence that stands before that behind a marker, so that the marker fits; begins small.
            ``waver_alone``, where nobody has given a reason; ``waver_behind``, by marker, where that announces a change
            and none comes.
        slip: by marker, a correction of something that nobody holds anything on, in the words of that marker.
        leave: on going out, on coming back, and the reason in a few words.
        join: on coming late, and the reason.
        greet: a further person's first words, with ``{me}``.
        confide: before something for ``{to}``, one or several, alone.
        discreet: behind that: what ``{from}`` is to hear of ``{label}`` instead, ``{short}``, and why; it stands alone,
            behind a colon or in quotes ("the cook", "I'm proud"). ``kept_up``, where that is what they go by already.
        take_aside: to ``{to}``, before what one takes for granted of them is said to them alone.
        promise: to ``{to}``, who has just confided something.
        write, read: before a note to ``{to}``; on having read one of ``{to}``.
        half_heard: before what one tells of a third, where it is not what one had heard oneself, and now and then.
        tell, act: what ``{who}``, a third, holds; and taking it for granted, by mental state, with ``{clause}``.
        dodge: leaves open what was presumed of one.
        mixed_up: it was ``{to}`` who said that.
        confirm: that was so, before one says it again.
        thank: on being told of a third.
        welcome: to ``{to}``, who has just come or is back.
        asides, closes: of people behind the first two.
        instead: by a line of the pack that fits two alone ("Thank you for calling"), the line that stands for it.
        misplaced: words with which a line that all domains share can't be said where the people of this pack are: it is
            left out, if it is of the small talk or of coming, going, greeting and taking aside.
        talk: further lines of many kinds; a pack in another language brings its own, or none: ``talk: {}``.
    """

    say: ByState = _NONE
    adopt: ByState = _NONE
    presume: ByState = _NONE
    ignorance: IgnoranceLines = IgnoranceLines()
    wonder: ByState = _NONE
    lead: Lines = ()
    carry_on: Lines = ()
    back_to: Lines = ()
    again: Lines = ()
    own_reason: Lines = ()
    turned_over: Lines = ()
    bring_up: Lines = ()
    found_out: Lines = ()
    pass_on: Lines = ()
    since: Lines = ()
    restate: Lines = ()
    restated: Mapping[MentalState, str] = {}
    waver: Lines = ()
    waver_alone: Lines = ()
    waver_behind: Mapping[str, Lines] = {}
    slip: Mapping[str, Lines] = {}
    leave: tuple[tuple[str, str, str], ...] = ()
    join: tuple[tuple[str, str], ...] = ()
    greet: Lines = ()
    confide: Lines = ()
    discreet: Lines = ()
    kept_up: Lines = ()
    take_aside: Lines = ()
    promise: Lines = ()
    write: Lines = ()
    read: Lines = ()
    half_heard: Lines = ()
    tell: ByState = _NONE
    act: ByState = _NONE
    dodge: Lines = ()
    mixed_up: Lines = ()
    confirm: Lines = ()
    thank: Lines = ()
    welcome: Lines = ()
    asides: Lines = ()
    closes: Lines = ()
    instead: Mapping[PackLine, PackLine] = {}
    misplaced: tuple[PackLine, ...] = ()
    talk: TalkLines = TalkLines()

    @field_validator("waver_behind", "slip")
    @classmethod
    def _are_markers(cls, by_marker: Mapping[str, Lines]) -> Mapping[str, Lines]:
        known = [one.id for one in MARKERS]
        for name in by_marker:
            if name not in known:
                raise ValueError(f"{name!r} is none of the markers {', '.join(known)}")
        return by_marker


@cache
def _shared() -> CompanyLines:
    lines = CompanyLines.model_validate(packaged_yaml("dtomtrack.scenarios", "lines", "common.yaml"))
    return lines.model_copy(update={"talk": shared_talk()})


_PLACED = ("leave", "join", "greet", "confide", "take_aside", "write", "own_reason", "dodge", "asides")
_PLACED_TALK = ("greet", "asides", "small_talk")
"""Lists of which a line may tell where people are."""


def _shared_where(misplaced: Lines) -> CompanyLines:
    """The lines that all domains share, without those that have one of these words."""
    shared, words = _shared(), any_of(misplaced)
    if words is None:
        return shared
    talk = {name: _without(words, getattr(shared.talk, name)) for name in _PLACED_TALK}
    placed = {name: _without(words, getattr(shared, name)) for name in _PLACED}
    return shared.model_copy(update={**placed, "talk": shared.talk.model_copy(update=talk)})


def _without(words: re.Pattern[str], lines: tuple[str | Lines, ...]) -> tuple[str | Lines, ...]:
    return tuple(line for line in lines if not words.search(line if isinstance(line, str) else " ".join(line)))


def misplaced_problems(own: CompanyLines) -> Iterator[tuple[int | None, str]]:
    """What is wrong with the words that a pack calls misplaced, and with which of them; None for all together."""
    shared, left = _shared(), _shared_where(own.misplaced)
    before, after = _placed(shared), _placed(left)
    emptied = [name for (name, lines), (_, rest) in zip(before, after, strict=True) if lines and not rest]
    for name in dict.fromkeys(emptied):
        yield None, f"leaves none of the shared lines to {name}"
    every = tuple(line for _, lines in before for line in lines)
    for index, word in enumerate(own.misplaced):
        found = any_of((word,))
        if found is not None and _without(found, every) == every:
            yield index, "stands in none of the shared lines that tell where people are"


def _placed(lines: CompanyLines) -> list[tuple[str, tuple[str | Lines, ...]]]:
    """The lists of which a line may tell where people are, by name."""
    own = [(name, getattr(lines, name)) for name in _PLACED]
    return own + [(name, getattr(lines.talk, name)) for name in _PLACED_TALK]


def company_lines(own: CompanyLines) -> CompanyLines:
    """The lines of a pack, with those that all domains share where it brings none."""
    shared = _shared_where(own.misplaced)
    given = {name: getattr(own, name) for name in CompanyLines.model_fields if getattr(own, name)}
    by_state = {name: lines for name, lines in given.items() if isinstance(lines, Mapping)}
    given |= {name: {**getattr(shared, name), **lines} for name, lines in by_state.items()}
    ignorance = {name: lines for name, lines in own.ignorance if lines}
    given["ignorance"] = shared.ignorance.model_copy(update=ignorance)
    given["talk"] = own.talk if "talk" in own.model_fields_set else shared.talk
    return shared.model_copy(update=given)
