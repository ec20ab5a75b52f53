"""Reading the answer to a multiple-choice item from what a model wrote.

An answer is read, never guessed: what can't be read is None, and stands in a table as unparsed. The reply is brought
to plain lines (`plain_reply`); a *mention* is one or more options named in a row, by letter or by text. The first
rule that applies decides:

1. The last mention that is *stated* as the answer: it follows words such as "the answer is", "I choose", "so"; or
   words such as "is correct" follow it; or it stands alone at the end of the reply.
2. A mention that stands alone at the start of the reply.
3. The only option that heads a line or sentence: "B) She said so at turn 5."
4. The only option whose text occurs, in a reply that names no other.

What is denied ("not A"), asked ("A?") or supposed ("if A") is no answer. A mention can't be read, and makes the reply
unparsed where it decides, if it leaves the choice open ("A or B"), names a letter that the item lacks, or puts a letter
beside the text of another option. A list of all options is an echo of the question. "A man" and "I" are words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from dtomtrack.items.mentions import CLAUSE_END, Mention, Mentions
from dtomtrack.items.plain_reply import plain_reply

__all__ = ["read_answer", "read_answers"]

_ADVERBS = (
    "(?:clearly|definitely|probably|(?:most |very )?likely|obviously|certainly|surely|actually|indeed|simply|therefore"
    "|thus|then|still|only|just|now|rather|instead|either|both|that|to be|as follows|not|never)"
)
_LEAD_IN = rf"(?:[ ,:]{{0,2}}{_ADVERBS}\b){{0,4}}[ :=→,\n]{{0,3}}"
_IS = r"(?:is|are|was|were|(?:should|must|would|will|has to|have to|can only|seems to|appears to) be)"
_OF_CHOICE = r"(?:options?|choices?|letters?|selections?|responses?|pick|guess|vote|ones?)"
_RIGHT = r"(?:correct|right|best|final|chosen|selected|my|appropriate|accurate|suitable|likely|closest)"
_STRONG_CUES = (
    re.compile(
        rf"(?:(?<!wrong )(?<!incorrect )(?<!possible )(?<!tempting )\banswers?\b(?! choices| options)"
        rf"|\b{_RIGHT} {_OF_CHOICE}\b|\bfinal\b)"
        rf"(?:[ ][^\s.:;!?=]{{1,20}}){{0,8}}?(?P<link>[ ]?(?:'s|{_IS}(?:n't)?)\b{_LEAD_IN}| ?[:=→]{_LEAD_IN})",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:option|choice|letter|selection|conclusion)(?P<link>:{_LEAD_IN})", re.IGNORECASE),
    re.compile(
        r"\b(?:I|we|let's|let me)(?P<link>(?:'d|'ll|'m|'ve)?(?: (?:would|will|am|have|to|must|should|cannot|do|not"
        rf"|never|also|finally|(?:ca|do|wo|would|did)n't|{_ADVERBS})){{0,4}} (?:choose|chose|pick|picked|select"
        r"|selected|(?:go|going|went|stick) (?:with|for)|opt for|settle (?:on|for)|vote for|say|answer|guess"
        rf"|lean towards?)\b{_LEAD_IN})",
        re.IGNORECASE,
    ),
)
_WEAK_CUE = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|consequently|overall|ultimately|in conclusion|in short|but"
    rf"|I (?:think|believe|conclude|assume|suppose))\b[,:]?(?: that)?(?: (?:it's|it {_IS}|we have|we get)\b)?"
    rf"|(?:^|(?<=[.!?] )|(?:n't|\bnot) [^.,;\n]{{1,60}}[,;] )(?:it's|it {_IS}|rather)\b)(?P<link>{_LEAD_IN})",
    re.IGNORECASE | re.MULTILINE,
)
"""States an answer only where the clause ends with it: "so B." but not "so B could be meant"."""
_DENIAL = re.compile(r"(?:n't|\b(?:not|cannot|never))\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not|nor|neither|never|except|unlike|than|instead of|rul(?:e|es|ing) out|if|whether|suppose|assuming)"
    r"|n't)(?: be)?(?: that)?(?: the)?(?: correct)? ?\(?$",
    re.IGNORECASE,
)
_TEXT_DENIED = re.compile(r"(?:\b(?:not|never|no longer|instead of|rather than|unlike)|n't)\b[^.,:;!?\n]*$", re.I)
_CONFIRMED = re.compile(
    rf"\)?,? (?:{_IS}|seems|looks)(?: (?:clearly|definitely|indeed|therefore|thus|the|most|only|my|probably|final|one"
    rf"|{_RIGHT})){{0,4}} (?:correct|right|best|answers?|choice|option|accurate|appropriate|the one)\b"
    r"(?! (?:for|that) )",
    re.IGNORECASE,
)
_ALONE = re.compile(r"[.!)]*(?:\n|$|(?<=[.!]) )|,? \(?(?:and )?(?:not|rather than|instead of)\b", re.IGNORECASE)
_HEADS = re.compile(r"[).:,;]| -| (?:because|since|as)\b")
_REFUTED = re.compile(
    r"[).:,; -]*(?:(?:this|that|it|which) )?(?:(?:is|was|are|were|would be|can be|seems) )?(?:(?:clearly|also|likely"
    r"|probably) )?(?:not|no|wrong|incorrect|false|unlikely|ruled|eliminated|cannot|(?:is|was|ca|does|did|wo)n't)\b",
    re.IGNORECASE,
)
_START = re.compile(r"^|(?<=[.!?:;→-] )", re.MULTILINE)


def read_answer(text: str, options: Mapping[str, str]) -> str | None:
    """The letter that a reply gives for an item of one right option; None if it can't be read.

    Args:
        text: the reply.
        options: the item's options by their capital letters.
    """
    picked = read_answers(text, options)
    return next(iter(picked)) if picked is not None and len(picked) == 1 else None


def read_answers(text: str, options: Mapping[str, str]) -> frozenset[str] | None:
    """The letters that a reply gives for an item of any number of right options; None if they can't be read."""
    reply = _Reply(plain_reply(text), options)
    for rule in (reply.stated, reply.opening, reply.heading, reply.text_alone):
        picked = rule()
        if picked is not None:
            return picked or None
    return None


