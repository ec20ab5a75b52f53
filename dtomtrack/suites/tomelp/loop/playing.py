"""One conversation of the closed loop, through the workflow that RhetBench's episodes go through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dtomtrack.graphs.persuasion import Encounter, Persuader, meet
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.scenarios.route.pack import RoutePack
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.scenarios.route.terms import Variant
from dtomtrack.suites.tomelp.loop.giving import Giving, somebody_else, true_states
from dtomtrack.suites.tomelp.loop.listener import ElmListener, ListenerMemory, ListenerSetting
from dtomtrack.suites.tomelp.loop.records import LoopEpisode, LoopFlag, LoopInference, LoopTurn

__all__ = ["Setting", "briefing_of", "play_loop"]


@dataclass(frozen=True)
class Setting:
    """Everything that a conversation depends on, beside the persuader.

    Attributes:
        state: the first state of the scene: its last line opens the conversation.
        need: for cognition, of the listener; ``start``: its attitude before the first turn.
    """

    index: int
    pack: RoutePack
    state: SceneState
    need: float
    start: float
    variant: Variant
    turns: int

    def listener(self) -> ElmListener:
        """Who listens; the same lines whatever the persuader is given."""
        opening = self.state.history[-1].text
        seed = f"{self.state.id}/{self.need}"
        setting = ListenerSetting(self.need, self.state.concern or "", opening, self.start, seed)
        return ElmListener(self.pack, setting, self.turns)

    def giving(self, elsewhere: SceneState | None) -> Giving | None:
        """The states that the persuader is given; those of another scene for shuffled."""
        if self.variant == "no_tom":
            return None
        if elsewhere is not None:
            return somebody_else(elsewhere, self.need)
        return true_states(self.pack, self.need, self.pack.concern(self.state.concern or ""))


def briefing_of(setting: Setting) -> Briefing:
    """The facts that are public: nothing of need for cognition, attitude or states."""
    pack, history = setting.pack, setting.state.history
    said = " ".join(line.text for line in history if line.role == "persuader")
    return Briefing(
        name=setting.state.name_of("persuadee"),
        role=pack.roles.persuadee,
        topic=pack.title,
        position=pack.suggestion,
        context=f'{pack.setting} You have said: "{said}"',
        opening=history[-1].text,
    )


@runtime_checkable
class Inferring(Protocol):
    """A persuader who works states out before each message."""

    @property
    def inferred(self) -> Sequence[LoopInference]:
        """The inferences so far; none where it makes none."""
        ...


@runtime_checkable
class Flagging(Protocol):
    """A persuader whose messages come from replies with which something may be wrong."""

    @property
    def flags(self) -> Sequence[LoopFlag | None]:
        """What was wrong with the reply that each message is, if anything."""
        ...


async def play_loop(setting: Setting, persuader: Persuader) -> LoopEpisode:
    """Play it to its end. A call that fails is raised: a failed call is no turn, and no conversation either."""
    memory = await meet(Encounter(persuader, setting.listener()), briefing_of(setting), setting.turns)
    if not isinstance(memory, ListenerMemory):
        raise TypeError(f"the listener keeps {type(memory).__name__} in mind")
    return LoopEpisode(
        index=setting.index,
        scene=setting.state.scene,
        state=setting.state.id,
        topic=setting.state.topic,
        need=setting.need,
        variant=setting.variant,
        start=setting.start,
        turns=_with_flags(_with_inferences(memory.turns, persuader), persuader),
        agreed=memory.agreed,
    )


def _with_inferences(turns: tuple[LoopTurn, ...], persuader: Persuader) -> tuple[LoopTurn, ...]:
    inferred = persuader.inferred if isinstance(persuader, Inferring) else ()
    if not inferred:
        return turns
    return tuple(turn.model_copy(update={"inferred": own}) for turn, own in zip(turns, inferred, strict=True))


def _with_flags(turns: tuple[LoopTurn, ...], persuader: Persuader) -> tuple[LoopTurn, ...]:
    if not isinstance(persuader, Flagging):
        return turns
    return tuple(turn.model_copy(update={"flag": own}) for turn, own in zip(turns, persuader.flags, strict=True))
