"""The configuration of a run of DToM-Track: everything that decides the bytes of its dataset."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from pydantic import AliasChoices, ConfigDict, Field

from dtomtrack.records import Record, Seed, Text
from dtomtrack.runs.slots import BLOCK, Slot, slot_at
from dtomtrack.scenarios.difficulty import MOST_TURNS, Difficulty
from dtomtrack.suites.generation.model_config import ModelConfig

__all__ = ["RunConfig"]

_Turns = Annotated[int, Field(ge=6, le=MOST_TURNS)]


class RunConfig(Record):
    """Everything that decides the bytes of a dataset, apart from how many slots are filled.

    Attributes:
        packs: the SHA-256 of each domain's pack.
        turns: of each dialogue; several numbers for dialogues of several lengths.
        scenarios: the SHA-256 of the scenarios that were given, if any were.
        models: None where no language model takes part ("casting" in folders of 0.2).
        difficulty: every dial of how eventful the dialogues are, how their turns are filled, and how they sound.
    """

    model_config = ConfigDict(populate_by_name=True)

    domains: Annotated[tuple[Text, ...], Field(min_length=1)]
    packs: dict[str, str]
    seed: Seed = 0
    turns: _Turns | tuple[_Turns, ...] = 10
    max_attempts: Annotated[int, Field(ge=1)] = 5
    generator: Text = "scripted"
    scenarios: str | None = None
    models: ModelConfig | None = Field(default=None, validation_alias=AliasChoices("models", "casting"))
    difficulty: Difficulty = Difficulty()

    @property
    def lengths(self) -> tuple[int, ...]:
        """The turns of dialogues: one number, or several."""
        return (self.turns,) if isinstance(self.turns, int) else self.turns

    def slot(self, index: int) -> Slot:
        """A slot of the dataset."""
        return slot_at(self.seed, index, self.domains)

    def turns_of(self, index: int) -> int:
        """The turns of the dialogue of a slot; of several lengths each block has one, and they come in turn."""
        return self.lengths[self.slot(index).block % len(self.lengths)]

    @property
    def a_round(self) -> int:
        """Slots of one length in each domain, before those of the next come."""
        return BLOCK * len(self.domains)

    def slots_by_length(self, slots: range) -> Counter[int]:
        """How many of these slots are of each length."""
        whole, rest = divmod(len(slots), self.a_round * len(self.lengths))
        return Counter(dict.fromkeys(self.lengths, whole * self.a_round)) + Counter(map(self.turns_of, slots[:rest]))

    @property
    def played_difficulty(self) -> Difficulty:
        """The difficulty, with one weighty thing a turn where the actor is asked for one thing at a time.

        Language models are not asked to name what they don't hold: by their words alone it can't be told from what they
        do.
        """
        if self.models is None or self.models.actor is None:
            return self.difficulty
        difficulty = self.difficulty.model_copy(update={"mention_share": 0.0})
        return difficulty.with_one_thing_a_turn() if self.models.actor_style == "two-call" else difficulty
