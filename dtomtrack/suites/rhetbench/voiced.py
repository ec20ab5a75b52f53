"""Which tones of an episode can be heard, and when: with ``delayed`` a reply voices that of the argument before.

A hint, and the line said to an answer that puts no case, voice none.
"""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.suites.rhetbench.episode import Episode, TurnRecord

__all__ = ["VoicedTurn", "voiced_turns"]


@dataclass(frozen=True, slots=True)
class VoicedTurn:
    """A turn whose tone is heard.

    Attributes:
        number: of the turn in its episode, from 0; ``heard``: of the one whose reply voices its tone.
    """

    record: TurnRecord
    number: int
    heard: int


def voiced_turns(episode: Episode) -> list[VoicedTurn]:
    """The turns whose tone is heard, in order; a question has none."""
    worded = episode.config.verbalizer != "rules"
    # a question draws no tone, and in the reply to it none is voiced
    turns = [(number, turn) for number, turn in enumerate(episode.turns) if turn.argument is not ArgumentClass.ASK]
    delay = int(episode.config.legibility == "delayed")
    return [
        VoicedTurn(turn, number, heard)
        for (number, turn), (heard, voicing) in zip(turns, turns[delay:], strict=False)
        if _voices(voicing, worded=worded)
    ]


def _voices(turn: TurnRecord, *, worded: bool) -> bool:
    """Whether the reply to an argument voices a tone; one that a model has put into its own words does in any case."""
    answered = turn.argument is ArgumentClass.GENERIC and "answers" in turn.flags
    return not answered or (worded and "unvoiced" not in turn.flags)
