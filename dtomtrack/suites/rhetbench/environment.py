"""Characters as Gymnasium environments (extra ``gym``): an action is a class of argument, or a message.

    env = gymnasium.make("dtomtrack.suites.rhetbench.environment:RhetBenchTypes-v1", scenarios="core")

The reward of a turn is how far it moved the character's agreement; agreement and rapport themselves are shown nowhere.
Over when the character is won over or walks out; cut off after so many turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, TypeAlias, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils import create_shared_memory
from numpy.typing import NDArray

from dtomtrack.errors import InputError
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, Tone
from dtomtrack.scenarios.persuasion_npc.briefing import briefing_of
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.suites.rhetbench.episode import EpisodeConfig
from dtomtrack.suites.rhetbench.listening import Character, Memory
from dtomtrack.suites.rhetbench.npc import TURN_LIMIT, MindState, opening_state, step
from dtomtrack.suites.rhetbench.planning import PlayConfig, config_for
from dtomtrack.suites.rhetbench.random_minds import mind_of
from dtomtrack.suites.rhetbench.rules import load_rules

__all__ = ["RhetBenchText", "RhetBenchTypes", "SpokenText"]

TypesObservation: TypeAlias = dict[str, NDArray[np.int64] | np.int64]
TextObservation: TypeAlias = dict[str, str | np.int64]
_RANK = {Tone.RESISTANT: 1, Tone.NEUTRAL: 2, Tone.POSITIVE: 3}
"""0 where nothing was heard."""
_LONGEST = 100_000
_SEEDS = 2**31


class SpokenText(spaces.Text):
    """Any text: Gymnasium's own knows but the characters that it is given, and not the space."""

    def __init__(self) -> None:
        super().__init__(max_length=300, charset="abcdefghijklmnopqrstuvwxyz ,.?'")

    def contains(self, x: Any) -> bool:
        """Whether it is a text; long messages are cut by who hears them."""
        return isinstance(x, str) and len(x) <= _LONGEST


@create_shared_memory.register(SpokenText)
def _no_shared_memory(space: SpokenText, n: int = 1, ctx: Any = None) -> NoReturn:
    """Gymnasium reads texts from shared memory once, before there are any; it tells how to do without."""
    raise CustomSpaceError("texts can't be in shared memory; give shared_memory=False")


class _Packs:
    """The characters that an environment draws from."""

    def __init__(self, scenarios: str | Sequence[PersuasionPack]) -> None:
        names = scenarios.split(",") if isinstance(scenarios, str) else ()
        given = find_packs([name.strip() for name in names]) if isinstance(scenarios, str) else scenarios
        self._packs: list[PersuasionPack] = list(given)
        if not self._packs:
            raise InputError("no scenario is given; core is the 23 of the suite")

    def draw(self, rng: np.random.Generator, options: dict[str, Any] | None) -> PersuasionPack:
        """A character, or the one that the option ``scenario`` names."""
        name = (options or {}).get("scenario")
        if name is None:
            return self._packs[int(rng.integers(len(self._packs)))]
        found = next((pack for pack in self._packs if pack.id == name), None)
        if found is None:
            raise InputError(f"no scenario {str(name)[:80]!r} in this environment")
        return found


