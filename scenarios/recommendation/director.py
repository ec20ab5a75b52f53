"""Lays a recommendation dialogue out, line by line, from two people with habits and one with hidden attitudes.

Each of the two goes on in the same way whenever the other's line amounts to the same: who has seen it happen can
predict it. The recommender heeds what the seeker asks for in some respects and not in others, and speaks for what is
left open, never for what was turned down. The seeker knows and likes things or not, and wants them or not for reasons
that may have nothing to do with liking; an explanation decides what was left open by whether it names a quality that
they like, except of what they know and dislike. So nothing in a question alone tells what is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random

from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.recommendation.clauses import Clause, LinePlan, RecommendationRole
from dtomtrack.scenarios.recommendation.habits import MOST_MOVES, Situation, drawn_habits, situation_after
from dtomtrack.scenarios.recommendation.minds import Attitude, HeardMinds
from dtomtrack.scenarios.recommendation.pack import DIMENSIONS, RecommendationPack, Thing

__all__ = ["OPENING", "SessionPlan", "planned_session"]

OPENING = 6
"""Lines of small steps, at most, before habits show: what the seeker looks for, and a first suggestion."""
_TASTES = 3
_ASKS = 0.5
"""How often the seeker asks something back, where questions are answered."""
_CURIOUS = 0.4
"""How often the seeker wants to know more of what is new to them, where questions are answered."""
_BRIEF = 0.35
"""How often the seeker says nothing yet of whether they want what was suggested."""
_WAVERS = 0.8
"""How often the seeker turns something down that they neither know nor like unless there is more to it."""
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
        said: the clauses of the line before it.
        last: the line before.
    """

    role: RecommendationRole
    kind: str
    line: Sequence[str]
    behind: Sequence[str]
    said: Sequence[Clause]
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
        self._heard = HeardMinds()
        self._minds: dict[str, Attitude] = {}
        self._hidden: list[Mapping[str, Attitude]] = []
        self._voiced: set[str] = set()
        self._undecided: set[str] = set()
        self._current = ""
        self._wishes = self._requests()
        self._asked_for: str | None = None
        self._restated: str | None = None
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
        self._heard.hear(role, clauses)
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
        situation = situation_after(self._heard, last.role, last.clauses)
        role, moves = situation[0], self._habits[situation]
        clauses: list[Clause] = []
        for place, move in enumerate(moves):
            clauses += self._clauses(_Move(role, move, moves, moves[place + 1 :], clauses, last))
        self._say(role, clauses)
        if role == "recommender":
            self._sway(clauses)
            self._hidden[-1] = dict(self._minds)

    def _clauses(self, move: _Move) -> list[Clause]:
        """The clauses of a move."""
        if move.kind == "other":
            return [Clause("OTH")]
        if move.role == "recommender":
            return self._responses(move.last) if move.kind == "respond" else [self._of_recommender(move.kind)]
        if move.kind == "feedback":
            return self._feedback(brief=len(move.line) == MOST_MOVES, last="ask" not in move.line)
        return [self._request(move) if move.kind == "ask" else self._detail(move)]

    def _is_answered(self, clauses: Sequence[Clause]) -> bool:
        """Whether the recommender answers a question that stands in this line: who does not is asked nothing."""
        minds = deepcopy(self._heard)
        minds.hear("seeker", clauses)
        return "respond" in self._habits[situation_after(minds, "seeker", clauses)]

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
        """A reason for the last suggestion: a quality that is liked, or a plain word on one that is not.

        What the seeker can't stand is told of nothing new, nor of what they know and like.
        """
        thing = self._pack.thing_called(self._current)
        sides = {"liked": {*self._likes}}
        mind = self._minds[thing.title]
        if thing.title in self._voiced and not (mind.seen and mind.liked):
            sides["disliked"] = {*self._dislikes}
        # nothing is told twice before all is told
        left = [one for one in thing.qualities if one not in self._told_of[thing.title]] or thing.qualities
        telling = {side: [one for one in left if one in taste] for side, taste in sides.items()}
        known = [side for side, found in telling.items() if found]
        neither = [one for one in left if one not in self._dislikes] or left
        quality = self._random.choice(telling[self._sides.choice(known)] if known else neither)
        self._told_of[thing.title].add(quality)
        if quality in self._dislikes:
            return Clause("EXP-I", thing.title, quality, disliked=True)
        labels = ["EXP-I", "EXP-S", *["EXP-P"] * 2 * (quality in self._likes)]
        return Clause(self._random.choice(labels), thing.title, quality)

    # -- the recommender's suggestions -------------------------------------------------------------------------------

    def _suggestion(self) -> Clause:
        """Something new: as was asked for, if that is in the dimension that is heeded; else something else."""
        wish, self._asked_for = self._asked_for, None
        thing = min(self._left, key=lambda one: (self._misses(one, wish), -self._divides(one.qualities)))
        self._left.remove(thing)
        self._current = thing.title
        told = self._told(thing, wish)
        seen = self._random.random() < 0.5
        # nobody says of what they have just asked for, and don't know yet, that it leaves them cold
        liked = self._random.random() < 0.5 or (not seen and told in self._likes)
        wanted = self._random.random() < (_WANTED_IF_LIKED if liked else _WANTED_IF_DISLIKED)
        self._minds[thing.title] = Attitude("recommender", seen, liked, wanted)
        self._told_of[thing.title] = {told} if told else set()
        return Clause(self._random.choice(("REC-S", "REC-E")), thing.title, told)

    def _told(self, thing: Thing, wish: str | None) -> str | None:
        """Where something was asked for, what the suggestion is in that respect."""
        named = zip(DIMENSIONS, thing.qualities, strict=True)
        return next((quality for name, quality in named if wish in self._pack.dimension(name)), None)

    def _misses(self, thing: Thing, wish: str | None) -> bool:
        """Whether something is not to be suggested on a wish; nobody suggests what can't be stood in that respect."""
        if len({*thing.qualities} & {*self._dislikes}) > 1:
            return True
        if wish is None:
            return False
        heeds = wish in self._pack.dimension(self._heeded)
        return (wish in thing.qualities) is not heeds or self._told(thing, wish) in self._dislikes

    def _divides(self, qualities: Sequence[str]) -> int:
        """Whether something has qualities of both kinds, so that it can be praised well and badly."""
        return bool({*qualities} & {*self._likes}) + bool({*qualities} & {*self._dislikes})

    # -- what the seeker says ----------------------------------------------------------------------------------------

    def _requests(self) -> list[str]:
        """What the seeker asks for, alone and in company.

        One quality in the respect that is heeded and one in the other, so that who has seen it knows what will come
        of it.
        """
        respects = (self._heeded, self._ignored)
        return [next(one for one in self._pack.dimension(name) if one in self._likes) for name in respects]

    def _request(self, move: _Move) -> Clause:
        """More, something for somebody else, or, where details follow that can say what, something else for them."""
        restated = ["REF"] * 5 if "details" in move.behind else ["STO"] * 2
        label = self._random.choice(["CON", "STO", "STO", *restated])
        if label == "CON":
            return Clause("CON")
        self._asked_for = wish = self._wished.choice(self._wishes)
        if label == "STO":
            return Clause("STO", quality=wish)
        self._restated = wish
        return Clause("REF")

    def _detail(self, move: _Move) -> Clause:
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
        if unknown and self._random.random() < _ASKS:
            asked = Clause("ASK", quality=self._random.choice(unknown))
            if self._is_answered([*move.said, asked]):
                return asked
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

    def _feedback(self, *, brief: bool, last: bool) -> list[Clause]:
        """On what was put forward last: what it is to them, then what comes of that, or a remark.

        Args:
            brief: one thing at a time.
            last: whether nothing else is asked for behind it, so that questions on it are answered, where they are.
        """
        title, mind = self._current, self._minds[self._current]
        if title not in self._voiced:
            self._voiced.add(title)
            return self._first_word(title, mind)
        if title in self._undecided:
            self._undecided.remove(title)
            return self._decision(title, mind, brief=brief)
        return self._remark(title, mind, brief=brief, last=last)

    def _first_word(self, title: str, mind: Attitude) -> list[Clause]:
        """Whether they know it, how they like it, and whether they want it, where they know that already."""
        known = Clause("SEE" if mind.seen else "NRE", title, liked=mind.liked)
        if self._random.random() < _BRIEF:
            self._undecided.add(title)
            return [known]
        curious = [known, Clause("INQ", title)]
        if not mind.seen and self._random.random() < _CURIOUS and self._is_answered(curious):
            self._undecided.add(title)
            return curious
        if not mind.seen and not mind.liked and not mind.wanted and self._random.random() < _WAVERS:
            self._undecided.add(title)
            return [known, Clause("REJ", conditional=True)]
        return [known, self._verdict(mind)]

    def _verdict(self, mind: Attitude) -> Clause:
        return Clause("ACC" if mind.wanted else "REJ", reason=mind.liked is not mind.wanted)

    def _decision(self, title: str, mind: Attitude, *, brief: bool) -> list[Clause]:
        """What becomes of what was left open, now that a reason was given."""
        told = self._explained()
        if mind.wanted and title in self._won_over:
            return [self._won_over[title]]
        if not mind.wanted and mind.liked and told in self._dislikes and not brief:
            self._minds[title] = replace(mind, liked=False)
            return [Clause("CRI-F", title, told), Clause("REJ")]
        return [self._verdict(mind)]

    def _took_up(self, title: str) -> bool:
        """Whether the seeker's last word on a title was a yes."""
        return self._heard.attitudes[title].wanted is True

    def _explained(self) -> str | None:
        """The quality that the last line gives as a reason."""
        return next((one.quality for one in self._lines[-1].clauses if one.label.startswith("EXP")), None)

    def _remark(self, title: str, mind: Attitude, *, brief: bool, last: bool) -> list[Clause]:
        """A remark on what is settled; what is wanted turns out to be too much of something if that is told."""
        thing = self._pack.thing_called(title)
        known = thing.qualities if mind.seen else [one for one in thing.qualities if one in self._told_of[title]]
        fault = next((one for one in self._told_of[title] if one in self._dislikes), None)
        if self._took_up(title) and not mind.wanted and fault and not brief:
            return [Clause("CRI-F", title, fault), Clause("REJ")]
        too_much = [one for one in known if one not in self._likes]
        missing = [one for one in self._likes if one not in thing.qualities]
        remarks = [Clause("CRI-C", title)]
        if last and not mind.seen and self._is_answered([Clause("INQ", title)]):
            remarks += [Clause("INQ", title)] * 2
        if too_much:
            remarks.append(Clause("CRI-F", title, self._random.choice(too_much)))
        if missing:
            remarks.append(Clause("CRI-A", quality=self._random.choice(missing)))
        return [self._random.choice(remarks)]

    def _sway(self, clauses: Sequence[Clause]) -> None:
        """A reason decides what was left open: by the seeker's taste, but for what they know and dislike.

        What was taken up unseen is wanted no longer where it turns out to be what they can't stand.
        """
        for clause in clauses:
            title = clause.title or ""
            if not clause.label.startswith("EXP"):
                continue
            mind, known = self._minds[title], clause.quality in (*self._likes, *self._dislikes)
            if title not in self._voiced and known:
                # nobody says of what they were just told is to their taste that it leaves them cold
                self._minds[title] = replace(mind, liked=clause.quality in self._likes)
            if self._took_up(title) and not mind.seen and clause.quality in self._dislikes:
                self._minds[title] = replace(mind, liked=False, wanted=False)
            if title not in self._undecided:
                continue
            if clause.quality in self._likes and (mind.liked or not mind.seen):
                self._won_over[title] = Clause("ACC", quality=clause.quality, liked=None if mind.liked else True)
                self._minds[title] = replace(mind, liked=True, wanted=True)
            elif known or not mind.liked:
                self._minds[title] = replace(mind, wanted=False)


def _dislike(quality: str) -> Clause:
    return Clause("PRO", quality=quality, disliked=True)


def _tastes(pack: RecommendationPack, random: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Qualities that the seeker likes and dislikes, one of each dimension."""
    pairs = [random.sample(pack.dimension(name), 2) for name in random.sample(DIMENSIONS, _TASTES)]
    return tuple(one for one, _ in pairs), tuple(other for _, other in pairs)
