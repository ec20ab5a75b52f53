"""Questions of RecToM's ten types about a dialogue that was heard; golds come from what was heard, not from the plan.

No question quotes a line, and every context ends with the line that is asked about or the last one before what is asked
about: nothing looks ahead, and nothing in a question alone tells what is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import Item, Select
from dtomtrack.scenarios.recommendation.clauses import RecommendationRole
from dtomtrack.scenarios.recommendation.director import OPENING
from dtomtrack.scenarios.recommendation.minds import Attitude
from dtomtrack.scenarios.recommendation.pack import RecommendationPack
from dtomtrack.suites.rectom.generation.heard import HeardSession
from dtomtrack.suites.rectom.items import AT_ONCE, FAMILY, INTENTION, MOVIE, NEXT, STRATEGY
from dtomtrack.suites.rectom.labels import ATTITUDES, COARSE, FINE
from dtomtrack.suites.rectom.wordings import attitude_wordings, coarse_wordings, made_wordings

__all__ = ["Questions", "is_rich_enough"]

_TYPES = 10
_INTENTIONS, _PREDICTIONS, _TITLES = 4, 3, 4
"""The most questions of a kind in a dialogue, for each role, of belief and of desire."""
_LATELY = (2, 4, 6, 8)
"""Lines back to what the same person said."""
_ROLES: Sequence[RecommendationRole] = ("recommender", "seeker")
_SHORT = {"recommender": "rec", "seeker": "seeker"}


@dataclass(frozen=True)
class _Asked:
    """A question before its options are in an order.

    Attributes:
        at: how many lines are shown.
        joint: what the same thing is asked in other ways with; None where it is not.
        labels: what the options stand for; ``right`` those that are right.
    """

    kind: str
    family: str
    role: RecommendationRole
    at: int
    text: str
    options: Sequence[str]
    labels: Sequence[str]
    right: frozenset[str]
    select: Select
    joint: tuple[str, str] | None
    strategy: str | None = None


class Questions:
    """The questions about one dialogue.

    Args:
        name: of the dialogue.
        random: draws what is asked, and the order of options.
    """

    def __init__(self, pack: RecommendationPack, session: HeardSession, name: str, random: Random) -> None:
        self._pack = pack
        self._session = session
        self._name = name
        self._random = random

    def items(self) -> Iterator[Item]:
        """The items, type by type."""
        ids: dict[str, int] = {}
        asked = (*self._intentions(), *self._predictions(), *self._judgements(), *self._beliefs(), *self._desires())
        for one in asked:
            name = f"{one.kind}/{self._name}/{one.at}"
            ids[name] = number = ids.get(name, 0) + 1
            yield self._item(one, name if number == 1 else f"{name}#{number}")

    def _item(self, asked: _Asked, name: str) -> Item:
        order = self._random.sample(range(len(asked.options)), len(asked.options))
        labels = [asked.labels[place] for place in order]
        gold = frozenset(place for place, label in enumerate(labels) if label in asked.right)
        groups = {"type": asked.kind, "dimension": FAMILY[asked.family], "role": asked.role}
        groups |= {"gold_size": str(len(gold))} if asked.select == "any" else {}
        groups |= {STRATEGY: asked.strategy} if asked.strategy else {}
        groups |= {"lines_behind": "0"} if asked.family.endswith("intention") else {}
        return Item(
            id=name,
            cluster=self._name,
            question=asked.text,
            options=tuple(asked.options[place] for place in order),
            gold=gold,
            select=asked.select,
            groups=groups,
            joint=dict([asked.joint] if asked.joint else []) | self._at_once(asked),
            roles=tuple(labels),
            turn=asked.at,
            context=LinesContext(self._session.shown(asked.at)),
        )

    def _at_once(self, asked: _Asked) -> dict[str, str]:
        if asked.family not in {"belief", "desire"}:
            return {}
        return {AT_ONCE: f"{asked.family} {self._name}/{asked.at}"}

    # -- what a line does --------------------------------------------------------------------------------------------

    def _of(self, role: RecommendationRole) -> list[int]:
        """The lines of a role after the opening."""
        lines = self._session.lines
        return [number for number in range(OPENING + 1, len(lines) + 1) if lines[number - 1].role == role]

    def _some_of(self, numbers: Sequence[int], most: int) -> list[int]:
        """Some lines, in their order."""
        return sorted(self._random.sample(numbers, min(most, len(numbers))))

    def _foreseeable(self, role: RecommendationRole) -> list[int]:
        """Some lines in a situation that was there before, none of which does what was done lately.

        A suggestion is often two or four exchanges behind another; who counts lines is not to do better for it.
        """
        known = [number for number in self._of(role) if self._session.foreseeable(number)]
        fresh = [number for number in known if not any(self._session.repeats(number, behind) for behind in _LATELY)]
        return self._some_of(fresh or known, _PREDICTIONS)

    def _intentions(self) -> Iterator[_Asked]:
        for role in _ROLES:
            for number in self._some_of(self._of(role), _INTENTIONS):
                line = self._session.lines[number - 1]
                text = f"What does the {role} intend with the last line that is shown?"
                joint = (INTENTION, f"{role} {self._name}/{number}")
                coarse, fine = coarse_wordings(role), made_wordings(role)
                own = COARSE[role]
                yield _Asked(
                    f"coarse_intention_{_SHORT[role]}", "coarse intention", role, number, text,
                    [coarse[one] for one in own], own, line.moves, "any", joint,
                )  # fmt: skip
                roles = [f"{FINE[role][code]}: {code}" for code in FINE[role]]
                right = frozenset(f"{FINE[role][code]}: {code}" for code in line.labels)
                yield _Asked(
                    f"fine_intention_{_SHORT[role]}", "fine intention", role, number, text,
                    [fine[code] for code in FINE[role]], roles, right, "any", joint,
                )  # fmt: skip

    def _predictions(self) -> Iterator[_Asked]:
        """What comes next, where the same has happened before: each of the two has habits."""
        for role in _ROLES:
            for number in self._foreseeable(role):
                words, own = coarse_wordings(role), COARSE[role]
                yield _Asked(
                    f"prediction_{_SHORT[role]}", "prediction", role, number - 1,
                    f"What will the {role} do in the next line?", [words[one] for one in own], own,
                    self._session.lines[number - 1].moves, "any", (NEXT, f"{role} {self._name}/{number - 1}"),
                )  # fmt: skip

    # -- what comes of it --------------------------------------------------------------------------------------------

    def _judgements(self) -> Iterator[_Asked]:
        """As many yes as no for each strategy."""
        for asked in (list(self._appeals()), list(self._wishes())):
            sides = [[one for one in asked if one.right == {answer}] for answer in ("yes", "no")]
            count = min(map(len, sides))
            for side in sides:
                yield from self._random.sample(side, count)

    def _judgement(self, role: RecommendationRole, at: int, text: str, strategy: str, *, effective: bool) -> _Asked:
        """Of what comes of a strategy that is given; whether it is used at all is asked by predictions alone."""
        return _Asked(
            f"judgement_{_SHORT[role]}", "judgement", role, at, text, ("yes", "no"), ("yes", "no"),
            frozenset({"yes" if effective else "no"}), "one", None, f"{role}: {strategy}",
        )  # fmt: skip

    def _appeals(self) -> Iterator[_Asked]:
        """Explanations of what is not settled: do they bring the seeker round in the next line?

        A line that goes on to suggest something else is none: what the seeker says next is about that.
        """
        lines = self._session.lines
        for number in range(OPENING + 1, len(lines)):
            before, line, after = lines[number - 2], lines[number - 1], lines[number]
            explains = line.role == "recommender" and "recommend" not in line.moves
            for clause in line.clauses if explains else ():
                mind = before.attitudes.get(clause.title or "")
                known = clause.quality in before.likes | before.dislikes
                if not clause.label.startswith("EXP") or mind is None or mind.wanted is True or not known:
                    continue
                if after.labels & {"ACC", "REJ"}:
                    text = (
                        f"The recommender's next line says of {clause.title} that it is {clause.quality}. "
                        "Will that bring the seeker to take it up?"
                    )
                    effective = after.attitudes[clause.title or ""].wanted is True
                    yield self._judgement("recommender", number - 1, text, "explain", effective=effective)

    def _wishes(self) -> Iterator[_Asked]:
        """Wishes of the seeker: does the recommender heed them? Asked where the same was asked for before."""
        seen: set[str] = set()
        for wish in self._session.wishes():
            if wish.quality in seen:
                text = (
                    f"The seeker's next line asks for something {wish.quality}. Will that bring the recommender to "
                    "suggest something of the kind in the line after it?"
                )
                effective = wish.answered == wish.quality
                yield self._judgement("seeker", wish.line - 1, text, "ask", effective=effective)
            seen.add(wish.quality)

    # -- attitudes ---------------------------------------------------------------------------------------------------

    def _beliefs(self) -> Iterator[_Asked]:
        """Nothing of what may be liked otherwise since it was said how it is."""
        words = attitude_wordings()
        known = [(title, number, mind) for title, number, mind in self._spans() if mind.is_whole]
        for title, number, mind in self._some(known):
            yield _Asked(
                "belief", "belief", "recommender", number,
                f"What does the recommender believe about the seeker and {title}?",
                [words[one] for one in ATTITUDES], ATTITUDES, frozenset({_attitude(mind)}), "one",
                (MOVIE, f"{self._name} {title}/{number}"),
            )  # fmt: skip

    def _desires(self) -> Iterator[_Asked]:
        """At each line that is asked about one title that is wanted and one that is not.

        So how far the dialogue has come tells nothing. Nothing is asked of what may be wanted otherwise since it was
        said.
        """
        for number, title, wanted in self._contrasts:
            yield _Asked(
                "desire", "desire", "seeker", number,
                f"Is the seeker going to {self._pack.use} {title}, as things stand?",
                ("yes", "no"), ("yes", "no"), frozenset({"yes" if wanted else "no"}), "one",
                (MOVIE, f"{self._name} {title}/{number}"),
            )  # fmt: skip

    @cached_property
    def _contrasts(self) -> list[tuple[int, str, bool]]:
        """Lines, each with a title that is wanted and with one that is not; none of them twice."""
        lines, asked = self._session.lines, set[tuple[str, bool]]()
        found: list[tuple[int, str, bool]] = []
        for number in self._random.sample(range(1, len(lines) + 1), len(lines)):
            settled = [
                (title, mind.wanted)
                for title, mind in lines[number - 1].attitudes.items()
                if mind.wanted is not None and title not in lines[number - 1].doubted
            ]
            sides = [[one for one in settled if one[1] is wanted and one not in asked] for wanted in (True, False)]
            if len(found) < _TITLES and all(sides):
                pair = [self._random.choice(side) for side in sides]
                asked.update(pair)
                found += [(number, title, wanted) for title, wanted in pair]
        return found

    def _spans(self) -> Iterator[tuple[str, int, Attitude]]:
        """By title, each attitude while it lasts and is settled, with a number of lines at which it is.

        It is one at which the desire is asked about, too, where there is one, so that the two can be compared.
        """
        lines = self._session.lines
        desired = {(title, number) for number, title, _ in self._contrasts}
        for title in lines[-1].attitudes:
            spans: list[tuple[Attitude, list[int]]] = []
            for number, line in enumerate(lines, 1):
                mind = line.attitudes.get(title)
                if mind is not None and title not in line.unsettled:
                    if not spans or spans[-1][0] != mind:
                        spans.append((mind, []))
                    spans[-1][1].append(number)
            for mind, numbers in spans:
                both = [number for number in numbers if (title, number) in desired]
                yield title, self._random.choice(both or numbers), mind

    def _some(self, found: list[tuple[str, int, Attitude]]) -> list[tuple[str, int, Attitude]]:
        """Some of what was found: each attitude once before one comes twice, what the seeker named first."""
        times: Counter[str] = Counter()
        ranked = []
        for place, one in enumerate(self._random.sample(found, len(found))):
            ranked.append((times[_attitude(one[2])], one[2].proposer == "recommender", place, one))
            times[_attitude(one[2])] += 1
        return [one for *_, one in sorted(ranked, key=lambda entry: entry[:3])[:_TITLES]]


def _attitude(mind: Attitude) -> str:
    return f"{mind.proposer}/{'seen' if mind.seen else 'unseen'}/{'liked' if mind.liked else 'disliked'}"


def is_rich_enough(items: Sequence[Item]) -> bool:
    """Whether a dialogue has questions of all ten types, two or more of each."""
    counts: dict[str, int] = {}
    for item in items:
        counts[item.groups["type"]] = counts.get(item.groups["type"], 0) + 1
    return len(counts) == _TYPES and min(counts.values()) > 1
