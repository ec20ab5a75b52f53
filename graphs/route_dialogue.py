"""The workflow of a scene's dialogue: step by step the persuader tries something, and the persuadee doubts.

suggest ⇄ doubt
"""

from __future__ import annotations

from dtomtrack.graphs.two_roles import Pair, play_directions, two_roles
from dtomtrack.scenarios.route.model_actors import PersuadeeStep, PersuaderStep, directions
from dtomtrack.scenarios.route.sampler import ScenePlan

__all__ = ["RouteDialogue", "graph", "play_dialogue"]

RouteDialogue = Pair[PersuaderStep, PersuadeeStep]
"""The two actors: the persuader, who speaks first, and the persuadee."""

graph = two_roles("route_dialogue", opens="suggest", replies="doubt")


async def play_dialogue(plan: ScenePlan, actors: RouteDialogue) -> list[str]:
    """The lines of a scene, the persuader's first.

    Raises:
        ReplyError: a line can't be had.
    """
    return await play_directions(graph, actors, *directions(plan))
