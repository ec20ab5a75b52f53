"""Published items as items: what they are grouped by, and the role of each option.

Desire and judgement options have their own texts for roles (so that lags and confusions can be counted), attitudes
their polarity, the persuader's intentions their principle; the persuadee's intentions and strategies say whether they
are right in an earlier or later round of the same dialogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import Item
from dtomtrack.suites.persuasivetom.polarity import polarity_of
from dtomtrack.suites.persuasivetom.principles import principle_of
from dtomtrack.suites.persuasivetom.published_items import PublishedItem, rounds_of

__all__ = [
    "ABSENT",
    "EARLIER",
    "ELSEWHERE",
    "GOLD",
    "LATER",
    "OTHER",
    "STAGES",
    "WORDING",
    "ItemMaker",
    "by_dialogue",
    "stage_of",
    "wording_of",
]

ABSENT = "none"
"""Names the group of items to which what they are grouped by does not apply."""
STAGES = ("first", "early", "middle", "late", "last")
"""Where in its dialogue a round stands (paper, Figure 3)."""
GOLD, EARLIER, LATER, ELSEWHERE = "right", "earlier round", "later round", "in no round"
WORDING = ("effective", "not effective")
OTHER = "other"
"""The role of an option of which nobody knows what it is."""


def by_dialogue(items: Iterable[PublishedItem]) -> dict[tuple[str, int], dict[int, PublishedItem]]:
    """The items by kind and dialogue, and in these by their turn, in order."""
    found: dict[tuple[str, int], dict[int, PublishedItem]] = {}
    for item in items:
        found.setdefault((item.kind.name, item.dialogue), {}).setdefault(item.turn, item)
    return {key: dict(sorted(own.items())) for key, own in found.items()}


def stage_of(number: int, rounds: int) -> str:
    """The stage of a round, counted from 0, among so many: its position is round / (rounds - 1)."""
    position = number / (rounds - 1) if rounds > 1 else 0.0
    if position <= 0:
        return "first"
    if position >= 1:
        return "last"
    return "early" if position <= 1 / 3 else "middle" if position <= 2 / 3 else "late"


def wording_of(question: str) -> str:
    """Whether a question on a strategy asks if it is effective, or if it is not."""
    return WORDING[1] if "not effective" in question else WORDING[0]


class ItemMaker:
    """Makes items of published ones; it knows all of them, since groups and roles depend on the rest of a dialogue."""

    def __init__(self, published: Sequence[PublishedItem]) -> None:
        self._rounds = rounds_of(published)
        self._by_dialogue = by_dialogue(published)
        self._ids: dict[str, int] = {}

    def make(self, source: PublishedItem, roles: Sequence[str] | None = None, mark: str = "") -> Item:
        """An item; its id is its kind and the published one, with ``mark`` behind, and a number if that is taken."""
        name = f"{source.kind.name} {source.name}{mark}"
        self._ids[name] = self._ids.get(name, 0) + 1
        return Item(
            id=name if self._ids[name] == 1 else f"{name}#{self._ids[name]}",
            cluster=str(source.dialogue),
            question=source.question,
            options=source.options,
            gold=frozenset((source.gold,)),
            groups=self._groups(source),
            joint={"wording": f"{source.dialogue}-{source.turn}"} if source.kind.name == "judgement" else {},
            roles=tuple(roles or self._roles(source)),
            turn=source.turn,
            context=LinesContext(source.lines, source.background),
        )

    def neighbour(self, source: PublishedItem, by: int) -> PublishedItem | None:
        """The item of the same kind so many rounds later in the same dialogue, or earlier, if there is one."""
        return self._by_dialogue[source.kind.name, source.dialogue].get(source.turn + 2 * by)

    def _groups(self, source: PublishedItem) -> Mapping[str, str]:
        rounds = self._rounds[source.dialogue]
        groups = {
            "type": source.kind.name,
            "holder": {"er": "persuader", "ee": "persuadee"}.get(source.kind.holder, ABSENT),
            "round": str(source.round),
            "stage": stage_of(source.round, rounds),
        }
        if source.kind.state == "desire":
            groups |= self._labels(source)
        if source.kind.name == "judgement":
            groups["wording"] = wording_of(source.question)
        return groups

    def _labels(self, source: PublishedItem) -> Mapping[str, str]:
        """The right answer, and that of the rounds before and after: what lags and changes are counted by."""
        before, after = self.neighbour(source, -1), self.neighbour(source, 1)
        changed = "first asked" if before is None else "stays" if before.answer == source.answer else "changes"
        return {
            "label": source.answer,
            "change": changed,
            "before": ABSENT if before is None else before.answer,
            "after": ABSENT if after is None else after.answer,
        }

    def _roles(self, source: PublishedItem) -> Sequence[str]:
        state = source.kind.state
        if state == "belief":
            return [polarity_of(option) or OTHER for option in source.options]
        if source.kind.name == "intention_er":
            return [principle_of(option) or OTHER for option in source.options]
        if state in {"desire", "judgement"}:
            return list(source.options)
        return [self._round_of(source, position) for position in range(len(source.options))]

    def _round_of(self, source: PublishedItem, position: int) -> str:
        """Where in its dialogue an option is right."""
        if position == source.gold:
            return GOLD
        own = self._by_dialogue[source.kind.name, source.dialogue]
        turns = [turn for turn, item in own.items() if item.answer == source.options[position]]
        if not turns:
            return ELSEWHERE
        return EARLIER if min(turns) < source.turn else LATER
