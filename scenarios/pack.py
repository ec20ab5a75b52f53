"""Domain packs: what people in a domain talk about, and how (a YAML file each, under ``packs/``).

A pack is data that a researcher reads, copies and changes. `DomainPack` is its schema;
`dtomtrack.scenarios.pack_rules` has the rules that go beyond the shape of the file; `dtomtrack.scenarios.pack_files`
finds and reads files.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.records import Record
from dtomtrack.scenarios.company_lines import CompanyLines, PackLine, company_lines

__all__ = [
    "Companion",
    "DomainPack",
    "Greetings",
    "Manner",
    "PackLine",
    "PackTopic",
    "PackValue",
    "Reactions",
    "Role",
    "Roles",
    "Situation",
    "TriggerLines",
]

Paragraph = Annotated[str, StringConstraints(min_length=1, max_length=5_000, strip_whitespace=True)]
Lines = Annotated[tuple[PackLine, ...], Field(min_length=1)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
RoleLetter = Literal["a", "b"]
Holder = Literal["a", "b", "any"]


def _one_or_more(given: object) -> object:
    return (given,) if isinstance(given, str) else given


class PackValue(Record):
    """One of the mutually exclusive values of a topic, and the ways to put it into words.

    Attributes:
        clause: completes the inner-speech prefix of the topic's mental state, in the first and in the third person.
        short: names the value within a question or an explicit marker ("out on the terrace"), whoever speaks; of a
            feeling, it stands behind "I'm", too.
        say: the holder voices the value for the first time.
        adopt: the holder, just persuaded, takes the value up; follows a marker such as "On second thought,".
        presume: the partner takes the value for granted of the holder.
        reason: the partner gives what would bring the holder to the value.
        against: the partner gives what speaks against the value.
    """

    id: Identifier
    clause: PackLine
    short: PackLine
    say: Lines
    adopt: Lines
    presume: Lines
    reason: Lines
    against: Lines


class PackTopic(Record):
    """Something the agent in one role holds a state about.

    Attributes:
        holder: "a" or "b" where only that side of the conversation has a say in it, and the other side speaks the lines
            that are not the holder's; "any" where all lines do for everybody.
        scope: "side" where everybody on the holder's side may hold a state of their own about it, "one" where only one
            of them does (the one cake of a party), "first" where that is the first there, "two" where it is only for
            dialogues of two.
        partners: "side" where everybody on the other side may speak the lines that are not the holder's, "first" where
            they tell of the first there ("I type all day").
        partners_own: it is about the partners' own lives, of which the holder knows what they were told: nobody quizzes
            the holder on it, and the holder does not stay with theirs against the partners' word.
        label: noun phrase for questions about it.
        spoken: what people call it when they talk, where nobody would say the label ("the exercise", where that is
            "exercise in the coming weeks"); one name or several, which dialogues among several use in turn.
        ask: the partner asks the holder; ``{x}`` and ``{y}`` take the shorts of two values.
        wonder: the partner asks openly, naming no value.
        lead: what the holder says before a value that nobody has asked about.
        approach: by which anybody comes to the topic, for the first time or again: sentences that fit no other topic,
            with one of its names.
        note: what the partner says on hearing any value.
        rewordings: other words for the clause of any value, with ``{short}``, in lines that all topics share.
    """

    id: Identifier
    state: MentalState
    holder: Holder
    scope: Literal["side", "one", "first", "two"] = "side"
    partners: Literal["side", "first"] = "side"
    partners_own: bool = False
    label: PackLine
    spoken: Annotated[tuple[PackLine, ...], BeforeValidator(_one_or_more)] = ()
    ask: Lines
    wonder: tuple[PackLine, ...] = ()
    lead: tuple[PackLine, ...] = ()
    approach: tuple[PackLine, ...] = ()
    note: Lines
    rewordings: tuple[PackLine, ...] = ()
    values: Annotated[tuple[PackValue, ...], Field(min_length=5)]

    def value(self, clause: str) -> PackValue:
        """The value with this clause; `KeyError` if there is none."""
        for value in self.values:
            if value.clause == clause:
                return value
        raise KeyError(clause)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of all values."""
        return tuple(value.clause for value in self.values)

    @cached_property
    def shorts(self) -> Mapping[str, str]:
        """The clauses of all values by their shorts, in lower case."""
        return {value.short.lower(): value.clause for value in self.values}

    def claimed(self, clause: str) -> str:
        """What somebody says that they will claim who is about to tell an untruth: "the cook", "I'm proud"."""
        short = self.value(clause).short
        return f"I'm {short}" if self.state is MentalState.EMOTION else short

    @cached_property
    def claims(self) -> Mapping[str, str]:
        """The clauses by what is claimed with them, in lower case."""
        return {self.claimed(clause).lower(): clause for clause in self.clauses}

    def worded(self, clause: str, number: int) -> str:
        """One of the ways to put a value, counted round from its clause on; below 0 and of ignorance, the clause."""
        if number < 0 or clause == self.ignorance:
            return clause
        words = ("", *self.rewordings)[number % (1 + len(self.rewordings))]
        return words.replace("{short}", self.value(clause).short) or clause

    @property
    def names(self) -> tuple[str, ...]:
        """What people call it when they talk."""
        return self.spoken or (self.label,)

    def called(self, number: int = -1) -> str:
        """One of its names, counted round; below 0 the first."""
        return self.names[max(number, 0) % len(self.names)]

    @property
    def shared(self) -> bool:
        """Whether anybody may hold it, and speak any line of it."""
        return self.holder == "any"

    def held_by(self, side: RoleLetter) -> PackTopic:
        """The topic as one that this side holds."""
        return self.model_copy(update={"holder": side})

    @property
    def ignorance(self) -> str:
        """The clause of who knows nothing of it, where it is a matter of knowledge; else empty."""
        return f"nothing about {self.label}" if self.state is MentalState.KNOWLEDGE else ""

    @property
    def contents(self) -> tuple[str, ...]:
        """All that can be held of it: its clauses and, of what can be known, nothing."""
        return (*self.clauses, self.ignorance) if self.ignorance else self.clauses


