"""Putting into words what is said to whom, of whom and behind whose back, and ways to say things that packs share."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import cache
from zlib import crc32

from dtomtrack.beliefs.markers import marker
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.transcript_text import and_list
from dtomtrack.items.words import content_words
from dtomtrack.scenarios.acting.character import Character
from dtomtrack.scenarios.acting.line_book import LineBook, turned
from dtomtrack.scenarios.acting.line_picker import LinePicker
from dtomtrack.scenarios.acting.naming import is_named
from dtomtrack.scenarios.acting.sentences import addressed, joined
from dtomtrack.scenarios.pack import DomainPack, PackTopic
from dtomtrack.scenarios.script import Direction, Move
from dtomtrack.scenarios.small_words import words_written_small
from dtomtrack.scenarios.talk_lines import TalkLines

__all__ = [
    "CompanySpeech",
    "for_whom",
    "idle_ways",
    "small_words",
    "to_somebody_else",
    "unfit_for",
    "unfit_to_adopt",
    "ways_to_adopt",
    "ways_to_change",
    "ways_to_presume",
    "ways_to_say",
]


def small_words(pack: DomainPack) -> frozenset[str]:
    """The words that a pack writes small within its sentences, so that they are no names."""
    # lines for two alone leave what several say as it is
    written = pack.model_dump_json(exclude={"situations": {"__all__": {"two"}}})
    return words_written_small(written) | _FIRST_WORDS


_FIRST_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a admission an and apparently are as ask at because being but by did do does don for forget forgive frankly "
        "from funny going has have here how if imagine in is it knowing leave let maybe my nerves no not oddly on or "
        "our perhaps pickpockets picture put seeing since so somehow step strange suppose that the their then there "
        "these they think this those to we what when where which who with workmen would you your",
    )
)


@dataclass(frozen=True)
class Ways:
    """All lines for one thing: those that a pack has for it, those that all topics share, and those for several.

    Attributes:
        shared_for_own: how many shared lines are said for each of the pack's, until all of the pack's have come.
        for_two: lines that all topics share, and that don't fit everything that several may say.
        clause: fills the lines' own placeholder.
    """

    own: Sequence[str]
    shared: Sequence[str] = ()
    further: Sequence[str] = ()
    shared_for_own: float = 2
    for_two: Sequence[str] = ()
    clause: str = ""

    def without_colons(self) -> Ways:
        """The lines that can follow on a colon: all of the pack's, if each of them has one itself."""
        own, shared, further, for_two = (
            [line for line in lines if ":" not in self._filled(line)]
            for lines in (self.own, self.shared, self.further, self.for_two)
        )
        return replace(self, own=own or self.own, shared=shared, further=further, for_two=for_two)

    def all(self) -> list[str]:
        """Every line, without those for several."""
        return [self._filled(line) for line in (*self.own, *self.shared, *self.for_two)]

    def _filled(self, line: str) -> str:
        return line.replace("{clause}", self.clause) if self.clause else line

    def pick(self, direction: Direction, book: LineBook, unfit: re.Pattern[str] | None = None) -> str:
        """The line that the numbers of a direction pick: topics take turns with the lines they share.

        Args:
            book: has the lines that came before; of those that came less often the next one is said.
            unfit: found in lines that won't do; one of the others, of those that are shared if any of them does, is
                said instead; any, if none does.
        """
        shared = [*self.shared, *self.further]
        of_shared = min(len(shared), math.ceil(self.shared_for_own * len(self.own)) or len(shared))
        number = direction.pick % (len(self.own) + of_shared)
        own, shared = turned(self.own, number), turned(shared, direction.nth)
        lines = [*own, *shared] if number < len(self.own) else [*shared, *own]
        if unfit is None:
            return self._filled(book.pick(lines))

        def fits(line: str) -> bool:
            return not unfit.search(self._filled(line))

        return self._filled(book.pick(lines if fits(lines[0]) else [*shared, *own], fits))


def unfit_for(direction: Direction, talk: TalkLines) -> re.Pattern[str] | None:
    """What is found in lines that won't do for what somebody says that they hold."""
    unfit = talk.of_long_standing if direction.anew else None
    return to_somebody_else(unfit) if direction.behind else unfit


def unfit_to_adopt(direction: Direction, state: MentalState, talk: TalkLines) -> re.Pattern[str]:
    """What is found in lines that won't do behind a marker: what one now knows has been told where it is from."""
    sourced = talk.from_elsewhere if state is MentalState.KNOWLEDGE else None
    parts = [_CONCLUDES, *([_NOW] if direction.marker == "now_that" else []), *([sourced.pattern] if sourced else [])]
    unfit = re.compile("|".join(parts), re.IGNORECASE)
    return to_somebody_else(unfit) if direction.behind else unfit


