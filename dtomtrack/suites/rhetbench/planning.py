"""Which episodes a run plays: every block of as many as there are scenarios has each of them once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from dtomtrack.options import check_range
from dtomtrack.records import LARGEST_SEED, Record, Text
from dtomtrack.runs.lines import digest
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.briefing import Cue
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.episode import MOST_TURNS, DriftRecord, EpisodeConfig, MindRecord
from dtomtrack.suites.rhetbench.npc import TURN_LIMIT
from dtomtrack.suites.rhetbench.replies import Legibility, stable_number

__all__ = ["Drifting", "PlayConfig", "config_for", "drifted", "episode_config", "position"]

Drifting: TypeAlias = Literal["none", "once"]
_EARLIEST, _LATEST = 4, 6
"""Late enough to have found what worked, early enough not to have won by it."""
_DIGITS = 16


class PlayConfig(Record):
    """The settings that all episodes of a run have in common."""

    seed: int = 0
    samples: Annotated[int, Field(exclude=True)] = 3
    """How many episodes of each scenario there are to be in all; more may be wanted later."""
    rules: str = "dtomtrack"
    cue: Cue = "neutral"
    legibility: Legibility = "clear"
    turns: int = TURN_LIMIT
    drift: Drifting = "none"
    classifier: Text = "rules"
    verbalizer: Text = "rules"

    def check(self) -> None:
        """Make sure that there is something to play.

        Raises:
            InputError: there is not, or a number is out of range.
        """
        check_range("seed", self.seed, 0, LARGEST_SEED)
        check_range("samples", self.samples, 1)
        check_range("turns", self.turns, 1, MOST_TURNS)


def position(index: int, count: int, seed: int) -> tuple[int, int]:
    """The number of an episode's scenario, and which sample of it the episode is."""
    block, number_in_block = divmod(index, count)
    order = Random(f"{seed}/{block}").sample(range(count), count)  # noqa: S311 - reproducible, no secret
    return order[number_in_block], block


def episode_config(
    play: PlayConfig, packs: Sequence[PersuasionPack], index: int
) -> tuple[PersuasionPack, EpisodeConfig]:
    """The episode of this number; it depends on the configuration and its number alone."""
    number, sample = position(index, len(packs), play.seed)
    pack = packs[number]
    return pack, config_for(play, pack, sample, stable_number(play.seed, pack.id, sample))


def config_for(play: PlayConfig, pack: PersuasionPack, sample: int, seed: int) -> EpisodeConfig:
    """The configuration of an episode with a character; its seed decides what is drawn in it."""
    mind = MindRecord(**pack.mind.model_dump())
    if play.drift == "once":
        mind = mind.model_copy(update={"drift": drifted(pack.mind.profile, seed)})
    return EpisodeConfig(
        scenario=pack.id,
        sample=sample,
        seed=seed,
        rules=play.rules,
        cue=play.cue,
        legibility=play.legibility,
        turns=play.turns,
        classifier=play.classifier,
        verbalizer=play.verbalizer,
        pack=digest(pack)[:_DIGITS],
        mind=mind,
    )


def drifted(profile: Mapping[ArgumentClass, float], seed: int) -> DriftRecord:
    """A change at a hidden turn: the class that worked changes places with another."""
    rng = Random(f"drift {seed}")  # noqa: S311 - reproducible, no secret
    old = max(APPEALS, key=lambda one: profile[one])
    new = rng.choice([one for one in APPEALS if one is not old])
    return DriftRecord(turn=rng.randint(_EARLIEST, _LATEST), profile={**profile, old: profile[new], new: profile[old]})
