"""Figures by which packs are judged: what a set of characters demands of a persuader, and what it gives away.

Whoever listens has to win and whoever doesn't has to lose; and what works must not be told by the context.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from dtomtrack.records import Record
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.briefing import Cue, briefing_of
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.classifier import classify
from dtomtrack.suites.rhetbench.policies import PolicyName, policy_names
from dtomtrack.suites.rhetbench.random_minds import mind_of
from dtomtrack.suites.rhetbench.replies import Legibility, Reply, reply_text
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.suites.rhetbench.simulation import simulate, win_rate
from dtomtrack.suites.rhetbench.tone_reader import reader_without

__all__ = [
    "COLD_READ_AT_MOST",
    "HARD_TIERS",
    "TONE_READ_AT_LEAST",
    "Demand",
    "cold_reads",
    "demands",
    "own_tone_read",
    "tone_read",
]

HARD_TIERS = frozenset({"hard", "very_hard", "extreme"})
COLD_READ_AT_MOST = 0.30
TONE_READ_AT_LEAST = 0.85
_BY = 10
_WORD = re.compile(r"[a-z]+")
_REPLIES = 6
_MESSAGE = "There is something in the plan that I would like you to hear, and more besides"


class Demand(Record):
    """How often a policy wins by turn 10, and the most it may, or the least it must."""

    policy: PolicyName
    wins: float
    least: float | None = None
    most: float | None = None

    @property
    def holds(self) -> bool:
        """Whether it is within its bounds."""
        return (self.least is None or self.wins >= self.least) and (self.most is None or self.wins <= self.most)


_LEAST = {"oracle": 1.0, "first-positive": 0.95, "first-positive-shuffled": 0.95}
_MOST = {"do-nothing": 0.0, "cycle": 0.05, "random": 0.20, **{f"only-{one.lower()}": 0.25 for one in APPEALS}}


def demands(packs: Sequence[PersuasionPack], seeds: int = 200, rules: str = "dtomtrack") -> list[Demand]:
    """Win rates by turn 10 of every policy, tones heard as they are, mean over the packs."""
    found = []
    for policy in policy_names():
        played = [
            simulate(load_rules(rules), mind_of(pack.mind), policy, f"{pack.id}/{seed}")
            for pack in packs
            for seed in range(seeds)
        ]
        found.append(
            Demand(policy=policy, wins=win_rate(played, _BY), least=_LEAST.get(policy), most=_MOST.get(policy))
        )
    return found


def cold_reads(packs: Sequence[PersuasionPack], cue: Cue = "neutral") -> tuple[float, float]:
    """Shares of packs whose dominant class is guessed right from context and opening alone.

    By the cue classifier, and by words as they go with classes in the other packs (naive Bayes, one pack left out).
    """
    texts = {pack.id: _cold_text(pack, cue) for pack in packs}
    cued = sum(classify(texts[pack.id], asks=False).argument is pack.dominant for pack in packs)
    learnt = sum(_guess([one for one in packs if one is not pack], texts, pack.id) is pack.dominant for pack in packs)
    return cued / len(packs), learnt / len(packs)


def _cold_text(pack: PersuasionPack, cue: Cue) -> str:
    briefing = briefing_of(pack, cue)
    return f"{briefing.context} {briefing.opening}"


def _guess(others: Sequence[PersuasionPack], texts: dict[str, str], wanted: str) -> ArgumentClass:
    counts: dict[ArgumentClass, Counter[str]] = {one: Counter() for one in APPEALS}
    for pack in others:
        counts[pack.dominant].update(_WORD.findall(texts[pack.id].lower()))
    vocabulary = len({word for counter in counts.values() for word in counter})
    words = _WORD.findall(texts[wanted].lower())

    def score(one: ArgumentClass) -> float:
        total = counts[one].total() + vocabulary
        return sum(math.log((counts[one][word] + 1) / total) for word in words)

    return max(APPEALS, key=score)


def tone_read(packs: Sequence[PersuasionPack], legibility: Legibility = "clear") -> float:
    """The share of replies whose tone a reader gets who has never met the character."""
    right = [
        reader_without(pack.id).read(_reply(pack, heard, tone, number, legibility)) is tone
        for pack in packs
        for heard in APPEALS
        for tone in Tone
        for number in range(_REPLIES)
    ]
    return sum(right) / len(right)


def own_tone_read(packs: Sequence[PersuasionPack]) -> float | None:
    """The share of the lines that only this character says whose tone a reader gets, with nothing before them.

    None where they say nothing of their own.
    """
    right = [
        reader_without(pack.id).read(line) is tone
        for pack in packs
        for lines in pack.replies.values()
        for tone in Tone
        for line in lines.of(tone)
    ]
    return sum(right) / len(right) if right else None


def _reply(pack: PersuasionPack, heard: ArgumentClass, tone: Tone, number: int, legibility: Legibility) -> str:
    reply = Reply(
        seed=0,
        turn=number + 1,
        heard=heard,
        tone=tone,
        before=Tone.NEUTRAL,
        uses=number,
        hint=heard,
        message=_MESSAGE,
        legibility=legibility,
    )
    return reply_text(pack, reply)
