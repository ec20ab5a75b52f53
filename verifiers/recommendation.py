"""Whether an utterance does what it was meant to do, and nothing else."""

from __future__ import annotations

from collections.abc import Set

from dtomtrack.verifiers.verdicts import ACCEPTED, Verdict

__all__ = ["labels_verdict"]


def labels_verdict(meant: Set[str], heard: Set[str] | None) -> Verdict:
    """A verdict on a line from the labels that it was to have and those that a listener hears in it.

    Args:
        heard: None where a part of the line can't be understood.
    """
    if heard is None:
        return Verdict("reject", reason="a part of the line says nothing that is known")
    if meant == heard:
        return ACCEPTED
    missing, more = (", ".join(sorted(one)) for one in (meant - heard, heard - meant))
    parts = [f"lacks {missing}"] * bool(missing) + [f"also says {more}"] * bool(more)
    return Verdict("reject", reason=f"the line {' and '.join(parts)}")
