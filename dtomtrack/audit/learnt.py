"""Rules that learn from golds: a keyword, the most frequent gold, a turn, the letters of a group.

Each learns on some clusters and is tried on others. A learner also says what it found, for people to look at. Where any
set of options may be right, what is learnt and chosen is a set.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from dtomtrack.audit.audit_item import AuditItem, Choice
from dtomtrack.audit.surface import Solver
from dtomtrack.items.letters import letter_of
from dtomtrack.items.texts import printable

__all__ = ["LEARNERS", "Found", "best_constant", "group_letter", "same_set"]

_SUPPORT = 5
"""A word that fewer items have is not looked at."""

Label = Callable[[AuditItem, int], Hashable]
"""The mark by which a rule knows an option; None where there is nothing to know it by."""
Cue = Callable[[AuditItem], Hashable]
Gold = Hashable
"""The label of the right option, or, where any set may be right, the frozen set of the labels of the right ones."""


@dataclass(frozen=True)
class Found:
    """A learnt rule: what it chooses, what it says, and how well it does where it was learnt."""

    solve: Solver
    says: str
    right: float = 0.0


def _text(item: AuditItem, position: int) -> Hashable:
    return item.texts[position]


def _letter(item: AuditItem, position: int) -> Hashable:
    return letter_of(position)


def _turn(item: AuditItem, position: int) -> Hashable:
    return item.option_turns[position]


def _distance(item: AuditItem, position: int) -> Hashable:
    here, asked = item.option_turns[position], item.turn
    return None if here is None or asked is None else here - asked


def _gold(label: Label, item: AuditItem) -> Gold:
    """The gold of an item by label; None where a right option has none."""
    if not item.is_set:
        (position,) = item.gold
        return label(item, position)
    labels = frozenset(label(item, position) for position in item.gold)
    return None if None in labels else labels


def _meant(label: Label, item: AuditItem, gold: Gold) -> Choice:
    """The positions of what is right by label, in an item; none where it has no such options."""
    wanted = gold if isinstance(gold, frozenset) else frozenset((gold,))
    if item.is_set is not isinstance(gold, frozenset):
        return ()
    labels = [label(item, position) for position in range(len(item.options))]
    return [position for position, own in enumerate(labels) if own in wanted] if wanted.issubset(labels) else ()


def _in_words(gold: Gold) -> str:
    names = sorted(map(str, gold)) if isinstance(gold, frozenset) else [str(gold)]
    return repr(printable(" + ".join(names)))


def _most_frequent(label: Label, cue: Cue, items: Sequence[AuditItem]) -> Found:
    """Takes what is gold most often, by label, where the cue is the same; where it is new, in general."""
    tallies: dict[Hashable, Counter[Gold]] = defaultdict(Counter)
    general: Counter[Gold] = Counter()
    for item in items:
        gold = _gold(label, item)
        if gold is not None:
            tallies[cue(item)][gold] += 1
            general[gold] += 1

    def solve(item: AuditItem) -> Choice:
        tally = tallies.get(cue(item), general)
        if item.is_set:
            ranked = (_meant(label, item, gold) for gold, _ in tally.most_common())
            return next((meant for meant in ranked if meant), ())
        counts = [tally[label(item, position)] for position in range(len(item.options))]
        best = max(counts)
        return [position for position, count in enumerate(counts) if count == best]

    most = general.most_common(1)
    return Found(solve, f"most often {_in_words(most[0][0])}" if most else "none is named")


def most_frequent_gold(items: Sequence[AuditItem]) -> Found:
    """The text, or the set of texts, that is gold most often."""
    return _most_frequent(_text, lambda _: None, items)


def same_set(items: Sequence[AuditItem]) -> Found:
    """The set of letters that is gold most often."""
    return _most_frequent(_letter, lambda _: None, items)


def turn_in_option(items: Sequence[AuditItem]) -> Found:
    """The turn number that is gold most often."""
    return _most_frequent(_turn, lambda _: None, items)


def turn_in_question(items: Sequence[AuditItem]) -> Found:
    """The most frequent gold when that turn is asked about: text, letter, or distance to the turn that is offered."""
    if all(item.turn is None for item in items):
        return Found(lambda item: (), "none is named")
    found = {
        "text by turn": _most_frequent(_text, lambda item: item.turn, items),
        "letter by turn": _most_frequent(_letter, lambda item: item.turn, items),
        "distance from the turn": _most_frequent(_distance, lambda _: None, items),
    }
    name = max(found, key=lambda one: sum(item.score(found[one].solve(item)) for item in items))
    return Found(found[name].solve, name)


def group_letter(items: Sequence[AuditItem]) -> Found:
    """The letter, or the set of letters, that is gold most often in the item's group."""
    return _most_frequent(_letter, lambda item: item.group, items)


