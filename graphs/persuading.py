"""The workflow of a persuasive conversation: round by round one argues and the other answers.

argue ⇄ answer
"""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.graphs.two_roles import Pair, play_directions, two_roles
from dtomtrack.scenarios.persuasion.script import PersuadeeDirection, PersuaderDirection

__all__ = ["Conversation", "graph", "play_conversation"]

Conversation = Pair[PersuaderDirection, PersuadeeDirection]
"""The two actors: the persuader, who speaks first, and who is to be persuaded."""

graph = two_roles("persuading", opens="argue", replies="answer")


async def play_conversation(
    conversation: Conversation, arguing: Sequence[PersuaderDirection], answering: Sequence[PersuadeeDirection]
) -> list[str]:
    """The utterances of all rounds, the persuader's first.

    Raises:
        ReplyError: an utterance can't be had that says what it should.
    """
    return await play_directions(graph, conversation, arguing, answering)
