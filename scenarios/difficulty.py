"""Difficulty: every dial of how eventful a dialogue is, how its turns are filled, and how it sounds.

One frozen record is passed along and stands in the configuration of a run: with the seed it decides the bytes of a
dataset. A *share* is the probability with which something happens where it can.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.records import Count, Record, Share

__all__ = ["Difficulty"]

Positive = Annotated[int, Field(ge=1)]
Weight = Annotated[float, Field(ge=0.0)]

_TOPICS_BY_TURNS = ((6, 2), (8, 3), (10, 4), (14, 5), (18, 6), (22, 7), (26, 8), (30, 9), (34, 10), (38, 11), (42, 12))


class Difficulty(Record):
    """The dials; the defaults are those of the paper's dialogues between two.

    How eventful a dialogue is:
        update_weights: how often there are 1, 2, 3, ... changes of mind, relative to each other.
        turns_an_update: turns that there have to be for each change of mind, behind the first four.
        change_back_share: of dialogues with two changes or more in which one mind changes and changes back, if there
            are ``change_back_turns`` turns for it.
        can_change_back: the states that are believed to flip twice; facts don't, and feelings that do are not believed.
        topics_by_turns: (turns, topics): from so many turns on, so many topics are talked about.
        correction_share: of false presumptions that are objected to; in fewer than ``stands_turns`` turns all are.

    How the turns are filled:
        weighty_moves_a_turn: how many weighty things (a state voiced or changed, a reason, a presumption) a turn may
            hold; 1 for actors that can do one thing at a time.
        light_move_weight: what a question, or staying with what one said, weighs beside a weighty thing.
        contest_share: of states, if they are ``contestable``, that stay although somebody argues against them; to keep
            a belief or feeling against the facts would be odd.
        question_share: of topics that are asked about before the first answer although something else brings them up;
            ``evasive_question_share`` of questions name two values that are both not the answer.
        early_reason_share: of reasons that are given a turn earlier than need be, and pondered.
        acceptance_share, acknowledgement_share: of updates and of voiced states that somebody reacts to.
        small_talk_share, aside_share: of turns with room for one.

    How it sounds:
        manner_share: of leisurely turns in which a personality shows, if a trait of it is within ``marked_trait`` of an
            end of its scale.
        against_share: of reasons beside which something is said against the old value.
        lead_in_share: of reasons that are led in by what kind of reason it is.
        note_share: of acknowledgements that are about the topic, not about the kind of state.

    How long to search before a scenario is given up:
        scenario_draws: scenarios that are drawn; script_draws: of each, choices of what is optional; script_tries: of
            each of those, ways to lay it out.
    """

    update_weights: Annotated[tuple[Weight, ...], Field(min_length=1)] = (40, 35, 25)
    turns_an_update: Positive = 2
    change_back_share: Share = 0.15
    change_back_turns: Count = 8
    can_change_back: Annotated[tuple[MentalState, ...], Field(min_length=1)] = (
        MentalState.INTENTION,
        MentalState.DESIRE,
    )
    topics_by_turns: Annotated[tuple[tuple[Count, Positive], ...], Field(min_length=1)] = _TOPICS_BY_TURNS
    correction_share: Share = 0.7
    stands_turns: Count = 10

    weighty_moves_a_turn: Literal[1, 2] = 2
    light_move_weight: Share = 0.5
    contest_share: Share = 0.6
    contestable: tuple[MentalState, ...] = (MentalState.INTENTION, MentalState.DESIRE)
    question_share: Share = 0.5
    evasive_question_share: Share = 0.5
    early_reason_share: Share = 0.15
    acceptance_share: Share = 0.9
    acknowledgement_share: Share = 0.8
    small_talk_share: Share = 0.5
    aside_share: Share = 0.45

    manner_share: Share = 0.35
    marked_trait: Annotated[float, Field(ge=0.0, le=0.5)] = 0.25
    against_share: Share = 0.55
    lead_in_share: Share = 0.5
    note_share: Share = 0.6

    scenario_draws: Positive = 20
    script_draws: Positive = 1
    script_tries: Positive = 60

    @property
    def one_thing_a_turn(self) -> bool:
        """Whether a turn holds one weighty thing at most."""
        return self.weighty_moves_a_turn == 1

    def with_one_thing_a_turn(self) -> Difficulty:
        """A copy with one weighty thing a turn, fewer things for as many turns, and a longer search for room."""
        return self.model_copy(
            update={
                "weighty_moves_a_turn": 1,
                "turns_an_update": self.turns_an_update + 1,
                "stands_turns": self.stands_turns + 2,
                "scenario_draws": self.scenario_draws * 5,
                "script_draws": self.script_draws * 5,
                "script_tries": max(1, self.script_tries // 2),
            }
        )

    def topics(self, turns: int) -> int:
        """How many topics are talked about in so many turns."""
        fitting = [topics for least, topics in self.topics_by_turns if turns >= least]
        return fitting[-1] if fitting else self.topics_by_turns[0][1]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        turns = [least for least, _ in self.topics_by_turns]
        if turns != sorted(set(turns)):
            raise ValueError("topics_by_turns has to go up in turns")
        if not any(self.update_weights):
            raise ValueError("update_weights are all 0; give one of them weight")
        return self
