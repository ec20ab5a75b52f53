"""Who has heard what of whom: as much as a plan needs, so that nobody is made to act on what they can't know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

__all__ = ["Ledger", "Picture"]

State = tuple[str, str]
"""(holder, topic)."""


@dataclass(frozen=True)
class Picture:
    """What somebody takes another's state to be, and the turn at which the other said it.

    Attributes:
        hearsay: they have it from a third, and neither in the other's own words nor by their own guess.
    """

    value: str
    source: int
    hearsay: bool = True

    def yields_to(self, other: Picture) -> bool:
        """Whether another picture of the same state takes its place when it comes later."""
        return (self.source, not self.hearsay) <= (other.source, not other.hearsay)


class Ledger:
    """States as they are, and as others have heard of them."""

    def __init__(self) -> None:
        self._held: dict[State, str] = {}
        self._was_held: dict[State, set[str]] = defaultdict(set)
        self._pictures: dict[State, dict[str, Picture]] = {}
        self._let_in: dict[State, frozenset[str]] = {}
        self._fibs: dict[State, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._untrue: dict[tuple[str, str, int], frozenset[str]] = {}
        self._told: dict[tuple[str, str, str], dict[str, dict[str, int]]] = {}

    def held(self, holder: str, topic: str) -> str:
        """What somebody holds; empty if it has not come up."""
        return self._held.get((holder, topic), "")

    def states(self) -> list[State]:
        """The states that have come up, in their order."""
        return list(self._held)

    def picture(self, who: str, holder: str, topic: str) -> Picture | None:
        """What ``who`` takes the state to be; None if they have heard nothing of it."""
        pictures = self._pictures.get((holder, topic))
        return None if pictures is None else pictures.get(who)

    def _of(self, holder: str, topic: str) -> dict[str, Picture]:
        """The pictures of a state, by whose they are."""
        return self._pictures.setdefault((holder, topic), {})

    def hold(self, holder: str, topic: str, value: str) -> None:
        """Somebody makes up their mind."""
        self._held[holder, topic] = value
        self._was_held[holder, topic].add(value)

    def has_held(self, holder: str, topic: str, value: str) -> bool:
        """Whether somebody holds a value, or once did."""
        return value in self._was_held.get((holder, topic), ())

    def unsaid(self, holder: str, topic: str) -> None:
        """What somebody holds has not come up after all."""
        self._held.pop((holder, topic), None)

    def hear(
        self, who: Iterable[str], holder: str, topic: str, value: str, source: int, *, hearsay: bool = True
    ) -> None:
        """It reaches ``who`` that the holder said it at turn ``source``; what they had from later stays."""
        heard, pictures = Picture(value, source, hearsay), self._of(holder, topic)
        for name in who:
            known = pictures.get(name)
            if known is None or known.yields_to(heard):
                pictures[name] = heard

    def presume(self, who: str, holder: str, topic: str, value: str) -> None:
        """``who`` takes something for granted until the holder says something later."""
        known = self.picture(who, holder, topic)
        self._of(holder, topic)[who] = Picture(value, known.source if known else -1, hearsay=False)

    def let_in(self, holder: str, topic: str, names: Iterable[str], instead: str) -> None:
        """These were told in confidence how it is, and what somebody will hear instead."""
        self._let_in[holder, topic] = frozenset(names)
        self._fibs[holder, topic][instead].update(names)

    def announced(self, holder: str, topic: str) -> Collection[str]:
        """The values that the holder has told somebody they would only pretend to hold."""
        return self._fibs.get((holder, topic), {})

    def known_fibs(self, who: str, holder: str, topic: str) -> set[str]:
        """The values that ``who`` was told the holder would only pretend to hold."""
        return {value for value, names in self._fibs[holder, topic].items() if who in names}

    def mislead(self, holder: str, topic: str, source: int) -> None:
        """What the holder said at turn ``source`` is the untruth that some were let in on."""
        self._untrue[holder, topic, source] = self._let_in.get((holder, topic), frozenset())

    def seen_through(self, who: str, holder: str, topic: str) -> frozenset[str]:
        """Those who know that what ``who`` takes for so, whatever became of it on the way, was an untruth."""
        known = self.picture(who, holder, topic)
        return frozenset() if known is None else self._untrue.get((holder, topic, known.source), frozenset())

    def goes_by_newer(self, who: str, holder: str, topic: str, than: Picture, value: str) -> bool:
        """Whether ``who`` wrongly takes something else than this for so, which the holder said later: a lie, say."""
        known = self.picture(who, holder, topic)
        return known is not None and known.source > than.source and known.value not in {value, self.held(holder, topic)}

    def pass_on(self, who: str, to: Iterable[str], holder: str, topic: str, value: str) -> None:
        """``who`` says before these that the holder holds it."""
        known = self.picture(who, holder, topic)
        for name in to:
            told = self._told.setdefault((name, holder, topic), {})
            told.setdefault(value, {})[who] = known.source if known else -1

    def heard_from(self, who: str, holder: str, topic: str, value: str) -> Collection[str]:
        """Those, but for the holder, from whom ``who`` has heard that the holder holds it."""
        return self._told.get((who, holder, topic), {}).get(value, {})

    def told_otherwise(self, who: str, to: str, holder: str, topic: str, value: str) -> bool:
        """Whether ``who`` has told another something else than this, and has heard nothing newer since."""
        known = self.picture(who, holder, topic)
        told = self._told.get((to, holder, topic), {}).items()
        return any(other != value and sources.get(who) == (known.source if known else -1) for other, sources in told)

    def knows(self, who: str, holder: str, topic: str) -> bool:
        """Whether somebody's picture of a state is right."""
        known = self.picture(who, holder, topic)
        return known is not None and known.value == self.held(holder, topic)

    def mistaken(self, holder: str, topic: str) -> Iterator[str]:
        """Those whose picture of a state is wrong; who has none is not among them."""
        actual = self.held(holder, topic)
        for name, known in self._of(holder, topic).items():
            if known.value != actual:
                yield name
