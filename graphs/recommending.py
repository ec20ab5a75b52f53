"""The workflow of a recommendation dialogue: line by line, one looks for something and the other suggests.

seek ⇄ suggest
"""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.graphs.two_roles import Pair, play_directions, two_roles
from dtomtrack.scenarios.recommendation.clauses import LinePlan

__all__ = ["Session", "graph", "play_session"]

Session = Pair[LinePlan, LinePlan]
"""The two actors: the seeker, who speaks first, and the recommender."""

graph = two_roles("recommending", opens="seek", replies="suggest")


async def play_session(session: Session, directions: Sequence[LinePlan]) -> list[str]:
    """The utterances of all lines, the seeker's first; there are as many of both.

    Raises:
        ReplyError: an utterance can't be had that says what it should.
    """
    return await play_directions(graph, session, directions[::2], directions[1::2])