class _Reply:
    """A plain reply with the mentions in it."""

    def __init__(self, text: str, options: Mapping[str, str]) -> None:
        self._text = text
        self._options = options
        self._strong = {cue.end(): self._affirms(cue) for pattern in _STRONG_CUES for cue in pattern.finditer(text)}
        self._weak = {cue.end(): self._affirms(cue) for cue in _WEAK_CUE.finditer(text)}
        self._starts = {start.end() for start in _START.finditer(text)}
        anchors = self._strong.keys() | self._weak.keys() | self._starts
        self._mentions = list(Mentions(text, options, anchors))
        self._runs = self._group_alone()

    # -- the rules, each with what it reads: None if it doesn't apply, nothing if what it finds can't be read -------

    def stated(self) -> frozenset[str] | None:
        """The last mention that is stated as the answer."""
        closing = self._closing()
        if closing is not None:
            return closing
        return next((one.picked for one in reversed(self._mentions) if self._is_stated(one)), None)

    def opening(self) -> frozenset[str] | None:
        """What stands alone at the start."""
        for run in self._runs[:1]:
            if run[0].start == 0:
                return self._union(run)
        return None

    def heading(self) -> frozenset[str] | None:
        """The only option at the head of lines and sentences."""
        return _only([one.picked for one in self._mentions if self._heads(one)])

    def text_alone(self) -> frozenset[str] | None:
        """The only option whose text occurs, if no other is named."""
        picked = [one.picked for one in self._mentions if one.picked and not self._is_denied(one)]
        if not any(one.by_text for one in self._mentions):
            return None
        return _only(picked)

    # -- how a mention stands ---------------------------------------------------------------------------------------

    def _affirms(self, cue: re.Match[str]) -> bool:
        before = cue.string[max(0, cue.start() - 40) : cue.start()]
        return not _DENIAL.search(cue["link"]) and not _DENIED.search(before)

    def _is_stated(self, mention: Mention) -> bool:
        if self._is_asked(mention):
            return False
        strong, weak = self._strong.get(mention.start), self._weak.get(mention.start)
        if strong is not None:
            return strong
        if weak and CLAUSE_END.match(self._text, mention.end):
            return True
        return _CONFIRMED.match(self._text, mention.end) is not None and not self._is_denied(mention)

    def _is_asked(self, mention: Mention) -> bool:
        return self._text.startswith(("?", ")?"), mention.end)

    def _is_denied(self, mention: Mention) -> bool:
        cued = self._strong.get(mention.start) is False or self._weak.get(mention.start) is False
        before = self._text[max(0, mention.start - 80) : mention.start]
        pattern = _TEXT_DENIED if mention.by_text else _DENIED
        return cued or self._is_asked(mention) or pattern.search(before) is not None

    def _is_alone(self, mention: Mention) -> bool:
        return mention.start in self._starts and _ALONE.match(self._text, mention.end) is not None

    def _heads(self, mention: Mention) -> bool:
        if mention.start not in self._starts or self._is_asked(mention) or self._is_denied(mention):
            return False
        marked = self._text[mention.end - 1] == ")" or _HEADS.match(self._text, mention.end)
        return self._is_alone(mention) or bool(marked and not _REFUTED.match(self._text, mention.end))

    # -- mentions that stand alone ----------------------------------------------------------------------------------

    def _closing(self) -> frozenset[str] | None:
        """What stands alone at the end."""
        for run in self._runs[-1:]:
            if not self._between(run[-1].end, len(self._text)):
                return self._union(run)
        return None

    def _group_alone(self) -> list[list[Mention]]:
        """Mentions that stand alone; such as name one option after the other, without doubles, are together."""
        runs: list[list[Mention]] = []
        seen: set[str] = set()
        for one in filter(self._is_alone, self._mentions):
            if not runs or not one.picked or one.picked & seen:
                runs.append([])
                seen = set()
            runs[-1].append(one)
            seen |= one.picked
        return runs

    def _union(self, run: Sequence[Mention]) -> frozenset[str] | None:
        """What a run selects; None if it goes through the options, one by one or with talk in between."""
        picked = frozenset[str]().union(*(one.picked for one in run))
        talk = any(self._between(one.end, two.start) for one, two in pairwise(run))
        return None if talk or (len(picked) > 1 and len(picked) == len(self._options)) else picked

    def _between(self, start: int, end: int) -> bool:
        return any(character.isalnum() for character in self._text[start:end])


def _only(picked: Sequence[frozenset[str]]) -> frozenset[str] | None:
    return picked[0] if len(set(picked)) == 1 else None
