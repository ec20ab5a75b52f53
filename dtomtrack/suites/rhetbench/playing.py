"""One episode through the workflow."""

from __future__ import annotations

from dtomtrack.graphs.persuasion import Encounter, Persuader, meet
from dtomtrack.scenarios.persuasion_npc.briefing import briefing_of
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.episode import Episode, EpisodeConfig
from dtomtrack.suites.rhetbench.listening import Character, Memory

__all__ = ["play_episode"]


async def play_episode(
    persuader: Persuader, subject: str, pack: PersuasionPack, config: EpisodeConfig, index: int = 0
) -> Episode:
    """Play it to its end. A call that fails is raised: a failed call is no turn, and no episode either."""
    memory = await meet(Encounter(persuader, Character(pack, config)), briefing_of(pack, config.cue), config.turns)
    if not isinstance(memory, Memory):
        raise TypeError(f"the character keeps {type(memory).__name__} in mind")
    return Episode(
        index=index,
        subject=subject,
        config=config,
        turns=memory.turns,
        won=memory.won,
        walked_out=memory.walked_out,
    )
