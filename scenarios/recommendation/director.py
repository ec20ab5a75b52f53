"""Lays a recommendation dialogue out, line by line, from two people with habits and one with hidden attitudes.

Each of the two answers what the other did last with the same kinds of moves every time: who has seen it happen can
predict it. The recommender heeds what the seeker asks for in some respects and not in others. The seeker knows and
likes things or not, and wants them or not for reasons that may have nothing to do with liking; an explanation changes
their mind if it names a quality that they like. So nothing in a question alone tells what is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from dtomtrack.scenarios.recommendation.clauses import Clause, LinePlan, RecommendationRole
from dtomtrack.scenarios.recommendation.minds import Attitude
from dtomtrack.scenarios.recommendation.pack import DIMENSIONS, RecommendationPack, Thing

__all__ = ["MOVES", "OPENING", "SessionPlan", "Situation", "move_of", "planned_session"]

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

OPENING = 6
"""Lines of small steps, at most, before habits show: what the seeker looks for, and a first suggestion."""
_SIZES = (1, 2, 3, 4)
_WEIGHTS = (30, 34, 22, 14)
"""How often a habit has so many kinds of moves."""
_TASTES = 3
_ASKS = 0.5
"""How often the seeker asks something back, where questions are answered."""
_BRIEF = 0.25
"""How often the seeker says one thing at a time of what was suggested."""
_WANTED_IF_LIKED, _WANTED_IF_DISLIKED = 0.62, 0.42
"""Wanting goes with liking only so far: what is liked may have been had yesterday, what is not is for the children."""


@dataclass(frozen=True)
class SessionPlan:
    """A dialogue that is to be played, with what is hidden in it.

    Attributes:
        likes, dislikes: the seeker's taste, all of which they say.
        heeded, ignored: the dimension in which the recommender gives what is asked for, and one in which they don't.
        habits: by situation, the kinds of moves that follow, in their order.
        hidden: by line, counted from 1, the attitudes after it, of titles that have one.
    """

    lines: tuple[LinePlan, ...]
    likes: tuple[str, ...]
    dislikes: tuple[str, ...]
    heeded: str
    ignored: str
    habits: Mapping[Situation, tuple[str, ...]]
    hidden: tuple[Mapping[str, Attitude], ...]


def move_of(role: RecommendationRole, label: str) -> str:
    """The kind of move that a label is."""
    return MOVES[role][label]


def planned_session(pack: RecommendationPack, random: Random, length: int) -> SessionPlan:
    """A dialogue of so many lines."""
    return _Director(pack, random).session(length)


class _Director:
    def __init__(self, pack: RecommendationPack, random: Random) -> None:
        self._pack = pack
        self._random = random
        self._likes, self._dislikes = _tastes(pack, random)
        self._heeded, self._ignored = random.sample(DIMENSIONS, 2)
        self._habits = _habits(random)
        self._left = list(pack.catalogue)
        random.shuffle(self._left)
        self._lines: list[LinePlan] = []
        self._minds: dict[str, Attitude] = {}
        self._hidden: list[Mapping[str, Attitude]] = []
        self._voiced: set[str] = set()
        self._current = ""
        self._asked_for: str | None = None

    def session(self, length: int) -> SessionPlan:
        self._open()
        while len(self._lines) < length:
            self._go_on()
        return SessionPlan(
            tuple(self._lines),
            self._likes,
            self._dislikes,
            self._heeded,
            self._ignored,
            self._habits,
            tuple(self._hidden),
        )

    # -- lines -------------------------------------------------------------------------------------------------------

    def _say(self, role: RecommendationRole, clauses: Sequence[Clause]) -> None:
        self._lines.append(LinePlan(role, tuple(clauses)))
        self._hidden.append(dict(self._minds))

    def _open(self) -> None:
        """The seeker says what they like and what they don't, the recommender makes a first suggestion."""
        likes, dislikes = self._likes, self._dislikes
        self._say("seeker", [Clause("IQU"), Clause("PRO", quality=likes[0]), _dislike(dislikes[0])])
        self._say("recommender", [Clause("REQ")])
        more = [Clause("ANS", quality=likes[1]), *(Clause("PRO", quality=one) for one in likes[2:])]
        self._say("seeker", [*more, *map(_dislike, dislikes[1:])])
        if self._random.random() < 0.5:
            # so that the number of a line does not tell what it does
            self._say("recommender", [Clause("OTH")])
            self._say("seeker", [Clause("OTH")])
        self._say("recommender", [self._suggestion()])

    def _go_on(self) -> None:
        """The next line: what the habit of this situation says."""
        last = self._lines[-1]
        role: RecommendationRole = "recommender" if last.role == "seeker" else "seeker"
        moves = self._habits[role, move_of(last.role, last.clauses[-1].label)]
        clauses = [clause for move in moves for clause in self._clauses(role, move, moves, last)]
        self._say(role, clauses)
        if role == "recommender":
            self._sway(clauses)

    def _clauses(self, role: RecommendationRole, move: str, moves: Sequence[str], last: LinePlan) -> list[Clause]:
        draw = self._random
        if move == "other":
            return [Clause("OTH")]
        if role == "recommender":
            return self._responses(last) if move == "respond" else [self._of_recommender(move)]
        # who never answers is asked nothing
        answered = "respond" in self._habits["recommender", moves[-1]]
        if move == "feedback":
            return self._feedback(brief=len(moves) == max(_SIZES) or draw.random() < _BRIEF, answered=answered)
        if move == "ask":
            label = draw.choice(("CON", "REF", "REF", "STO", "STO"))
            return [Clause(label, quality=None if label == "CON" else self._wish())]
        return [self._detail(last, answered=answered)]

    def _of_recommender(self, move: str) -> Clause:
        if move == "recommend":
            return self._suggestion()
        return self._explanation() if move == "explain" else Clause(self._random.choice(("REQ", "CLQ")))

    def _responses(self, last: LinePlan) -> list[Clause]:
        """An answer to each question that was asked; a reaction where none was."""
        asked = [one for one in last.clauses if one.label in {"INQ", "ASK"}]
        return [Clause("R-ANS", one.title, one.quality) for one in asked] or [Clause("RESP")]

    def _explanation(self) -> Clause:
        """A reason for the last suggestion: a quality that is liked or not, and the seeker's taste only where it is."""
        thing = self._pack.thing_called(self._current)
        telling = [one for one in thing.qualities if one in (*self._likes, *self._dislikes)]
        quality = self._random.choice(telling or thing.qualities)
        labels = ("EXP-P", "EXP-P", "EXP-I", "EXP-S") if quality in self._likes else ("EXP-I", "EXP-S")
        return Clause(self._random.choice(labels), thing.title, quality)

    # -- the recommender's suggestions -------------------------------------------------------------------------------

    def _suggestion(self) -> Clause:
        """Something new: as was asked for, if that is in the dimension that is heeded; else something else."""
        wish, self._asked_for = self._asked_for, None
        thing = min(self._left, key=lambda one: (not self._suits(one.qualities, wish), -self._divides(one.qualities)))
        self._left.remove(thing)
        self._current = thing.title
        liked = self._random.random() < 0.5
        chance = _WANTED_IF_LIKED if liked else _WANTED_IF_DISLIKED
        seen, wanted = self._random.random() < 0.5, self._random.random() < chance
        self._minds[thing.title] = Attitude("recommender", seen, liked, wanted)
        return Clause(self._random.choice(("REC-S", "REC-E")), thing.title, self._told(thing, wish))

    def _told(self, thing: Thing, wish: str | None) -> str | None:
        """Where something was asked for, what the suggestion is in that respect."""
        named = zip(DIMENSIONS, thing.qualities, strict=True)
        return next((quality for name, quality in named if wish in self._pack.dimension(name)), None)

    def _suits(self, qualities: Sequence[str], wish: str | None) -> bool:
        if wish is None:
            return True
        return (wish in qualities) is (wish in self._pack.dimension(self._heeded))

    def _divides(self, qualities: Sequence[str]) -> int:
        """Whether something has qualities of both kinds, so that it can be praised well and badly."""
        return bool({*qualities} & {*self._likes}) + bool({*qualities} & {*self._dislikes})

    # -- what the seeker says ----------------------------------------------------------------------------------------

    def _wish(self) -> str:
        """A quality to ask for: of the dimension that is heeded, or of one that is not."""
        dimension = self._random.choice((self._heeded, self._ignored))
        self._asked_for = self._random.choice(self._pack.dimension(dimension))
        return self._asked_for

    def _detail(self, last: LinePlan, *, answered: bool) -> Clause:
        """An answer where something was asked; else something that they bring up, or a question back."""
        draw = self._random
        if last.labels & {"REQ", "CLQ"} and draw.random() < 0.6:
            return Clause("ANS", quality=draw.choice(self._likes))
        if answered and draw.random() < _ASKS:
            return Clause("ASK", quality=draw.choice(self._likes))
        return self._brought_up() if draw.random() < 0.6 else Clause("PRO", quality=draw.choice(self._likes))

    def _brought_up(self) -> Clause:
        """A title that the seeker knows of."""
        thing = self._left.pop()
        seen, liked = self._random.choice(((True, True), (True, False), (False, True)))
        self._minds[thing.title] = Attitude("seeker", seen, liked)
        self._voiced.add(thing.title)
        return Clause("PRO", title=thing.title, liked=liked, seen=seen)

    def _feedback(self, *, brief: bool, answered: bool) -> list[Clause]:
        """On what was put forward last: first all that it is to them, then what has changed, or a remark.

        Args:
            brief: one thing at a time.
            answered: whether questions are.
        """
        title, mind = self._current, self._minds[self._current]
        if title not in self._voiced:
            self._voiced.add(title)
            known = Clause("SEE" if mind.seen else "NRE", title, liked=mind.liked)
            return [known] if brief else [known, self._verdict(mind)]
        said = self._said(title)
        if mind.wanted is not said:
            return [self._verdict(mind) if said is None else replace(self._verdict(mind), reason=False)]
        return self._remark(title, mind, brief=brief, answered=answered)

    def _verdict(self, mind: Attitude) -> Clause:
        return Clause("ACC" if mind.wanted else "REJ", reason=mind.liked is not mind.wanted)

    def _said(self, title: str) -> bool | None:
        """The last word of the seeker on a title."""
        about, last = None, None
        for line in self._lines:
            for clause in line.clauses:
                about = clause.title if clause.label in {"REC-S", "REC-E"} else about
                if about == title and clause.label in {"ACC", "REJ"}:
                    last = clause.label == "ACC"
        return last

    def _remark(self, title: str, mind: Attitude, *, brief: bool, answered: bool) -> list[Clause]:
        """A remark on what is known already; now and then what was wanted turns out to be too much of something."""
        thing = self._pack.thing_called(title)
        fault = next((one for one in thing.qualities if one in self._dislikes), None)
        if mind.wanted and fault and not brief and self._random.random() < 0.35:
            self._minds[title] = replace(mind, wanted=False)
            return [Clause("CRI-F", title, fault), Clause("REJ")]
        if not mind.wanted and self._just_explained():
            return [Clause("REJ")]
        too_much = [one for one in thing.qualities if one not in self._likes]
        missing = [one for one in self._likes if one not in thing.qualities]
        remarks = [Clause("CRI-C", title), *[Clause("INQ", title)] * (2 * answered)]
        if too_much:
            remarks.append(Clause("CRI-F", title, self._random.choice(too_much)))
        if missing:
            remarks.append(Clause("CRI-A", quality=self._random.choice(missing)))
        return [self._random.choice(remarks)]

    def _just_explained(self) -> bool:
        return any(clause.label.startswith("EXP") for clause in self._lines[-1].clauses)

    def _sway(self, clauses: Sequence[Clause]) -> None:
        """An explanation of something that was turned down changes the seeker's mind if it names what they like."""
        for clause in clauses:
            mind = self._minds.get(clause.title or "")
            appeals = clause.label.startswith("EXP") and clause.title in self._voiced and clause.quality in self._likes
            if appeals and mind is not None and mind.wanted is False:
                self._minds[clause.title or ""] = replace(mind, wanted=True)


