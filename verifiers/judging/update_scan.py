"""The scan for changes of mind: which state does one turn's thought show, and where does that change?

A state that a thought says word for word is settled without a model; for the rest, one is asked.
Measured with a 1.5B model on 20 dialogues: asked for all changes in a dialogue at once, precision 0.10; asked whether
the planned change happened, always yes; asked of one thought at a time for one letter, precision 0.91, recall 1.0.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.beliefs.dialogue import DetectedUpdate, Turn
from dtomtrack.beliefs.inner_speech import PREFIXES
from dtomtrack.beliefs.markers import find_markers
from dtomtrack.beliefs.scenario import Scenario, Topic
from dtomtrack.llm.prompts import prompt
from dtomtrack.verifiers.judging.quotation import lettered, listed, quoted

__all__ = ["Probe", "changes", "probes"]

_PACKAGE = "dtomtrack.verifiers.judging"
_MOST_THOUGHTS = 10
"""The most thoughts of one turn that are shown: endless ones must not fill the context window."""


@dataclass(frozen=True)
class Probe:
    """One question about the thoughts of one turn.

    Attributes:
        states: by letter, the state of the topic that the thoughts may show; None for none of them.
    """

    topic: Topic
    holder: str
    turn: Turn
    states: Mapping[str, str | None]

    @property
    def options(self) -> dict[str, str]:
        """By letter, what the thoughts may show, in words."""
        return {letter: _in_words(self.topic, state) for letter, state in self.states.items()}

    @property
    def settled(self) -> str | None:
        """The letter of the one state that a thought says word for word: that needs no model to be read."""
        thoughts = {_plain(text) for text in _own_thoughts(self.turn)}
        said = [letter for letter, text in self.options.items() if self.states[letter] and _plain(text) in thoughts]
        return said[0] if len(said) == 1 else None

    def prompt(self) -> str:
        """The question to the model."""
        neither = "neither of these" if len(self.states) == 3 else "none of these"
        options = {
            letter: neither if state is None else quoted(_in_words(self.topic, state))
            for letter, state in self.states.items()
        }
        return prompt(_PACKAGE, "state_shown").fill(
            topic=quoted(self.topic.label),
            holder=quoted(self.holder),
            options=lettered(options),
            thoughts=listed(_own_thoughts(self.turn)[:_MOST_THOUGHTS]),
        )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".! ")


def _in_words(topic: Topic, state: str | None) -> str:
    return "neither" if state is None else f"{PREFIXES[topic.mental_state]} {state}"


def probes(scenario: Scenario, turns: Sequence[Turn]) -> Iterator[Probe]:
    """The questions of a scan: each topic that is to change, at each turn of its holder with a thought of their own."""
    for topic in scenario.topics:
        for holder in topic.holders:
            states = _states(scenario, topic, holder)
            own = [turn for turn in turns if states and turn.speaker == holder and _own_thoughts(turn)]
            for number, turn in enumerate(own):
                yield Probe(topic, holder, turn, _lettered_states(topic, holder, states, number))


def _states(scenario: Scenario, topic: Topic, holder: str) -> list[str]:
    """The states of a holder by plan, each once, in order."""
    own = (one for one in scenario.updates if (one.topic, one.agent) == (topic.id, holder))
    planned = sorted(own, key=lambda one: one.turn)
    return list(dict.fromkeys(state for update in planned for state in (update.old, update.new)))


def _own_thoughts(turn: Turn) -> list[str]:
    return [one.text for one in turn.inner_speech if one.order == 1]


def _lettered_states(topic: Topic, holder: str, states: Sequence[str], number: int) -> dict[str, str | None]:
    """An order drawn for the topic and turned for each probe, so that each state gets each letter equally often.

    How far it is turned is drawn, too: one who always says the same letter must not seem to follow a plan.
    """
    order: list[str | None] = [*states, None]
    content = (topic.id, holder, *states)
    _random(*content).shuffle(order)
    block, position = divmod(number, len(order))
    starts = list(range(len(order)))
    _random(*content, str(block)).shuffle(starts)
    start = starts[position]
    return dict(zip(string.ascii_uppercase, order[start:] + order[:start], strict=False))


def _random(*content: str) -> Random:
    return Random("|".join(content))  # noqa: S311 - an order, not a secret


def changes(topic: Topic, holder: str, shown: Iterable[tuple[Turn, str | None]]) -> Iterator[DetectedUpdate]:
    """Where the state that is shown differs from the one shown last; a turn that shows none changes nothing."""
    last = None
    for turn, state in shown:
        if state is None or state == last:
            continue
        if last is not None:
            said = find_markers(turn.utterance)
            yield DetectedUpdate(
                turn=turn.index,
                agent=holder,
                topic=topic.id,
                old=last,
                new=state,
                marker=said[0].marker.id if said else None,
            )
        last = state
