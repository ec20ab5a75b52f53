"""Difficulty: every dial of how eventful a dialogue is, how its turns are filled, and how it sounds.

One frozen record is passed along and stands in the configuration of a run: with the seed it decides the bytes of a
dataset. A *share* is the probability with which something happens where it can.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.dials import QuestionDials
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import InputError
from dtomtrack.options import did_you_mean
from dtomtrack.records import Count, Record, Share, Text

__all__ = ["MOST_TURNS", "PRESETS", "Difficulty", "Range", "preset"]

Positive = Annotated[int, Field(ge=1)]
Weight = Annotated[float, Field(ge=0.0, le=1e6)]
ShareOfAll = Annotated[float, Field(ge=0.0, lt=1.0)]
"""A share of all that there are, the others among them: how many come on those can't be told where it is 1."""
Range = tuple[Count, Count]
"""The least and the most of something."""

MOST_TURNS = 400
PresetName = Literal["paper", "apart", "group", "hard", "extreme"]


class Signals(Record):
    """Shares of the changes that come with an explicit marker, an implicit one, or none."""

    explicit: Share = 1 / 3
    implicit: Share = 2 / 3
    none: Share = 0.0

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if abs(self.explicit + self.implicit + self.none - 1) > 0.001:
            raise ValueError("the shares signals.explicit, signals.implicit and signals.none have to add up to 1")
        return self


_TOPICS_BY_TURNS = ((6, 2), (8, 3), (10, 4), (14, 5), (18, 6), (22, 7), (26, 8), (30, 9), (34, 10), (38, 11), (42, 12))


