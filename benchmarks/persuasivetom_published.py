"""The counts, changes and artefacts of PersuasiveToM's published files, from a clone of its repository.

    git clone https://github.com/Yu-Fangxu/PersuasiveToM
    python benchmarks/persuasivetom_published.py PersuasiveToM

Prints what was read beside what the paper counts, the faults by kind, the changes of desire, which baselines reach how
much, how far the reported consistency exceeds that of independent errors, and what rules reach that never read the
conversation, on the items as published and in each variant. Everything is computed anew; it takes some minutes.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.audit import Audit, audit_items
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
    lines = sum(max(len(item.context.lines) for item in own if item.context) for own in by_dialogue(items).values())
    yield f"{manifest.counts.totals['clusters']} dialogues, {lines} lines, {manifest.counts.questions} items"
    for name, kind in KINDS.items():
        yield f"  {name:13} {manifest.counts.groups['type'].get(name, 0):6} (the paper: {kind.paper})"
    for key in ("missing", "problems"):
        told = manifest.config[key]
        for one in told if isinstance(told, list) else ():
            yield f"  missing: {one}" if isinstance(one, str) else f"  {problem(one)}"


def problem(one: object) -> str:
    """A kind of fault and how often it is there."""
    return f"{one['kind']}: {one['count']}" if isinstance(one, Mapping) else str(one)


def by_dialogue(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Items by their dialogue."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.cluster, []).append(item)
    return found


def changes(folder: Path, out: Path) -> Iterator[str]:
    """The changes of desire, and the temporal questions about them."""
    for balance in (False, True):
        manifest = import_trajectories(folder, out / f"trajectories-{balance}", balance=balance)
        kinds, types = manifest.config["changes"], manifest.counts.groups["type"]
        if not balance and isinstance(kinds, dict):
            yield f"changes of desire in {manifest.config['changing']} of {manifest.config['conversations']} dialogues"
            yield from (f"  {kind}: {count}" for kind, count in kinds.items())
        yield f"{'balanced' if balance else 'all'}: " + ", ".join(f"{name} {count}" for name, count in types.items())


def baselines(out: Path) -> Iterator[str]:
    """Baselines on the persuadee's desire, with whole dialogues."""
    for one in evaluate(out, ["baseline/frequent-gold", "baseline/by-round", "baseline/no-then-yes"]):
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


def main() -> None:
    """Print everything about a clone."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folder", type=Path)
    folder = arguments.parse_args().folder
    with tempfile.TemporaryDirectory() as place:
        for variant in SUITE.variants:
            out = Path(place) / variant
            manifest = import_published("persuasivetom", folder, out, variant)
            items = list(SUITE.items(out))
            if variant == "as-published":
                parts = (counts(manifest, items), changes(folder, Path(place)), baselines(out), independence(items))
                print(*(line for part in parts for line in part), sep="\n")
            print(f"{variant}: {len(items)} items; rules that never read the conversation:")
            print(*artefacts(variant, audit_items(items)), sep="\n", flush=True)


if __name__ == "__main__":
    main()
