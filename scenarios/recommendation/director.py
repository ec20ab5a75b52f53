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

from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.recommendation.clauses import Clause, LinePlan, RecommendationRole
from dtomtrack.scenarios.recommendation.habits import MOST_MOVES, Situation, drawn_habits, move_of
from dtomtrack.scenarios.recommendation.minds import Attitude
from dtomtrack.scenarios.recommendation.pack import DIMENSIONS, RecommendationPack, Thing

__all__ = ["OPENING", "SessionPlan", "planned_session"]

OPENING = 6
"""Lines of small steps, at most, before habits show: what the seeker looks for, and a first suggestion."""
_TASTES = 3
_ASKS = 0.5
"""How often the seeker asks something back, where questions are answered."""
_CURIOUS = 0.4
"""How often the seeker wants to know more of what is new to them, where questions are answered."""
_BRIEF = 0.25
"""How often the seeker says one thing at a time of what was suggested."""
_WANTED_IF_LIKED, _WANTED_IF_DISLIKED = 0.52, 0.48
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


def planned_session(pack: RecommendationPack, random: Random, length: int) -> SessionPlan:
    """A dialogue of so many lines."""
    return _Director(pack, random).session(length)


@dataclass(frozen=True)
class _Move:
    """A kind of move in a line.

    Attributes:
        line: the moves of the line; ``behind``: those that follow.
        last: the line before.
    """

    role: RecommendationRole
    kind: str
    line: Sequence[str]
    behind: Sequence[str]
    last: LinePlan