class RhetBenchTypes(gymnasium.Env[TypesObservation, np.int64]):
    """Actions are the six classes of argument, in the order of `APPEALS`.

    Observations: ``heard``, for each class the latest tone that it drew (0 none yet, 1 resistant, 2 neutral,
    3 positive), and ``turns_left``.

    Args:
        scenarios: as on the command line ("core", "fresh:100:1"), or packs.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  as Gymnasium has it

    def __init__(
        self,
        scenarios: str | Sequence[PersuasionPack] = "core",
        rules: str = "dtomtrack",
        turns: int = TURN_LIMIT,
        render_mode: str | None = None,
    ) -> None:
        self._packs = _Packs(scenarios)
        PlayConfig(turns=turns).check()
        self._rules = load_rules(rules)
        self._turns = turns
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(len(APPEALS))
        self.observation_space = cast(
            "spaces.Space[TypesObservation]",
            spaces.Dict(
                {
                    "heard": spaces.MultiDiscrete([len(_RANK) + 1] * len(APPEALS)),
                    "turns_left": spaces.Discrete(turns + 1),
                }
            ),
        )
        self._mind = mind_of(self._packs.draw(np.random.default_rng(0), None).mind)
        self._state: MindState | None = None
        self._heard = np.zeros(len(APPEALS), dtype=np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[TypesObservation, dict[str, Any]]:
        """Meet a character; ``options={"scenario": ID}`` says which."""
        super().reset(seed=seed)
        pack = self._packs.draw(self.np_random, options)
        self._mind = mind_of(pack.mind)
        self._state = opening_state(self._mind)
        self._heard = np.zeros(len(APPEALS), dtype=np.int64)
        return self._observation(self._state), {"scenario": pack.id}

    def step(self, action: np.int64) -> tuple[TypesObservation, float, bool, bool, dict[str, Any]]:
        """Argue once.

        Raises:
            InputError: the action is none, or nobody is there.
        """
        if self._state is None:
            raise InputError("nobody is there to persuade: call reset first")
        if not self.action_space.contains(action):
            raise InputError(f"action {action!r} is outside of the action space, 0 to {len(APPEALS) - 1}")
        outcome = step(self._rules, self._mind, self._state, APPEALS[int(action)])
        self._state = outcome.state
        self._heard = self._heard.copy()
        self._heard[int(action)] = _RANK[outcome.tone]
        truncated = not outcome.over and outcome.state.turn >= self._turns
        info = {"won": outcome.won, "walked_out": outcome.walked_out, "tone": str(outcome.tone)}
        return self._observation(outcome.state), outcome.delta, outcome.over, truncated, info

    def _observation(self, state: MindState) -> TypesObservation:
        return {"heard": self._heard, "turns_left": np.int64(max(0, self._turns - state.turn))}


class RhetBenchText(gymnasium.Env[TextObservation, str]):
    """Actions are messages; observations: ``briefing`` (who, what, what is known), ``reply`` and ``turns_left``.

    Several at once in processes of their own take ``gymnasium.make_vec(..., vectorization_mode="async",
    vector_kwargs={"shared_memory": False})``.

    Args:
        scenarios: as on the command line ("core", "fresh:100:1"), or packs.
        play: rules, cue, legibility, turns and drift, as of a run.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  as Gymnasium has it

    def __init__(
        self,
        scenarios: str | Sequence[PersuasionPack] = "core",
        play: PlayConfig | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._packs = _Packs(scenarios)
        self._play = play or PlayConfig()
        self._play.check()
        self.render_mode = render_mode
        self.action_space = SpokenText()
        self.observation_space = cast(
            "spaces.Space[TextObservation]",
            spaces.Dict(
                {
                    "briefing": SpokenText(),
                    "reply": SpokenText(),
                    "turns_left": spaces.Discrete(self._play.turns + 1),
                }
            ),
        )
        self._character: Character | None = None
        self._memory: Memory | None = None
        self._briefing = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[TextObservation, dict[str, Any]]:
        """Meet a character; ``options={"scenario": ID}`` says which."""
        super().reset(seed=seed)
        pack = self._packs.draw(self.np_random, options)
        config: EpisodeConfig = config_for(self._play, pack, 0, int(self.np_random.integers(_SEEDS)))
        briefing = briefing_of(pack, self._play.cue)
        self._character = Character(pack, config)
        self._memory = self._character.opening()
        self._briefing = (
            f"{briefing.name}, {briefing.role}. {briefing.context} Your aim: {briefing.name} comes to agree to "
            f"{briefing.position}."
        )
        return self._observation(briefing.opening, 0), {"scenario": pack.id}

    def step(self, action: str) -> tuple[TextObservation, float, bool, bool, dict[str, Any]]:
        """Say something.

        Raises:
            InputError: the action is no text, or too long a one, or nobody is there.
        """
        if self._character is None or self._memory is None:
            raise InputError("nobody is there to persuade: call reset first")
        if not self.action_space.contains(action):
            raise InputError(f"the action is no text of at most {_LONGEST:,} characters")
        self._memory = self._character.after(self._memory, action)
        turn = self._memory.turns[-1]
        over = self._memory.won or self._memory.walked_out
        info = {"won": self._memory.won, "walked_out": self._memory.walked_out, "heard_as": str(turn.argument)}
        return self._observation(turn.reply, turn.turn), turn.delta, over, self._memory.over and not over, info

    def _observation(self, reply: str, turn: int) -> TextObservation:
        return {"briefing": self._briefing, "reply": reply, "turns_left": np.int64(self._play.turns - turn)}


gymnasium.register(id="RhetBenchTypes-v1", entry_point=f"{__name__}:RhetBenchTypes")
gymnasium.register(id="RhetBenchText-v1", entry_point=f"{__name__}:RhetBenchText")
