"""The command line.

Worker processes import this package again and need none of it: what is heavy is imported by `main`.
"""

import sys

__all__ = ["main"]


def main() -> None:
    """Entry point of the command line."""
    try:
        from dtomtrack.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("dtomtrack: interrupted; the same command goes on where it was\n")
        sys.exit(130)