class Difficulty(Record):
    """The dials; the defaults are those of the paper's dialogues between two.

    How large a dialogue is, and how minds move in it:
        preset: the name of the preset that the dials were set over.
        turns: how many there are.
        participants: how many people take part, from the least to the most; further people of the pack join the two.
        passers_by: how many others are there, as far as the pack has people, who hear things and hold nothing.
        topics: how many topics there are at most; None for as many as the turns have room for.
        holders: how many of the participants hold a state of their own on each topic.
        revisions: how often each of these states changes.
        stable_share: of the states behind the first, those that never change, whatever is said to them.
        return_share: of changes after the first that bring back an earlier value, of states that ``can_change_back``.
        resistance_share: of reasons that change nothing; below 1.
        decoy_share: of markers behind which nothing has changed; below 1.
        signals: shares of the changes that come with an explicit marker, an implicit one, or none.
        apart: how often minds come apart in each way, relative to each other; empty for the dialogues in which
            everybody hears everything.
        apart_share: of the changes by which somebody is left behind.

    What is asked:
        control_share: of the questions about what one takes another to hold, those where minds agree.
        event_share: of the questions whose moment an event alone can name (somebody leaves, comes, or reads a note,
            while what is asked about stays as it is), those that name it and not the turn's number; of all questions,
            a tenth or so at 0.5.
        said_share: of the wrong options that were said in the dialogue, where it has enough.
        order: the deepest chain of minds that is asked about.
        question_types: the types that are asked; empty for all.

    How it goes on among several:
        asked_share: of first voices that answer a question.
        ask_on_share: of first voices behind which somebody asks another in the same breath, where the talk goes on so.
        face_share: of pictures acted on to the holder's face, where both that and behind their back is possible.
        stands_share: of wrong pictures that the holder leaves uncorrected when they show.
        told_share: of those who are back or come late, those who are told what they missed; ``garbled_share`` of that
            suffers on the way; ``read_share`` of notes are read.
        late_share: of dialogues among three or more to which somebody comes late.
        mention_share: of the turns in which somebody has said what they hold, those in which they name another value,
            too, as a view of somebody who is not there; the same of the turns that are passed while that is fresh.
        filled_share: of the turns that are given to what is planned; ahead_turns: how much too early a step may come.

    How eventful a dialogue is:
        update_weights: how often there are 1, 2, 3, ... changes of mind, relative to each other.
        turns_an_update: turns that there have to be for each change of mind, behind the first four.
        change_back_share: of dialogues with two changes or more in which one mind changes and changes back, if there
            are ``change_back_turns`` turns for it.
        learning_share: of changes of knowledge, those of who knew nothing before; among several, all first ones are.
        can_change_back: the states that are believed to flip twice; facts don't, and feelings that do are not believed.
        topics_by_turns: (turns, topics): from so many turns on, so many topics are talked about.
        correction_share: of false presumptions that are objected to; in fewer than ``stands_turns`` turns all are.

    How the turns are filled:
        weighty_moves_a_turn: how many weighty things (a state voiced or changed, a reason, a presumption) a turn may
            hold; 1 for actors that can do one thing at a time.
        light_move_weight: what a question, or staying with what one said, weighs beside a weighty thing.
        contest_share: of states, if they are ``contestable``, that stay although somebody argues against them; to keep
            a belief or feeling against the facts would be odd.
        quiz_share: of questions, among several too, that name two values; ``evasive_question_share`` of these name two
            that are both not the answer. The others are open.
        question_share: of topics that are asked about before the first answer, where a turn has room for that; to the
            others their holder comes unasked.
        early_reason_share: of reasons that are given a turn earlier than need be, and pondered.
        acceptance_share, acknowledgement_share: of updates and of voiced states that somebody reacts to.
        small_talk_share, aside_share: of turns with room for one.

    How it sounds:
        manner_share: of leisurely turns in which a personality shows, if a trait of it is within ``marked_trait`` of an
            end of its scale.
        against_share: of reasons beside which something is said against the old value.
        lead_in_share: of reasons that are led in by what kind of reason it is.
        note_share: of acknowledgements that are about the topic, not about the kind of state.
        name_share: between two, of turns that begin with something said to the other, those in which they are named.
        interjection_share: of the others, those that begin with an interjection.

    How long to search before a scenario is given up:
        scenario_draws: scenarios that are drawn; script_draws: of each, choices of what is optional; script_tries: of
            each of those, searches for room for it, where two agents take turns.
    """

    preset: PresetName = "paper"
    turns: Annotated[int, Field(ge=6, le=MOST_TURNS)] = 10
    participants: Range = (2, 2)
    passers_by: Count = 0
    topics: Range | None = None
    holders: Range = (1, 1)
    revisions: Range = (1, 2)
    stable_share: Share = 0.0
    return_share: Share = 0.15
    resistance_share: ShareOfAll = 0.0
    decoy_share: ShareOfAll = 0.0
    signals: Signals = Signals()
    apart: dict[Way, Weight] = Field(default_factory=dict)
    apart_share: Share = 0.5
    control_share: Share = 0.25
    event_share: Share = 0.0
    said_share: Share = 1.0
    order: Annotated[int, Field(ge=1, le=3)] = 2
    question_types: tuple[Text, ...] = ()

    asked_share: Share = 0.75
    quiz_share: Share = 0.2
    ask_on_share: Share = 0.6
    face_share: Share = 0.75
    stands_share: Share = 0.45
    told_share: Share = 0.6
    garbled_share: Share = 0.6
    read_share: Share = 0.75
    late_share: Share = 0.38
    mention_share: Share = 0.0
    filled_share: Share = 0.8
    ahead_turns: Count = 2

    update_weights: Annotated[tuple[Weight, ...], Field(min_length=1)] = (40, 35, 25)
    turns_an_update: Positive = 2
    change_back_share: Share = 0.15
    change_back_turns: Count = 8
    learning_share: Share = 0.2
    can_change_back: Annotated[tuple[MentalState, ...], Field(min_length=1)] = (
        MentalState.INTENTION,
        MentalState.DESIRE,
    )
    topics_by_turns: Annotated[tuple[tuple[Count, Positive], ...], Field(min_length=1)] = _TOPICS_BY_TURNS
    correction_share: Share = 0.7
    stands_turns: Count = 10

    weighty_moves_a_turn: Annotated[int, Field(ge=1, le=2)] = 2
    light_move_weight: Share = 0.5
    contest_share: Share = 0.6
    contestable: tuple[MentalState, ...] = (MentalState.INTENTION, MentalState.DESIRE)
    question_share: Share = 0.9
    evasive_question_share: Share = 0.2
    early_reason_share: Share = 0.15
    acceptance_share: Share = 0.9
    acknowledgement_share: Share = 0.8
    small_talk_share: Share = 0.5
    aside_share: Share = 0.9

    manner_share: Share = 0.35
    marked_trait: Annotated[float, Field(ge=0.0, le=0.5)] = 0.25
    against_share: Share = 0.55
    lead_in_share: Share = 0.5
    note_share: Share = 0.6
    name_share: Share = 0.5
    interjection_share: Share = 0.2

    scenario_draws: Positive = 40
    script_draws: Positive = 1
    script_tries: Positive = 4

    @field_validator("question_types")
    @classmethod
    def _are_types(cls, named: tuple[str, ...]) -> tuple[str, ...]:
        known = [one.value for one in QuestionType]
        for name in named:
            if name not in known:
                raise ValueError(f"{name!r} is none of {', '.join(known)}")
        return named

    @property
    def comes_apart(self) -> bool:
        """Whether people may miss what others say."""
        return bool(self.ways)

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways in which minds are to come apart."""
        return tuple(way for way, weight in self.apart.items() if weight)

    @property
    def few_ways(self) -> bool:
        """Whether minds are to come apart in few ways, so that each has to find its occasion."""
        return len(self.ways) <= _FEW_WAYS

    @property
    def questions(self) -> QuestionDials:
        """The dials of what is asked."""
        return QuestionDials(
            self.control_share,
            self.event_share,
            self.said_share,
            self.order,
            tuple(self.question_types),
            self.comes_apart,
            self.learning_share,
        )

    @property
    def several(self) -> bool:
        """Whether more than two may be there: who hears what is then the plan's, and words fit what was heard."""
        return self.participants[1] + self.passers_by > 2

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
                "stands_turns": self.stands_turns + 6,
                "scenario_draws": self.scenario_draws * 5,
                "script_draws": self.script_draws * 5,
                "script_tries": max(1, self.script_tries // 2),
            }
        )

    def topics_in(self, turns: int) -> int:
        """How many topics are talked about in so many turns."""
        fitting = [topics for least, topics in self.topics_by_turns if turns >= least]
        return fitting[-1] if fitting else self.topics_by_turns[0][1]

    @model_validator(mode="after")
    def _ranges(self) -> Self:
        for name in ("participants", "topics", "holders", "revisions"):
            low, high = getattr(self, name) or (1, 1)
            if low > high:
                raise ValueError(f"{name} is from {low} to {high}; the least has to come first")
            if not _ALLOWED[name][0] <= low <= high <= _ALLOWED[name][1]:
                given = f"{low}-{high}" if low < high else str(low)
                raise ValueError(f"{name} is {given}; it has to be from {_ALLOWED[name][0]} to {_ALLOWED[name][1]}")
        return self

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        turns = [least for least, _ in self.topics_by_turns]
        if turns != sorted(set(turns)):
            raise ValueError("topics_by_turns has to go up in turns")
        if not any(self.update_weights):
            raise ValueError("update_weights are all 0; give one of them weight")
        return self


