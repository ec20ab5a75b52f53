"""The lines of a pack that bring a topic up without naming a value: open questions, transitions, and label frames."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_files import find_pack, load_pack

__all__ = ["Openings", "openings_of"]

_PLACEHOLDER = re.compile(r"\\\{\w+\\\}")
_NAME = "\0"
"""Stands for what a topic is called."""
_BEGINS = r"(?:^|[.!?:,] )"
"""What stands before a sentence, or behind the name of whom it is said to."""


@dataclass(frozen=True)
class Openings:
    """By topic, the patterns of its open questions, of questions between two values, and of the words that lead to it.

    Attributes:
        transitions: its own, and those to what is on the table.
        names: what a topic is called.
        frames: the lines that fit any topic and only put what it is called before what is said of it, with a place for
            that: one pattern for all topics, as it is long.
    """

    questions: Mapping[str, re.Pattern[str]]
    quizzes: Mapping[str, re.Pattern[str]]
    transitions: Mapping[str, re.Pattern[str]]
    names: Mapping[str, re.Pattern[str]]
    frames: re.Pattern[str]

    def asked(self, topic: str, utterances: Iterable[str]) -> bool:
        """Whether one of the utterances asks openly about a topic."""
        return topic in self.questions and any(self.questions[topic].search(one) for one in utterances)

    def quizzed(self, topic: str, utterance: str) -> bool:
        """Whether an utterance asks about a topic by naming two values."""
        return topic in self.quizzes and self.quizzes[topic].search(utterance) is not None

    def led_in(self, topic: str, utterance: str) -> bool:
        """Whether an utterance leads over to a topic."""
        return self.framed(topic, utterance) or (
            topic in self.transitions and self.transitions[topic].search(utterance) is not None
        )

    def framed(self, topic: str, utterance: str) -> bool:
        """Whether an utterance leads over to a topic by a line that would fit any other."""
        named = self.names[topic].finditer(utterance) if topic in self.names else ()
        places = (f"{utterance[: one.start(1)]}{_NAME}{utterance[one.end(1) :]}" for one in named)
        return any(map(self.frames.search, places))


@cache
def openings_of(domain: str) -> Openings:
    """The openings of a built-in domain or a pack."""
    pack = load_pack(find_pack(domain))
    shared = pack.lines
    names = {one.id: "|".join(map(re.escape, _longest_first({one.label, *one.names}))) for one in pack.topics}
    two = shared.talk.between_two
    asking = {
        one.id: (*one.wonder, *shared.wonder.get(one.state, ()), *two.wonder.get(one.state, ())) for one in pack.topics
    }
    questions = {topic: _pattern(lines, names[topic]) for topic, lines in asking.items()}
    leading = (*shared.carry_on, *shared.ignorance.lead)
    transitions = {one.id: _pattern((*one.lead, *one.approach, *leading), names[one.id]) for one in pack.topics}
    quizzes = {one.id: _pattern(one.ask, names[one.id]) for one in pack.topics}
    # one name may begin within another
    called = {topic: re.compile(f"(?=({own}))", re.IGNORECASE) for topic, own in names.items()}
    frames = re.compile(_BEGINS + _pattern(_leads(pack), _NAME).pattern, re.IGNORECASE)
    return Openings(questions, quizzes, transitions, called, frames)


def _longest_first(names: Collection[str]) -> list[str]:
    return sorted(names, key=lambda name: (-len(name), name))


def _leads(pack: DomainPack) -> Iterator[str]:
    """The lines with a topic's label from which the generator draws whatever the topic is."""
    shared = pack.lines
    generic = (shared.lead, shared.talk.between_two.lead, shared.bring_up, shared.back_to, shared.turned_over)
    return (line for lines in (*generic, pack.reactions.shift) for line in lines if "{label}" in line)


def _pattern(lines: Iterable[str], names: str) -> re.Pattern[str]:
    """Any of these lines, with any words for their placeholders; one that nothing matches, of no lines."""
    named = (re.escape(line).replace(r"\{label\}", f"(?:{names})") for line in lines)
    forms = [_PLACEHOLDER.sub(".+?", line) for line in named]
    return re.compile(f"(?:{'|'.join(forms)})" if forms else r"(?!)", re.IGNORECASE)
