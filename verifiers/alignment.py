"""Changes of mind that were found, aligned with those that were planned (paper, "Update Verification")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dtomtrack.beliefs.dialogue import DetectedUpdate, UpdateVerification
from dtomtrack.beliefs.scenario import PlannedUpdate

__all__ = ["align"]


def align(
    detected: Sequence[DetectedUpdate], planned: Iterable[PlannedUpdate], *, marked: bool = False
) -> UpdateVerification:
    """Precision, recall and F1 over changes of mind.

    A planned update is found if its agent, at its turn, changes from its old to its new state.

    Args:
        marked: one that is planned with a marker counts as found only where one signals it.
    """
    planned = tuple(planned)
    seen = {(one.turn, one.agent, one.topic, one.old, one.new): one.marker for one in detected}
    missing = tuple(update for update in planned if not _found(update, seen, marked=marked))
    hits = len(planned) - len(missing)
    precision = hits / len(detected) if detected else float(not planned)
    recall = hits / len(planned) if planned else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return UpdateVerification(
        detected=tuple(detected),
        missing=missing,
        precision=round(precision, 4),
        recall=round(recall, 4),
        f1=round(f1, 4),
    )


def _found(
    update: PlannedUpdate,
    seen: Mapping[tuple[int, str, str | None, str | None, str | None], str | None],
    *,
    marked: bool,
) -> bool:
    key = (update.turn, update.agent, update.topic, update.old, update.new)
    return key in seen and (not marked or update.marker is None or seen[key] is not None)
