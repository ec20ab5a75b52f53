"""What each of the two does when: kinds of moves, and habits that make a dialogue foreseeable.

A habit goes by what the line before amounts to, which comes of what the seeker has in mind: whether something is taken
up, turned down or left open, whether a reason is to their taste. So nothing comes round like a clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.scenarios.recommendation.clauses import Clause, RecommendationRole
from dtomtrack.scenarios.recommendation.minds import HeardMinds

__all__ = ["MOST_MOVES", "MOVES", "Situation", "drawn_habits", "move_of", "situation_after"]

Situation = tuple[RecommendationRole, str]
"""Whose line comes next, and what the line before it amounts to."""

MOVES: Mapping[RecommendationRole, Mapping[str, str]] = {
    "recommender": {
        **dict.fromkeys(("REQ", "CLQ"), "request"),
        **dict.fromkeys(("RESP", "R-ANS"), "respond"),
        **dict.fromkeys(("REC-S", "REC-E"), "recommend"),
        **dict.fromkeys(("EXP-I", "EXP-P", "EXP-S"), "explain"),
        "OTH": "other",
    },
    "seeker": {
        **dict.fromkeys(("IQU", "CON", "REF", "STO"), "ask"),
        **dict.fromkeys(("PRO", "ANS", "ASK"), "details"),
        **dict.fromkeys(("SEE", "ACC", "REJ", "INQ", "CRI-F", "CRI-A", "NRE", "CRI-C"), "feedback"),
        "OTH": "other",
    },
}
"""By role, the kind of move that each label is."""

MOST_MOVES = 4
"""Kinds of moves that a line has, at most."""


def move_of(role: RecommendationRole, label: str) -> str:
    """The kind of move that a label is."""
    return MOVES[role][label]


# -- situations ------------------------------------------------------------------------------------------------------


def situation_after(minds: HeardMinds, role: RecommendationRole, clauses: Sequence[Clause]) -> Situation:
    """The situation that a line leaves the other one in.

    Args:
        minds: what is known, this line included.
    """
    labels = {one.label for one in clauses}
    if role == "recommender":
        return "seeker", _put_forward(minds, clauses, {move_of(role, one) for one in labels})
    return "recommender", _made_of_it(minds, clauses, {move_of(role, one) for one in labels})


def _put_forward(minds: HeardMinds, clauses: Sequence[Clause], moves: set[str]) -> str:
    if "recommend" in moves:
        quality = next(one.quality for one in clauses if move_of("recommender", one.label) == "recommend")
        return "a suggestion" if quality is None else "what they wished" if quality == minds.wished else "another thing"
    if "explain" in moves:
        told = {one.quality for one in clauses if move_of("recommender", one.label) == "explain"}
        return "a reason to their taste" if told & minds.likes else "another reason"
    return "a question" if "request" in moves else "nothing new"


def _made_of_it(minds: HeardMinds, clauses: Sequence[Clause], moves: set[str]) -> str:
    if "ask" in moves:
        return situation_of_wish(clauses)
    verdicts = [one for one in clauses if one.label in {"ACC", "REJ"}]
    if verdicts:
        last = verdicts[-1]
        return "a yes" if last.label == "ACC" else "no verdict" if last.conditional else "a no"
    mind = minds.attitudes.get(minds.current or "")
    return "no verdict" if mind is not None and mind.wanted is None else "nothing of it"


def situation_of_wish(clauses: Sequence[Clause]) -> str:
    """What a line amounts to that asks for another suggestion."""
    labels = {one.label for one in clauses}
    return "a wish for others" if "STO" in labels else "a wish" if "REF" in labels else "a call for more"


# -- habits ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ways:
    """What may be done in a situation: one row of moves of several, and any of those beside it."""

    rows: Sequence[tuple[str, ...]]
    beside: Sequence[str]


_ASIDE = ("respond", "other")
_PUT_FORWARD = (("recommend",), ("recommend", "explain"))
_WAYS: Mapping[Situation, _Ways] = {
    ("recommender", "no verdict"): _Ways([("explain",)], _ASIDE),
    ("recommender", "a wish"): _Ways(_PUT_FORWARD, _ASIDE),
    ("recommender", "a wish for others"): _Ways(_PUT_FORWARD, _ASIDE),
    ("recommender", "a call for more"): _Ways([*_PUT_FORWARD, ("request",)], _ASIDE),
    ("recommender", "nothing of it"): _Ways(_PUT_FORWARD, _ASIDE),
    ("recommender", "a no"): _Ways([("recommend",), ("recommend",), ("request",), ()], _ASIDE),
    ("recommender", "a yes"): _Ways([("recommend",), ("recommend",), ("explain",), ("request",), ()], _ASIDE),
    ("seeker", "a suggestion"): _Ways([("feedback",)], ("details", "other")),
    ("seeker", "what they wished"): _Ways([("feedback",)], ("details", "other")),
    ("seeker", "another thing"): _Ways([("feedback",)], ("details", "other")),
    ("seeker", "a reason to their taste"): _Ways([("feedback",)], ("ask", "details", "other")),
    ("seeker", "another reason"): _Ways([("feedback",), ("feedback", "ask")], ("details", "other")),
    ("seeker", "a question"): _Ways([("details",)], ("ask", "other")),
    ("seeker", "nothing new"): _Ways([("ask",)], ("details", "other")),
}
"""The seeker says what they make of what was put forward; the recommender gives reasons for what is left open, and
drops what was turned down."""


def drawn_habits(random: Random) -> dict[Situation, tuple[str, ...]]:
    """What each of the two does in every situation, differently in each; it differs from dialogue to dialogue."""
    habits: dict[Situation, tuple[str, ...]] = {}
    for situation, ways in _WAYS.items():
        known = {frozenset(moves) for (role, _), moves in habits.items() if role == situation[0]}
        moves = _drawn(random, ways)
        while not moves or frozenset(moves) in known:
            moves = _drawn(random, ways)
        habits[situation] = moves
    return habits


def _drawn(random: Random, ways: _Ways) -> tuple[str, ...]:
    beside = [one for one in ways.beside if random.random() < _BESIDE]
    moves = [*random.choice(ways.rows), *beside]
    random.shuffle(moves)
    return tuple(_in_order(moves))


_BESIDE = 0.5
_TOPICS = ("respond", "feedback", "ask", "details", "recommend", "explain", "request")


def _in_order(moves: Sequence[str]) -> list[str]:
    """Moves with what goes on from the line before first: behind anything else "it" might be that.

    Asking comes before details, which may be what is asked for. Small talk stands anywhere.
    """
    ordered = iter(sorted((one for one in moves if one in _TOPICS), key=_TOPICS.index))
    return [next(ordered) if one in _TOPICS else one for one in moves]
