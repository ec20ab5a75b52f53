"""Rules that learn from golds: a keyword, the most frequent gold, a turn, the letter of a group.

Each learns on some clusters and is tried on others. A learner also says what it found, for people to look at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from dtomtrack.audit.items import Item, letter, printable

__all__ = ["LEARNERS", "Found", "group_letter"]

_SUPPORT = 5
"""A word that fewer items have is not looked at."""

Label = Callable[[Item, int], Hashable]
"""What an option is known by to a rule; None where there is nothing to know it by."""
Cue = Callable[[Item], Hashable]


@dataclass(frozen=True)
class Found:
    """A learnt rule: what it gets for an item, what it says, and how well it does where it was learnt."""

    solve: Callable[[Item], float]
    says: str
    right: float = 0.0


def _text(item: Item, place: int) -> Hashable:
    return item.texts[place]


def _letter(item: Item, place: int) -> Hashable:
    return letter(place)


def _turn(item: Item, place: int) -> Hashable:
    return item.option_turns[place]


def _distance(item: Item, place: int) -> Hashable:
    here, asked = item.option_turns[place], item.turn
    return None if here is None or asked is None else here - asked


def _most_frequent(label: Label, cue: Cue, items: Sequence[Item]) -> Found:
    """Takes the option whose label is gold most often where the cue is the same; where it is new, in general."""
    tallies: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    general: Counter[Hashable] = Counter()
    for item in items:
        gold = label(item, item.gold)
        if gold is not None:
            tallies[cue(item)][gold] += 1
            general[gold] += 1

    def solve(item: Item) -> float:
        tally = tallies.get(cue(item), general)
        counts = [tally[label(item, place)] for place in range(len(item.options))]
        best = max(counts)
        return item.credit(place for place, count in enumerate(counts) if count == best)

    most = general.most_common(1)
    return Found(solve, f"most often {printable(str(most[0][0]))!r}" if most else "none is named")


def most_frequent_gold(items: Sequence[Item]) -> Found:
    """The text that is gold most often."""
    return _most_frequent(_text, lambda _: None, items)


def turn_in_option(items: Sequence[Item]) -> Found:
    """The turn number that is gold most often."""
    return _most_frequent(_turn, lambda _: None, items)


def turn_in_question(items: Sequence[Item]) -> Found:
    """What is gold most often when that turn is asked about: text, letter, or distance to the turn that is offered."""
    if all(item.turn is None for item in items):
        return Found(lambda item: item.chance, "none is named")
    found = {
        "text by turn": _most_frequent(_text, lambda item: item.turn, items),
        "letter by turn": _most_frequent(_letter, lambda item: item.turn, items),
        "distance from the turn": _most_frequent(_distance, lambda _: None, items),
    }
    name = max(found, key=lambda one: sum(map(found[one].solve, items)))
    return Found(found[name].solve, name)


def group_letter(items: Sequence[Item]) -> Found:
    """The letter that is gold most often in the item's group."""
    return _most_frequent(_letter, lambda item: item.group, items)


def keyword_in_question(items: Sequence[Item]) -> Found:
    """The one word whose presence tells most of the golds, by letter or by text: one if it is there, one if not."""
    found = [_telling_word(_letter, items), _telling_word(_text, items)]
    return max(found, key=lambda one: one.right)


def _telling_word(label: Label, items: Sequence[Item]) -> Found:
    general = Counter(label(item, item.gold) for item in items)
    where: dict[str, Counter[Hashable]] = defaultdict(Counter)
    for item in items:
        for word in item.question_words:
            where[word][label(item, item.gold)] += 1
    ranked = general.most_common()
    best, right = "", float(ranked[0][1] if ranked else 0)
    for word, tally in where.items():
        if tally.total() >= _SUPPORT:
            score = max(tally.values()) + _most_left(ranked, tally)
            if score > right:
                best, right = word, score
    there = where[best].most_common(1)[0][0] if best else None
    rest = general - where[best]
    absent = rest.most_common(1)[0][0] if rest else there

    def solve(item: Item) -> float:
        wanted = there if best in item.question_words else absent
        return item.credit(place for place in range(len(item.options)) if label(item, place) == wanted)

    says = f"{best!r}: {printable(str(there))!r}, without: {printable(str(absent))!r}" if best else "no word helps"
    return Found(solve, says, right)


def _most_left(ranked: Iterable[tuple[Hashable, int]], taken: Counter[Hashable]) -> int:
    """The largest count that is left when these are taken away; ranked counts are read as far as they can matter."""
    best = 0
    for label, count in ranked:
        if count <= best:
            break
        best = max(best, count - taken[label])
    return best


def keyword_in_option(items: Sequence[Item]) -> Found:
    """The one word whose presence in an option, or absence, tells most of the golds."""
    gains: dict[tuple[str, bool], float] = defaultdict(float)
    support: Counter[str] = Counter()
    for item in items:
        size, gold, guess = len(item.options), item.option_words[item.gold], item.chance
        for word, count in Counter(word for words in item.option_words for word in words).items():
            support[word] += 1
            if count < size:
                is_in_gold = word in gold
                gains[word, True] += is_in_gold / count - guess
                gains[word, False] += (not is_in_gold) / (size - count) - guess
    known = [rule for rule in gains if support[rule[0]] >= _SUPPORT]
    if not known:
        return Found(lambda item: item.chance, "no word helps")
    word, wanted = max(known, key=lambda rule: gains[rule])
    return Found(
        lambda item: item.credit(_having(item, word, wanted)),
        f"{'with' if wanted else 'without'} {printable(word)!r}",
        sum(item.chance for item in items) + gains[word, wanted],
    )


def _having(item: Item, word: str, wanted: bool) -> list[int]:
    return [place for place, words in enumerate(item.option_words) if (word in words) is wanted]


LEARNERS: dict[str, Callable[[Sequence[Item]], Found]] = {
    "keyword in the question": keyword_in_question,
    "keyword in the option": keyword_in_option,
    "most frequent gold text": most_frequent_gold,
    "turn number in the option": turn_in_option,
    "turn number in the question": turn_in_question,
}