class Role(Record):
    """One side of the conversation: what its agents want, and what only they know."""

    role: PackLine
    goals: Lines
    knows: Lines


class Roles(Record):
    """The two sides."""

    a: Role
    b: Role


class Companion(Role):
    """Somebody else who takes part, on one side of the conversation, behind the first two.

    Attributes:
        context: a sentence on who they are and how they come to be there; ``{c}``, ``{d}`` or ``{e}`` is their name.
        asides: what they say in passing; where there are none, the lines of `dtomtrack.scenarios.company_lines`.
    """

    side: RoleLetter
    context: PackLine
    asides: tuple[PackLine, ...] = ()
    closes: tuple[PackLine, ...] = ()


class MoreOpenings(Record):
    """Further first and last lines of a story."""

    opens: tuple[PackLine, ...] = ()
    replies: tuple[PackLine, ...] = ()
    closes_a: tuple[PackLine, ...] = ()
    closes_b: tuple[PackLine, ...] = ()


class Situation(Record):
    """A particular story with something at stake; its ``slots`` fill placeholders in any line of the pack.

    Attributes:
        company, two: further first and last lines, where several talk, and where two talk alone.
    """

    id: Identifier
    slots: dict[Identifier, PackLine] = Field(default_factory=dict)
    context: PackLine
    opens: Lines
    replies: Lines
    asides_a: Lines
    asides_b: Lines
    closes_a: Lines
    closes_b: Lines
    company: MoreOpenings = MoreOpenings()
    two: MoreOpenings = MoreOpenings()


class Greetings(Record):
    """How the first two turns begin, and how the second hands over."""

    a: Lines
    b: Lines
    invites: Lines


class Reactions(Record):
    """Lines that react to what somebody else just did; no line agrees with, objects to or repeats a value."""

    acknowledge: dict[MentalState, Lines]
    ponder: Lines
    stay: Lines
    relent: Lines
    accept: Lines
    correct: Lines
    let_stand: Lines
    concede: Lines
    neither: Lines
    defer: Lines
    shift: Lines


class TriggerLines(Record):
    """Lead-ins to a reason, by what kind of trigger it is."""

    correction: Lines
    new_information: Lines
    contradiction: Lines
    goal_shift: Lines


