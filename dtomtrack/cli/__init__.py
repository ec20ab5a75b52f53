"""The command line.

Worker processes import this package again and need none of it: what is heavy is imported by `main`.
"""

__all__ = ["main"]


def main() -> None:
    """Entry point of the command line."""
    from dtomtrack.cli.main import main as run

    run()
