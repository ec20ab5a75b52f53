"""A dialogue, or whatever else the items of a cluster ask about, as the page's browser shows it.

A suite fills in what it has; every part but the items may be missing. All of it is text: nothing is markup.
"""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.items.item import Item

__all__ = [
    "DIALOGUES_SHOWN",
    "Aside",
    "BrowserWords",
    "Person",
    "ShownDialogue",
    "ShownItem",
    "ShownLine",
    "Span",
    "Track",
]

DIALOGUES_SHOWN = 500
"""Dialogues in the page's browser: more make it slow to open."""


@dataclass(frozen=True)
class BrowserWords:
    """Names of the parts of a dialogue, and the kinds that have a colour of their own.

    Attributes:
        asides: what belongs to a line and is hidden until it is asked for, after "Show" and "Hide".
        people: heads the fold of who takes part.
        tracks: heads the timeline; ``tracks_note`` stands below it where a span is marked.
        kinds: of asides and spans, in the order in which they get their colours.
    """

    asides: str = "asides"
    people: str = "Who takes part"
    tracks: str = "Timeline"
    tracks_note: str = ""
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Person:
    """Somebody who takes part: a sentence about them, and what they know."""

    name: str
    text: str = ""
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Aside:
    """Something that belongs to a line and that nobody else heard, such as a thought."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class ShownLine:
    """One line of what is asked about.

    Attributes:
        speaker: empty where nobody is named.
        note: what happens in it, in a few words ("changes: the seating").
        heard: whom it reaches, where that is not everybody ("to Ben; Cleo can't hear").
        before: what happens before it, a sentence each ("Cleo leaves: another call.").
    """

    text: str
    speaker: str = ""
    asides: tuple[Aside, ...] = ()
    note: str = ""
    heard: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class Span:
    """Something that holds from one line on.

    Attributes:
        start: the first line; ``end``: the first at which it no longer holds, or None if it holds to the end.
        warning: what is wrong with it, which gives it a mark; mostly empty.
    """

    text: str
    start: int
    end: int | None = None
    kind: str = ""
    warning: str = ""


@dataclass(frozen=True)
class Track:
    """Spans that follow each other on the timeline: whose they are, and what they are about."""

    holder: str
    about: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class ShownItem:
    """An item, as the browser shows it below the dialogue.

    Attributes:
        evidence: the lines that give the answer away, where they are known.
        seen: how many of the dialogue's lines it asks about, where that is not all of them.
        lines: what it asks about, where that is no beginning of the dialogue.
    """

    item: Item
    evidence: tuple[int, ...] = ()
    seen: int | None = None
    lines: tuple[ShownLine, ...] = ()


@dataclass(frozen=True)
class ShownDialogue:
    """A dialogue with its items.

    Attributes:
        title: its heading and its name in the list; the id where there is none.
        excerpt: a line for the list.
        tags: stand beside its id, and can be searched for ("restaurant").
        introduction: what has to be known before the first line.
    """

    id: str
    items: tuple[ShownItem, ...]
    title: str = ""
    excerpt: str = ""
    tags: tuple[str, ...] = ()
    introduction: str = ""
    people: tuple[Person, ...] = ()
    lines: tuple[ShownLine, ...] = ()
    tracks: tuple[Track, ...] = ()
