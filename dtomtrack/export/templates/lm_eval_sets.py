"""Scores items of which several options may be right: the whole set has to be. Replies are read as dtomtrack does.

Letters can't be compared by their likelihood there, and no setting of the harness compares sets: hence this function.
"""

from typing import Any

from dtomtrack.items.replies import read_answers


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """Whether a reply names exactly the right options, and whether it can't be read."""
    picked = read_answers(results[0], dict(zip(doc["letters"], doc["options"], strict=True)))
    return {"acc": float(picked == frozenset(doc["gold"])), "unparsed": float(picked is None)}
