"""What each of the two does after what: kinds of moves, and habits that make a dialogue foreseeable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from dtomtrack.scenarios.recommendation.clauses import RecommendationRole

__all__ = ["MOST_MOVES", "MOVES", "Situation", "drawn_habits", "move_of"]

Situation = tuple[RecommendationRole, str]
"""Whose line comes next, and the kind of move that the line before it ended with."""

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

_SIZES = (1, 2, 3, 4)
_WEIGHTS = (24, 36, 25, 15)
"""How often a habit has so many kinds of moves."""
MOST_MOVES = max(_SIZES)
"""Kinds of moves that a line has, at most."""


def move_of(role: RecommendationRole, label: str) -> str:
    """The kind of move that a label is."""
    return MOVES[role][label]


def drawn_habits(random: Random) -> dict[Situation, tuple[str, ...]]:
    """What each of the two does in every situation that comes up.

    A suggestion is answered with what the seeker thinks of it, and that by an explanation; an explanation again with
    what they think, and with a wish, which is followed by another suggestion. What else is in these lines, and how
    they end, differs from dialogue to dialogue. Nobody asks who never answers.
    """
    after_suggestion = random.choice(("feedback", "details", "other"))
    after_explanation = random.choice([one for one in ("ask", "details", "other") if one != after_suggestion])
    suggested = _moves(random, "seeker", ("feedback",), after_suggestion, never=("ask",))
    explained = _moves(random, "seeker", ("feedback", "ask"), after_explanation)
    return {
        ("recommender", after_suggestion): _moves(random, "recommender", (), "explain", never=_unasked(explained)),
        ("recommender", after_explanation): _moves(random, "recommender", (), "recommend", never=_unasked(suggested)),
        ("seeker", "recommend"): suggested,
        ("seeker", "explain"): explained,
    }


def _unasked(answer: Sequence[str]) -> tuple[str, ...]:
    """What the recommender does not do where the seeker's line after it has no answer."""
    return () if "details" in answer else ("request",)


def _moves(
    random: Random, role: RecommendationRole, needed: Sequence[str], last: str, never: Sequence[str] = ()
) -> tuple[str, ...]:
    """Moves of one line: those that are needed, some others, and one to end with."""
    first = [one for one in needed if one != last]
    others = [one for one in dict.fromkeys(MOVES[role].values()) if one not in (*first, last, *never)]
    size = random.choices(_SIZES, _WEIGHTS)[0]
    more = random.sample(others, max(0, min(len(others), size - len(first) - 1)))
    moves = [*first, *more]
    random.shuffle(moves)
    return (*_suggestion_first(moves), last)


def _suggestion_first(moves: Sequence[str]) -> list[str]:
    """Moves in which the seeker speaks of the suggestion first: behind anything else "it" might be that.

    Asking comes before details, which may be what is asked for.
    """
    topics = ("feedback", "ask", "details")
    ordered = iter(sorted((one for one in moves if one in topics), key=topics.index))
    return [next(ordered) if one in topics else one for one in moves]
