"""What people say in any domain when there are several of them (``lines/common.yaml``).

They come and go, take each other aside, write notes and talk about each other. A pack may bring lists of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.packaged import packaged_yaml
from dtomtrack.records import Record
from dtomtrack.scenarios.talk_lines import TalkLines, shared_talk

__all__ = ["CompanyLines", "IgnoranceLines", "company_lines"]

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
        since: before a reason of somebody who has argued for something else before: there is news; ``told_wrong``, with
            ``{label}``, where it is about their own life: they put right what they said of it.
        restate: what one holds is what one held, with ``{short}``; ends without a period.
        restated: what fills that, by mental state, with ``{clause}``: a sentence of its own.
        waver: a sentence that stands before that behind a marker, so that the marker fits; begins small.
        leave: on going out, on coming back, and the reason in a few words.
        join: on coming late, and the reason.
        greet: a further person's first words, with ``{me}``.
        confide: before something for ``{to}``, one or several, alone.
        discreet: behind that: what ``{from}`` is to hear of ``{label}`` instead, ``{short}``, and why.
        promise: to ``{to}``, who has just confided something.
        write, read: before a note to ``{to}``; on having read one of ``{to}``.
        half_heard: before what one tells of a third, where it is not what one had heard oneself, and now and then.
        tell, act: what ``{who}``, a third, holds; and taking it for granted, by mental state, with ``{clause}``.
        dodge: leaves open what was presumed of one.
        mixed_up: it was ``{to}`` who said that.
        thank: on being told of a third.
        welcome: to ``{to}``, who has just come or is back.
        asides, closes: of people behind the first two.
        instead: by a line of the pack that fits two alone ("Thank you for calling"), the line that stands for it.
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
    told_wrong: Lines = ()
    restate: Lines = ()
    restated: Mapping[MentalState, str] = {}
    waver: Lines = ()
    leave: tuple[tuple[str, str, str], ...] = ()
    join: tuple[tuple[str, str], ...] = ()
    greet: Lines = ()
    confide: Lines = ()
    discreet: Lines = ()
    promise: Lines = ()
    write: Lines = ()
    read: Lines = ()
    half_heard: Lines = ()
    tell: ByState = _NONE
    act: ByState = _NONE
    dodge: Lines = ()
    mixed_up: Lines = ()
    thank: Lines = ()
    welcome: Lines = ()
    asides: Lines = ()
    closes: Lines = ()
    instead: Mapping[str, str] = {}
    talk: TalkLines = TalkLines()


@cache
def _shared() -> CompanyLines:
    return CompanyLines.model_validate(packaged_yaml("dtomtrack.scenarios", "lines", "common.yaml"))


def company_lines(own: CompanyLines) -> CompanyLines:
    """The lines of a pack, with those that all domains share where it brings none."""
    given = {name: getattr(own, name) for name in CompanyLines.model_fields if getattr(own, name)}
    by_state = {name: lines for name, lines in given.items() if isinstance(lines, Mapping)}
    given |= {name: {**getattr(_shared(), name), **lines} for name, lines in by_state.items()}
    ignorance = {name: lines for name, lines in own.ignorance if lines}
    given["ignorance"] = _shared().ignorance.model_copy(update=ignorance)
    given["talk"] = own.talk if "talk" in own.model_fields_set else shared_talk()
    return _shared().model_copy(update=given)
