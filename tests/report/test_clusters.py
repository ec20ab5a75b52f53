"""Items put together by what they ask about."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.items.item import ContextLine, Item
from dtomtrack.report.clusters import shown_clusters


class Said:
    """A context of these lines."""

    def __init__(self, *lines: tuple[str, str]) -> None:
        self.lines: Sequence[ContextLine] = [ContextLine(*line) for line in lines]

    def text(self, condition: str) -> str:
        """All lines."""
        return "\n".join(line.text for line in self.lines)


def an_item(name: str, cluster: str, context: Said | None = None) -> Item:
    return Item(name, cluster, "Who?", ("Ada", "Bo"), frozenset({0}), context=context)


HELLO, BYE = ("Ada", "Hello."), ("Bo", "Goodbye.")


def test_items_of_a_cluster_stand_together_wherever_they_are() -> None:
    items = [an_item("1", "a"), an_item("2", "b"), an_item("3", "a"), an_item("4", "c")]
    found = list(shown_clusters(items, 2))
    assert [(one.id, [shown.item.id for shown in one.items]) for one in found] == [("a", ["1", "3"]), ("b", ["2"])]


def test_the_longest_context_is_the_dialogue_and_others_say_what_they_see() -> None:
    items = [
        an_item("beginning", "a", Said(HELLO)),
        an_item("whole", "a", Said(HELLO, BYE)),
        an_item("apart", "a", Said(BYE)),
        an_item("nothing", "a"),
    ]
    (found,) = shown_clusters(items, 9)
    assert found.title == "Ada and Bo"
    assert found.excerpt == "Hello."
    assert [line.text for line in found.lines] == ["Hello.", "Goodbye."]
    assert [shown.seen for shown in found.items] == [1, None, None, 0]
    assert [[line.text for line in shown.lines] for shown in found.items] == [[], [], ["Goodbye."], []]


def test_a_crowd_makes_no_title() -> None:
    (found,) = shown_clusters([an_item("1", "a", Said(*((f"Guest {number}", "Hm.") for number in range(9))))], 1)
    assert found.title == ""
