"""The question builder: from what the tracker has on record to questions with options (paper, Table 2).

Gold answers come from the tracker alone. What was said aloud (`Reading`) decides only which distractors were mentioned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dtomtrack.beliefs.divergence import PlannedDivergence
from dtomtrack.beliefs.question import OptionRole, Question, QuestionType
from dtomtrack.beliefs.questions.about_access import about_access
from dtomtrack.beliefs.questions.about_changes import about_changes
from dtomtrack.beliefs.questions.about_others import about_others
from dtomtrack.beliefs.questions.about_times import about_times
from dtomtrack.beliefs.questions.dials import QuestionDials
from dtomtrack.beliefs.questions.positions import arrange, gold_position, shuffled
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import QuestionSpec
from dtomtrack.beliefs.reading import Reading
from dtomtrack.beliefs.scenario import PlannedUpdate, Topic
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.beliefs.transcript import Transcript
from dtomtrack.items.letters import letter_of
from dtomtrack.runs.slots import Slot

__all__ = ["QuestionBuilder"]


class QuestionBuilder:
    """Builds the questions of one dialogue, among however many agents.

    Args:
        tracker: has read the whole dialogue.
        topics: what may be asked about; contents on record that are no value of their topic are left out.
        readings: what was said aloud.
        slot: decides positions and random choices.
        generator: who wrote the dialogue.
        planned: where there was a plan, what it says of markers and triggers goes into the factors, nothing into
            answers.
        divergences: what a plan says of the ways in which minds come apart; that, too, goes into the factors alone.
        transcript: tells what happens beside the words.
        dials: what is asked, and how.
    """

    def __init__(
        self,
        tracker: BeliefTracker,
        topics: Sequence[Topic],
        readings: Sequence[Reading],
        slot: Slot,
        planned: Sequence[PlannedUpdate] = (),
        generator: str = "elsewhere",
        divergences: Sequence[PlannedDivergence] = (),
        transcript: Transcript | None = None,
        dials: QuestionDials | None = None,
    ) -> None:
        self._source = QuestionSource(
            tracker, topics, readings, slot, planned, divergences, transcript, dials or QuestionDials()
        )
        self._slot = slot
        self._generator = generator

    def build(self, dialogue_id: str) -> list[Question]:
        """The questions, with ids and letters."""
        numbers: dict[QuestionType, int] = {}
        questions: list[Question] = []
        for spec in _asked_once(self._specs()):
            if not self._source.dials.asks(spec.type.value):
                continue
            number = numbers[spec.type] = numbers.get(spec.type, -1) + 1
            questions.append(self._finish(spec, dialogue_id, len(questions), number))
        return questions

    def _specs(self) -> Iterator[QuestionSpec]:
        """The questions of all kinds; those on times last where they even out the lags of the others."""
        kinds = [about_changes, about_times, about_others, about_access]
        if self._source.dials.comes_apart:
            kinds.append(kinds.pop(1))
        for kind in kinds:
            for spec in kind(self._source):
                self._source.count(spec)
                yield spec

    def _finish(self, spec: QuestionSpec, dialogue_id: str, index: int, number: int) -> Question:
        gold = gold_position(self._slot, spec.type, number)
        ordered = arrange(spec, gold) if spec.select == "one" else shuffled(spec)
        options = {letter_of(position): option for position, option in enumerate(ordered)}
        return Question(
            id=f"{dialogue_id}-q{index:02d}",
            dialogue_id=dialogue_id,
            slot=self._slot.index,
            generator=self._generator,
            type=spec.type,
            mental_state=spec.mental_state,
            order=spec.order,
            agent=spec.agent,
            about=spec.about,
            through=spec.through,
            topic=spec.topic,
            turn=spec.turn,
            question=spec.question,
            options={letter: option.text for letter, option in options.items()},
            answer="".join(letter for letter, option in options.items() if option.role is OptionRole.GOLD),
            select=spec.select,
            option_roles={letter: option.role for letter, option in options.items()},
            evidence=spec.evidence,
            factors=spec.factors,
            divergence=spec.divergence,
        )


def _asked_once(specs: Iterable[QuestionSpec]) -> list[QuestionSpec]:
    """The questions without those that ask the same in other words; that of a divergence stands for another."""
    asked: dict[tuple[object, ...], QuestionSpec] = {}
    for spec in specs:
        whom = spec.agent, spec.about, spec.through
        key = spec.type, spec.factors.asks, *whom, spec.topic, spec.turn
        if key not in asked or (spec.divergence and not asked[key].divergence):
            asked[key] = spec
    return list(asked.values())