_CONCLUDES = r"so\b"
"""In a line that takes a value up, where it begins so: "Come to think of it, so it's with the guard"."""
_NOW = r"\bnow\b"


@cache
def to_somebody_else(also: re.Pattern[str] | None = None) -> re.Pattern[str]:
    """What is found in lines that are said to somebody, and in these others."""
    you = r"\b(?:you|your|yours|yourself)\b"
    return re.compile(you if also is None else f"{also.pattern}|{you}", re.IGNORECASE)


def _unreckoned(lines: Sequence[str], talk: TalkLines) -> Sequence[str]:
    """The lines that go before a change of feelings: nobody has counted on their fingers what speaks for one."""
    reckons = talk.of_reckoning
    return lines if reckons is None else [line for line in lines if not reckons.search(line)] or lines


_VALUES, _ASIDES, _LEADS = 0.33, 3, 0.125
"""How many shared lines are said for each of the pack's: few that take any value, many that are about nothing, and
hardly any of those that lead over to whatever it is."""


def for_whom(lines: Sequence[str], direction: Direction, talk: TalkLines) -> Sequence[str]:
    """The lines that don't speak to several where one person alone hears them; all of them, if there is none."""
    several = talk.for_several if direction.occasion.to_one else None
    return lines if several is None else [line for line in lines if not several.search(line)] or lines


def ways_to_say(pack: DomainPack, topic: PackTopic, clause: str, wording: int = -1) -> Ways:
    """The lines by which a holder voices a value.

    Args:
        wording: the words for it in lines that all topics share; see `PackTopic.worded`.
    """
    if clause == topic.ignorance:
        return Ways([line.replace("{label}", topic.called(wording)) for line in pack.lines.ignorance.say])
    own = topic.value(clause).say
    shared, further = (lines.get(topic.state, ()) for lines in (pack.lines.say, pack.lines.talk.say))
    return Ways(own, shared, further, _VALUES, clause=_words(topic, clause, wording, own))


def ways_to_change(pack: DomainPack, topic: PackTopic, clause: str, wording: int = -1) -> Ways:
    """The lines by which a holder takes a value up without a marker."""
    shared = pack.lines.talk.unmarked.get(topic.state, ())
    if not shared:
        return ways_to_say(pack, topic, clause, wording)
    own = topic.value(clause).say
    return Ways(own, shared, (), _VALUES, clause=_words(topic, clause, wording, own))


def ways_to_adopt(pack: DomainPack, topic: PackTopic, clause: str, wording: int = -1) -> Ways:
    """The lines by which a holder takes a value up."""
    own = topic.value(clause).adopt
    shared, further = (lines.get(topic.state, ()) for lines in (pack.lines.adopt, pack.lines.talk.adopt))
    return Ways(own, shared, further, _VALUES, clause=_words(topic, clause, wording, own))


def ways_to_presume(pack: DomainPack, topic: PackTopic, clause: str, wording: int = -1) -> Ways:
    """The lines by which somebody takes a value for granted to the holder's face."""
    own = topic.value(clause).presume
    words = _words(topic, clause, wording, own)
    shared, further = (lines.get(topic.state, ()) for lines in (pack.lines.presume, pack.lines.talk.presume))
    if topic.state is MentalState.EMOTION and further:
        # those that two share take every feeling for a burden
        return Ways(own, (), further, _VALUES, shared, words)
    return Ways(own, shared, further, _VALUES, clause=words)


