"""Rules that learn from golds: a keyword, the most frequent gold, a turn, the letters of a group.

Each learns on some clusters and is tried on others. A learner also says what it found, for people to look at. Where any
set of options may be right, what is learnt and chosen is a set.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from dtomtrack.audit.audit_item import AuditItem, Choice
from dtomtrack.audit.surface import Solver
from dtomtrack.items.letters import letter_of
from dtomtrack.items.texts import printable

__all__ = ["LEARNERS", "Found", "best_constant", "group_letter", "same_set"]

_SUPPORT = 5
"""A word that fewer items have is not looked at."""

Labels = Callable[[AuditItem], Sequence[Hashable]]
"""The marks by which a rule knows the options of an item; None where there is nothing to know one by."""
Cue = Callable[[AuditItem], Hashable]
Gold = Hashable
"""The label of the right option, or, where any set may be right, the frozen set of the labels of the right ones."""


@dataclass(frozen=True)
class Found:
    """A learnt rule: what it chooses, what it says, and how well it does where it was learnt."""

    solve: Solver
    says: str
    right: float = 0.0


def _texts(item: AuditItem) -> Sequence[Hashable]:
    return item.texts


def _letters(item: AuditItem) -> Sequence[Hashable]:
    return _first_letters(len(item.options))


@cache
def _first_letters(count: int) -> Sequence[Hashable]:
    return tuple(map(letter_of, range(count)))


def _turns(item: AuditItem) -> Sequence[Hashable]:
    return item.option_turns


def _distances(item: AuditItem) -> Sequence[Hashable]:
    asked = item.turn
    return [None if here is None or asked is None else here - asked for here in item.option_turns]


def _gold(labels: Labels, item: AuditItem) -> Gold:
    """The gold of an item by label; None where a right option has none."""
    own = labels(item)
    if not item.is_set:
        (position,) = item.gold
        return own[position]
    gold = frozenset(own[position] for position in item.gold)
    return None if None in gold else gold


def _meant(labels: Labels, item: AuditItem, gold: Gold) -> Choice:
    """The positions of what is right by label, in an item; none where it has no such options."""
    wanted = gold if isinstance(gold, frozenset) else frozenset((gold,))
    if item.is_set is not isinstance(gold, frozenset):
        return ()
    own = labels(item)
    return [position for position, one in enumerate(own) if one in wanted] if wanted.issubset(own) else ()


def _in_words(gold: Gold) -> str:
    names = sorted(map(str, gold)) if isinstance(gold, frozenset) else [str(gold)]
    return repr(printable(" + ".join(names)))


def _most_frequent(labels: Labels, cue: Cue, items: Sequence[AuditItem]) -> Found:
    """Takes what is gold most often, by label, where the cue is the same; where it is new, in general."""
    tallies: dict[Hashable, Counter[Gold]] = defaultdict(Counter)
    general: Counter[Gold] = Counter()
    for item in items:
        gold = _gold(labels, item)
        if gold is not None:
            tallies[cue(item)][gold] += 1
            general[gold] += 1

    def solve(item: AuditItem) -> Choice:
        tally = tallies.get(cue(item), general)
        if item.is_set:
            ranked = (_meant(labels, item, gold) for gold, _ in tally.most_common())
            return next((meant for meant in ranked if meant), ())
        counts = [tally.get(own, 0) for own in labels(item)]
        best = max(counts)
        return [position for position, count in enumerate(counts) if count == best]

    most = general.most_common(1)
    return Found(solve, f"most often {_in_words(most[0][0])}" if most else "none is named")


def most_frequent_gold(items: Sequence[AuditItem]) -> Found:
    """The text, or the set of texts, that is gold most often."""
    return _most_frequent(_texts, lambda _: None, items)


def same_set(items: Sequence[AuditItem]) -> Found:
    """The set of letters that is gold most often."""
    return _most_frequent(_letters, lambda _: None, items)


def turn_in_option(items: Sequence[AuditItem]) -> Found:
    """The turn number that is gold most often."""
    return _most_frequent(_turns, lambda _: None, items)


def turn_asked_about(items: Sequence[AuditItem]) -> Found:
    """The most frequent gold when that turn is asked about: text, letter, or distance to the turn that is offered.

    It is the one that the question names, or else the item's own, such as how much of a dialogue it is about.
    """
    if all(item.turn is None for item in items):
        return Found(lambda item: (), "none is named")
    found = {
        "text by turn": _most_frequent(_texts, lambda item: item.turn, items),
        "letter by turn": _most_frequent(_letters, lambda item: item.turn, items),
        "distance from the turn": _most_frequent(_distances, lambda _: None, items),
    }
    name = max(found, key=lambda one: sum(item.score(found[one].solve(item)) for item in items))
    return Found(found[name].solve, name)


def group_letter(items: Sequence[AuditItem]) -> Found:
    """The letter, or the set of letters, that is gold most often in the item's group."""
    return _most_frequent(_letters, lambda item: item.group, items)


def best_constant(items: Sequence[AuditItem]) -> float | None:
    """The share of these items with the most frequent gold set, by letters or by texts; None of none."""
    if not items:
        return None
    most = (Counter(_gold(labels, item) for item in items).most_common(1)[0][1] for labels in (_letters, _texts))
    return max(most) / len(items)


# -- keywords --------------------------------------------------------------------------------------------------------


def keyword_in_question(items: Sequence[AuditItem]) -> Found:
    """The one word whose presence tells most of the golds, by letter or by text: one if it is there, one if not."""
    found = [_distinctive_word(_letters, items), _distinctive_word(_texts, items)]
    return max(found, key=lambda one: one.right)


def _distinctive_word(labels: Labels, items: Sequence[AuditItem]) -> Found:
    golds = [_gold(labels, item) for item in items]
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
        return _meant(labels, item, there if best in item.question_words else absent)

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
    with_it: dict[str, float] = defaultdict(float)
    without: dict[str, float] = defaultdict(float)
    support: Counter[str] = Counter()
    for item in items:
        support.update(item.worth_of_words.keys())
        for word, worth in item.worth_of_words.items():
            if worth is not None:
                with_it[word] += worth[0]
                without[word] += worth[1]
    gains = {
        (word, wanted): gained[word]
        for word in with_it
        if support[word] >= _SUPPORT
        for wanted, gained in ((True, with_it), (False, without))
    }
    if not gains:
        return Found(lambda item: (), "no word helps")
    word, wanted = max(gains, key=lambda rule: gains[rule])
    return Found(
        lambda item: _having(item, word, wanted),
        f"{'with' if wanted else 'without'} {printable(word)!r}",
        sum(item.chance for item in items) + gains[word, wanted],
    )


def _having(item: AuditItem, word: str, wanted: bool) -> Choice:
    found = [position for position, words in enumerate(item.option_words) if (word in words) is wanted]
    return found if len(found) < len(item.options) else ()


LEARNERS: dict[str, Callable[[Sequence[AuditItem]], Found]] = {
    "keyword in the question": keyword_in_question,
    "keyword in the option": keyword_in_option,
    "most frequent gold text": most_frequent_gold,
    "turn number in the option": turn_in_option,
    "turn asked about": turn_asked_about,
}
