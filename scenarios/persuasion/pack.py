"""Packs of goals: what somebody is to be won over to, their worries, and the strategies that lay or raise them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dtomtrack.records import Record, Text

__all__ = ["Concern", "Expressions", "Form", "GoalPack", "Intention", "Principle", "Strategy"]

Principle = Literal["reciprocity", "scarcity", "consensus", "authority", "commitment", "liking"]
Says = Annotated[tuple[Text, ...], Field(min_length=3)]


class Concern(Record):
    """A worry; ``clause`` names it, ``say`` are the forms in which it is voiced."""

    id: Text
    clause: Text
    say: Says


class Strategy(Record):
    """A way to persuade: what it is called, on which principle it works, which worries it lays to rest or raises.

    Attributes:
        topic: what it brings up, as in "in a moment I'll come to {topic}".
    """

    label: Text
    topic: Text
    principle: Principle
    addresses: tuple[Text, ...] = ()
    provokes: tuple[Text, ...] = ()
    say: Says


class GoalPack(Record):
    """A goal in a domain.

    Attributes:
        target: what is to be done, as in "likely to {target}" and, said to that person, "I'd like you to {target}":
            without words such as "their" that would fit only one of both.
        context: the situation, with {er} and {ee} for the names.
    """

    domain: Text
    target: Text
    context: Text
    concerns: Annotated[tuple[Concern, ...], Field(min_length=5)]
    strategies: Annotated[tuple[Strategy, ...], Field(min_length=10)]

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
        if len({one.topic for one in self.strategies}) < len(self.strategies):
            yield "two strategies have the same topic: nobody could tell which is announced"
        forms = [form for says in self.forms() for form in says]
        if len(set(forms)) < len(forms):
            yield "a form stands there twice: nobody could tell what it says"
        for name in known:
            if not any(name in one.addresses for one in self.strategies):
                yield f"no strategy lays concern {name!r} to rest"

    def forms(self) -> Iterator[tuple[str, ...]]:
        """The forms of each concern and of each strategy."""
        yield from (one.say for one in self.concerns)
        yield from (one.say for one in self.strategies)

    def strategy(self, label: str) -> Strategy:
        """The strategy of this label."""
        return next(one for one in self.strategies if one.label == label)


class Form(Record):
    """An attitude or a tone in a word, and the forms that say it."""

    word: Text
    polarity: Literal["positive", "neutral", "negative"]
    say: Says


class Intention(Record):
    """An intention of who is to be persuaded, and the forms that say it."""

    label: Text
    say: Says


class Expressions(Record):
    """All that is said beside worries and strategies, in every domain.

    Attributes:
        openings: what the persuader says in the first exchange, with {target} for what {ee} is to do.
        announcements: what is said of a strategy to come, with {topic}, at the end of a line.
        leading_announcements: the same, before the argument.
        desires: by desire, what is said of the matter.
    """

    names: Annotated[tuple[Text, ...], Field(min_length=4)]
    attitudes: tuple[Form, ...]
    tones: tuple[Form, ...]
    intentions: Annotated[tuple[Intention, ...], Field(min_length=6)]
    openings: Annotated[tuple[Text, ...], Field(min_length=6)]
    announcements: tuple[Text, ...]
    leading_announcements: tuple[Text, ...]
    desires: dict[Literal["Yes", "Neutral", "No"], Says]

    def by_polarity(self, forms: tuple[Form, ...]) -> Mapping[str, list[Form]]:
        """Forms by their polarity."""
        found: dict[str, list[Form]] = {}
        for one in forms:
            found.setdefault(one.polarity, []).append(one)
        return found
