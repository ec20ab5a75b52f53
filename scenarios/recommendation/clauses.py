"""Clauses: what a line says, part by part, put into words and read off words again.

A line is a row of clauses, each of one label. The reader knows the forms and the titles, and nothing of what was to be
said: what it reads is what an attentive listener hears.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.recommendation.pack import Forms, RecommendationPack

__all__ = ["Clause", "ClauseReader", "LinePlan", "RecommendationRole", "worded"]

RecommendationRole = Literal["recommender", "seeker"]

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_NUMBERED = r"(\x00\d+\x00)"
"""A title of which the number in its catalogue is put in its place."""


@dataclass(frozen=True)
class Clause:
    """A part of a line.

    Attributes:
        label: the code of what it does.
        title: what it is about; ``quality``: what it says of that, or of taste; of what is taken up, why it is.
        liked: what it says of how well the title is liked, or the recommender likes the quality; None for nothing.
        disliked: whether the quality is one that the seeker does not like: as they say, or as the recommender admits.
        seen: of a title that the seeker brings up, whether they know it.
        reason: whether it gives a reason to want it, or not to want it, whatever it is like.
        wish: whether the quality is what the next suggestion is to have.
        conditional: whether something is turned down unless there is more to be said for it.
    """

    label: str
    title: str | None = None
    quality: str | None = None
    liked: bool | None = None
    disliked: bool = False
    seen: bool | None = None
    reason: bool = False
    wish: bool = False
    conditional: bool = False


@dataclass(frozen=True)
class LinePlan:
    """A line that is to be said."""

    role: RecommendationRole
    clauses: tuple[Clause, ...]

    @property
    def labels(self) -> frozenset[str]:
        """The codes of its labels."""
        return frozenset(one.label for one in self.clauses)


def worded(pack: RecommendationPack, forms: Forms, plan: LinePlan, fresh: FreshChoice) -> str:
    """A line in words; which of a label's forms is drawn."""
    return " ".join(_sentence(pack, forms, plan.role, clause, fresh) for clause in plan.clauses)


def _sentence(
    pack: RecommendationPack, forms: Forms, role: RecommendationRole, clause: Clause, fresh: FreshChoice
) -> str:
    template = "".join(fresh.choice(one) for one in _parts(forms, role, clause))
    values = {**_words(pack), "title": clause.title or "", "quality": clause.quality or ""}
    text = _PLACEHOLDER.sub(lambda found: values[found[1]], template)
    return text[:1].upper() + text[1:]


def _parts(forms: Forms, role: RecommendationRole, clause: Clause) -> Iterator[Sequence[str]]:
    """The wordings of the parts that a clause is put together from, in their order."""
    if clause.seen is not None:
        yield forms.named["seen" if clause.seen else "unseen"]
        yield from _beside(forms, clause)
    elif clause.disliked and clause.label == "PRO":
        yield forms.dislikes
    elif clause.disliked:
        yield forms.admitted
    elif clause.wish:
        yield forms.wished["asked" if clause.label == "ANS" else "unasked"]
    elif clause.label in {"REC-S", "REC-E"} and clause.quality is not None:
        yield [f"{one} " for one in forms.told]
        yield [_going_on(one) for one in forms.recommender[clause.label]]
    elif clause.label == "R-ANS" and clause.quality is not None:
        yield forms.opinions["liked" if clause.liked else "disliked"]
    elif clause.liked is not None or clause.reason or clause.conditional or _is_won_over(clause):
        yield [one.rstrip(".") for one in forms.seeker[clause.label]]
        yield from _beside(forms, clause)
    else:
        yield (forms.recommender if role == "recommender" else forms.seeker)[clause.label]


def _is_won_over(clause: Clause) -> bool:
    """Whether something is taken up because of a quality."""
    return clause.label == "ACC" and clause.quality is not None


def _going_on(form: str) -> str:
    """A form behind a colon."""
    return form if form.startswith(("I ", "I'", "{")) else form[:1].lower() + form[1:]


def _beside(forms: Forms, clause: Clause) -> Iterator[Sequence[str]]:
    """What follows a form without its full stop, and the full stop."""
    won = _is_won_over(clause)
    if won:
        yield [f", {one}" for one in forms.reasons["won over"]]
    if clause.liked is not None:
        yield [f", {one}" for one in (forms.liking["changed"] if won else _liking(forms, clause))]
    if clause.conditional:
        yield [f", {one}" for one in forms.reasons["unless"]]
    if clause.reason:
        yield [f", {one}" for one in forms.reasons["wanted" if clause.label == "ACC" else "unwanted"]]
    yield ["."]


