"""Generated sets of persuasion and recommendation against their bars: a row each; exit status 1 where one is missed.

    python benchmarks/generated_bars.py persuasivetom
    python benchmarks/generated_bars.py rectom --kills 10

200 dialogues are made with seed 0: once, with worker processes, and killed and started again so many times; all three
have to be the same. What never reads the conversation is held against guessing or, for sets, the most frequent set. Of
persuasion, what repeats is counted, and what a table of phrases answers that was made from every other dialogue: it
knows of up to four words in a row which answer they mostly went with, and nothing of the lines before.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice, pairwise
from pathlib import Path

from bars import Row, Run, blind_rules, exactly, kill_often, run, same_bytes, show, within

from dtomtrack.audit import audit_items
from dtomtrack.items.item import Item
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.recommendation.clauses import RecommendationRole
from dtomtrack.scenarios.recommendation.habits import move_of
from dtomtrack.suites.items.records import CONTEXTS, ContextRecord
from dtomtrack.suites.rectom.generation.states import STATES, StateRecord
from dtomtrack.suites.registry import suite_of

N = 200
REPEATED = {60: 40, N: 70}
"""So many dialogues are read for what repeats, and so much of it may, in percent."""
BY_PHRASES = {"belief_er": (1, 50), "desire_ee": (1, 75), "belief_ee": (2, 62), "intention_ee": (1, 78)}
"""By type, how far from the end the line is that tells most, and how much of it, in percent, phrases may answer."""
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+")
MOST_BEHIND = 8


def main() -> int:
    """Make the sets and print the rows."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite", choices=("persuasivetom", "rectom"))
    parser.add_argument("--kills", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        once, workers, killed = (Path(place) / name for name in ("once", "workers", "killed"))
        made = run(*order(given.suite, once))
        run(*order(given.suite, workers), "--engine", "processes", "--workers", 4)
        kill_often(order(given.suite, killed), killed, N, given.kills)
        items = list(suite_of(once).items(once))
        rows = persuasion(once, items) if given.suite == "persuasivetom" else recommendation(once, items)
        return show(
            [
                *filled(made, once, items),
                *rows,
                exactly("same bytes with 4 workers", same_bytes(once, workers), True),
                exactly(f"same bytes after {given.kills} kills", same_bytes(once, killed), True),
                within("seconds of processor time", made.seconds, high=10 if given.suite == "persuasivetom" else 15),
            ]
        )


def order(suite: str, out: Path) -> list[object]:
    """The command that makes a set."""
    return ["generate", "--suite", suite, "--n", N, "--seed", 0, "--out", out, "--quiet"]


def filled(made: Run, out: Path, items: Sequence[Item]) -> Iterator[Row]:
    """Whether all is there, of every type enough."""
    kept = Manifest.model_validate_json((out / "manifest.json").read_bytes()).counts.dialogues
    yield exactly("dialogues kept; exit status", (kept, made.status), (N, 0))
    by_type = Counter(item.groups["type"] for item in items)
    few = 400 if len(by_type) == 8 else 300
    yield within(f"items of the smallest of {len(by_type)} types", min(by_type.values()), few)


# -- persuasion ------------------------------------------------------------------------------------------------------


def persuasion(out: Path, items: Sequence[Item]) -> Iterator[Row]:
    """The rows of persuasion."""
    yield exactly("types", len({item.groups["type"] for item in items}), 8)
    changes: Counter[tuple[str, ...]] = Counter()
    for one in by_dialogue(item for item in items if item.groups["type"] == "desire_ee").values():
        golds = [text for item in sorted(one, key=turn_of) for text in gold_texts(item)]
        changes.update(pair for pair in pairwise(golds) if pair[0] != pair[1])
    shares = [100 * count / changes.total() for count in changes.values()]
    yield exactly("kinds of changes of desire", len(shares), 6)
    yield within("the rarest kind, %", min(shares), low=12)
    yield within("the most frequent kind, %", max(shares), high=21)
    yield blind_rules("best rule without the conversation, points over chance", audit_items(items), 7)
    for first, most in REPEATED.items():
        yield within(f"sentences of {first} dialogues that come again, %", repeated(out, first), high=most)
    for kind, (behind, most) in BY_PHRASES.items():
        share = by_phrases([item for item in items if item.groups["type"] == kind], behind)
        yield within(f"{kind} by a table of phrases of one line, %", share, high=most)
    yield within("desire_er about a goal of the same context, %", same_context(items), low=100)


def repeated(out: Path, first: int) -> float:
    """How many of the sentences of the first dialogues, in percent, stand in them more than once."""
    said = [line.text for one in islice(read_lines(out / CONTEXTS, ContextRecord), first) for line in one.lines]
    counts = Counter(sentence for line in said for sentence in SENTENCE_END.split(line))
    return 100 * sum(count for count in counts.values() if count > 1) / counts.total()


def by_phrases(items: Sequence[Item], behind: int) -> float:
    """How often, in percent, the option is right that some words of the line that far from the end tell best."""
    place = {name: number for number, name in enumerate(dict.fromkeys(item.cluster for item in items))}
    told, offered = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for item in (one for one in items if place[one.cluster] % 2):
        for phrase in phrases_of(item, behind):
            offered.update((phrase, option) for option in item.options)
            told.update((phrase, option) for option in gold_texts(item))
    tried = [item for item in items if place[item.cluster] % 2 == 0]
    right = 0
    for item in tried:
        keys = {option: [(phrase, option) for phrase in phrases_of(item, behind)] for option in item.options}
        least = 1 / len(item.options)
        shares = [max((told[one] + least) / (offered[one] + 1) for one in keys[option]) for option in item.options]
        right += item.options[shares.index(max(shares))] in gold_texts(item)
    return 100 * right / len(tried)


def phrases_of(item: Item, behind: int) -> set[str]:
    """Up to four words in a row of a line."""
    words = re.findall(r"[\w'-]+", item.context.lines[-behind].text.lower()) if item.context is not None else []
    return {" ".join(words[at : at + size]) for size in range(1, 5) for at in range(len(words) - size + 1)}


def same_context(items: Sequence[Item]) -> float:
    """How many of the wrong goals, in percent, are right ones of other dialogues of their domain."""
    asked = [item for item in items if item.groups["type"] == "desire_er"]
    goals = {(item.groups["domain"], goal_of(item)) for item in asked if gold_texts(item) == ["Yes"]}
    wrong = [item for item in asked if gold_texts(item) == ["No"]]
    return 100 * sum((item.groups["domain"], goal_of(item)) in goals for item in wrong) / len(wrong)


def goal_of(item: Item) -> str:
    """The goal that is asked about: what stands behind the two names."""
    return item.question.partition(" trying to get ")[2].partition(" to ")[2]


def by_dialogue(items: Iterator[Item]) -> dict[str, list[Item]]:
    """Items by their dialogue."""
    found: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        found[item.cluster].append(item)
    return found


def turn_of(item: Item) -> int:
    """The turn that an item is about."""
    return item.turn or 0


def gold_texts(item: Item) -> list[str]:
    """The texts of the right options."""
    return [item.options[position] for position in sorted(item.gold)]


# -- recommendation --------------------------------------------------------------------------------------------------


def recommendation(out: Path, items: Sequence[Item]) -> Iterator[Row]:
    """The rows of recommendation."""
    by_type = defaultdict(list)
    for item in items:
        by_type[item.groups["type"]].append(item)
    yield exactly("types", len(by_type), 10)
    sizes = {len(item.gold) for item in items if item.select == "any"}
    yield exactly("sizes of right sets", sorted(sizes), [1, 2, 3, 4])
    for kind in (kind for kind in by_type if kind.startswith(("fine", "coarse"))):
        sets = Counter(frozenset(labels_of(item)) for item in by_type[kind])
        share = 100 * max(sets.values()) / len(by_type[kind])
        yield within(f"most frequent set of {kind}, %", share, high=15 if kind.startswith("fine") else 25)
    yield blind_rules("best rule without the dialogue, points over guessing or one set", audit_items(items), 10)
    labels = labels_said(out)
    for kind in ("prediction_rec", "prediction_seeker"):
        yield from by_the_clock(kind, by_type[kind], labels)
    yield within("best map of belief to desire, %", best_map(by_type["belief"], by_type["desire"]), high=85)
    yield from judged([*by_type["judgement_rec"], *by_type["judgement_seeker"]])


def labels_said(out: Path) -> dict[str, list[frozenset[str]]]:
    """By dialogue, the coarse labels of its lines, the seeker's first."""
    found = {}
    for record in read_lines(out / STATES, StateRecord):
        roles: Iterator[RecommendationRole] = cycle(("seeker", "recommender"))
        moves = [{move_of(role, one) for one in line.labels} for role, line in zip(roles, record.lines, strict=False)]
        found[record.id] = list(map(frozenset, moves))
    return found


def by_the_clock(kind: str, items: Sequence[Item], said: Mapping[str, Sequence[frozenset[str]]]) -> Iterator[Row]:
    """The best of the rules that answer with the labels of some line before, over the most frequent set."""
    golds = [frozenset(labels_of(item)) for item in items]
    expected = 100 * Counter(golds).most_common(1)[0][1] / len(items)
    shares = {}
    for behind in range(1, MOST_BEHIND + 1):
        places = [turn_of(item) - behind for item in items]
        right = [
            place >= 0 and said[item.cluster][place] == gold
            for item, gold, place in zip(items, golds, places, strict=True)
        ]
        shares[behind] = 100 * sum(right) / len(items) - expected
    best = max(shares, key=lambda one: shares[one])
    yield within(f"labels of {best} lines before, points over one set: {kind}", shares[best], high=10)


def labels_of(item: Item) -> list[str]:
    """The labels of the right options."""
    return [item.roles[position] for position in item.gold]


def best_map(beliefs: Sequence[Item], desires: Sequence[Item]) -> float:
    """How often, in percent, the desire is the one that is most frequent with the belief on the same thing."""
    wanted = {item.joint["movie"]: gold_texts(item)[0] for item in desires}
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for item in beliefs:
        if item.joint["movie"] in wanted:
            told[labels_of(item)[0]][wanted[item.joint["movie"]]] += 1
    every = sum(counts.total() for counts in told.values())
    return 100 * sum(max(counts.values()) for counts in told.values()) / every


def judged(items: Sequence[Item]) -> Iterator[Row]:
    """How often yes is right, by strategy."""
    shares: dict[str, list[bool]] = defaultdict(list)
    for item in items:
        shares[item.groups["strategy"]].append(gold_texts(item) == ["yes"])
    for strategy, yes in sorted(shares.items()):
        yield within(f"yes is right of {strategy} ({len(yes)}), %", 100 * sum(yes) / len(yes), 48, 52)


if __name__ == "__main__":
    sys.exit(main())
