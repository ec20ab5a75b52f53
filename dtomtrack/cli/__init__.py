"""The command line.

Worker processes import this package again and need none of it: what is heavy is imported by `main`.
"""

import sys

from dtomtrack.cli.engine_choice import import_early
from dtomtrack.runs.starting import end_imported

__all__ = ["main"]


def main() -> None:
    """Entry point of the command line."""
    try:
        import_early(sys.argv[1:])
        from dtomtrack.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("dtomtrack: interrupted; the same command goes on where it was\n")
        sys.exit(130)
    finally:
        end_imported()
