"""What people say in any domain beside the lines of a pack (``lines/talk.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property

from dtomtrack.beliefs.mental_state import MentalState, Trigger
from dtomtrack.packaged import packaged_yaml
from dtomtrack.records import Record

__all__ = ["TalkLines", "TwoLines", "any_of", "shared_talk"]

Lines = tuple[str, ...]
ByState = Mapping[MentalState, Lines]

_NONE: ByState = {}
_NO_LEAD_IN: Mapping[Trigger, Lines] = {}


class TwoLines(Record):
    """What is so only where two talk; each list may be empty.

    Attributes:
        interjections, before_questions: what begins a turn that is said to the other, and one that asks them something.
        to_more: words by which a line speaks to several, or of others who are there: no such line is said.
        in_one_room: words by which a line takes both to be in one room, which none has where they are not.
        long_since: words by which a line says that something is long since, which nobody says of what was just
            spoken of.
        invites, ponder, let_stand, neither, correct, concede: reactions, as those of a pack.
        wonder, lead: open questions, by mental state, and transitions, with ``{label}``.
        greet, asides, closes: first words, words to pass a turn, and last ones beside those of a story.
        surprised: words by which one is surprised at a change, which nobody is who has argued for it.
    """

    interjections: Lines = ()
    before_questions: Lines = ()
    to_more: Lines = ()
    in_one_room: Lines = ()
    long_since: Lines = ()
    invites: Lines = ()
    ponder: Lines = ()
    let_stand: Lines = ()
    neither: Lines = ()
    correct: Lines = ()
    concede: Lines = ()
    wonder: ByState = _NONE
    lead: Lines = ()
    greet: Lines = ()
    asides: Lines = ()
    closes: Lines = ()
    surprised: Lines = ()


class TalkLines(Record):
    """Further lines of any dialogue; each list may be empty.

    Attributes:
        say, adopt, presume: ways to voice a value, to take it up, and to take it for granted of somebody to their face,
            by mental state, with ``{clause}``.
        unmarked: ways to take a value up without a marker, by mental state, with ``{clause}``; each can stand alone.
        long_held: words by which a line says that it has been so for some time, which nobody says of what
            they have just taken up.
        unmoved: words by which a line says that nothing has changed, which nobody says before people who have missed
            a change.
        of_late: words by which a line says that something was just so, which nobody says long after.
        points_back: words by which a lead-in points to what was just said, which nobody says long after.
        sourced: words by which a line says where one has something from, which nobody says behind a word that leads to
            it: that has said so, or it was told them before everybody.
        reckoned: words by which a line says that one has thought something out, which nobody says of a feeling.
        to_several: words by which a line speaks to several people, which nobody says to one alone.
        mention: ways to name another value than one's own, as a view of somebody who is not there or as a rumor, by
            mental state, with ``{clause}``.
        acknowledge, accept, stay, relent, correct, concede: reactions, as those of a pack.
        gratified: of somebody who has argued for it, when it is taken up.
        taught: of somebody who has told another what they knew nothing about.
        outdated: to somebody who takes for granted what one said once, and has given up since.
        lead_in: before a reason, by what kind of reason it is.
        greet: first words of anybody.
        asides, small_talk: to pass a turn, and a question with its answer.
        between_two: what is so only where two talk.
    """

    say: ByState = _NONE
    adopt: ByState = _NONE
    presume: ByState = _NONE
    unmarked: ByState = _NONE
    long_held: Lines = ()
    unmoved: Lines = ()
    of_late: Lines = ()
    points_back: Lines = ()
    sourced: Lines = ()
    reckoned: Lines = ()
    to_several: Lines = ()
    mention: ByState = _NONE
    acknowledge: ByState = _NONE
    accept: Lines = ()
    stay: Lines = ()
    relent: Lines = ()
    correct: Lines = ()
    gratified: Lines = ()
    taught: Lines = ()
    outdated: Lines = ()
    concede: Lines = ()
    lead_in: Mapping[Trigger, Lines] = _NO_LEAD_IN
    greet: Lines = ()
    asides: Lines = ()
    small_talk: tuple[tuple[str, str], ...] = ()
    between_two: TwoLines = TwoLines()

    @cached_property
    def of_long_standing(self) -> re.Pattern[str] | None:
        """Finds in a line that what it says has been so for some time; None where there are no words for that."""
        return any_of(self.long_held)

    @cached_property
    def of_no_change(self) -> re.Pattern[str] | None:
        """Finds in a line that nothing has changed; None where there are no words for that."""
        return any_of(self.unmoved)

    @cached_property
    def of_just_now(self) -> re.Pattern[str] | None:
        """Finds in a line that something was just so; None where there are no words for that."""
        return any_of(self.of_late)

    @cached_property
    def of_what_was_said(self) -> re.Pattern[str] | None:
        """Finds in a line that it points to what was just said; None where there are no words for that."""
        return any_of(self.points_back)

    @cached_property
    def from_elsewhere(self) -> re.Pattern[str] | None:
        """Finds in a line where one has something from; None where there are no words for that."""
        return any_of(self.sourced)

    @cached_property
    def for_several(self) -> re.Pattern[str] | None:
        """Finds in a line that it speaks to several people; None where there are no words for that."""
        return any_of(self.to_several)

    @cached_property
    def of_reckoning(self) -> re.Pattern[str] | None:
        """Finds in a line that one has thought something out; None where there are no words for that."""
        return any_of(self.reckoned)


def any_of(words: Lines) -> re.Pattern[str] | None:
    """Finds any of these words in a line; None where there are none."""
    if not words:
        return None
    # by their first letters: where a word begins, most of them need not be tried
    by_letter: dict[str, list[str]] = {}
    for word in words:
        by_letter.setdefault(word[:1].lower(), []).append(word[1:])
    found = "|".join(f"{re.escape(first)}(?:{'|'.join(map(re.escape, rest))})" for first, rest in by_letter.items())
    return re.compile(rf"\b(?:{found})\b", re.IGNORECASE)


@cache
def shared_talk() -> TalkLines:
    """The lines that all domains share."""
    return TalkLines.model_validate(packaged_yaml("dtomtrack.scenarios", "lines", "talk.yaml"))
