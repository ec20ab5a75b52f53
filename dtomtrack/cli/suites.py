"""``dtomtrack suites``: the benchmarks that datasets can be of."""

from __future__ import annotations

from dtomtrack.cli.output import echo

__all__ = ["EXAMPLES", "command"]

EXAMPLES = "dtomtrack suites"


def command() -> None:
    """List the suites whose datasets can be evaluated, audited, reported and exported."""
    from dtomtrack.suites.registry import suite_named, suite_names

    names = suite_names()
    width = max(map(len, names))
    for name in names:
        echo(f"{name:<{width}}  {suite_named(name).title}")
