"""The counts, changes and artefacts of PersuasiveToM's published files, from a clone of its repository.

    git clone https://github.com/Yu-Fangxu/PersuasiveToM
    python benchmarks/persuasivetom_published.py PersuasiveToM

Prints what was read beside what the paper counts, the faults by kind, the changes of desire, which baselines reach how
much, how far the reported consistency exceeds that of independent errors, and what rules reach that never read the
conversation, on the items as published and in each variant. Everything is computed anew; it takes some minutes. At
the end stand the bars; exit status 1 where one is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bars import Row, show
from persuasivetom_bars import artefact_bars, baseline_bars, change_bars, import_bars

from dtomtrack.audit import Audit, audit_items
from dtomtrack.evaluation.records import Metrics
from dtomtrack.items.item import Item
from dtomtrack.library import evaluate
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.persuasivetom.kinds import KINDS
from dtomtrack.suites.persuasivetom.measures import consistency_name, expected_consistency
from dtomtrack.suites.persuasivetom.paper import reported, reported_accuracy
from dtomtrack.suites.persuasivetom.suite import SUITE
from dtomtrack.suites.published.importing import import_published
from dtomtrack.suites.trajectories.importing import import_trajectories

WORST = 5


def counts(manifest: Manifest, items: Sequence[Item]) -> Iterator[str]:
    """What was read, and what is wrong with it."""
    yield f"{manifest.counts.totals['clusters']} dialogues, {lines_of(items)} lines, {manifest.counts.questions} items"
    for name, kind in KINDS.items():
        yield f"  {name:13} {manifest.counts.groups['type'].get(name, 0):6} (the paper: {kind.paper})"
    for key in ("missing", "problems"):
        told = manifest.config[key]
        for one in told if isinstance(told, list) else ():
            yield f"  missing: {one}" if isinstance(one, str) else f"  {problem(one)}"


def lines_of(items: Sequence[Item]) -> int:
    """How many lines all dialogues have, each as far as any item shows it."""
    return sum(max(len(item.context.lines) for item in own if item.context) for own in by_dialogue(items).values())


def problem(one: object) -> str:
    """A kind of fault and how often it is there."""
    return f"{one['kind']}: {one['count']}" if isinstance(one, Mapping) else str(one)


def by_dialogue(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Items by their dialogue."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.cluster, []).append(item)
    return found


def changes(all_of: Manifest, balanced: Manifest) -> Iterator[str]:
    """The changes of desire, and the temporal questions about them."""
    yield f"changes of desire in {all_of.config['changing']} of {all_of.config['conversations']} dialogues"
    kinds = all_of.config["changes"]
    yield from (f"  {kind}: {count}" for kind, count in kinds.items()) if isinstance(kinds, dict) else ()
    for name, manifest in (("all", all_of), ("balanced", balanced)):
        yield f"{name}: " + ", ".join(f"{kind} {count}" for kind, count in manifest.counts.groups["type"].items())


def baselines(found: Sequence[Metrics]) -> Iterator[str]:
    """Baselines on the persuadee's desire, with whole dialogues."""
    for one in found:
        desire = next(group for group in one.groups["type"] if group.name == "desire_ee")
        whole = one.measure(consistency_name("desire_ee"))
        share = whole.estimate.value if whole is not None else None
        yield f"{one.config.subject}: {desire.accuracy.value:.1%} of desire_ee, {share or 0:.1%} of dialogues whole"


def independence(items: Sequence[Item]) -> Iterator[str]:
    """Reported consistency (Table 6) beside that of independent errors at the reported accuracy (Table 5)."""
    for kind in ("desire_ee", "intention_ee"):
        sizes = list(Counter(item.cluster for item in items if item.groups["type"] == kind).values())
        for model, figures in reported().consistency.items():
            accuracy = reported_accuracy(model, kind)
            if accuracy is not None and sizes:
                expected = 100 * expected_consistency(accuracy, sizes)
                yield f"  {kind} {model}: reported {figures[kind]:.2f}, independent errors {expected:.1f}"


def artefacts(name: str, found: Audit) -> Iterator[str]:
    """The rules that do best without the conversation, by type."""
    every = [row for row in found.rows if not row.reads_context]
    blind = [row for row in every if row.group != "all"] or every
    for group in dict.fromkeys(row.group for row in blind):
        best = sorted((row for row in blind if row.group == group), key=lambda row: -(row.accuracy.value or 0.0))
        for row in best[:WORST]:
            yield f"  {name} {group} ({row.items}): {row.rule} {row.accuracy.value:.1%} (chance {row.chance:.1%})"


def published(folder: Path, place: Path, items: Sequence[Item], manifest: Manifest) -> Iterator[Row]:
    """Print what is in the files as they are published; their bars."""
    whole, balanced = (
        import_trajectories(folder, place / f"when-{balance}", balance=balance) for balance in (False, True)
    )
    found = evaluate(place / "as-published", ["baseline/frequent-gold", "baseline/by-round", "baseline/no-then-yes"])
    parts = (counts(manifest, items), changes(whole, balanced), baselines(found), independence(items))
    print(*(line for part in parts for line in part), sep="\n")
    yield from import_bars(folder, place, lines_of(items))
    yield from baseline_bars(found)
    yield from change_bars(place / "when-True", whole, balanced)


def main() -> int:
    """Print everything about a clone."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folder", type=Path)
    folder = arguments.parse_args().folder
    rows, audits = list[Row](), dict[str, Audit]()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for variant in SUITE.variants:
            manifest = import_published("persuasivetom", folder, place / variant, variant)
            items = list(SUITE.items(place / variant))
            if variant == "as-published":
                rows += published(folder, place, items, manifest)
            audits[variant] = audit_items(items)
            print(f"{variant}: {len(items)} items; rules that never read the conversation:")
            print(*artefacts(variant, audits[variant]), sep="\n", flush=True)
    return show([*rows, *artefact_bars(audits)])


if __name__ == "__main__":
    sys.exit(main())
