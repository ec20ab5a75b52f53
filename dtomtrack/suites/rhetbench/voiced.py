"""Which tones of an episode can be heard, and when: with ``delayed`` a reply voices that of the message before.

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
    delay = int(episode.config.legibility == "delayed")
    turns, worded = episode.turns, episode.config.verbalizer != "rules"
    return [
        VoicedTurn(turn, number, number + delay)
        for number, turn in enumerate(turns[: len(turns) - delay])
        if turn.argument is not ArgumentClass.ASK and _voices(turns[number + delay], worded=worded)
    ]


def _voices(turn: TurnRecord, *, worded: bool) -> bool:
    """Whether a reply voices a tone; one that a model has put into words of its own does so, whatever the line was."""
    if turn.argument is ArgumentClass.ASK:
        return False
    answered = turn.argument is ArgumentClass.GENERIC and "answers" in turn.flags
    return not answered or (worded and "unvoiced" not in turn.flags)