def _words(topic: PackTopic, clause: str, wording: int, own: Sequence[str]) -> str:
    """The words for a value in lines that all topics share, which take turns with the pack's.

    Counted by the rounds of those turns: as they come at the same places of each round, they would have the same words.
    """
    return topic.worded(clause, wording if wording < 0 else wording // (len(own) + math.ceil(_VALUES * len(own))))


def idle_ways(own: Sequence[str], shared: Sequence[str]) -> Ways:
    """The lines about nothing."""
    return Ways(own, (), shared, shared_for_own=_ASIDES)


@cache
def _outsider(mention: str) -> frozenset[str]:
    """The words by which a mention says whose view it is: those before the view."""
    return frozenset(content_words(mention.partition("{clause}")[0]))


_IN_PASSING = frozenset(
    {
        Move.OWN_REASON,
        Move.CONFIDE,
        Move.TAKE_ASIDE,
        Move.PROMISE,
        Move.WRITE,
        Move.READ,
        Move.DODGE,
        Move.MIXED_UP,
        Move.CONFIRM,
        Move.THANK,
        Move.WELCOME,
    }
)
"""Moves whose lines for several have their name."""


_PLAINLY_TOLD = 4
"""Of things told of a third that are as the teller has them, one in so many is not led in like those that are not."""


def _is_told_plainly(number: int) -> bool:
    """Whether it is, by the number that picks its words: whatever words that picks, as often."""
    return crc32(str(number).encode()) % _PLAINLY_TOLD == 0


class CompanySpeech:
    """Words for directions that carry numbers of their own, so that no line comes twice before all have come once."""

    def __init__(self, pack: DomainPack, character: Character, small: Container[str], picker: LinePicker) -> None:
        self._pack, self._small, self._picker = pack, small, picker
        self._lines = pack.lines
        self._character = character
        own = ord(character.role) - ord("c")
        self._own = pack.people[own] if 0 <= own < len(pack.people) else None

    def line(self, direction: Direction) -> str | None:
        """The words of a direction; None if it is none of those that only several people need."""
        topic = self._pack.topic(direction.topic) if direction.topic else None
        if topic is not None and (words := self._about(direction, topic)):
            return words
        return self._passing(direction)

    def named_first(self, direction: Direction, topic: PackTopic, question: str) -> str:
        """What a question is about, unless that is on the table, or the question itself says so."""
        if not direction.occasion.off_the_table or is_named(topic, question):
            return ""
        return self.coming_to(topic, direction, self._lines.bring_up)

    def coming_to(self, topic: PackTopic, direction: Direction, lines: Sequence[str]) -> str:
        """How somebody comes to a topic: in words of its own that were not said yet, else by one of these lines.

        Empty if there are neither.
        """
        own = [line for line in topic.approach if self._picker.is_harmless(line)]
        fresh = [line for line in own if not self._character.book.has(line)]
        if not fresh and not lines:
            return ""
        return self._picker.pick(fresh or lines, direction.nth, label=topic.called(direction.pick))

    def _one_of(self, lines: Sequence[str], number: int) -> str:
        """The very line at a number: which it has to be is laid down."""
        return self._picker.fill(lines[number % len(lines)])

    def _said(self, ways: Ways, direction: Direction, **values: str) -> str:
        return self._picker.fill(ways.pick(direction, self._character.book), **values)

    def _short(self, topic: PackTopic, clause: str) -> str:
        return "nothing" if clause == topic.ignorance else topic.value(clause).short

    def _about(self, direction: Direction, topic: PackTopic) -> str | None:
        match direction.move:
            case Move.WONDER:
                return self._wonder(direction, topic)
            case Move.OWN_REASON:
                return self._own_reason(direction, topic)
            case Move.ACKNOWLEDGE if direction.value and direction.value == topic.ignorance:
                return (
                    self._picker.idle(self._lines.ignorance.hear, direction.nth) if self._lines.ignorance.hear else None
                )
            case Move.LEAD:
                return self._lead(direction, topic)
            case Move.RESTATE:
                return self._restate(direction, topic)
            case Move.MISLEAD:
                ways = ways_to_say(self._pack, topic, direction.value, direction.pick)
                line = ways.pick(direction, self._character.book, unfit_for(direction, self._lines.talk))
                return self._picker.fill(line)
            case Move.MENTION:
                words = topic.worded(direction.value, direction.pick)
                return self._picker.idle(self._of_others_than_before(topic.state), direction.nth, clause=words)
            case Move.DISCREET:
                return self._announce(direction, topic)
            case Move.TELL | Move.ACT:
                return self._of_a_third(direction, topic)
            case Move.PRESUME if direction.value == topic.ignorance:
                line = self._picker.pick(
                    self._lines.ignorance.presume, direction.nth, label=topic.called(direction.pick)
                )
                return addressed(direction.to, line, self._small)
            case _:
                return None

    def _wonder(self, direction: Direction, topic: PackTopic) -> str:
        """An open question, begun as one that was asked before where it was, and with what it is about."""
        ways = Ways(topic.wonder, self._lines.wonder.get(topic.state, ()), shared_for_own=_VALUES)
        question = self._said(ways, direction, label=topic.called(direction.pick))
        again = self._picker.idle(self._lines.again, direction.nth) if direction.named else ""
        named = self.named_first(direction, topic, question) if topic.state is MentalState.EMOTION else ""
        return joined([again, named, addressed(direction.to, question, self._small)], self._small)

    def _own_reason(self, direction: Direction, topic: PackTopic) -> str | None:
        """What goes before a change that nobody else gave a reason for; None where any such line does."""
        if direction.named and self._lines.turned_over:
            return self.coming_to(topic, direction, self._lines.turned_over)
        if topic.state is MentalState.KNOWLEDGE and self._lines.found_out:
            return self._picker.idle(self._lines.found_out, direction.nth)
        if topic.state is MentalState.EMOTION:
            return self._picker.idle(_unreckoned(self._lines.own_reason, self._lines.talk), direction.nth)
        return None

    def _lead(self, direction: Direction, topic: PackTopic) -> str:
        """What goes before what one holds, or before a question."""
        if direction.value and direction.value == topic.ignorance and self._lines.ignorance.lead:
            return self._picker.idle(self._lines.ignorance.lead, direction.nth)
        if direction.value:
            return self.coming_to(topic, direction, self._lines.bring_up or self._lines.lead)
        if direction.occasion.on_the_table and self._lines.carry_on:
            return self._picker.idle(self._lines.carry_on, direction.nth)
        ways = Ways((*topic.lead, *topic.approach), self._lines.lead, shared_for_own=_LEADS)
        return self._said(ways, direction, label=topic.called(direction.pick))

    def _announce(self, direction: Direction, topic: PackTopic) -> str:
        """That somebody is to hear something else, once more or for the first time, and what."""
        lines = self._lines.kept_up if direction.occasion.kept_up else ()
        return self._picker.pick(
            lines or self._lines.discreet,
            direction.nth,
            short=topic.claimed(direction.old),
            label=topic.called(direction.pick),
            **{"to": direction.to, "from": direction.named[0]},
        )

    def _of_others_than_before(self, state: MentalState) -> Sequence[str]:
        """The mentions of people of whom none was that came before, as far as there are any."""
        mention = self._lines.talk.mention
        said = [line for lines in mention.values() for line in lines if self._character.book.has(line)]
        before = frozenset[str]().union(*map(_outsider, said))
        return [line for line in mention[state] if before.isdisjoint(_outsider(line))] or mention[state]

    def _restate(self, direction: Direction, topic: PackTopic) -> str:
        short = self._pack.restated(topic, direction.value, direction.pick)
        line = self._picker.pick(self._lines.restate, direction.nth, short=short)
        sentence = f"{line[0].upper()}{line[1:]}"
        if not direction.marker:
            return f"{sentence}."
        announcing = self._lines.waver_behind.get(direction.marker)
        alone = self._lines.waver_alone if direction.occasion.unprompted else ()
        wavers = announcing or alone or self._lines.waver
        turned_down = direction.old not in {"", direction.value}
        old = self._short(topic, direction.old) if turned_down else short
        return marker(direction.marker).say(old, f"{self._picker.pick(wavers, direction.nth)} {sentence}")

    def _of_a_third(self, direction: Direction, topic: PackTopic) -> str:
        tells = direction.move is Move.TELL
        if direction.value == topic.ignorance:
            ignorance = self._lines.ignorance
            lines = ignorance.tell if tells else ignorance.act
        else:
            lines = (self._lines.tell if tells else self._lines.act)[topic.state]
        words = topic.worded(direction.value, direction.pick)
        line = self._picker.pick(
            lines, direction.nth, who=direction.holder, clause=words, label=topic.called(direction.pick)
        )
        half_heard = direction.old != direction.value or not _is_told_plainly(direction.nth)
        if tells and half_heard and self._lines.half_heard:
            line = f"{self._picker.idle(self._lines.half_heard, direction.nth)} {line}"
        among = direction.occasion.among
        return addressed(and_list(among) if among else direction.to, line, self._small)

    def _passing(self, direction: Direction) -> str | None:
        if direction.move is Move.SLIP:
            return self._picker.idle(self._lines.slip[direction.marker], direction.nth)
        if direction.move in _IN_PASSING:
            lines: Sequence[str] = getattr(self._lines, direction.move.value)
            return self._picker.idle(for_whom(lines, direction, self._lines.talk), direction.nth, to=direction.to)
        if direction.move is Move.LEAVE:
            return self._one_of([leaving for leaving, _, _ in self._lines.leave], int(direction.value))
        if direction.move is Move.COME_BACK:
            return self._one_of([back for _, back, _ in self._lines.leave], int(direction.value))
        if direction.move is Move.JOIN:
            return self._one_of([line for line, _ in self._lines.join], int(direction.value))
        return self._further(direction)

    def _further(self, direction: Direction) -> str | None:
        """Small things that people behind the first two say."""
        own = self._own
        if own is None or direction.nth < 0:
            return None
        match direction.move:
            case Move.GREET:
                lines = for_whom(self._lines.greet, direction, self._lines.talk)
                return self._picker.idle(lines, direction.nth, me=self._character.name)
            case Move.ASIDE:
                asides = self._picker.harmless(own.asides or self._lines.asides)
                return self._said(idle_ways(asides, self._picker.harmless(self._lines.talk.asides)), direction)
            case Move.CLOSE:
                fitting = [line for line in own.closes if self._picker.is_harmless(line)]
                return self._picker.idle(fitting or self._lines.closes, direction.pick)
            case _:
                return None
