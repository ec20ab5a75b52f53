"""What follows from the numbers that ToMELP prints in Table 2: python benchmarks/tomelp_printed.py"""

from __future__ import annotations

import sys

from dtomtrack.suites.tomelp.printed import (
    NO_TOM,
    TOM_AWARE,
    changes,
    correlation_of,
    least_self_contradiction,
    most_substitution,
    null_retention,
)

FIGURES = ("attitude", "route_fit", "predicted", "evidence", "alignment", "robust")


def main() -> int:
    """Print it."""
    for name in FIGURES:
        change = changes(lambda row, name=name: float(getattr(row, name)))  # type: ignore[misc]
        print(f"mean change, {name:<10} {change.mean:+.3f}  up {change.up}, down {change.down}")
    strategy = correlation_of(NO_TOM, lambda row: row.persona_tom, lambda row: row.strategy)
    print(f"r(P-ToM, strategy accuracy) {strategy:.2f}")
    for variant, rows in (("no_tom", NO_TOM), ("tom_aware", TOM_AWARE)):
        related = correlation_of(rows, lambda row: row.attitude, lambda row: row.evidence)
        print(f"r(attitude, evidence), {variant} {related:.2f}")
        for name, row in rows.items():
            low, high = null_retention(row.attitude)
            print(
                f"{variant:<10}{name:<16} self-contradiction >= {least_self_contradiction(row):.2f}  "
                f"substitution <= {most_substitution(row):.2f}  retention {row.robust:.2f}, "
                f"of a mere redraw {low:.2f} to {high:.2f}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