class Manner(Record):
    """Sentences by which one end of a Big Five trait shows."""

    high: Lines
    low: Lines


class DomainPack(Record):
    """A domain: roles, stories, topics, and the language of all of them."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$")]
    title: PackLine
    brief: Paragraph
    roles: Roles
    people: Annotated[tuple[Companion, ...], Field(max_length=3)] = ()
    company: CompanyLines = CompanyLines()
    names: Annotated[tuple[PackLine, ...], Field(min_length=2)]
    settings: dict[Identifier, Lines] = Field(default_factory=dict)
    situations: Annotated[tuple[Situation, ...], Field(min_length=1)]
    greetings: Greetings
    reactions: Reactions
    triggers: TriggerLines
    manners: dict[Literal["openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"], Manner] = (
        Field(default_factory=dict)
    )
    small_talk: tuple[tuple[PackLine, PackLine], ...] = ()
    topics: Annotated[tuple[PackTopic, ...], Field(min_length=1)]

    @cached_property
    def lines(self) -> CompanyLines:
        """The lines for several: the pack's own, and where it brings none, those that all domains share."""
        return company_lines(self.company)

    @property
    def has_own_talk(self) -> bool:
        """Whether it brings talk of its own, or none: two are then mixed with nothing that all domains share."""
        return "talk" in self.company.model_fields_set

    @cached_property
    def has_hosts(self) -> bool:
        """Whether one side comes to the other: then it isn't the same what either side may say."""
        return not all(topic.shared for topic in self.topics)

    @cached_property
    def unasked(self) -> frozenset[str]:
        """Ids of the topics that nobody asks about."""
        return frozenset(topic.id for topic in self.topics if topic.partners_own)

    @cached_property
    def quizzed(self) -> frozenset[str]:
        """Ids of the topics for which two who talk alone have no open question."""
        wonder = self._lines_of_two.wonder
        return frozenset(one.id for one in self.topics if not one.wonder and not wonder.get(one.state))

    @property
    def tells_ignorance(self) -> bool:
        """Whether two who talk alone have words for it that they know nothing of something."""
        return bool(self._lines_of_two.ignorance.say)

    @property
    def _lines_of_two(self) -> CompanyLines:
        return self.company if self.has_own_talk else self.lines

    @cached_property
    def among_several(self) -> DomainPack:
        """The pack as it is where several talk: other lines stand for those that fit two alone."""
        instead = self.company.instead
        if not instead:
            return self
        written = self.model_dump(mode="json", exclude_unset=True)
        del written["company"]["instead"]
        return DomainPack.model_validate(_put_instead(written, instead))

    @cached_property
    def talks(self) -> tuple[tuple[str, str], ...]:
        """Small talk and its answers where several talk: the pack's, and what all domains share."""
        return (*self.small_talk, *self.lines.talk.small_talk)

    def topic(self, topic_id: str) -> PackTopic:
        """The topic with this id; `KeyError` if there is none."""
        return self._topics_by_id[topic_id]

    def situation(self, situation_id: str) -> Situation:
        """The story with this id; `KeyError` if there is none."""
        return self._situations_by_id[situation_id]

    def restated(self, topic: PackTopic, clause: str, wording: int = -1) -> str:
        """The sentence by which somebody says that they still hold a value, so that no other topic can be meant."""
        if clause == topic.ignorance:
            return (self.lines.ignorance.restated or "").replace("{label}", topic.called(wording))
        return self.lines.restated[topic.state].replace("{clause}", topic.worded(clause, wording))

    @cached_property
    def _topics_by_id(self) -> Mapping[str, PackTopic]:
        return {topic.id: topic for topic in self.topics}

    @cached_property
    def _situations_by_id(self) -> Mapping[str, Situation]:
        return {situation.id: situation for situation in self.situations}


def _put_instead(written: object, instead: Mapping[str, str]) -> object:
    """What is written in a pack, with other lines for some; lines stand in lists, ids and labels do not."""
    if isinstance(written, dict):
        return {key: _put_instead(one, instead) for key, one in written.items()}
    if isinstance(written, list):
        return [instead.get(one, one) if isinstance(one, str) else _put_instead(one, instead) for one in written]
    return written
