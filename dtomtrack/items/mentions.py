"""Mentions of a multiple-choice item's options in a plain reply, by letter, place or text.

"A" before a common word is an article and "I" a pronoun, not a letter. Letters and texts that follow each other with
nothing but "and", "or", a comma or a slash between them are one mention, and so is a run such as "BC" where an answer
may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from dtomtrack.items.option_texts import OptionTexts
from dtomtrack.items.standing import CLAUSE_END

__all__ = ["Mention", "Mentions"]

_AFTER_LETTER = (
    "because|since|as|so|is|was|are|were|or|and|for|given|due|based|which|but|not|if|the|she|he|it|they|this|that|these"
    "|seems?|looks?|would|should|could|can|cannot|may|might|must|has|had|have|will|does|did|fits?|appl(?:y|ies)|holds?|matches"
    "|makes|remains|stands|says|only|also|over|instead|rather|than|with|in|at|on|from|before|after|when|while|until|once"
    "|unless|here|alone|plus|along|together|I"
)
_LETTER = re.compile(
    r"(?<![\w'-])(?P<named>(?i:(?:the )?(?:option|choice|letter|answer)s? ))?\(?(?P<letter>[A-Za-z])"
    r"(?: ?\)|(?=[,;:!?\n]| ?[/&+→]|\.(?![a-z]\b)| ?-(?!\w)| [(✓✗]|$)"
    rf"|(?=[ ](?i:{_AFTER_LETTER})\b)"
    r"|(?<=[B-HJ-Z])(?=[ ])|(?(named)(?<=[A-Z])(?=[ ])|(?!)))"
)
"""A letter that is no word: "A" before a common word is an article."""
_I_AS_LETTER = re.compile(
    r"[^ ,]|$|, (?:[A-Z]\b|and\b|or\b)|,? (?:is|because|and \(?[A-Z]\b|or \(?[A-Z]\b)|, (?=as\b|since\b)"
)
_RUN = re.compile(
    r"(?P<named>(?i:(?:the )?(?:option|choice|letter|answer)s? ))?\(?"
    r"(?P<letters>[A-Z]{2,26}|[A-Z](?: [A-Z]){1,25}(?=\)?(?:[.,;!\n]|$)))\)?(?![\w'-])"
)
_OF_SOMETHING = re.compile(
    r"\b(?:speaker|person|user|agent|participant|character|player|party|side|part|vitamin|plan"
    r"|team|group|box|room|grade)s? $",
    re.IGNORECASE,
)
"""What else has letters: "speaker A"."""
_EVERYDAY_RUNS = frozenset(["NO", "OK"])
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLACE = re.compile(
    rf"(?<![\w'-])(?:(?:the )?(?P<nth>{'|'.join(_PLACES)}|\d{{1,2}}(?:st|nd|rd|th))"
    r" (?:(?:answer )?(?:option|choice|alternative)\b|(?P<short>one\b))"
    rf"|(?:the )?(?:option|choice|alternative) (?:number |no\.? ?)?(?P<number>{'|'.join(_NUMBERS)}|\d{{1,2}})\b)",
    re.IGNORECASE,
)
_PLACE_ALONE = re.compile(rf"the (?P<nth>{'|'.join(_PLACES)})(?=[.,;!\n]|$)(?P<short>)(?P<number>)", re.IGNORECASE)
_MARK = re.compile(r" ?[):.,-]{0,2} ?\(?")
_IN_BRACKETS = re.compile(r" ?\((?:(?i:option|choice|letter) )?([A-Za-z])\)")
_JOIN = re.compile(
    r" ?(?:, but also\b|[,;/&+]|\b(?:and/or|and|or|but also|as well as|plus|along with|together with)\b) ?"
    r"(?:(?:and|or|also|maybe|possibly|perhaps|even) ){0,2}|[ ]?(?=\([A-Za-z]\))| \((?:and|also|plus) "
)
_GLOSS = re.compile(
    r" \((?![A-Za-z]\)|(?:or|not|and|also|plus|before|after|until|at|by|then|now|later|earlier|old|new)\b)"
    r"[^()\n]{2,120}\)"
    r"|,? (?:because|since|as|for) [^.;:()\n]{3,100}?(?=(?:,? and|;) [A-Z],? (?:because|since|as|for)\b)"
    r"|(?<=\)) [^.,;:()\n]{2,80}(?=,? and \(?[A-Z]\))"
)
_GLOSS_BEHIND_DASH = re.compile(
    r"(?: -|:) (?!(?:yes|no|not|true|false|wrong|right|correct|incorrect)\b)[^.,;:()\n]{2,80}"
    r"(?=[;,] (?:and )?\(?[A-Z]\)?(?: -|:))"
)
"""What a reply says of one option before it names the next of its list."""
_NEXT_CLAUSE = re.compile(r" (?:is|was|does|did|would|can|could|has|ca|cannot|seems)(?:n't)?\b")
_OPEN = re.compile(r"\b(?:or|maybe|possibly|perhaps)\b")


@dataclass(frozen=True)
class Mention:
    """Options named in a row.

    Attributes:
        picked: their letters; empty if they can't be read: left open ("A or B"), no letter of the item, or a letter
            beside the text of another option.
        by_text: whether the first is named by its whole text.
        listed: whether each is named by its letter and its text, as in a list of options.
    """

    start: int
    end: int
    picked: frozenset[str]
    by_text: bool
    listed: bool


@dataclass(frozen=True)
class _Named:
    """One option, or one run of letters; none can be read if there are no letters.

    Attributes:
        worded: whether it ends with an option's text, behind which that text's own full stop may stand.
    """

    end: int
    letters: str
    listed: bool = False
    worded: bool = False


class Mentions:
    """Finds where the options of an item are named.

    Args:
        text: a plain reply.
        lowered: the same in lower case.
        letters: the item's letters.
        texts: what its options say.
        anchors: where an answer may start; there the words that tell an option from the others do for its text.
        cued: those anchors that words such as "the answer is" introduce.
    """

    def __init__(
        self, text: str, lowered: str, letters: Set[str], texts: OptionTexts, anchors: Set[int], cued: Set[int]
    ) -> None:
        self._text = text
        self._lowered = lowered
        self._letters = letters
        self._texts = texts
        self._anchors = anchors
        self._cued = cued

    def __iter__(self) -> Iterator[Mention]:
        """Mentions in the order of the text."""
        places = {match.start() for match in _LETTER.finditer(self._text)}
        if "option" in self._lowered or "choice" in self._lowered or "alternative" in self._lowered:
            places |= {match.start() for match in _PLACE.finditer(self._text)}
        places = {self._cue_in(place) for place in places}
        done = 0
        for start in sorted(self._anchors | places | set(self._texts.starts(self._lowered))):
            mention = self._mention_at(start) if start >= done else None
            if mention is not None:
                done = mention.end
                yield mention

    def _cue_in(self, place: int) -> int:
        """Where the option is named: after "answer", if that word is part of a cue ("I would answer B")."""
        after = place + len("answer ")
        return after if after in self._cued and self._lowered.startswith("answer ", place) else place

    def _mention_at(self, start: int) -> Mention | None:
        found = self._one_at(start, anchored=start in self._anchors, cued=start in self._cued)
        if found is None:
            return None
        picked, clear, listed = set(found.letters), bool(found.letters), found.listed
        end = found.end
        cued = start in self._cued
        while join := self._join_behind(found, cued=cued):
            found = self._one_at(join.end(), anchored=False, cued=True)
            if found is None or _NEXT_CLAUSE.match(self._text, found.end):
                break
            end, listed = found.end, listed and found.listed
            picked.update(found.letters)
            clear = clear and bool(found.letters) and not _OPEN.search(join[0])
        by_text = self._texts.whole_at(self._lowered, start) is not None
        return Mention(start, end, frozenset(picked) if clear else frozenset(), by_text, listed)

    def _join_behind(self, named: _Named, *, cued: bool) -> re.Match[str] | None:
        """The "and" that joins the next option, be it behind a full stop ("B) She asks. and C) ...") or a gloss."""
        stop = named.worded and self._text.startswith((".", ")"), named.end)
        gloss = _GLOSS.match(self._text, named.end)
        if gloss is None and cued:
            gloss = _GLOSS_BEHIND_DASH.match(self._text, named.end)
        behind = _JOIN.match(self._text, gloss.end()) if gloss is not None else None
        return behind or _JOIN.match(self._text, named.end + stop)

    def _one_at(self, start: int, *, anchored: bool, cued: bool) -> _Named | None:
        whole = self._texts.whole_at(self._lowered, start)
        if whole is None and anchored:
            whole = self._ending_at(start)
        if whole is not None:
            return self._beside_text(*whole)
        if anchored and (run := self._run_at(start)):
            return run
        return self._place_at(start, cued) or self._letter_at(start)

    def _beside_text(self, end: int, letter: str) -> _Named:
        beside = _IN_BRACKETS.match(self._text, end)
        if beside is None:
            return _Named(end, letter, worded=True)
        return _Named(beside.end(), letter if beside[1].upper() == letter else "", listed=True)

    def _run_at(self, start: int) -> _Named | None:
        match = _RUN.match(self._text, start)
        if match is None:
            return None
        letters = match["letters"].replace(" ", "")
        is_word = match["letters"] in _EVERYDAY_RUNS or len(set(letters)) < len(letters)
        return None if is_word or not self._letters >= set(letters) else _Named(match.end(), letters)

    def _place_at(self, start: int, cued: bool) -> _Named | None:
        match = _PLACE.match(self._text, start) or (_PLACE_ALONE.match(self._text, start) if cued else None)
        if match is None or (match["short"] and not cued):
            return None
        letter = self._letter_of_place(match)
        beside = _IN_BRACKETS.match(self._text, match.end())
        if beside is not None:
            return _Named(beside.end(), letter if beside[1].upper() == letter else "")
        return self._with_text(match.end(), letter)

    def _letter_of_place(self, match: re.Match[str]) -> str:
        word = (match["nth"] or match["number"]).lower()
        names = _PLACES if match["nth"] else _NUMBERS
        place = names.index(word) + 1 if word in names else int(word.rstrip("stndrh"))
        return sorted(self._letters)[place - 1] if 0 < place <= len(self._letters) else ""

    def _letter_at(self, start: int) -> _Named | None:
        match = _LETTER.match(self._text, start)
        if match is None or _OF_SOMETHING.search(self._text, max(0, start - 14), start):
            return None
        letter = match["letter"].upper()
        named = self._with_text(match.end(), letter if letter in self._letters else "")
        marked = named.listed or match[0].startswith("(")
        return None if letter == "I" and not marked and self._is_pronoun(match.end()) else named

    def _with_text(self, end: int, letter: str) -> _Named:
        """A letter with the option's text beside it, which has to be the same option's."""
        mark = _MARK.match(self._text, end)
        after = end if mark is None else mark.end()
        text = self._texts.whole_at(self._lowered, after) or self._ending_at(after)
        if text is None:
            return _Named(end, letter)
        return _Named(text[0], letter if text[1] == letter else "", listed=True, worded=True)

    def _is_pronoun(self, end: int) -> bool:
        return "I" not in self._letters or _I_AS_LETTER.match(self._text, end) is None

    def _ending_at(self, start: int) -> tuple[int, str] | None:
        found = self._texts.ending_at(self._lowered, start)
        return found if found is not None and CLAUSE_END.match(self._text, found[0]) else None