def best_constant(items: Sequence[AuditItem]) -> float | None:
    """The share of these items with the most frequent gold set, by letters or by texts; None of none."""
    if not items:
        return None
    most = (Counter(_gold(label, item) for item in items).most_common(1)[0][1] for label in (_letter, _text))
    return max(most) / len(items)


# -- keywords --------------------------------------------------------------------------------------------------------


def keyword_in_question(items: Sequence[AuditItem]) -> Found:
    """The one word whose presence tells most of the golds, by letter or by text: one if it is there, one if not."""
    found = [_distinctive_word(_letter, items), _distinctive_word(_text, items)]
    return max(found, key=lambda one: one.right)


def _distinctive_word(label: Label, items: Sequence[AuditItem]) -> Found:
    golds = [_gold(label, item) for item in items]
    general = Counter(golds)
    where: dict[str, Counter[Gold]] = defaultdict(Counter)
    for item, gold in zip(items, golds, strict=True):
        for word in item.question_words:
            where[word][gold] += 1
    best, right = _best_word(general, where)
    there = where[best].most_common(1)[0][0] if best else None
    rest = general - where[best]
    absent = rest.most_common(1)[0][0] if rest else there

    def solve(item: AuditItem) -> Choice:
        return _meant(label, item, there if best in item.question_words else absent)

    says = f"{best!r}: {_in_words(there)}, without: {_in_words(absent)}" if best else "no word helps"
    return Found(solve, says, right)


def _best_word(general: Counter[Gold], where: dict[str, Counter[Gold]]) -> tuple[str, float]:
    """The word with which most golds are told, and how many."""
    ranked = general.most_common()
    best, right = "", float(ranked[0][1] if ranked else 0)
    for word, tally in where.items():
        if tally.total() >= _SUPPORT:
            score = max(tally.values()) + _most_left(ranked, tally)
            if score > right:
                best, right = word, score
    return best, right


def _most_left(ranked: Iterable[tuple[Gold, int]], taken: Counter[Gold]) -> int:
    """The largest count that is left when these are taken away; ranked counts are read as far as they can matter."""
    best = 0
    for label, count in ranked:
        if count <= best:
            break
        best = max(best, count - taken[label])
    return best


def keyword_in_option(items: Sequence[AuditItem]) -> Found:
    """The one word whose presence in an option, or absence, tells most of the golds."""
    gains: dict[tuple[str, bool], float] = defaultdict(float)
    support: Counter[str] = Counter()
    for item in items:
        for word, holders in _holders(item).items():
            support[word] += 1
            if len(holders) < len(item.options):
                with_it, without = _worth(item, holders)
                gains[word, True] += with_it - item.chance
                gains[word, False] += without - item.chance
    known = [rule for rule in gains if support[rule[0]] >= _SUPPORT]
    if not known:
        return Found(lambda item: (), "no word helps")
    word, wanted = max(known, key=lambda rule: gains[rule])
    return Found(
        lambda item: _having(item, word, wanted),
        f"{'with' if wanted else 'without'} {printable(word)!r}",
        sum(item.chance for item in items) + gains[word, wanted],
    )


def _holders(item: AuditItem) -> dict[str, list[int]]:
    """The words of the options, each with the positions of those that have it."""
    found: dict[str, list[int]] = defaultdict(list)
    for position, words in enumerate(item.option_words):
        for word in words:
            found[word].append(position)
    return found


def _worth(item: AuditItem, holders: Sequence[int]) -> tuple[float, float]:
    """The scores of these options and of all others, of which there are some: as `AuditItem.score`, but of both."""
    right, chosen, others = len(item.gold), len(holders), len(item.options) - len(holders)
    hits = sum(position in item.gold for position in holders)
    if item.is_set:
        return float(hits == right == chosen), float(hits == 0 and right == others)
    return hits / chosen, (right - hits) / others


def _having(item: AuditItem, word: str, wanted: bool) -> Choice:
    found = [position for position, words in enumerate(item.option_words) if (word in words) is wanted]
    return found if len(found) < len(item.options) else ()


LEARNERS: dict[str, Callable[[Sequence[AuditItem]], Found]] = {
    "keyword in the question": keyword_in_question,
    "keyword in the option": keyword_in_option,
    "most frequent gold text": most_frequent_gold,
    "turn number in the option": turn_in_option,
    "turn number in the question": turn_in_question,
}