class _Director:
    def __init__(self, pack: RecommendationPack, random: Random) -> None:
        self._pack = pack
        self._random = random
        self._likes, self._dislikes = _tastes(pack, random)
        self._heeded, self._ignored = random.sample(DIMENSIONS, 2)
        self._habits = drawn_habits(random)
        self._left = list(pack.catalogue)
        random.shuffle(self._left)
        self._lines: list[LinePlan] = []
        self._minds: dict[str, Attitude] = {}
        self._hidden: list[Mapping[str, Attitude]] = []
        self._voiced: set[str] = set()
        self._current = ""
        self._wishes, self._errands = self._requests()
        self._asked_for: str | None = None
        self._restated: str | None = None
        self._requested: set[str] = set()
        self._told_of: dict[str, set[str]] = {}
        self._won_over: dict[str, Clause] = {}
        self._tastes, self._wished, self._sides = (FreshChoice(random) for _ in range(3))
        self._opinions: dict[str, bool] = {}

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
        clauses: list[Clause] = []
        for place, move in enumerate(moves):
            clauses += self._clauses(_Move(role, move, moves, moves[place + 1 :], last))
        self._say(role, clauses)
        if role == "recommender":
            self._sway(clauses)

    def _clauses(self, move: _Move) -> list[Clause]:
        """The clauses of a move."""
        if move.kind == "other":
            return [Clause("OTH")]
        if move.role == "recommender":
            return self._responses(move.last) if move.kind == "respond" else [self._of_recommender(move.kind)]
        # who never answers is asked nothing
        answered = "respond" in self._habits["recommender", move.line[-1]]
        if move.kind == "feedback":
            brief = len(move.line) == MOST_MOVES or self._random.random() < _BRIEF
            return self._feedback(brief=brief, answered=answered)
        return [self._request(move) if move.kind == "ask" else self._detail(move, answered=answered)]

    def _of_recommender(self, move: str) -> Clause:
        if move == "recommend":
            return self._suggestion()
        return self._explanation() if move == "explain" else Clause(self._random.choice(("REQ", "CLQ")))

    def _responses(self, last: LinePlan) -> list[Clause]:
        """An answer to each question that was asked; a reaction where none was."""
        return [self._answer(one) for one in last.clauses if one.label in {"INQ", "ASK"}] or [Clause("RESP")]

    def _answer(self, asked: Clause) -> Clause:
        if asked.quality is None:
            return Clause("R-ANS", asked.title)
        opinion = self._opinions.setdefault(asked.quality, self._random.random() < 0.5)
        return Clause("R-ANS", quality=asked.quality, liked=opinion)

    def _explanation(self) -> Clause:
        """A reason for the last suggestion: a quality that is liked or not, and the seeker's taste only where it is."""
        thing = self._pack.thing_called(self._current)
        sides = {"liked": {*self._likes}, "disliked": {*self._dislikes}}
        # nothing is told twice before all is told
        left = [one for one in thing.qualities if one not in self._told_of[thing.title]] or thing.qualities
        telling = {side: [one for one in left if one in taste] for side, taste in sides.items()}
        known = [side for side, found in telling.items() if found]
        quality = self._random.choice(telling[self._sides.choice(known)] if known else left)
        labels = ("EXP-P", "EXP-P", "EXP-I", "EXP-S") if quality in self._likes else ("EXP-I", "EXP-S")
        self._told_of[thing.title].add(quality)
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
        told = self._told(thing, wish)
        self._told_of[thing.title] = {told} if told else set()
        return Clause(self._random.choice(("REC-S", "REC-E")), thing.title, told)

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

    def _requests(self) -> tuple[list[str], list[str]]:
        """What the seeker asks for: of their own taste, and for others what is neither liked nor disliked.

        One of each in the dimension that is heeded and in one that is not, so that who has seen it knows what will
        come of it.
        """
        own, errands = [], []
        for name in (self._heeded, self._ignored):
            qualities = self._pack.dimension(name)
            own.append(next(one for one in qualities if one in self._likes))
            errands.append(
                self._random.choice([one for one in qualities if one not in (*self._likes, *self._dislikes)])
            )
        return own, errands

    def _request(self, move: _Move) -> Clause:
        """More, something for somebody else, or, where details follow that can say what, something else for them."""
        restated = ["REF"] * 5 if "details" in move.behind else ["STO"] * 2
        label = self._random.choice(["CON", "STO", *restated])
        if label == "CON":
            return Clause("CON")
        self._asked_for = wish = self._wished.choice(self._wishes if label == "REF" else self._errands)
        self._requested.add(wish)
        if label == "STO":
            return Clause("STO", quality=wish)
        self._restated = wish
        return Clause("REF")

    def _detail(self, move: _Move, *, answered: bool) -> Clause:
        """What is wished for where it was asked in other terms; an answer where something was asked.

        Else something that they bring up, or a question back.
        """
        label = "ANS" if move.last.labels & {"REQ", "CLQ"} else "PRO"
        wish, self._restated = self._restated, None
        if wish is not None:
            return Clause(label, quality=wish, wish=True)
        if label == "ANS":
            return Clause("ANS", quality=self._tastes.choice(self._likes))
        unknown = [one for one in self._likes if one not in self._opinions]
        if answered and unknown and self._random.random() < _ASKS:
            return Clause("ASK", quality=self._random.choice(unknown))
        return self._brought_up() if self._random.random() < 0.6 else self._taste()

    def _taste(self) -> Clause:
        """Something that they like or dislike."""
        quality = self._tastes.choice((*self._likes, *self._dislikes))
        return _dislike(quality) if quality in self._dislikes else Clause("PRO", quality=quality)

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
            if answered and not mind.seen and self._random.random() < _CURIOUS:
                return [known, Clause("INQ", title)]
            return [known] if brief else [known, self._verdict(mind)]
        said = self._said(title)
        if mind.wanted is not said:
            verdict = self._won_over.get(title) if mind.wanted else None
            return [verdict or self._verdict(mind)]
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
        known = thing.qualities if mind.seen else [one for one in thing.qualities if one in self._told_of[title]]
        fault = next((one for one in known if one in self._dislikes and one not in self._requested), None)
        if mind.wanted and fault and not brief and self._random.random() < 0.35:
            self._minds[title] = replace(mind, liked=False, wanted=False)
            return [Clause("CRI-F", title, fault), Clause("REJ")]
        if not mind.wanted and self._just_explained():
            return [Clause("REJ")]
        too_much = [one for one in known if one not in self._likes and one not in self._requested]
        missing = [one for one in self._likes if one not in thing.qualities]
        remarks = [Clause("CRI-C", title), *[Clause("INQ", title)] * (2 * (answered and not mind.seen))]
        if too_much:
            remarks.append(Clause("CRI-F", title, self._random.choice(too_much)))
        if missing:
            remarks.append(Clause("CRI-A", quality=self._random.choice(missing)))
        return [self._random.choice(remarks)]

    def _just_explained(self) -> bool:
        return any(clause.label.startswith("EXP") for clause in self._lines[-1].clauses)

    def _sway(self, clauses: Sequence[Clause]) -> None:
        """An explanation that names what the seeker likes wins them over to what they did not take up."""
        for clause in clauses:
            title = clause.title or ""
            mind = self._minds.get(title)
            if not clause.label.startswith("EXP") or mind is None or title not in self._voiced:
                continue
            is_open = mind.wanted is False or (mind.liked is False and self._said(title) is None)
            if is_open and clause.quality in self._likes:
                self._won_over[title] = Clause("ACC", quality=clause.quality, liked=None if mind.liked else True)
                self._minds[title] = replace(mind, liked=True, wanted=True)


def _dislike(quality: str) -> Clause:
    return Clause("PRO", quality=quality, disliked=True)


def _tastes(pack: RecommendationPack, random: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Qualities that the seeker likes and dislikes, one of each dimension."""
    pairs = [random.sample(pack.dimension(name), 2) for name in random.sample(DIMENSIONS, _TASTES)]
    return tuple(one for one, _ in pairs), tuple(other for _, other in pairs)