def _dislike(quality: str) -> Clause:
    return Clause("PRO", quality=quality, disliked=True)


def _tastes(pack: RecommendationPack, random: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Qualities that the seeker likes and dislikes, one of each dimension."""
    pairs = [random.sample(pack.dimension(name), 2) for name in random.sample(DIMENSIONS, _TASTES)]
    return tuple(one for one, _ in pairs), tuple(other for _, other in pairs)


def _habits(random: Random) -> dict[Situation, tuple[str, ...]]:
    """What each of the two does in every situation that comes up.

    A suggestion is answered with what the seeker thinks of it, and that by an explanation; an explanation again with
    what they think, and with a wish, which is followed by another suggestion. What else is in these lines, and how
    they end, differs from dialogue to dialogue.
    """
    after_suggestion = random.choice(("feedback", "details", "other"))
    after_explanation = random.choice([one for one in ("ask", "details", "other") if one != after_suggestion])
    return {
        ("recommender", after_suggestion): _moves(random, "recommender", (), "explain"),
        ("recommender", after_explanation): _moves(random, "recommender", (), "recommend"),
        ("seeker", "recommend"): _moves(random, "seeker", ("feedback",), after_suggestion),
        ("seeker", "explain"): _moves(random, "seeker", ("feedback", "ask"), after_explanation),
    }


def _moves(random: Random, role: RecommendationRole, needed: Sequence[str], last: str) -> tuple[str, ...]:
    """Moves of one line: those that are needed, some others, and one to end with."""
    first = [one for one in needed if one != last]
    others = [one for one in dict.fromkeys(MOVES[role].values()) if one not in (*first, last)]
    size = random.choices(_SIZES, _WEIGHTS)[0]
    more = random.sample(others, max(0, min(len(others), size - len(first) - 1)))
    moves = [*first, *more]
    random.shuffle(moves)
    return (*_suggestion_first(moves), last)


def _suggestion_first(moves: Sequence[str]) -> list[str]:
    """Moves in which the seeker speaks of the suggestion first: behind anything else "it" might be that."""
    topics = ("feedback", "details", "ask")
    ordered = iter(sorted((one for one in moves if one in topics), key=topics.index))
    return [next(ordered) if one in topics else one for one in moves]