def _liking(forms: Forms, clause: Clause) -> Sequence[str]:
    """How something is liked by who knows it, or how it sounds to who does not."""
    if clause.label == "NRE" or clause.seen is False:
        return forms.liking["sounds good" if clause.liked else "sounds bad"]
    return forms.liking["liked" if clause.liked else "disliked"]


def _words(pack: RecommendationPack) -> dict[str, str]:
    return {"thing": pack.thing, "things": pack.things, "use": pack.use, "used": pack.used}


class ClauseReader:
    """Reads the clauses of a line off its words."""

    def __init__(self, pack: RecommendationPack, forms: Forms) -> None:
        self._pack = pack
        self._forms = forms

    def read(self, role: RecommendationRole, text: str) -> tuple[Clause, ...] | None:
        """The clauses of a line; None where a part of it is no form."""
        text = self._titles.sub(lambda named: f"\0{self._numbers[named[0].lower()]}\0", text)
        found, at = [], 0
        while at < len(text):
            clause, at = self._clause_at(role, text, at)
            if clause is None:
                return None
            found.append(clause)
        return tuple(found)

    def _clause_at(self, role: RecommendationRole, text: str, at: int) -> tuple[Clause | None, int]:
        """The longest clause that begins here, and where the next begins."""
        best: tuple[Clause | None, int] = (None, at)
        for clause, pattern in self._patterns[role]:
            match = pattern.match(text, at)
            if match is not None and match.end() > best[1]:
                best = self._filled(clause, match), match.end()
        return best

    @cached_property
    def _patterns(self) -> dict[RecommendationRole, list[tuple[Clause, re.Pattern[str]]]]:
        return {
            "recommender": [self._pattern("recommender", clause) for clause in self._of_recommender()],
            "seeker": [self._pattern("seeker", clause) for clause in self._of_seeker()],
        }

    def _of_recommender(self) -> Iterator[Clause]:
        for label in self._forms.recommender:
            yield Clause(label)
        yield Clause("EXP-I", quality="as told", disliked=True)
        for label in ("REC-S", "REC-E"):
            yield Clause(label, quality="as told")
        for liked in (True, False):
            yield Clause("R-ANS", quality="as asked", liked=liked)

    def _of_seeker(self) -> Iterator[Clause]:
        for label in self._forms.seeker:
            yield Clause(label)
        yield Clause("PRO", disliked=True)
        for label in ("PRO", "ANS"):
            yield Clause(label, wish=True)
        for liked in (True, None):
            yield Clause("ACC", quality="as told", liked=liked)
        for seen, liked in ((True, True), (True, False), (False, True)):
            yield Clause("PRO", seen=seen, liked=liked)
        for label in ("SEE", "NRE"):
            yield Clause(label, liked=True)
            yield Clause(label, liked=False)
        for label in ("ACC", "REJ"):
            yield Clause(label, reason=True)
        yield Clause("REJ", conditional=True)

    def _pattern(self, role: RecommendationRole, clause: Clause) -> tuple[Clause, re.Pattern[str]]:
        parts = "".join(f"(?:{'|'.join(map(self._as_pattern, one))})" for one in _parts(self._forms, role, clause))
        return clause, re.compile(f"{parts}(?: |$)", re.IGNORECASE)

    def _as_pattern(self, form: str) -> str:
        values = {name: re.escape(word) for name, word in _words(self._pack).items()}
        values["title"] = _NUMBERED
        values["quality"] = self._qualities
        pieces = _PLACEHOLDER.split(form)
        return "".join(values[piece] if place % 2 else re.escape(piece) for place, piece in enumerate(pieces))

    @cached_property
    def _titles(self) -> re.Pattern[str]:
        """Titles, for which their numbers are put: a form with all titles would be long, and there are many."""
        return re.compile(_any_of(one.title for one in self._pack.catalogue), re.IGNORECASE)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {one.title.lower(): number for number, one in enumerate(self._pack.catalogue)}

    @cached_property
    def _qualities(self) -> str:
        return _any_of(quality for values in self._pack.qualities.values() for quality in values)

    def _filled(self, clause: Clause, match: re.Match[str]) -> Clause:
        """The clause with the title and the quality that it names."""
        named = [one.lower() for one in match.groups() if one is not None]
        title = next((self._pack.catalogue[int(one[1:-1])].title for one in named if one.startswith("\0")), None)
        known = (quality for values in self._pack.qualities.values() for quality in values)
        return replace(clause, title=title, quality=next((one for one in known if one.lower() in named), None))


def _any_of(names: Iterable[str]) -> str:
    """A group of names, long ones first, so that none is taken for the beginning of another."""
    return f"({'|'.join(re.escape(name) for name in sorted(names, key=len, reverse=True))})"
