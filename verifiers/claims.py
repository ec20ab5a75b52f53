"""Claim verification: does anybody say of others what they themselves have heard otherwise?

Read from the utterances and from whom they reached, as an overhearer would. A plan never has it so, whoever says the
words; where it happens all the same, the dialogue contradicts itself, and what is asked about it has no right answer.
The same holds where an untruth comes back, by way of those who believe it, to somebody who knows it for one, and where
somebody claims to hold what they don't think (`own_claims`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.transcript import HeardTurn
from dtomtrack.verifiers.overheard import OverheardMinds, untruths
from dtomtrack.verifiers.own_claims import slips
from dtomtrack.verifiers.verdicts import Verdict
from dtomtrack.verifiers.verifier import ReviewedAttempt

__all__ = ["ClaimRules", "false_claims", "repeated_untruths"]

_OF_OTHERS = frozenset({Act.PRESUME, Act.TELL})
_OF_KNOWING = frozenset({Act.STATE, Act.PRESUME, Act.TELL})


class ClaimRules:
    """The rules as a verifier; of others, where everybody hears everything, nothing stale is claimed."""

    name = "claim_verification"

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt, without its dialogue if somebody claims what they don't hold, or what was heard otherwise."""
        dialogue = attempt.dialogue
        transcript = attempt.transcript
        if dialogue is None or transcript is None:
            return attempt
        if (slip := next(slips(dialogue, attempt.readings), None)) is not None:
            verdict = Verdict("reject", reason="somebody says that they hold what they don't think")
            return attempt.without_dialogue(self.name, verdict, slip)
        if not dialogue.scenario.divergences:
            return attempt
        ignorance = {topic.id: topic.ignorance for topic in dialogue.scenario.topics if topic.ignorance}
        claim = next(chain(false_claims(attempt.minds, ignorance), repeated_untruths(attempt.minds)), None)
        if claim is None:
            return attempt
        reason = "somebody says of another what they, or who hears it, have heard otherwise"
        return attempt.without_dialogue(self.name, Verdict("reject", reason=reason), claim)


def false_claims(minds: OverheardMinds, ignorance: Mapping[str, str | None]) -> Iterator[str]:
    """Claims about others that contradict what the speaker has heard of them, each in a sentence.

    What is taken for granted of somebody has to be what last reached the speaker of them, if anything did. Nobody knows
    nothing of a fact who has heard somebody name it, and nobody says so of another with whom they have heard it.

    Args:
        ignorance: by topic, the value that is to know nothing of it, where there is one.
    """
    turns = {turn.turn: turn for turn in minds.turns}
    for one in minds.readings:
        if one.act is Act.PRESUME:
            picture = minds.picture((one.speaker,), one.holder, one.topic, one.turn - 1)
            if picture is not None and picture.content != one.content:
                yield f"turn {one.turn}: {one.speaker} has heard of {one.holder}: {picture.content}"
        if one.act in _OF_KNOWING and one.content == ignorance.get(one.topic, ""):
            named = _named_before(one, {one.speaker, one.holder}, minds.readings, turns, ignorance)
            if named is not None:
                yield f"turn {one.turn}: {one.holder} has heard at turn {named.turn}: {named.content}"


def repeated_untruths(minds: OverheardMinds) -> Iterator[str]:
    """Untruths that reach, by way of who believes them, somebody who knows them for such; each in a sentence.

    Who was let in on an untruth knows better than to take it over; and yet, as it was said later than the truth, it
    would count as what they have last heard.
    """
    known = untruths(minds.readings, minds.turns)
    known_to = {(one.reading.holder, one.reading.topic, one.reading.turn): one.known_to for one in known}
    reached = {turn.turn: turn for turn in minds.turns}
    for one in minds.readings:
        if one.act not in _OF_OTHERS or one.holder == one.speaker:
            continue
        picture = minds.picture((one.speaker,), one.holder, one.topic, one.turn - 1)
        if picture is None:
            continue
        source = picture.source_turn
        for name in sorted(known_to.get((one.holder, one.topic, source), ())):
            if name != one.speaker and _reached(reached[one.turn], (name,), before=len(minds.turns)):
                yield f"turn {one.turn}: {name} knows that what {one.holder} said at turn {source} was not so"


def _named_before(
    claim: Reading,
    names: Collection[str],
    readings: Sequence[Reading],
    turns: Mapping[int, HeardTurn],
    ignorance: Mapping[str, str | None],
) -> Reading | None:
    """What somebody named before all of these people, of a fact of which one of them is said to know nothing."""
    return next(
        (
            one
            for one in readings
            if one.turn < claim.turn and one.topic == claim.topic and one.act in _NAMING
            if one.content != ignorance[claim.topic] and _reached(turns[one.turn], names, claim.turn)
        ),
        None,
    )


_NAMING = _OF_KNOWING | {Act.ARGUE}


def _reached(turn: HeardTurn, names: Collection[str], before: int) -> bool:
    """Whether a turn had reached all of these before another."""
    read = {name for name, at in turn.read_at.items() if at is not None and at < before}
    return all(turn.hears(name) or name in read for name in names)
