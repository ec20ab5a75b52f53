"""Verifying one turn of a model by rules, before anybody hears it.

What is wrong is said in a sentence that the model can be told when it is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.markers import find_markers, marker
from dtomtrack.beliefs.matching import StateMatcher
from dtomtrack.beliefs.scenario import PlannedUpdate
from dtomtrack.beliefs.statements import is_question, sentences, statements
from dtomtrack.items.words import REMEMBERED, runs, stems
from dtomtrack.verifiers.knowledge import knows_too_much
from dtomtrack.verifiers.line_form import form_problems
from dtomtrack.verifiers.own_claims import unheld_claims
from dtomtrack.verifiers.turn_requirements import TurnRequirements

__all__ = ["TurnRules"]

_SAME_LINE = 88.0
_SAME_SENTENCE_WORDS = 6
_LAST_WORDS = 3
_TOLD = 0.4
"""The share of a fact's content words that has to be said."""
_GIVEN_AWAY = 0.7
"""The share of the words that are new in a fact with which it is told before its time."""
_FEW_WORDS = 2


class TurnRules:
    """The rules for the turns of one character among others."""

    def __init__(self, matcher: StateMatcher, speaker: str, others: Sequence[str]) -> None:
        self._matcher = matcher
        self._speaker = speaker
        self._others = tuple(others)

    def problems(
        self,
        thought: str,
        thoughts: Sequence[InnerSpeech],
        utterance: str,
        required: TurnRequirements,
        transcript: Sequence[tuple[str, str]],
    ) -> list[str]:
        """All that is wrong with a turn: with its thought, and then with its line, the gravest first.

        Args:
            thought: in the model's words.
            thoughts: what was read from them, contents as values of topics where they express one.
        """
        return [
            *self.thought_problems(thoughts, required, transcript),
            *self.line_problems(thought, utterance, required, transcript, thoughts),
        ]

    def thought_problems(
        self, thoughts: Sequence[InnerSpeech], required: TurnRequirements, transcript: Sequence[tuple[str, str]]
    ) -> list[str]:
        """All that is wrong with what is thought, whatever is said."""
        return [
            *_of_form(thoughts),
            *_of_old_state(thoughts, required.update),
            *self._of_thoughts(thoughts, required),
            *_of_contradictions(thoughts, required),
            *knows_too_much(self._speaker, thoughts, transcript, self._matcher, (*required.presumed, *required.told)),
        ]

    def line_problems(
        self,
        thought: str,
        utterance: str,
        required: TurnRequirements,
        transcript: Sequence[tuple[str, str]],
        thoughts: Sequence[InnerSpeech] = (),
    ) -> list[str]:
        """All that is wrong with what is said."""
        given_up = ((required.update.topic, required.update.old),) if required.update else ()
        granted = {
            *given_up,
            *required.named,
            *((one.topic, one.content) for one in thoughts if one.topic and one.order == 1),
        }
        return [
            *form_problems(utterance, self._speaker, self._others),
            *self._of_repetition(thought, utterance, required, transcript),
            *_of_directions(utterance, required),
            *_of_stray_markers(utterance, required),
            *self._of_update(utterance, required.update),
            *self._of_states(utterance, required),
            *unheld_claims(utterance, self._speaker, granted, required.current, transcript, self._matcher),
            *self._of_questions(utterance, required),
            *_of_facts(utterance, required, transcript),
        ]

    def _of_repetition(
        self, thought: str, utterance: str, required: TurnRequirements, transcript: Sequence[tuple[str, str]]
    ) -> Iterator[str]:
        now = _line(utterance)
        if not required.voices and fuzz.ratio(thought.casefold(), now.folded, score_cutoff=_SAME_LINE):
            yield "what is said is the thought said aloud; say it as one speaks to somebody"
        for speaker, text in transcript:
            line = _line(text)
            same = fuzz.ratio(line.folded, now.folded, score_cutoff=_SAME_LINE)
            if same or not now.sentences.isdisjoint(line.sentences):
                whose = "your own" if speaker == self._speaker else f"{speaker}'s"
                yield f"it repeats an earlier line of {whose}; say something new"
                return

    def _of_update(self, utterance: str, update: PlannedUpdate | None) -> Iterator[str]:
        if update is None:
            return
        matches = [match for match in find_markers(utterance) if match.marker.id == update.marker]
        if update.marker is not None and not matches:
            yield f"the change of mind is not signalled with the words {_first_words(update.marker)!r}"
            return
        after = utterance[matches[0].end :] if matches else utterance
        if not self._matcher.asserts(update.topic, update.new, statements(after)):
            behind = f" after {_first_words(update.marker)!r}" if update.marker else ""
            yield f"the new state is not said{behind}: {update.new}"
        still_claimed = update.old in self._matcher.claimed(update.topic, self._speaker, after)
        if still_claimed or self._matcher.value(update.topic, after) == update.old:
            yield f"what is given up is still claimed: {update.old}"

    def _of_thoughts(self, thoughts: Sequence[InnerSpeech], required: TurnRequirements) -> Iterator[str]:
        own = {(one.topic, one.content) for one in thoughts if one.order == 1}
        changed = ((required.update.topic, required.update.new),) if required.update else ()
        lied = ((topic, thought) for topic, thought, _ in required.untrue)
        for topic, value in (*required.held, *changed, *lied):
            if (topic, value) not in own:
                yield f"the thought does not say it: {value}"
        of_other = {(one.topic, one.content) for one in thoughts if one.order == 2}
        for topic, value in required.presumed:
            if (topic, value) not in of_other:
                yield f"the thought does not take it for granted of {self._matcher.holder(topic)}: {value}"

    def _of_states(self, utterance: str, required: TurnRequirements) -> Iterator[str]:
        plain = statements(utterance)
        wanted = (
            *((*one, "what is said does not tell it", "say as one's own") for one in required.held),
            *((*one, "what is said does not take it for granted", "take for granted") for one in required.presumed),
            *((*one, "it does not tell this", "tell") for one in required.told),
            *((topic, said, "what is said does not tell it", "say") for topic, _, said in required.untrue),
        )
        for topic, value, missing, done in wanted:
            if not self._matcher.asserts(topic, value, utterance):
                yield f"{missing}: {value}"
            elif not self._matcher.asserts(topic, value, plain):
                yield f"it asks what it is to {done}: {value}"
        for topic, thought, _ in required.untrue:
            if self._matcher.mentions(topic, thought, utterance):
                yield f"what is said gives away what is thought: {thought}"

    def _of_questions(self, utterance: str, required: TurnRequirements) -> Iterator[str]:
        if not required.asked:
            return
        questions = " ".join(filter(is_question, sentences(utterance)))
        for topic, named in required.asked:
            if not questions:
                yield f"it asks nothing; ask about {self._matcher.label(topic)}"
            elif named and stems(questions).isdisjoint(stems(" ".join((self._matcher.label(topic), *named)))):
                yield f"it does not ask about {self._matcher.label(topic)}"


