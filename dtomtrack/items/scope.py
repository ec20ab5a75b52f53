"""How far a statement of an answer reaches: is it about this item, or about another time, another case, somebody else?

"After turn 6, the answer would be C" and "C is right if she knew" state nothing about the item; "at turn 4, the answer
is B" and "from Ann's view, the answer is B" may be its answer or a remark, so they count only where nothing plainer is
said.
"""

from __future__ import annotations

import re
from enum import Enum

__all__ = ["Reach", "reach"]


class Reach(Enum):
    """How much a statement of an answer is worth."""

    FIRM = "said outright"
    MODAL = "said with 'would', under no condition"
    DATED = "said of a time or from somebody's view, which may be the item's own"
    VOID = "said of another case, or by somebody else"


_OPENERS = (
    r"[ ,\"-]*(?:(?:note|and|but|also|however|so|yet|even|only|just|though|likewise|similarly|remember|alternatively"
    r"|conversely|of course|that|while|whereas|although|answer)\b[,:]? ){0,3}"
)
_MY_CONDITION = (
    r"(?:anything|forced|pressed|pushed|you ask me|I (?:had|have|must|am|was|recall|remember|understand|read)"
    r"|we (?:have|had|must|are forced|follow))\b"
)
_OTHER_CASE = r"(?:another|a different|any other|the (?:other|opposite|counterfactual|hypothetical))"
_TIMES = (
    r"(?:after(?! (?:all|careful|check|consider|review|analy|read|look|think|weigh|closer|re-?)\w*)|before|once"
    r"|when(?! (?:asked|consider|look|think))|until|till|(?:post|pre)-\w+|by (?:turn|then|the (?:end|time))|prior to"
    r"|following|up to"
    r"|(?:in|at|from|as of|since|during) (?:turn|then|the (?:end|start|beginning|outset|moment|first|second|last))"
    r"|at first|initially|originally|earlier|previously|later(?: on)?|afterwards?|subsequently|eventually|thereafter)\b"
)
_VIEWS = (
    r"(?:in (?:reality|(?-i:[A-Z])\w*'s)"
    r"|(?:from|according to|for|to) (?!me\b|Conclusion)(?-i:[A-Z])[a-z]\w*(?:'s)?)(?!\w)"
)
_BOUNDARY = re.compile(
    r"[.;!?(]|(?<!:)\n|, (?:but|and|while|whereas|although|though)\b| (?:but|although|whereas|though) "
)
_CONDITION_FRONT = re.compile(
    rf"{_OPENERS}(?:if(?! {_MY_CONDITION})|were|had|should (?:the|it|she|he|one|you|we)|unless|assuming|suppos(?:e|ing)"
    rf"|imagine|otherwise|in case|in (?:that|{_OTHER_CASE}) |under (?:other|different) "
    r"|for (?:another|a different|a question) |alternatively|hypothetically)",
    re.IGNORECASE,
)
_CONCESSION_FRONT = re.compile(r"[ ,]*(?:even though|although|though|while|whereas) ", re.IGNORECASE)
_TIME_FRONT = re.compile(rf"{_OPENERS}(?:{_TIMES}|{_VIEWS})", re.IGNORECASE)
_TIME_INSIDE = re.compile(
    r"\b(?:answer|option|choice)s?\b[^:\n]{0,60}? (?:after|before|until|once|when|at turn)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(r"\b(?:so|therefore|thus|hence|means|meaning|making|consequently|leaves)\b", re.IGNORECASE)
_MODAL = re.compile(r"\bwould\b|'d\b", re.IGNORECASE)
_MODAL_AFTER = re.compile(r"\)? would be\b", re.IGNORECASE)
_OWN_CHOICE = re.compile(r"\b(?:I|we)(?:'d| would)\b", re.IGNORECASE)
_THEN = re.compile(r" ?then\b", re.IGNORECASE)
_UNREAL = re.compile(r"(?:\b(?:would|could|might|should)|'d) (?:\w+ )?have\b", re.IGNORECASE)
_MAY = r"(?: (?:might|may|could|would|will|also|still)){0,2}"
_OTHERS = re.compile(
    rf"\b(?:\w+{_MAY} (?:thought|assumed|expected)"
    rf"|(?!(?:I|we|now|still|also|dialogue|text|that|this|it|evidence|conversation)\b)\w+{_MAY}"
    r" (?:thinks?|believes?|says?|said|claims?|argues?|assumes?|guess(?:es)?|conclude[sd]?))"
    r"(?: that)?(?: it's| (?:the |her |his )?(?:correct |right )?answer\b[^\n]{0,40})$"
    r"|(?:(?<!question)(?<!item)(?<!model)(?<!assistant)'s|\b(?:his|her|their)) (?:own )?answer\b[^\n]{0,40}$",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\n|[.;!?)]|,? (?:because|since|as|so|given|due|which|where|not|while|whereas|but|although|though|and)\b",
    re.IGNORECASE,
)
_CONDITION_AFTER = re.compile(
    rf"\b(?:(?<!even )(?<!as )(?<!what )if(?! {_MY_CONDITION})|unless|in case|provided|in {_OTHER_CASE}"
    r"|only (?:after|before|when|once|until|at|in|from|for)"
    r"|had (?:she|he|it|they|the|we|you|(?-i:[A-Z]))|were (?:it|the|she|he))\b",
    re.IGNORECASE,
)
_TIME_AFTER = re.compile(rf"[ ,-]*(?:only |just |even |right |but |the answer )?{_TIMES}", re.IGNORECASE)


def reach(text: str, start: int, end: int) -> Reach:
    """The worth of a statement whose option is named from ``start`` on and that is complete at ``end``."""
    before, after = _clause_before(text, start), _clause_after(text, end)
    modal = bool(_MODAL.search(before) or _MODAL_AFTER.search(text, start, end))
    if _is_of_another_case(before, after, modal=modal):
        return Reach.VOID
    dated = _TIME_FRONT.match(before) and not _RESULT.search(before)
    if dated or _TIME_INSIDE.search(before) or _TIME_AFTER.match(after):
        return Reach.VOID if modal else Reach.DATED
    return Reach.MODAL if modal and not _OWN_CHOICE.search(before) else Reach.FIRM


def _is_of_another_case(before: str, after: str, *, modal: bool) -> bool:
    if _UNREAL.search(before) or _UNREAL.search(after) or _CONDITION_AFTER.search(after) or _OTHERS.search(before):
        return True
    if _RESULT.search(before) and not modal:
        return False
    conceded = _CONCESSION_FRONT.match(before) and "," not in before
    return bool(conceded or _CONDITION_FRONT.match(before) or (modal and _THEN.match(before)))


def _clause_before(text: str, start: int) -> str:
    window = text[max(0, start - 200) : start]
    line = window.rfind("\n") + 1
    if window[line - 2 : line - 1] != ":":
        window = window[line:]
    begin = 0
    for boundary in _BOUNDARY.finditer(window.rstrip("( ")):
        begin = boundary.end()
    return window[begin:].lstrip("\n")


def _clause_after(text: str, end: int) -> str:
    rest = text[end : end + 160]
    reason = _REASON.search(rest)
    return rest[: reason.start()] if reason else rest
