"""Claims of one's own: does anybody say that they hold what they don't think, without meaning to mislead?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.matching import StateMatcher
from dtomtrack.beliefs.reading import Act, Reading

__all__ = ["slips", "unheld_claims"]

Held = tuple[str, str]
"""(topic, value)."""


def unheld_claims(
    line: str,
    speaker: str,
    granted: Collection[Held],
    current: Collection[Held],
    transcript: Sequence[tuple[str, str]],
    matcher: StateMatcher,
) -> Iterator[str]:
    """What a line claims of its speaker that they don't hold, each in a sentence.

    Args:
        granted: what is thought or to be said; of a topic that it does not name, what is held before (``current``) may
            be said or, where that is not known, what the speaker claimed last.
        transcript: (speaker, words) of what was said before.
    """
    for topic in matcher.own_topics(speaker):
        claimed = matcher.claimed(topic, speaker, line)
        if not claimed:
            continue
        held = _values(topic, granted) or _values(topic, current) or _last_claimed(topic, speaker, transcript, matcher)
        for value in claimed:
            if value not in held:
                yield f"what is said claims a state that is not thought: {value}"


def _values(topic: str, states: Collection[Held]) -> set[str]:
    return {value for its, value in states if its == topic}


def _last_claimed(topic: str, speaker: str, transcript: Sequence[tuple[str, str]], matcher: StateMatcher) -> set[str]:
    """The value that the latest line of somebody claims that claims any; of several, the last."""
    lines = (line for name, line in reversed(transcript) if name == speaker)
    return next(({claimed[-1]} for line in lines if (claimed := matcher.claimed(topic, speaker, line))), set())


def slips(dialogue: Dialogue, readings: Sequence[Reading]) -> Iterator[str]:
    """Claims of a state that the speaker neither holds by then nor has said to mislead, each in a sentence.

    What somebody holds before the first turn, they hold until another state is on record.
    """
    states = {
        (agent.name, one.topic): {one.content} for agent in dialogue.scenario.agents for one in agent.initial_states
    }
    claims = [one for one in readings if one.act is Act.SLIP]
    if not claims:
        return
    for turn in dialogue.turns:
        for thought in turn.inner_speech:
            if thought.order == 1 and thought.topic is not None:
                states[turn.speaker, thought.topic] = {thought.content}
        for one in turn.expressions:
            if one.about is None:
                states.setdefault((turn.speaker, one.topic), set()).add(one.content)
        for claim in claims:
            if claim.turn == turn.index and claim.content not in states.get((claim.speaker, claim.topic), ()):
                yield f"turn {claim.turn}: {claim.speaker} claims and does not hold: {claim.content}"