def _of_old_state(thoughts: Sequence[InnerSpeech], update: PlannedUpdate | None) -> Iterator[str]:
    if update is not None and any(
        (one.topic, one.content, one.order) == (update.topic, update.old, 1) for one in thoughts
    ):
        yield f"what is given up is still thought: {update.old}"


def _of_contradictions(thoughts: Sequence[InnerSpeech], required: TurnRequirements) -> Iterator[str]:
    """Of each state one is thought, and where no change is directed, the one that is held."""
    thought: dict[str, str] = {}
    for one in thoughts:
        if one.topic is None or one.order != 1:
            continue
        if thought.setdefault(one.topic, one.content) != one.content:
            yield f"two states are thought that can't both be: {thought[one.topic]}; {one.content}"
    directed = {topic for topic, _ in required.named}
    for topic, value in required.current:
        if topic not in directed and thought.get(topic, value) != value:
            yield f"a mind changes in thought that is not to change: it holds {value}"


def _first_words(marker_id: str) -> str:
    return marker(marker_id).frame.partition("{")[0].strip()


def _of_form(thoughts: Sequence[InnerSpeech]) -> Iterator[str]:
    if not thoughts:
        yield (
            "the thought does not begin with I believe that, I will, I want, I feel, I know, or I think that and a name"
        )


def _of_directions(utterance: str, required: TurnRequirements) -> Iterator[str]:
    said = _line(utterance).words
    if any(_holds(said, sentence) for sentence in required.secret):
        yield "a stage direction is said aloud"


def _holds(said: str, sentence: str) -> bool:
    """Whether a long sentence is in what is said; its last words, which seldom are, are looked for first."""
    words = sentence.split()
    if len(words) < _SAME_SENTENCE_WORDS or _plain(" ".join(words[-_LAST_WORDS:])) not in said:
        return False
    return _plain(sentence) in said


def _of_stray_markers(utterance: str, required: TurnRequirements) -> Iterator[str]:
    planned = {*required.decoys, required.update.marker if required.update else None}
    for match in find_markers(utterance):
        if match.marker.id not in planned:
            yield f"the words {_first_words(match.marker.id)!r} signal a change of mind that does not happen here"


def _of_facts(utterance: str, required: TurnRequirements, transcript: Sequence[tuple[str, str]]) -> Iterator[str]:
    for fact in required.facts:
        if _share_told(fact, utterance) < _TOLD:
            yield f"it does not tell this: {fact}"
    if not required.reserved:
        return
    said = stems(utterance)
    touched = [fact for fact in required.reserved if len(stems(fact) & said) >= _FEW_WORDS * _GIVEN_AWAY]
    if not touched:
        return
    known = frozenset[str]().union(*(stems(told) for told in (*required.facts, *(line for _, line in transcript))))
    for fact in touched:
        news = stems(fact) - known
        if len(news) >= _FEW_WORDS and len(news & said) / len(news) >= _GIVEN_AWAY:
            yield f"it tells too early what is to be told later: {fact}"


def _share_told(fact: str, utterance: str) -> float:
    words = stems(fact)
    return len(words & stems(utterance)) / len(words) if words else 1.0


@dataclass(frozen=True)
class _Line:
    """A line as it is compared with others.

    Attributes:
        folded: in lower case.
        words: its plain words, with a space between two.
        sentences: those of its long sentences.
    """

    folded: str
    words: str
    sentences: frozenset[str]


@lru_cache(maxsize=REMEMBERED)
def _line(text: str) -> _Line:
    found = [(sentence, _plain(sentence)) for sentence in sentences(text)]
    long = [plain for sentence, plain in found if len(sentence.split()) >= _SAME_SENTENCE_WORDS]
    return _Line(text.casefold(), " ".join(plain for _, plain in found if plain), frozenset(long))


def _plain(text: str) -> str:
    return " ".join(runs(text.casefold()))
