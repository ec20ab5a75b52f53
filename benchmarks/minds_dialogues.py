"""Figures on how minds change and come apart in dialogues, and on how topics come up: from tracker and utterances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from minds_openings import openings_of

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.markers import find_markers
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.transcript import transcript_of
from dtomtrack.verifiers.overheard import OverheardMinds
from dtomtrack.verifiers.overhearer import Overhearer

__all__ = ["Heard", "changes_and_markers", "first_voices", "label_frames", "resisted", "ways_apart"]

Change = tuple[str, str, int]
"""Who changed their mind, on which topic, at which turn."""


@dataclass(frozen=True)
class Heard:
    """A dialogue, and what is said in it by its utterances alone."""

    dialogue: Dialogue
    readings: Sequence[Reading]

    def answers(self, question: Question) -> bool:
        """Whether somebody who overhears the utterances gives the gold answer to a question."""
        found = self._overhearer.answer(question)
        if found is None or question.select == "one":
            return found is not None and found.text == question.gold
        return found.texts == {question.options[letter] for letter in question.answer}

    @cached_property
    def _overhearer(self) -> Overhearer:
        return Overhearer(OverheardMinds(self.readings, transcript_of(self.dialogue.turns, self.dialogue.scenario)))

    @cached_property
    def changes(self) -> list[Change]:
        """The changes of mind that are on record."""
        held: dict[tuple[str, str], list[BeliefRecord]] = {}
        for record in sorted(self.dialogue.beliefs, key=lambda one: one.source_turn):
            if record.order == 1:
                held.setdefault((record.holder, record.topic), []).append(record)
        return [
            (holder, topic, new.source_turn)
            for (holder, topic), own in held.items()
            for old, new in pairwise(own)
            if old.content != new.content
        ]

    @cached_property
    def marked(self) -> set[int]:
        """The turns in which a marker is said."""
        return {turn.index for turn in self.dialogue.turns if find_markers(turn.utterance)}


def changes_and_markers(heard: Iterable[Heard]) -> Counter[str]:
    """Counts of changes, of those without a marker, of turns with a marker, and of those without a change."""
    counts: Counter[str] = Counter()
    for one in heard:
        changed = {turn for _, _, turn in one.changes}
        counts["changes"] += len(one.changes)
        counts["unmarked changes"] += sum(turn not in one.marked for _, _, turn in one.changes)
        counts["marked turns"] += len(one.marked)
        counts["decoys"] += len(one.marked - changed)
    return counts


def resisted(heard: Iterable[Heard]) -> tuple[int, int]:
    """How many reasons change nothing until the next one on their topic, and how many there are."""
    still = of = 0
    for one in heard:
        for topic, turns in _reasons(one).items():
            changes = {turn for _, own, turn in one.changes if own == topic}
            ends = [*turns[1:], len(one.dialogue.turns)]
            still += sum(not changes & set(range(turn + 1, end + 1)) for turn, end in zip(turns, ends, strict=True))
            of += len(turns)
    return still, of


def _reasons(one: Heard) -> dict[str, list[int]]:
    """By topic, the turns in which somebody argues about it."""
    turns: dict[str, set[int]] = {}
    for reading in one.readings:
        if reading.act is Act.ARGUE:
            turns.setdefault(reading.topic, set()).add(reading.turn)
    return {topic: sorted(own) for topic, own in turns.items()}


def ways_apart(heard: Iterable[Heard]) -> Counter[str]:
    """How often minds are planned to come apart in each way."""
    return Counter(planned.way.value for one in heard for planned in one.dialogue.scenario.divergences)


def label_frames(heard: Iterable[Heard]) -> tuple[int, int]:
    """How many turns name a topic by a line that would fit any ("While there's a gap, the seating."), of how many.

    The first turn and the last are greetings and farewells.
    """
    framed = of = 0
    for one in heard:
        main = one.dialogue.turns[1:-1]
        framed += sum(_is_framed(one, turn.index) for turn in main)
        of += len(main)
    return framed, of


def _is_framed(one: Heard, turn: int) -> bool:
    openings, said = openings_of(one.dialogue.domain), one.dialogue.turns[turn].utterance
    return any(openings.framed(topic.id, said) for topic in one.dialogue.scenario.topics)


def _is_quizzed(one: Heard, voice: Reading) -> bool:
    """Whether the turn before a voice asks about its topic by naming two values."""
    before = one.dialogue.turns[voice.turn - 1].utterance if voice.turn else ""
    return openings_of(one.dialogue.domain).quizzed(voice.topic, before)


def _is_brought_up(one: Heard, voice: Reading) -> bool:
    """Whether an open question went before a voice, or its own turn leads over to it."""
    openings = openings_of(one.dialogue.domain)
    utterances = [turn.utterance for turn in one.dialogue.turns]
    return (
        _is_quizzed(one, voice)
        or openings.led_in(voice.topic, utterances[voice.turn])
        or openings.asked(voice.topic, utterances[: voice.turn])
    )


def first_voices(heard: Iterable[Heard]) -> Counter[str]:
    """Counts of first voices, of those after a question that names two values, and of dialogues with a cold one.

    Cold is the first voice of a topic that nobody asked about, offered or argued about before, and that nothing in its
    own turn leads over to.
    """
    counts: Counter[str] = Counter()
    for one in heard:
        cold = 0
        for voice, before in _first_voices(one):
            counts["first voices"] += 1
            counts["quizzes"] += _is_quizzed(one, voice)
            cold += not before and not _is_brought_up(one, voice)
        counts["dialogues"] += 1
        counts["cold dialogues"] += cold > 0
    return counts


def _first_voices(one: Heard) -> Iterator[tuple[Reading, list[Reading]]]:
    """The first voice of each state, with what was said on its topic before."""
    known: set[tuple[str, str]] = set()
    for place, reading in enumerate(one.readings):
        if reading.act is Act.STATE and (reading.holder, reading.topic) not in known:
            known.add((reading.holder, reading.topic))
            yield reading, [other for other in one.readings[:place] if other.topic == reading.topic]
