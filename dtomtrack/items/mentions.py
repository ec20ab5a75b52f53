"""Mentions of a multiple-choice item's options in a plain reply, by letter or by text.

"A" before a common word is an article and "I" a pronoun, not a letter. Letters and texts that follow each other with
nothing but "and", "or", a comma or a slash between them are one mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import takewhile

from dtomtrack.items.plain_reply import one_line

__all__ = ["CLAUSE_END", "Mention", "Mentions"]

CLAUSE_END = re.compile(r"\)?(?:[.,!;\n]|$| -| (?:because|since|as|given|due to|based on|not|rather|instead)\b)")
_LETTER = re.compile(
    r"(?<![\w'-])(?P<named>(?i:(?:the )?(?:option|choice|letter|answer)s? ))?\(?(?P<letter>[A-Za-z])"
    r"(?: ?\)|(?=[,;:!?/&+→\n]|\.(?![a-z]\b)| ?-(?!\w)|$)"
    r"|(?=[ ](?i:because|since|as|so|is|was|are|or|and|for|given|due|based|which|but|not|if|the|she|he|it|they|this)\b)"
    r"|(?<=[B-HJ-Z])(?=[ ])|(?(named)(?<=[A-Z])(?=[ ])|(?!)))"
)
"""A letter that is no word: "A" before a common word is an article."""
_MARK = re.compile(r" ?[):.,-]{0,2} ?\(?")
_IN_BRACKETS = re.compile(r" ?\((?:(?i:option|choice|letter) )?([A-Za-z])\)")
_JOIN = re.compile(
    r" ?(?:[,;/&+]|\b(?:and/or|and|or)\b) ?(?:(?:and|or|also|maybe|possibly|perhaps|even) ){0,2}|[ ]?(?=\([A-Za-z]\))"
)
_NEXT_CLAUSE = re.compile(r" (?:is|was|does|did|would|can|could|has|ca|cannot|seems)(?:n't)?\b")
_OPEN = re.compile(r"/|\bor\b")
_EVERYDAY = frozenset(["yes", "no", "true", "false", "none", "both", "all", "neither", "other", "unknown"])
"""Texts of options that occur in sentences without being meant."""


@dataclass(frozen=True)
class Mention:
    """Options named in a row.

    Attributes:
        picked: their letters; empty if they can't be read: left open ("A or B"), no letter of the item, or a letter
            beside the text of another option.
        by_text: whether the first is named by its whole text.
    """

    start: int
    end: int
    picked: frozenset[str]
    by_text: bool


class Mentions:
    """Finds where the options of an item are named.

    Args:
        text: a plain reply.
        options: texts by capital letters.
        anchors: where an answer may start; there the words that tell an option from the others do for its text.
    """

    def __init__(self, text: str, options: Mapping[str, str], anchors: Set[int]) -> None:
        self._text = text
        self._options = options
        self._anchors = anchors
        self._texts = _by_text(options)
        self._endings = _by_text(_distinct_endings(options))

    def __iter__(self) -> Iterator[Mention]:
        """Mentions in the order of the text."""
        letters = {match.start() for match in _LETTER.finditer(self._text)}
        done = 0
        for start in sorted(self._anchors | letters | set(self._text_starts())):
            mention = self._mention_at(start, start in self._anchors) if start >= done else None
            if mention is not None:
                done = mention.end
                yield mention

    def _text_starts(self) -> Iterator[int]:
        lowered = self._text.lower()
        for text in self._texts.keys() - _EVERYDAY:
            start = lowered.find(text)
            while start >= 0:
                if not lowered[max(0, start - 1) : start].isalnum():
                    yield start
                start = lowered.find(text, start + len(text))

    def _mention_at(self, start: int, loosely: bool) -> Mention | None:
        found = self._one_at(start, loosely)
        if found is None:
            return None
        end, letter = found
        picked, clear = {letter}, bool(letter)
        by_text = self._text_at(start, self._texts) is not None
        while join := _JOIN.match(self._text, end):
            found = self._one_at(join.end(), loosely=False)
            if found is None or _NEXT_CLAUSE.match(self._text, found[0]):
                break
            end, letter = found
            picked.add(letter)
            clear = clear and bool(letter) and not _OPEN.search(join[0])
        return Mention(start, end, frozenset(picked) if clear else frozenset(), by_text)

    def _one_at(self, start: int, loosely: bool) -> tuple[int, str] | None:
        """(end, letter) of the option that is named here; no letter if it can't be read."""
        text = self._text_at(start, self._texts) or (self._ending_at(start) if loosely else None)
        if text is not None:
            beside = _IN_BRACKETS.match(self._text, text[0])
            return text if beside is None else (beside.end(), text[1] if beside[1].upper() == text[1] else "")
        match = _LETTER.match(self._text, start)
        if match is None or (match["letter"] in "iI" and self._is_pronoun(match.end())):
            return None
        letter = match["letter"].upper() if match["letter"].upper() in self._options else ""
        mark = _MARK.match(self._text, match.end())
        after = match.end() if mark is None else mark.end()
        text = self._text_at(after, self._texts) or self._ending_at(after)
        return (match.end(), letter) if text is None else (text[0], letter if text[1] == letter else "")

    def _is_pronoun(self, end: int) -> bool:
        return "I" not in self._options or self._text[end : end + 1] in {" ", ","}

    def _text_at(self, start: int, texts: Mapping[str, str]) -> tuple[int, str] | None:
        for text, letter in texts.items():
            end = start + len(text)
            if self._text[start:end].lower() == text and not self._text[end : end + 1].isalnum():
                return end, letter
        return None

    def _ending_at(self, start: int) -> tuple[int, str] | None:
        found = self._text_at(start, self._endings)
        return found if found is not None and CLAUSE_END.match(self._text, found[0]) else None


def _by_text(options: Mapping[str, str]) -> dict[str, str]:
    """Letters by the texts that tell options apart, longest first."""
    texts = {letter: one_line(text) for letter, text in options.items()}
    told = [text for text in texts.values() if len(text) > 1]
    letters = {text: letter for letter, text in texts.items() if told.count(text) == 1}
    return dict(sorted(letters.items(), key=lambda item: (-len(item[0]), item[0])))


def _distinct_endings(options: Mapping[str, str]) -> dict[str, str]:
    """What options say after the words that all of them start with: "turn 5" of "At turn 5", where all start so."""
    words = {letter: one_line(text).split() for letter, text in options.items()}
    shared = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*words.values(), strict=False))))
    return {letter: " ".join(own[shared:]) for letter, own in words.items()}
