"""Words by which a reply introduces its answer, such as "the answer is" and "so".

A strong cue states whatever option follows; a weak one only an option with which the clause ends: "so B.", but not "so
B could be meant". Cues are looked for in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import chain

from dtomtrack.items.standing import DENIED, IS, RIGHT

__all__ = ["clause_starts", "strong_cues", "weak_cues"]

_ADVERBS = (
    "(?:clearly|definitely|probably|(?:most |very )?likely|obviously|certainly|surely|actually|indeed|simply|therefore"
    "|thus|then|so|hence|still|only|just|now|rather|instead|either|both|that|to be|as follows|not|never)"
)
_LEAD_IN = rf"(?:[ ,:]{{0,2}}{_ADVERBS}\b){{0,4}}[ :=→,\n]{{0,3}}"
_OF_CHOICE = r"(?:options?|choices?|letters?|selections?|responses?|pick|guess|vote|ones?|match|fit)"
_THE_ANSWER_IS = re.compile(
    rf"\b(?:answers?\b(?! choices| options)|(?:{RIGHT}|applicable) {_OF_CHOICE}\b|(?:final|letter|conclusion)\b"
    r"|one (?:that|which) (?:fits|is correct|is right|applies)\b)"
    rf"(?:[ ][^\s.:;!?=]{{1,20}}){{0,8}}?"
    rf"(?P<link>[ ]?(?:'s|{IS}(?:n't)?)\b{_LEAD_IN}|(?: -|[ ]?[:=→]|(?<=final answer) ){_LEAD_IN})"
)
_CHOICE = re.compile(
    r"\b(?:option|choice|letter|selection|selected|chosen|conclusion|response|result|ans(?:(?=:)|\.)|verdict|prediction"
    r"|output|(?<!is )correct|(?<!not )applicable|(?<!not )(?<!is )right|correction|edit|update|changed my mind)"
    rf"(?P<link>(?:[:=]| is\b|(?<=ans\.)){_LEAD_IN})"
)
_I_CHOOSE = re.compile(
    r"\b(?:i|we|let's|let me)(?P<link>(?:'d|'ll|'m|'ve)?(?: (?:would|will|am|have|to|must|should|cannot|do|not|never"
    rf"|also|finally|keeping|going to|(?:ca|do|wo|would|did)n't|{_ADVERBS})){{0,4}}"
    r" (?:choos(?:e|ing)|chose|pick(?:ed|ing)?|select(?:ed|ing)?"
    r"|(?:go|going|went|stick) (?:with|for)|opt for|settle (?:on|for)|vote for|say(?:(?: that)? it(?:'s| is))?|answer"
    rf"|guess|me[ae]nt?|lean(?:ing)? towards?)\b{_LEAD_IN})"
)
_CHANGE = re.compile(
    r"\b(?P<link>(?:chang|switch|correct|revis|updat|amend)(?:e|ed|ing)? "
    r"(?:(?:it|that|this|my (?:final )?answer|from \(?[a-z]\)?) ){0,2}to )"
)
_I_OR_NOBODY = re.compile(
    r"(?:(?:^|\W)(?:i(?:'m|'d|'ll|'ve| am| now| will| would| must| have)?|let me) |^|\n|[.;:!?] )$"
)
_GOING_WITH = re.compile(rf"(?P<link>going (?:with|for)\b{_LEAD_IN})")
_SO = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|overall|ultimately|in conclusion|in short|means|makes|making"
    r"|leaves(?: us with)?"
    r"|(?:this|that|which|evidence|dialogue)(?: clearly)? (?:(?:corresponds|points|leads) to|matches)"
    r"|(?<!anything )(?<!everything )(?<!nothing )but|(?:sure|certain|confident|convinced)|it should be"
    r"|the (?:\w{1,20} ){0,2}(?:labels?|intents?|intentions?|categor(?:y|ies)|codes?) (?:is|are)"
    r"|i (?:think|believe|conclude|assume|suppose))\b"
    rf"[,:]?(?: that)?(?: (?:it's|it {IS}|we have|we get)\b)?(?P<link>{_LEAD_IN})"
)
_CORRECTION = (
    r"(?:(?:(?:but )?wait|(?:scratch|strike) that|oops|sorry|my mistake|on second thoughts?|actually|hold on|hmm|no"
    r"|rather|i take (?:it|that) back|let me correct (?:myself|that|it)|make (?:that|it)|i mean)\b[,.:;! -]{1,4}){1,3}"
    r"(?:(?:then|rather|actually|no|instead)\b,? ?"
    r"|(?:it|that|this)(?:'s|'d be| (?:should|must|has to|would) be| is)\b ?){0,2}"
)
_IT_IS = re.compile(
    rf"(?:{_CORRECTION}|(?:(?:it|that|this)(?:'s|'d be| {IS})|rather|{IS}|pick|choose|select)\b"
    rf"|if i (?:had|have|must|need)(?: to)? (?:choose|pick|guess)(?: one)?,)(?P<link>{_LEAD_IN})"
)
_PROBABLY = re.compile(
    r"(?:(?:both|only|just|probably|(?:most )?likely|definitely|clearly|certainly|obviously|surely"
    r"|sure|100%|of course|(?:without (?:a |any )?|no )doubt|by elimination|undoubtedly|evidently|presumably"
    rf"|absolutely|okay|ok|yes|easy|hmm|well|simply|not only)(?!\w)[,:!.]? ){{1,2}}(?P<link>{_LEAD_IN})"
)
_DENIAL = re.compile(r"(?:n't|\b(?:not|cannot|never))\b")
_OTHER_ANSWER = re.compile(
    r"\b(?:wrong|incorrect|possible|tempting|naive|first|initial|previous|earlier|original|old|common"
    r"|(?<!most )plausible|other|another|alternative|obvious|second-best|next best|surface)(?: \w+)? $"
)
_START = re.compile(r"\n|[.!?:;→✓✗-] ")
_COMMA = re.compile(r", ")


def clause_starts(text: str) -> set[int]:
    """Where lines and sentences begin, and what follows a colon or a dash."""
    return {0, *(mark.end() for mark in _START.finditer(text))}


def strong_cues(lowered: str, starts: Set[int]) -> Iterator[tuple[int, bool]]:
    """Where an answer stands that "the answer is" and the like introduce, and whether they affirm it."""
    for cue in chain.from_iterable(cue.finditer(lowered) for cue in (_THE_ANSWER_IS, _CHOICE, _I_CHOOSE)):
        before = lowered[max(0, cue.start() - 40) : cue.start()]
        yield cue.end(), not _OTHER_ANSWER.search(before) and _affirms(cue, before)
    for cue in _CHANGE.finditer(lowered):
        if _I_OR_NOBODY.search(lowered[max(0, cue.start() - 12) : cue.start()]):
            yield cue.end(), True
    if "going " in lowered:
        going = (_GOING_WITH.match(lowered, start) for start in starts)
        yield from ((cue.end(), True) for cue in going if cue)


def weak_cues(lowered: str, starts: Set[int]) -> Iterator[tuple[int, bool]]:
    """Where an answer stands that "so", "it is" and the like introduce, and whether they affirm it."""
    clauses = sorted(starts | {comma.end() for comma in _COMMA.finditer(lowered)})
    introduced = (cue for start in clauses if (cue := _IT_IS.match(lowered, start)))
    opened = (cue for start in starts if (cue := _PROBABLY.match(lowered, start)))
    for cue in chain(opened, introduced, _SO.finditer(lowered)):
        yield cue.end(), _affirms(cue, lowered[max(0, cue.start() - 40) : cue.start()])


def _affirms(cue: re.Match[str], before: str) -> bool:
    return not _DENIAL.search(cue["link"]) and not DENIED.search(before)
