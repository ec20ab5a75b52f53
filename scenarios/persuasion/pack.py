"""Packs of goals: what somebody is to be won over to, their worries, and the strategies that lay or raise them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from dtomtrack.records import Record, Text
from dtomtrack.scenarios.persuasion.ways import Alternatives, ways_of

__all__ = ["Attitude", "Concern", "Expressions", "Form", "GoalPack", "Intention", "Principle", "Strategy"]

Principle = Literal["reciprocity", "scarcity", "consensus", "authority", "commitment", "liking"]
Says = Annotated[tuple[Alternatives, ...], Field(min_length=3)]
_PLACEHOLDER = re.compile(r"\{(?:er|ee)\}")
_BRACES = re.compile(r"\{[^{}]*\}?|\}")
Desire = Literal["Yes", "Neutral", "No"]


class Concern(Record):
    """A worry; ``clause`` names it, ``say`` are the forms in which it is voiced."""

    id: Text
    clause: Text
    say: Says


class Strategy(Record):
    """A way to persuade: what it is called, on which principle it works, which worries it lays to rest or raises."""

    label: Text
    principle: Principle
    addresses: tuple[Text, ...] = ()
    provokes: tuple[Text, ...] = ()
    say: Says


class GoalPack(Record):
    """A goal in a domain.

    Attributes:
        target: what is to be done, as in "likely to {target}" and, said to that person, "I'd like you to {target}":
            without words such as "their" that would fit only one of both.
        rivals: what else might be to be done, in the same words as far as they go. A conversation is about one of them
            or the target, and asks about the others: so all have to fit all that is said, and none may be part
            of another, as once a week is of every day: another day, place or thing shuts the others out.
        context: the situation, with {er} and {ee} for the names.
    """

    domain: Text
    target: Text
    rivals: Annotated[tuple[Text, ...], Field(min_length=3)]
    context: Text
    concerns: Annotated[tuple[Concern, ...], Field(min_length=5)]
    strategies: Annotated[tuple[Strategy, ...], Field(min_length=10)]

    @field_validator("context")
    @classmethod
    def _names_people(cls, context: str) -> str:
        left = _PLACEHOLDER.sub("", context)
        if "{" in left or "}" in left:
            found = _BRACES.search(left)
            raise ValueError(f"nothing fills {found and found[0]!r}: the names go by {{er}} and {{ee}}")
        return context

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        problem = next(self._problems(), None)
        if problem is not None:
            raise ValueError(problem)
        return self

    def _problems(self) -> Iterator[str]:
        known = [one.id for one in self.concerns]
        if len(set(known)) < len(known):
            yield "two concerns have the same id"
        for strategy in self.strategies:
            for name in (*strategy.addresses, *strategy.provokes):
                if name not in known:
                    yield f"strategy {strategy.label!r}: there is no concern {name!r}"
        if len({one.label for one in self.strategies}) < len(self.strategies):
            yield "two strategies have the same label"
        for one, other in permutations(self.targets, 2):
            if one in other or {*one.lower().split()} <= {*other.lower().split()}:
                yield f"goal {other!r} holds goal {one!r}: nobody could tell which of the two is meant"
        forms = [form for says in self.forms() for form in ways_of(says)]
        if len(set(forms)) < len(forms):
            yield "a form stands there twice: nobody could tell what it says"
        for name in known:
            if not any(name in one.addresses for one in self.strategies):
                yield f"no strategy lays concern {name!r} to rest"

    @property
    def targets(self) -> tuple[str, ...]:
        """The target and its rivals."""
        return self.target, *self.rivals

    def forms(self) -> Iterator[tuple[str, ...]]:
        """The forms of each concern and of each strategy."""
        yield from (one.say for one in self.concerns)
        yield from (one.say for one in self.strategies)

    def strategy(self, label: str) -> Strategy:
        """The strategy of this label."""
        return next(one for one in self.strategies if one.label == label)


class Form(Record):
    """A tone in a word, and the forms that say it."""

    word: Text
    polarity: Literal["positive", "neutral", "negative"]
    say: Says


class Attitude(Record):
    """Two attitudes, and the forms that say either of them: with a yes the positive one, with a no the negative one.

    Attributes:
        near: names of others that the forms might say as well.
        blurred_by: labels of intentions with which nobody could tell which of the two it is.
    """

    name: Text
    positive: Text
    negative: Text
    near: tuple[Text, ...] = ()
    blurred_by: tuple[Text, ...] = ()
    say: Says

    def word(self, desire: str) -> str | None:
        """The attitude of somebody with this desire; None of who says neither yes nor no."""
        return {"Yes": self.positive, "No": self.negative}.get(desire)

    def beside(self, other: Attitude) -> tuple[tuple[str, str], ...]:
        """The attitudes of both with their polarities, by word."""
        pairs = ((self.positive, "positive"), (self.negative, "negative"))
        return tuple(sorted((*pairs, (other.positive, "positive"), (other.negative, "negative"))))

    def tone(self, desire: str) -> Form:
        """What the persuader feels of an answer, as the tone of a line.

        Raises:
            ValueError: the answer is neither yes nor no.
        """
        word = self.word(desire)
        if word is None:
            raise ValueError(f"{self.name!r} is told after a yes or a no, and not after {desire!r}")
        return Form(word=word, polarity="positive" if desire == "Yes" else "negative", say=self.say)


class Intention(Record):
    """An intention of who is to be persuaded, and the forms that say it.

    Attributes:
        asks_for: the principle by which the persuader argues next, to take it up; None where it asks for nothing.
        clause: what is asked, where something is.
        say_with_yes: forms of their own behind a yes, where the others would take it back.
        taken_up: what the persuader says when they do.
    """

    label: Text
    asks_for: Principle | None = None
    clause: Alternatives | None = None
    say: Says
    say_with_yes: tuple[Alternatives, ...] = ()
    taken_up: tuple[Alternatives, ...] = ()

    def said_with(self, desire: str) -> tuple[str, ...]:
        """The forms that somebody with this desire says."""
        return self.say_with_yes if desire == "Yes" and self.say_with_yes else self.say


class Expressions(Record):
    """All that is said beside worries and strategies, in every domain.

    Attributes:
        openings: what the persuader says in the first exchange, with {target} for what {ee} is to do.
        reactions: by desire, how the persuader goes on from it.
        relents: what is said of a worry that was laid to rest, with {clause} for what it was about.
        recalls: what stands before a worry that was voiced in the round before, too.
        feelings: of the persuader about the answer before, said before all else.
        desires: by desire, what is said of the matter; ``unchanged`` is said by who desires what they did a round
            before, ``reversed`` by who went from yes to no or from no to yes.
        weighing: what is said by who asks one thing, {wanted}, and leaves another aside, {left}.
    """

    names: Annotated[tuple[Text, ...], Field(min_length=4)]
    attitudes: tuple[Attitude, ...]
    feelings: tuple[Attitude, ...]
    tones: tuple[Form, ...]
    intentions: Annotated[tuple[Intention, ...], Field(min_length=6)]
    openings: Annotated[tuple[Text, ...], Field(min_length=6)]
    reactions: dict[Desire, Says]
    relents: Says
    recalls: Says
    desires: dict[Desire, Says]
    unchanged: Says
    reversed: Says
    weighing: Says

    def says(self) -> Iterator[tuple[str, ...]]:
        """The forms of each attitude, feeling, tone, intention and desire."""
        yield from (one.say for one in (*self.attitudes, *self.feelings))
        yield from (one.say for one in self.tones)
        yield from ((*one.say, *one.say_with_yes) for one in self.intentions)
        yield from (*self.desires.values(), self.unchanged, self.reversed)

    def attitude(self, name: str) -> Attitude:
        """The attitudes of this name."""
        return next(one for one in self.attitudes if one.name == name)

    def apart(self) -> list[tuple[Attitude, Attitude]]:
        """The pairs of attitudes that no words of one might say of the other."""
        return _apart(self.attitudes)

    def feelings_apart(self) -> list[tuple[Attitude, Attitude]]:
        """The pairs of feelings that no words of one might say of the other."""
        return _apart(self.feelings)

    def asking(self, principle: str) -> Intention:
        """The intention that asks for this principle."""
        return next(one for one in self.intentions if one.asks_for == principle)

    @property
    def idle(self) -> list[Intention]:
        """The intentions that ask for nothing."""
        return [one for one in self.intentions if one.asks_for is None]


def _apart(attitudes: Sequence[Attitude]) -> list[tuple[Attitude, Attitude]]:
    pairs = combinations(attitudes, 2)
    return [(one, other) for one, other in pairs if other.name not in one.near and one.name not in other.near]
