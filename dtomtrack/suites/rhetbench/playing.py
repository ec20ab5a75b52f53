"""One episode through the workflow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from dtomtrack.graphs.persuasion import Encounter, Persuader, meet
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.scenarios.persuasion_npc.briefing import briefing_of
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.episode import Episode, EpisodeConfig, Flag, TurnRecord
from dtomtrack.suites.rhetbench.listening import Character, Classifier, Memory, Verbalizer

__all__ = ["play_episode"]


@runtime_checkable
class Declaring(Protocol):
    """A persuader who says of each message which kind it is."""

    @property
    def declared(self) -> Sequence[ArgumentClass | None]:
        """The kinds so far."""
        ...


@runtime_checkable
class Flagging(Protocol):
    """A persuader who says what was wrong with the reply that a message comes from."""

    @property
    def flags(self) -> Sequence[Flag | None]:
        """What it was for each message so far."""
        ...


@runtime_checkable
class Parting(Protocol):
    """A persuader who wants to know how it ended."""

    def part(self, episode: Episode) -> None:
        """Take leave of the character."""
        ...


async def play_episode(
    persuader: Persuader,
    subject: str,
    pack: PersuasionPack,
    config: EpisodeConfig,
    index: int = 0,
    classifier: Classifier | None = None,
    verbalizer: Verbalizer | None = None,
) -> Episode:
    """Play it to its end. A call that fails is raised: a failed call is no turn, and no episode either."""
    character = Character(pack, config, classifier, verbalizer)
    memory = await meet(Encounter(persuader, character), briefing_of(pack, config.cue), config.turns)
    if not isinstance(memory, Memory):
        raise TypeError(f"the character keeps {type(memory).__name__} in mind")
    episode = Episode(
        index=index,
        subject=subject,
        config=config,
        turns=_with_flags(_with_intent(memory.turns, persuader), persuader),
        won=memory.won,
        walked_out=memory.walked_out,
    )
    if isinstance(persuader, Parting):
        persuader.part(episode)
    return episode


def _with_intent(turns: tuple[TurnRecord, ...], persuader: Persuader) -> tuple[TurnRecord, ...]:
    if not isinstance(persuader, Declaring):
        return turns
    return tuple(
        turn.model_copy(update={"meant": meant}) for turn, meant in zip(turns, persuader.declared, strict=True)
    )


def _with_flags(turns: tuple[TurnRecord, ...], persuader: Persuader) -> tuple[TurnRecord, ...]:
    if not isinstance(persuader, Flagging):
        return turns
    return tuple(
        turn if flag is None or flag in turn.flags else turn.model_copy(update={"flags": (*turn.flags, flag)})
        for turn, flag in zip(turns, persuader.flags, strict=True)
    )
