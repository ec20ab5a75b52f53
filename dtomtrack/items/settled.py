"""What a reply still says once it has given its answer: corrections, which count, and remarks, which don't.

An answer is settled where a reply opens with it or states it outright ("Answer: B", "the correct option is B"). What
is named behind it replaces it only if the reply corrects itself or speaks of its answer once more. What the people of
the dialogue say, choose or hold ("her final choice is C", "I'd go with the patio") is a remark. What is neither leaves
open what the reply means.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dtomtrack.items.item import Select
from dtomtrack.items.listed_answers import is_refuted_in_line
from dtomtrack.items.mentions import Mention
from dtomtrack.items.plain_reply import TICK
from dtomtrack.items.scope import Reach
from dtomtrack.items.stances import Stances

__all__ = ["is_labelled", "without_remarks"]

_CORRECTION = re.compile(
    r"(?:^|[.!?;\n(-] ?|, )(?:(?:but|oh|hmm|ah|and|so|well|okay|ok),? ){0,2}(?:wait\b"
    r"|no\b(?=[,.:;!]? (?:wait|sorry|it|that|this|the answer|\(?[A-Z]\b|[a-z ]{2,40}[.\n]|$)|[,.:;!])"
    r"|actually\b(?=,| (?:i|it|on|the answer)\b| ?$)|correction(?! (?:at|in|to|from|of|by|comes)\b)|correcting"
    r"|(?:scratch|strike) that|oops|sorry|hold on|on (?:second thoughts?|reflection|re\w+)"
    r"|make (?:it|that)|rather,|edit\b|revised|corrected|update[:;] |updated answer|instead,? |changed to|switching)"
    r"|\b(?:i (?:made a|was) (?:mistake|wrong)|my mistake|misread|mistaken"
    r"|let me (?:re|correct|fix|double|think again)\w*"
    r"|i (?:mean|meant|take (?:it|that) back|withdraw|retract|now |(?:hereby )?(?:re|change|correct|switch|amend)\w*)"
    r"|i'm (?:chang|switch|correct|revis)\w*|changed? my (?:mind|answer)|on second thoughts?|take it back)\b",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"\b(?:her|his|their|hers|theirs|(?:she|he|they)(?:'s|'d|'ll)?|(?!question|item|model|assistant|today|let|that|it|what"
    r"|here|there)\w+'s)\b",
    re.IGNORECASE,
)
_ANSWERING = re.compile(
    r"(?:^|[\s(,])(?:the |my |our |so |a )*(?:(?:final|correct|right|best|overall|revised|corrected|updated|chosen) )*"
    r"(?:answers?\b|(?:correct|right|best|final|chosen|selected|my) (?:options?|choices?|letters?|selections?)\b"
    r"|(?<!.)(?:(?:final|correct|selected|chosen|right) )?(?:final|correct|selected|options?|choice|letter)"
    r"(?= ?[:=]? ?$))",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"(?:^|[\s(])(?:i|we|let me|let's)(?:'d|'ll|'m|'ve)? (?!said|thought|first|initially)", re.IGNORECASE
)
_RESULT = re.compile(r"\b(?:so|therefore|thus|hence|conclusion|result|verdict|overall|final)\b\W*$", re.IGNORECASE)
_SPOKEN = re.compile(
    r"\b(?:says?|said|tells?|told|repl(?:y|ies|ied)|asks?|asked|adds?|added)\b"
    r"|^ ?(?!(?:conclusion|answer|final|therefore|verdict|result|correction|decision|response|assistant|so)\b)"
    r"[A-Z]\w*(?: \([^()]{1,30}\))?: ",
    re.IGNORECASE,
)
_LETTERED = re.compile(
    r"(?:(?:the )?(?:option|choice|letter|answer)s? )?\(?(?:[a-z]\b|(?-i:[A-Z]{2,26})\b)"
    r"|.*\b(?:option|choice|alternative|one)\b",
    re.IGNORECASE,
)
"""An option named by its letter or place."""
_SPEAKER_LINE = re.compile(
    r"(?:(?i:turn) \d+|(?!(?i:correction|edit|wait|answer|final|conclusion|reason\w*|explanation|note|thoughts?|hmm"
    r"|update\w*|revis\w+|step|verdict|result|so|analysis|justification|but|actually|ok\w*|sorry|oops|no)\b)[A-Z]\w+)"
    r"(?: \([^()\n]{1,30}\))?: "
)
_SENTENCE_END = re.compile(r"[.!?;(\n]")
_ADDED = re.compile(r"\b(?:also|too|as well|includes?|in addition|additionally)\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|nor|neither|wrong|incorrect|might|may|could|would)\b|n't\b)", re.IGNORECASE
)
_LONGEST_LEAD = 160


def without_remarks(text: str, mentions: Sequence[Mention], stances: Stances, select: Select) -> list[Mention]:
    """The mentions without remarks behind a settled answer; those that can't be told from an answer can't be read."""
    settled = _settled(text, mentions, stances)
    if settled is None:
        return list(mentions)
    behind = _Behind(text, mentions[settled], mentions[settled + 1 :], stances, select)
    return [*mentions[:settled], *behind.kept()]


def is_labelled(text: str, mention: Mention) -> bool:
    """Whether an option stands behind a label that speaks of something else than the answer: "Turn 3: B"."""
    return _is_label(_lead(text, mention))


def _settled(text: str, mentions: Sequence[Mention], stances: Stances) -> int | None:
    """The place of the mention with which a reply opens or that it states outright."""
    for place, one in enumerate(mentions):
        if not one.picked or stances.reach(one) is not Reach.FIRM:
            continue
        opens = one.start == 0 and stances.is_alone(one) and not _walks(text, mentions, stances)
        if opens or (stances.is_firm(one) and _speaks_of_answer(_lead(text, one))):
            return place
    return None


def _walks(text: str, mentions: Sequence[Mention], stances: Stances) -> bool:
    """Whether a reply goes on to other options, sentence by sentence, after the one with which it opens."""
    first = mentions[0]
    own_line = "\n" in text[first.end : first.end + 3] or not text[first.end :].strip(" .!)")
    others = any(stances.heads(one) and one.picked != first.picked for one in mentions[1:])
    return TICK in text or (others and not own_line)


class _Behind:
    """The mentions behind a settled answer."""

    def __init__(
        self, text: str, answer: Mention, mentions: Sequence[Mention], stances: Stances, select: Select
    ) -> None:
        self._text = text
        self._answer = answer
        self._mentions = mentions
        self._stances = stances
        self._several = select == "any"
        listed = {one.picked for one in mentions if one.listed and one.picked != answer.picked}
        self._lists = len(listed) > 1

    def kept(self) -> list[Mention]:
        """The answer and what counts behind it."""
        kept: list[Mention] = []
        answer, position = self._answer, self._answer.end
        for place, one in enumerate(self._mentions):
            if self._is_corrected(position, one.start):
                return [answer, *kept, *map(self._in_correction, self._mentions[place:])]
            position = one.end
            if self._several and not one.picked <= answer.picked and self._is_added(one):
                answer = replace(answer, picked=answer.picked | one.picked)
            elif self._several and self._is_left_over(one, answer):
                answer = replace(answer, picked=frozenset())
            elif one.picked and one.picked <= answer.picked:
                kept += [one] if one.picked == answer.picked else []
            else:
                kept += self._judged(one)
        return [answer, *kept]

    def _is_corrected(self, start: int, end: int) -> bool:
        """Whether the reply corrects itself there, and not somebody in a line of the dialogue."""
        for found in _CORRECTION.finditer(self._text, start, end):
            line = self._text.rfind("\n", 0, found.end()) + 1
            spoken = _SPEAKER_LINE.match(self._text, line)
            if spoken is None or spoken.end() > found.end():
                return True
        return False

    def _in_correction(self, one: Mention) -> Mention:
        """A mention behind a correction; the mere words of an option don't tell whether they correct a letter."""
        unclear = self._is_worded(one) and not self._is_worded(self._answer) and self._stances.is_put(one)
        return replace(one, picked=frozenset()) if unclear and one.picked != self._answer.picked else one

    def _is_left_over(self, one: Mention, answer: Mention) -> bool:
        """Whether an option that the answer lacks heads a line that doesn't refute it."""
        opens_line = self._text[one.start - 1] == "\n" and not one.picked <= answer.picked
        return opens_line and self._stances.heads(one) and not is_refuted_in_line(self._text, one)

    def _judged(self, one: Mention) -> list[Mention]:
        """What is left of a mention of another option: it, none, or one that can't be read."""
        lead = _lead(self._text, one)
        if not self._stances.is_put(one):
            return [one]
        again = _speaks_of_answer(lead)
        if again and not self._is_worded(one):
            return [one]
        if again and not _ANSWERING.search(lead):
            return []
        return [] if self._is_remark(lead, one) and not again else [replace(one, picked=frozenset())]

    def _is_remark(self, lead: str, one: Mention) -> bool:
        """Whether what is named behind the answer, without being called so, says nothing against it."""
        if not lead.strip(" ("):
            return one.listed and self._lists
        return self._is_worded(one) or _is_label(lead) or _OWNED.search(lead) is not None

    def _is_worded(self, one: Mention) -> bool:
        """Whether an option is named by words of its text alone."""
        return one.by_text or not _LETTERED.match(self._text, one.start, one.end)

    def _is_added(self, one: Mention) -> bool:
        """Whether an option is said to be right, too."""
        around = _lead(self._text, one)[-30:] + self._text[one.end : one.end + 30].partition(".")[0]
        return (
            _ADDED.search(around) is not None
            and not _NEGATED.search(around)
            and not self._stances.is_denied(one)
            and self._stances.reach(one) is Reach.FIRM
        )


def _is_label(lead: str) -> bool:
    return lead.rstrip().endswith(":") and not _RESULT.search(lead) and not _speaks_of_answer(lead)


def _speaks_of_answer(lead: str) -> bool:
    """Whether the words before an option speak of the reply's own answer."""
    found = _ANSWERING.search(lead)
    if found is not None:
        return not _OWNED.search(lead, max(0, found.start() - 25))
    own = _MINE.search(lead)
    return own is not None and not _SPOKEN.search(lead, 0, own.start() + 1)


def _lead(text: str, mention: Mention) -> str:
    """The sentence up to an option, with the line before it if that ends with a colon."""
    before = text[max(0, mention.start - _LONGEST_LEAD) : mention.start]
    if before.endswith((":\n", ":\n(")):
        before = before.rstrip("\n(")
    begin = 0
    for end in _SENTENCE_END.finditer(before.rstrip("( ")):
        begin = end.end()
    return before[begin:]
