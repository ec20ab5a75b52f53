"""Putting stage directions into words, from the lines of a domain pack."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from random import Random

from dtomtrack.beliefs.markers import Marker, marker
from dtomtrack.beliefs.scenario import MentalState, Personality, Trigger
from dtomtrack.scenarios.acting.character import Character
from dtomtrack.scenarios.acting.company_speech import (
    CompanySpeech,
    Ways,
    unfit_for,
    unfit_to_adopt,
    ways_to_adopt,
    ways_to_change,
    ways_to_presume,
    ways_to_say,
)
from dtomtrack.scenarios.acting.frame_speech import FrameSpeech
from dtomtrack.scenarios.acting.line_picker import LinePicker
from dtomtrack.scenarios.acting.naming import is_named, says_name
from dtomtrack.scenarios.acting.sentences import (
    addressed,
    addressed_behind,
    first_word,
    follows_a_name,
    in_mid_sentence,
    joined,
)
from dtomtrack.scenarios.between_two import not_long_since
from dtomtrack.scenarios.pack import DomainPack, PackTopic, PackValue, Situation
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.scenarios.script import Direction, Move

__all__ = ["Speech"]

_TO_ONE_PERSON = frozenset({Move.CONCEDE})
"""Reactions that need no topic."""
_AGAINST_IT = frozenset({Trigger.CORRECTION, Trigger.CONTRADICTION})
"""Reasons of a kind that has to stand right behind what they speak against."""
_SAID_TO_THE_OTHER = frozenset(
    {
        *(Move.ACKNOWLEDGE, Move.ACCEPT, Move.CORRECT, Move.CONCEDE, Move.PONDER, Move.STAY, Move.RELENT, Move.NEITHER),
        *(Move.PRESUME, Move.REVEAL, Move.ASK, Move.ASIDE, Move.SMALL_TALK, Move.CLOSE),
    }
)
"""Moves by which nobody says what they hold: that stands as it is."""
_LEISURELY = frozenset({Move.VOICE, Move.ACKNOWLEDGE, Move.ACCEPT, Move.CONCEDE, Move.RELENT})
"""Moves that leave nothing open: behind them, and nowhere else, a personality shows."""


_BEHIND = 0.5
"""Of the turns in which one names the other, those in which the name comes behind, where it fits there."""
_BITS = 20
"""Of the numbers that are drawn."""


def _without_name(direction: Direction, greeted: Sequence[str]) -> Direction:
    """A direction to somebody, without their name where they have just been greeted by it in the same turn."""
    if not greeted or direction.move is Move.WELCOME:
        return direction
    to, occasion = direction.to, direction.occasion
    occasion = replace(occasion, to="") if occasion.to in greeted else occasion
    return direction._replace(to="" if to in greeted else to, occasion=occasion)


class Speech:
    """Words for one turn of one character, none of them said before in the dialogue as long as the pack has others.

    Args:
        said: the utterances that the character has heard so far.
        random: makes the generator of the turn's random numbers.
        small: words that are written small behind a name.
        telling: words that no line has which is about nothing of what is talked about.
    """

    def __init__(
        self,
        pack: DomainPack,
        situation: Situation,
        character: Character,
        said: Sequence[str],
        random: Callable[[], Random],
        small: Container[str],
        telling: frozenset[str] = frozenset(),
    ) -> None:
        self._pack = pack
        self._character = character
        self._difficulty = character.difficulty
        self._said = said
        self._small = small
        self._talk = pack.lines.talk
        self._planned = False
        self._lines = LinePicker(character, said, random, telling)
        self._company = CompanySpeech(pack, character, small, self._lines)
        self._frame = FrameSpeech(pack, situation, character, said, self._lines)

    def utterance(self, directions: Sequence[Direction]) -> str:
        """The words of the turn."""
        self._planned = any(direction.pick >= 0 for direction in directions)
        greeted = [direction.to for direction in directions if direction.move is Move.WELCOME]
        parts = [self._line(self._numbered(_without_name(direction, greeted))) for direction in directions]
        leisurely = all(direction.move in _LEISURELY for direction in directions)
        if leisurely and self._lines.rng.random() < self._difficulty.manner_share:
            lines = self._manner_lines(self._character.agent.personality)
            if lines:
                number = self._lines.rng.randrange(len(lines))
                parts.append(self._lines.pick(self._lines.harmless(lines), number))
        return " ".join(parts) if self._difficulty.several else self._begun(joined(parts), directions)

    def _begun(self, words: str, directions: Sequence[Direction]) -> str:
        """What is said between two: now and then by the other's name, once that has been given, or an interjection."""
        if not directions or directions[0].move not in _SAID_TO_THE_OTHER:
            return words
        name = self._character.others[0].name
        introduced = name in self._lines.heard or not self._pack.has_hosts
        named = any(name in line for line in (words, *self._said[-2:]))
        if introduced and not named and self._lines.rng.random() < self._difficulty.name_share:
            return self._named(name, words)
        if not follows_a_name(words, self._small) or self._lines.rng.random() >= self._difficulty.interjection_share:
            return words
        two = self._talk.between_two
        beginnings = two.before_questions if directions[0].move is Move.ASK else two.interjections
        if not beginnings or f"{first_word(words)}," in map(str.lower, beginnings):
            return words
        return f"{self._lines.rng.choice(beginnings)} {in_mid_sentence(words)}"

    def _named(self, name: str, words: str) -> str:
        """The other's name before what is said to them, or as often behind its first sentence, where it fits there."""
        behind = addressed_behind(name, words)
        if behind and (self._lines.rng.random() < _BEHIND or not follows_a_name(words, self._small)):
            return behind
        return addressed(name, words, self._small) if follows_a_name(words, self._small) else words

    def _numbered(self, direction: Direction) -> Direction:
        """A direction with numbers by which its lines are picked; where the plan gives it none, they are drawn."""
        if direction.pick >= 0:
            return direction
        return direction._replace(pick=self._lines.rng.getrandbits(_BITS), nth=self._lines.rng.getrandbits(_BITS))

    def _manner_lines(self, personality: Personality) -> list[str]:
        lines: list[str] = []
        marked = self._difficulty.marked_trait
        for trait, manner in self._pack.manners.items():
            degree = getattr(personality, trait)
            if degree >= 1 - marked:
                lines += manner.high
            elif degree <= marked:
                lines += manner.low
        return lines

    def _line(self, direction: Direction) -> str:
        if (words := self._company.line(direction)) is not None:
            return words
        if not direction.topic:
            return self._react(direction) if direction.move in _TO_ONE_PERSON else self._frame.line(direction)
        topic = self._pack.topic(direction.topic)
        match direction.move:
            case Move.VOICE:
                return self._way(ways_to_say, direction, topic)
            case Move.UPDATE:
                return self._update(direction, topic)
            case Move.PRESUME:
                return addressed(direction.to, self._presume(direction, topic), self._small)
            case Move.REVEAL:
                return self._reveal(direction, topic)
            case Move.ASK:
                question = self._ask(direction, topic)
                named = self._company.named_first(direction, topic, question)
                return joined([named, addressed(direction.to, question, self._small)], self._small)
            case Move.ACKNOWLEDGE:
                return self._acknowledge(direction, topic)
            case Move.ACCEPT if topic.state is MentalState.EMOTION:
                # a changed feeling is heard, not filed like a changed order
                return self._felt(direction, topic)
            case Move.ACCEPT if direction.occasion.won and self._talk.gratified:
                taught = direction.occasion.first and topic.state is MentalState.KNOWLEDGE and self._talk.taught
                return self._lines.pick_more(taught or self._talk.gratified, (), direction.nth)
            case Move.ACCEPT if direction.occasion.first:
                # nor is what is news to the speaker
                return self._felt(direction, topic)
            case Move.STAY if direction.occasion.overtaken:
                return self._stay_unseen(direction)
            case Move.STAY | Move.PONDER if direction.shifts:
                named = self._company.coming_to(topic, direction, self._pack.lines.bring_up)
                return joined([named, self._react(direction)], self._small)
            case _:
                return self._react(direction)

    def _way(
        self, ways_of: Callable[[DomainPack, PackTopic, str, int], Ways], direction: Direction, topic: PackTopic
    ) -> str:
        ways = ways_of(self._pack, topic, direction.value, direction.pick)
        line = ways.pick(direction, self._character.book, unfit_for(direction, self._talk))
        return self._lines.fill(line)

    def _update(self, direction: Direction, topic: PackTopic) -> str:
        """The change with its marker; without one, in words that don't say that it was ever otherwise."""
        if not direction.marker:
            return self._way(ways_to_change if direction.anew else ways_to_say, direction, topic)
        signal = marker(direction.marker)
        ways = ways_to_adopt(self._pack, topic, direction.value, direction.pick)
        ways = ways.without_colons() if ":" in signal.frame else ways
        unfit = unfit_to_adopt(direction, topic.state, self._talk)
        adopted = self._lines.fill(ways.pick(direction, self._character.book, unfit))
        old = "nothing" if direction.old == topic.ignorance else topic.value(direction.old).short
        return joined([self._turned_over(direction, topic, signal, adopted), signal.say(old, adopted)])

    def _turned_over(self, direction: Direction, topic: PackTopic, signal: Marker, adopted: str) -> str:
        """What a change is about, where something else was spoken of since and the change doesn't say so itself."""
        if not direction.shifts or signal.names_old or is_named(topic, adopted):
            return ""
        return self._company.coming_to(topic, direction, self._pack.lines.turned_over)

    def _presume(self, direction: Direction, topic: PackTopic) -> str:
        line = self._way(ways_to_presume, direction, topic)
        whole = topic.worded(direction.value, direction.pick) in line
        back = "" if whole else self._brought_back(direction, topic, line)
        return f"{back} {line}".lstrip()

    def _reveal(self, direction: Direction, topic: PackTopic) -> str:
        value = topic.value(direction.value)
        told = None if self._planned else self._character.reasons.get(topic.id, {}).get(value.clause)
        reason = told or self._argument(value.reason, direction.pick if self._planned else -1)
        against = self._said_against(direction, topic)
        lead_in = self._lead_in(direction, topic, f"{against} {reason}")
        words = joined([lead_in, against, reason], self._small)
        return addressed(direction.to or direction.occasion.to, words, self._small)

    def _said_against(self, direction: Direction, topic: PackTopic) -> str:
        """What goes before a reason for one value: what speaks against another, if anything is said of that."""
        argues = self._planned or self._lines.rng.random() < self._difficulty.against_share
        if not direction.old or direction.old == topic.ignorance or not argues:
            return ""
        return self._argument(self._against(topic, direction.old), direction.against)

    def _argument(self, lines: Sequence[str], number: int) -> str:
        """What is said for a value or against one: the plan goes by the very words, so it is the line at a number."""
        return self._lines.pick(lines) if number < 0 else self._lines.fill(lines[number % len(lines)])

    def _lead_in(self, direction: Direction, topic: PackTopic, words: str) -> str:
        """What goes before a reason: what it is about, if that has not come up for a while; where it is from, if that
        is not the speaker; now and then, what kind it is of."""
        news = self._since(direction) if direction.named and direction.occasion.turned else ""
        back = "" if news and says_name(topic, news) else self._brought_back(direction, topic, words)
        if news:
            return f"{back} {news}".lstrip()
        if direction.hearsay:
            passed_on = self._lines.harmless(self._pack.lines.pass_on)
            return f"{back} {self._lines.pick(passed_on, direction.nth)}".lstrip()
        trigger = direction.trigger
        if trigger is None or self._lines.rng.random() >= self._difficulty.lead_in_share:
            return back
        return back or self._of_a_kind(direction, trigger)

    def _brought_back(self, direction: Direction, topic: PackTopic, words: str) -> str:
        """That one comes back to a topic, if it has not come up for a while and these words don't name it."""
        lines = self._pack.lines.back_to
        if not lines or not direction.occasion.far_back or is_named(topic, words):
            return ""
        if not direction.occasion.passed and not self._difficulty.several:
            lines = not_long_since(lines, self._talk.between_two.long_since)
        return self._company.coming_to(topic, direction, lines)

    def _of_a_kind(self, direction: Direction, trigger: Trigger) -> str:
        """What kind of reason it is."""
        lines = self._lead_ins(trigger)
        further: Sequence[str] = self._talk.lead_in.get(trigger, ())
        points = self._talk.of_what_was_said
        if points is not None and direction.occasion.passed:
            # words that point to what was just said, where that was on something else
            lines, further = [], [line for line in (*lines, *further) if not points.search(line)]
            if trigger in _AGAINST_IT or not further:
                return ""
        # behind a colon a sentence would begin small
        return re.sub(r":$", ".", self._lines.pick_more(lines, further, direction.nth))

    def _since(self, direction: Direction) -> str:
        """What somebody says who said something else before: there is news."""
        fitting = self._not_of_late(self._pack.lines.since, direction)
        if not fitting:
            return ""
        return self._lines.pick(self._lines.harmless(fitting), direction.nth)

    def _not_of_late(self, lines: Sequence[str], direction: Direction) -> Sequence[str]:
        """The lines that don't say that something was just so, where it was not; all of them, if there is none."""
        late = self._talk.of_just_now if direction.occasion.long_ago else None
        return lines if late is None else [line for line in lines if not late.search(line)] or lines

    def _against(self, topic: PackTopic, old: str) -> Sequence[str]:
        value: PackValue = topic.value(old)
        return value.against

    def _lead_ins(self, trigger: Trigger) -> Sequence[str]:
        lines: Sequence[str] = getattr(self._pack.triggers, trigger.value)
        return lines

    def _ask(self, direction: Direction, topic: PackTopic) -> str:
        first, second = (topic.value(clause).short for clause in direction.named)
        question = topic.ask[direction.pick % len(topic.ask)]
        return fill(question, {**self._character.fillings, "x": first, "y": second})

    def _acknowledge(self, direction: Direction, topic: PackTopic) -> str:
        may_note = not self._planned or direction.to
        if may_note and self._lines.rng.random() < self._difficulty.note_share:
            return self._lines.pick(topic.note, direction.pick)
        return self._felt(direction, topic)

    def _felt(self, direction: Direction, topic: PackTopic) -> str:
        lines, further = self._pack.reactions.acknowledge[topic.state], self._talk.acknowledge.get(topic.state, ())
        return self._lines.pick_more(lines, further, direction.nth)

    def _react(self, direction: Direction) -> str:
        reactions, talk = self._pack.reactions, self._talk
        lines: Mapping[Move, tuple[Sequence[str], Sequence[str]]] = {
            Move.ACCEPT: (reactions.accept, talk.accept),
            Move.CORRECT: (talk.outdated, ()) if direction.old else (reactions.correct, talk.correct),
            Move.LET_STAND: (reactions.let_stand, ()),
            Move.NEITHER: (reactions.neither, ()),
            Move.CONCEDE: (reactions.concede, talk.concede),
            Move.PONDER: (reactions.ponder, ()),
            Move.STAY: (reactions.stay, talk.stay),
            Move.RELENT: (reactions.relent, talk.relent),
        }
        own, further = lines[direction.move]
        return self._lines.pick_more(
            self._not_of_late(own, direction), self._not_of_late(further, direction), direction.nth
        )

    def _stay_unseen(self, direction: Direction) -> str:
        """Staying with what one holds, before somebody who has missed how that came about."""
        lines, no_change = [*self._pack.reactions.stay, *self._talk.stay], self._talk.of_no_change
        fitting = [line for line in lines if no_change is None or not no_change.search(line)]
        return self._lines.pick_more(fitting or lines, (), direction.nth)
