"""Items put together by what they ask about, for suites that have no more to show than their items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dtomtrack.items.item import ContextLine, Item
from dtomtrack.report.shown import ShownDialogue, ShownItem, ShownLine

__all__ = ["shown_clusters"]

_EXCERPT = 140


def shown_clusters(items: Iterable[Item], limit: int) -> Iterator[ShownDialogue]:
    """The first so many clusters of items, wherever in the order their items stand.

    The longest context of a cluster is its dialogue; items that ask about a beginning of it say how much they see, and
    items that ask about something else bring it along.
    """
    clusters: dict[str, list[Item]] = {}
    for item in items:
        if item.cluster in clusters or len(clusters) < limit:
            clusters.setdefault(item.cluster, []).append(item)
    return (_dialogue(name, own) for name, own in clusters.items())


def _dialogue(name: str, items: Sequence[Item]) -> ShownDialogue:
    contexts = [_lines(item) for item in items]
    longest = max(contexts, key=len)
    first = longest[0].text if longest else items[0].question
    return ShownDialogue(
        id=name,
        items=tuple(_item(item, lines, longest) for item, lines in zip(items, contexts, strict=True)),
        title=" and ".join(_speakers(longest)),
        excerpt=first if len(first) <= _EXCERPT else f"{first[: _EXCERPT - 1].rstrip()}…",
        lines=_shown(longest),
    )


def _lines(item: Item) -> tuple[ContextLine, ...]:
    return () if item.context is None else tuple(item.context.lines)


def _speakers(lines: Sequence[ContextLine]) -> list[str]:
    """Who speaks, if they are few enough for a title."""
    speakers = list(dict.fromkeys(line.speaker for line in lines if line.speaker))
    return speakers if len(speakers) <= 3 else []


def _item(item: Item, lines: tuple[ContextLine, ...], whole: tuple[ContextLine, ...]) -> ShownItem:
    if lines == whole:
        return ShownItem(item)
    if lines == whole[: len(lines)]:
        return ShownItem(item, seen=len(lines))
    return ShownItem(item, lines=_shown(lines))


def _shown(lines: Iterable[ContextLine]) -> tuple[ShownLine, ...]:
    return tuple(ShownLine(line.text, line.speaker) for line in lines)
