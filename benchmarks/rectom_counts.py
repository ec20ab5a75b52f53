"""What is in RecToM's published files, and how far one gets without a mind to read: a folder, and its figures.

    python benchmarks/rectom_counts.py FOLDER [--iard FILE] [--ask]

FOLDER is a clone of CGCL-codes/RecToM or its ``data`` folder, FILE is IARD's umap2020_IARD_Cai.json. It counts items,
labels, gold sizes and oddities, compares golds with IARD's labels and fine ones with coarse ones, and tries rules that
never understand a dialogue, with 95 % intervals clustered by dialogue. "In sample" is what a rule gets on the items
that it is made from; all others are tried on dialogues that they were not made from. At the end stand the bars; exit
status 1 where one is missed. With ``--ask``, stand-ins on loopback answer all items, too.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path

from bars import Row, show
from rectom_bars import answer_bars, audit_bars, count_bars, import_bars, rule_bars

from dtomtrack.evaluation.records import Interval
from dtomtrack.evaluation.statistics import share
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.published.folder import find_files
from dtomtrack.suites.rectom.importing import PublishedRectom, published_rectom
from dtomtrack.suites.rectom.items import STRATEGY
from dtomtrack.suites.rectom.learnt_utterance import learnt_utterance
from dtomtrack.suites.rectom.suite import SUITE

FOLDS = 5


def main() -> int:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--iard", type=Path)
    parser.add_argument("--ask", action="store_true", help="have stand-ins answer all items, some minutes")
    given = parser.parse_args()
    read = published_rectom(given.folder, find_files(given.folder, SUITE.known_files), "as-published", given.iard)
    items = [one for one in read.read() if isinstance(one, Item)]
    show_counts(read, items)
    print("\nRules, exact set, percent:")
    percent = {}
    for kind, own in by_type(items).items():
        for name, right in rules(own):
            interval = share(right)
            percent[kind, name] = 100 * (interval.value or 0.0)
            print(f"  {kind:32} {name:28} {told(interval)}", flush=True)
    with tempfile.TemporaryDirectory() as place:
        rows = bars(given.folder, Path(place), read, items, percent)
        return show([*rows, *(answer_bars(Path(place) / "first") if given.ask else ())])


def bars(
    folder: Path, out: Path, read: PublishedRectom, items: Sequence[Item], percent: Mapping[tuple[str, str], float]
) -> Iterator[Row]:
    """The rows of all bars that need no model; ``percent`` is what rules get, by type and rule."""
    yield from import_bars(folder, out)
    yield from count_bars(read, items)
    yield from rule_bars(percent)
    yield from audit_bars(folder, out, items)


def show_counts(read: PublishedRectom, items: Sequence[Item]) -> None:
    """Print what there is."""
    config = read.config()
    print(f"{len(read.release.dialogues)} dialogues, {config['lines']:,} lines, {len(items):,} items")
    for kind, own in by_type(items).items():
        sizes = Counter(len(item.gold) for item in own)
        labels = Counter(label_of(item, position) for item in own for position in item.gold)
        told_labels = ", ".join(f"{label} {count:,}" for label, count in labels.most_common())
        print(f"  {kind:32} {len(own):6,}  gold sizes {dict(sorted(sizes.items()))}  {told_labels}")
    problems, notes = config["problems"], config["notes"]
    for problem in problems if isinstance(problems, list) else ():
        if isinstance(problem, dict):
            print(f"problem: {problem['kind']}: {problem['count']:,}")
    for note in notes if isinstance(notes, list) else ():
        print(f"note: {note}")
    for kind, own in by_type(items).items():
        if kind.startswith("fine"):
            show_coarse(kind, own, items)


def label_of(item: Item, position: int) -> str:
    """The label of an option, or its text where it has none."""
    return item.roles[position] if item.roles else item.options[position]


def show_coarse(kind: str, own: Sequence[Item], items: Sequence[Item]) -> None:
    """Print how many fine golds, mapped, are the coarse golds of the same utterance."""
    coarse_kind = kind.replace("fine", "coarse").removesuffix("_rebuilt")
    coarse = {item.joint["intention"]: item for item in items if item.groups["type"] == coarse_kind}
    pairs = [
        (item, coarse[item.joint["intention"]]) for item in own if item.roles and item.joint["intention"] in coarse
    ]
    alike = sum(
        {fine.roles[one].partition(": ")[0] for one in fine.gold} == {other.roles[one] for one in other.gold}
        for fine, other in pairs
    )
    print(f"fine to coarse: {kind}: {alike:,} of {len(pairs):,}")


def by_type(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Items by type, in their order."""
    found: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        found[item.groups["type"]].append(item)
    return found


def seen_of(item: Item) -> int:
    """How many lines an item shows."""
    return 0 if item.context is None else len(item.context.lines)


Right = Iterator[tuple[int, bool]]


def rules(items: Sequence[Item]) -> Iterator[tuple[str, list[tuple[int, bool]]]]:
    """The rules on items of one type: their names, and by item its dialogue's number and whether the rule is right."""
    dialogues = {name: number for number, name in enumerate(dict.fromkeys(item.cluster for item in items))}
    most = Counter(item.gold for item in items).most_common(1)[0][0]
    yield "modal set (in sample)", [(dialogues[item.cluster], item.gold == most) for item in items]
    best: dict[Hashable, Counter[frozenset[int]]] = defaultdict(Counter)
    for item in items:
        best[seen_of(item)][item.gold] += 1
    by_position = [item.gold == best[seen_of(item)].most_common(1)[0][0] for item in items]
    yield (
        "set by position (in sample)",
        list(zip((dialogues[item.cluster] for item in items), by_position, strict=True)),
    )
    cues: dict[str, Callable[[Item], Hashable]] = {"set by position": seen_of}
    if STRATEGY in items[0].groups:
        cues["strategy alone"] = lambda item: item.groups[STRATEGY]
    for name, cue in cues.items():
        yield name, list(right_by_cue(items, cue, dialogues))
    rule = learnt_utterance(lambda: items)
    yield "learnt utterance", [(dialogues[item.cluster], rule(PresentedItem(item)) == item.gold) for item in items]


def right_by_cue(items: Sequence[Item], cue: Callable[[Item], Hashable], dialogues: dict[str, int]) -> Right:
    """Whether the set that is gold most often with the item's cue, in other dialogues, is the gold."""
    for fold in range(FOLDS):
        train = [item for item in items if dialogues[item.cluster] % FOLDS != fold]
        tallies: dict[Hashable, Counter[frozenset[int]]] = defaultdict(Counter)
        for item in train:
            tallies[cue(item)][item.gold] += 1
        general = Counter(item.gold for item in train).most_common(1)
        for item in items:
            if dialogues[item.cluster] % FOLDS == fold:
                best = (tallies[cue(item)].most_common(1) if cue(item) in tallies else []) or general
                yield dialogues[item.cluster], bool(best) and best[0][0] == item.gold


def told(interval: Interval) -> str:
    """A share with its interval, in percent."""
    value, low, high = (100 * (one or 0.0) for one in (interval.value, interval.low, interval.high))
    return f"{value:6.2f}  [{low:.1f}, {high:.1f}]"


if __name__ == "__main__":
    sys.exit(main())
