"""The rules by which a plain reply is read: which of its mentions of options is the answer (see `replies`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from functools import cached_property
from itertools import pairwise
from typing import Literal

from dtomtrack.items.cues import clause_starts, strong_cues, weak_cues
from dtomtrack.items.listed_answers import with_lists_joined
from dtomtrack.items.listings import judgement, without_listings
from dtomtrack.items.mentions import Mention, Mentions
from dtomtrack.items.option_texts import OptionTexts
from dtomtrack.items.scope import Reach
from dtomtrack.items.settled import is_labelled, without_remarks
from dtomtrack.items.stances import Stances

__all__ = ["Reading"]

_ADDED = re.compile(r"\b(?:also|too|as well)\b", re.IGNORECASE)


class Reading:
    """A plain reply with the mentions in it.

    Every rule gives the letters that it reads, no letters if what it finds can't be read, and None if it doesn't apply.
    """

    def __init__(self, text: str, letters: Set[str], texts: OptionTexts, select: Literal["one", "any"]) -> None:
        self._text = text
        self._texts = texts
        self._select = select
        lowered = _lowered(text)
        self._starts = clause_starts(text)
        said = texts.without_words(lowered)
        self._strong = dict(strong_cues(said, self._starts))
        self._weak = dict(weak_cues(said, self._starts))
        anchors = self._strong.keys() | self._weak.keys() | self._starts
        mentions = list(Mentions(text, lowered, letters, texts, anchors, self._strong.keys()))
        self._stances = Stances(text, self._starts, self._strong, self._weak)
        listed = without_listings(text, mentions, letters)
        if select == "any":
            listed = with_lists_joined(text, listed, letters, self._stances)
        self._mentions = without_remarks(text, listed, self._stances, select)

    def picked(self) -> frozenset[str] | None:
        """The answer that the reply gives."""
        return _first(self.outright, self._heading_or_dated, self._text_alone, self._misspelt)

    def outright(self) -> frozenset[str] | None:
        """The answer that the reply gives without a condition: stated, ticked, or standing alone."""
        if not self._mentions:
            return None
        if self._judged_right:
            return _first(self._stated, self._judged, self._opening)
        return _first(self._closing, self._stated, self._opening)

    # -- the rules --------------------------------------------------------------------------------------------------

    def _closing(self) -> frozenset[str] | None:
        """The answer that stands alone at the end; a list there is no answer where another one is stated."""
        for run in self._runs[-1:]:
            if self._are_labelled_apart(run[0]):
                return frozenset()
            listed = len(run) > 1 and bool(self._firm) and run[0].start not in self._strong
            if not listed and not self._says(run[-1].end, len(self._text)):
                return self._union(run)
        return None

    def _are_labelled_apart(self, last: Mention) -> bool:
        """Whether this and another option stand behind labels of their own: "Turn 3: B. Turn 8: C."."""
        others = (one for run in self._runs for one in run if one.picked != last.picked)
        return is_labelled(self._text, last) and any(is_labelled(self._text, one) for one in others)

    def _stated(self) -> frozenset[str] | None:
        """The last that is stated; for several right options with those that are called correct beside it."""
        if not self._firm:
            return None
        last = self._firm[-1]
        if (
            self._select == "any"
            and last.start in self._weak
            and not all(one.picked <= last.picked for one in self._firm if one.start in self._weak)
        ):
            return frozenset()
        if self._select == "one" or last.start in self._strong or last.start in self._weak:
            return self._with_list(last)
        together = [one for one in self._firm if one.start not in self._strong]
        if _ADDED.search(self._text[max(0, last.start - 20) : last.end + 30]):
            together = self._firm
        return _together(together)

    def _judged(self) -> frozenset[str] | None:
        """The options that are ticked or called correct in a walk through options."""
        return _together(self._judged_right)

    def _opening(self) -> frozenset[str] | None:
        """The answer that stands alone at the start."""
        for run in self._runs[:1]:
            if run[0].start == 0:
                return self._union(run)
        return None

    def _heading_or_dated(self) -> frozenset[str] | None:
        """The only option at the head of lines and sentences, or the only one that is stated with a reservation."""
        heads = [one for one in self._mentions if self._stances.heads(one)]
        head = _only([one.picked for one in heads])
        reserved = [
            one for one in self._mentions if self._stances.reach(one) is not Reach.FIRM and self._stances.is_put(one)
        ]
        dated = _only([one.picked for one in reserved])
        if all(self._stances.reach(one) is Reach.VOID for one in reserved):
            dated = None
        if head is None or dated is None or head == dated:
            return dated if head is None else head
        return head if heads[0].start == 0 else frozenset()

    def _text_alone(self) -> frozenset[str] | None:
        """The only option whose text occurs, if no other is named."""
        picked = [one.picked for one in self._mentions if one.picked and not self._stances.is_denied(one)]
        if not any(one.by_text and self._stances.reach(one) is not Reach.VOID for one in self._mentions):
            return None
        return _only(picked)

    def _misspelt(self) -> frozenset[str] | None:
        """The option whose text, but for a typo, is the whole reply or all that is stated."""
        if self._mentions:
            return None
        line = self._text[self._text.rfind("\n") + 1 :]
        offset = len(self._text) - len(line)
        cue = max((start for start, affirmed in self._strong.items() if affirmed and start >= offset), default=offset)
        if cue == offset and offset:
            return None
        letter = self._texts.misspelt(self._text[cue:].lower().strip(" .!"))
        return None if letter is None else frozenset(letter)

    # -- how a mention stands ---------------------------------------------------------------------------------------

    @cached_property
    def _firm(self) -> list[Mention]:
        """The mentions that are stated for this item, in the order of the text."""
        return [one for one in self._mentions if self._stances.is_firm(one)]

    @cached_property
    def _judged_right(self) -> list[Mention]:
        ends = [two.start for two in self._mentions[1:]] + [len(self._text)]
        return [
            one
            for one, until in zip(self._mentions, ends, strict=True)
            if one.picked
            and judgement(
                self._text,
                one,
                until,
                heads=one.start in self._starts
                or self._text[one.end - 1] == ")"
                or self._text.startswith(":", one.end),
            )
        ]

    # -- mentions that stand alone ----------------------------------------------------------------------------------

    @cached_property
    def _runs(self) -> list[list[Mention]]:
        """Mentions that stand alone; such as name one option after the other, without doubles, are together."""
        runs: list[list[Mention]] = []
        seen: set[str] = set()
        for one in self._mentions:
            if not self._stances.is_alone(one) or self._stances.reach(one) is not Reach.FIRM:
                continue
            if not runs or not one.picked or one.picked & seen or self._are_apart(runs[-1][-1], one):
                runs.append([])
                seen = set()
            runs[-1].append(one)
            seen |= one.picked
        return runs

    def _are_apart(self, one: Mention, two: Mention) -> bool:
        """Whether two are no list: bare letters with talk in between, or a cue before the second or its line."""
        if not (one.listed and two.listed) and self._says(one.end, two.start):
            return True
        return two.start in self._strong or (
            one.start in self._strong and self._text[one.start - 1 : one.start] != "\n"
        )

    def _with_list(self, mention: Mention) -> frozenset[str] | None:
        """The answer that is stated, with the rest of the list that begins with it on a line of its own."""
        for run in self._runs:
            if run[0] == mention and self._text[mention.start - 1 : mention.start] == "\n":
                return self._union(run) or mention.picked
        return mention.picked

    def _union(self, run: Sequence[Mention]) -> frozenset[str] | None:
        """The options that a run selects; None if it goes through them with talk in between."""
        talk = any(self._says(one.end, two.start) for one, two in pairwise(run))
        return None if talk else _together(run)

    def _says(self, start: int, end: int) -> bool:
        return any(character.isalnum() for character in self._text[start:end])


def _lowered(text: str) -> str:
    """The text in lower case, of the same length."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(one.lower()[0] for one in text)


def _first(*rules: Callable[[], frozenset[str] | None]) -> frozenset[str] | None:
    """The outcome of the first rule that applies."""
    return next((picked for rule in rules if (picked := rule()) is not None), None)


def _only(picked: Sequence[frozenset[str]]) -> frozenset[str] | None:
    return picked[0] if len(set(picked)) == 1 else None


def _together(mentions: Sequence[Mention]) -> frozenset[str]:
    """All that is picked; nothing if one of the mentions can't be read."""
    if not all(one.picked for one in mentions):
        return frozenset()
    return frozenset().union(*(one.picked for one in mentions))
