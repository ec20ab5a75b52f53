"""The lines of a pack that bring a topic up without naming a value: open questions, and transitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_files import find_pack, load_pack

__all__ = ["Openings", "openings_of"]

_PLACEHOLDER = re.compile(r"\\\{\w+\\\}")


@dataclass(frozen=True)
class Openings:
    """By topic, the patterns of its open questions, of questions between two values, and of the transitions to it."""

    questions: Mapping[str, re.Pattern[str]]
    quizzes: Mapping[str, re.Pattern[str]]
    transitions: Mapping[str, re.Pattern[str]]

    def asked(self, topic: str, utterances: Iterable[str]) -> bool:
        """Whether one of the utterances asks openly about a topic."""
        return topic in self.questions and any(self.questions[topic].search(one) for one in utterances)

    def quizzed(self, topic: str, utterance: str) -> bool:
        """Whether an utterance asks about a topic by naming two values."""
        return topic in self.quizzes and self.quizzes[topic].search(utterance) is not None

    def led_in(self, topic: str, utterance: str) -> bool:
        """Whether an utterance leads over to a topic."""
        return topic in self.transitions and self.transitions[topic].search(utterance) is not None


@cache
def openings_of(domain: str) -> Openings:
    """The openings of a built-in domain or a pack."""
    pack = load_pack(find_pack(domain))
    shared = pack.lines
    questions = {one.id: _pattern((*one.wonder, *shared.wonder.get(one.state, ())), one.label) for one in pack.topics}
    leading = (*shared.lead, *shared.carry_on, *shared.bring_up, *shared.ignorance.lead, *_shifts(pack))
    transitions = {one.id: _pattern((*one.lead, *leading), one.label) for one in pack.topics}
    quizzes = {one.id: _pattern(one.ask, one.label) for one in pack.topics}
    return Openings(questions, quizzes, transitions)


def _shifts(pack: DomainPack) -> tuple[str, ...]:
    return tuple(pack.reactions.shift)


def _pattern(lines: Iterable[str], label: str) -> re.Pattern[str]:
    """Any of these lines, with any words for their placeholders; one that nothing matches, of no lines."""
    forms = [_PLACEHOLDER.sub(".+?", re.escape(line.replace("{label}", label))) for line in lines]
    return re.compile("|".join(forms) or r"(?!)", re.IGNORECASE)
