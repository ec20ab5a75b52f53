"""The table of rules in README.md: what those get that retrieve, by preset, as `dtomtrack evaluate` counts it.

    python benchmarks/rule_table.py                 paper, group and hard: 200 dialogues of team each, seed 0
    python benchmarks/rule_table.py --domain family --presets group --n 60

Printed is the table itself: accuracy over all questions, in per cent, and what guessing gets; who reads the records is
marked.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bars import run

from dtomtrack.evaluation.records import Metrics
from dtomtrack.evaluation.rules import PREFIX, reads_records
from dtomtrack.runs.names import folder_name

RULES = ("last-before", "last-by-anyone", "first-mention", "most-mentioned", "marker-turn", "best-rule", "actual")
"""Who reads the records stands last: no rival of the others."""

Shares = Mapping[str, float]
"""By rule, and for "chance", per cent of all questions."""


def shares(domain: str, preset: str, n: int, seed: int) -> Shares:
    """What each rule gets of a dataset that is made for the occasion."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / preset
        _done("generate", "--domain", domain, "--difficulty", preset, "--n", n, "--seed", seed, "--out", folder)
        _done("evaluate", folder, *(word for rule in RULES for word in ("-m", f"{PREFIX}{rule}")))
        found = {rule: _metrics(folder / "eval" / folder_name(f"{PREFIX}{rule}")) for rule in RULES}
    accuracies = {rule: 100 * (one.micro.accuracy.value or 0.0) for rule, one in found.items()}
    return accuracies | {"chance": 100 * (found[RULES[0]].micro.chance or 0.0)}


def _metrics(evaluation: Path) -> Metrics:
    return Metrics.model_validate_json((evaluation / "metrics.json").read_text(encoding="utf-8"))


def _done(*arguments: object) -> None:
    ended = run(*arguments, "--quiet")
    if ended.status:
        sys.exit(f"dtomtrack {' '.join(map(str, arguments))}: {ended.output}")


def table(found: Mapping[str, Shares]) -> Iterator[str]:
    """The lines of the table, a column a preset."""
    yield f"| | {' | '.join(f'`{preset}`' for preset in found)} |"
    yield f"|{'---|' * (len(found) + 1)}"
    for rule in (*RULES, "chance"):
        mark = " (reads the records)" if reads_records(f"{PREFIX}{rule}") else ""
        yield f"| `{rule}`{mark} | {' | '.join(f'{own[rule]:.1f}' for own in found.values())} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--domain", default="team")
    options.add_argument("--presets", default="paper,group,hard")
    options.add_argument("--n", type=int, default=200)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args(arguments)
    found = {preset: shares(given.domain, preset, given.n, given.seed) for preset in given.presets.split(",")}
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