_FEW_WAYS = 3
"""Ways up to which each needs occasions of its own."""
_ALLOWED = {"participants": (2, 5), "topics": (1, 60), "holders": (1, 4), "revisions": (0, 6)}

_ALL_WAYS: dict[Way, float] = {
    Way.ABSENCE: 3.3,
    Way.ASIDE: 0.2,
    Way.NOTE: 1.7,
    Way.UNTRUTH: 4.0,
    Way.HEARSAY: 9.0,
    Way.LATE_JOINER: 1.0,
    Way.MISATTRIBUTION: 16.0,
    Way.PRESUMPTION: 3.5,
}
"""Weights by which all ways come about equally often."""
_IN_FEWER_TURNS: dict[Way, float] = _ALL_WAYS | {
    Way.ABSENCE: 3.9,
    Way.NOTE: 0.8,
    Way.UNTRUTH: 4.0,
    Way.HEARSAY: 12.0,
    Way.MISATTRIBUTION: 23.0,
    Way.PRESUMPTION: 3.2,
}
"""The same for short dialogues, in which there is more often room for a note than for somebody to go out."""

PRESETS: dict[str, Difficulty] = {
    "paper": Difficulty(),
    "apart": Difficulty(
        preset="apart",
        quiz_share=0.08,
        passers_by=1,
        topics=(2, 2),
        revisions=(0, 2),
        signals=Signals(explicit=0.27, implicit=0.48, none=0.25),
        apart={
            Way.ABSENCE: 1.0,
            Way.ASIDE: 0.7,
            Way.NOTE: 0.7,
            Way.UNTRUTH: 1.0,
            Way.PRESUMPTION: 0.4,
        },
        apart_share=0.7,
        filled_share=1.0,
        small_talk_share=0.2,
        late_share=0.0,
    ),
    "group": Difficulty(
        preset="group",
        told_share=0.8,
        garbled_share=0.85,
        quiz_share=0.08,
        turns=24,
        participants=(3, 4),
        holders=(1, 2),
        revisions=(1, 3),
        stable_share=0.4,
        resistance_share=0.3,
        decoy_share=0.25,
        signals=Signals(explicit=0.27, implicit=0.48, none=0.25),
        mention_share=0.15,
        apart=_IN_FEWER_TURNS,
        event_share=0.5,
    ),
    "hard": Difficulty(
        preset="hard",
        quiz_share=0.08,
        turns=60,
        participants=(3, 4),
        holders=(1, 3),
        revisions=(2, 4),
        stable_share=0.4,
        return_share=0.3,
        resistance_share=0.35,
        decoy_share=0.34,
        signals=Signals(explicit=0.27, implicit=0.4, none=0.33),
        mention_share=0.25,
        apart=_ALL_WAYS,
        event_share=0.5,
        order=3,
        filled_share=0.7,
    ),
    "extreme": Difficulty(
        preset="extreme",
        quiz_share=0.08,
        turns=300,
        participants=(4, 5),
        holders=(1, 3),
        revisions=(3, 6),
        stable_share=0.4,
        return_share=0.3,
        resistance_share=0.35,
        decoy_share=0.34,
        signals=Signals(explicit=0.27, implicit=0.4, none=0.33),
        mention_share=0.25,
        apart=_ALL_WAYS,
        event_share=0.5,
        order=3,
        filled_share=0.58,
    ),
}
"""The presets, by name."""


def preset(name: str) -> Difficulty:
    """The preset of this name.

    Raises:
        InputError: there is none.
    """
    if name not in PRESETS:
        raise InputError(f"no difficulty {name!r}; {did_you_mean(name, list(PRESETS))}")
    return PRESETS[name]
