"""False claims of a disturbance in replies: said as if they were so, or corrected, in the sentence or in the next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from dtomtrack.beliefs.denials import without_denied_clauses
from dtomtrack.items.words import in_plain_letters, stems
from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.suites.tomelp.cue_words import has_word

__all__ = ["adopts_claim", "corrects"]

_FALSE_CLAIMS = ("conflict", "misleading")
_LEAST_STEMS = 3
_AFFIRMS = re.compile(
    r"\b(?:not (?:only|just|merely|simply|wrong|false|mistaken|exaggerated)|nothing wrong|(?:not|never) forget"
    r"|no (?:myth|rumou?r|exaggeration|mis\w+)|(?:can|ca) ?not deny|nobody (?:can deny|denies)"
    r"|(?:is|are) not (?:it|they)"
    r"|(?:no|not|nobody|none|nothing|never|neither)\b(?:(?!\b(?:and|but)\b)[^,.;:!?])*"
    r"\b(?:otherwise|the opposite|the reverse|contradicts?|refutes?|disproves?))\b"
)
"""Words that deny nothing, though they look so."""
_DENIED = re.compile(r"\b(?:no|not|never|nobody|none|neither|nor|hardly)\b([^,.;:!?]*)")
_DOUBTED = re.compile(
    r"\b(?:i|we) (?:really |seriously |strongly |rather |would |very much )?doubt\b|\bdoubtful (?:that|whether|if)\b"
    r"|\bif\b.*\b(?:had|were)\b|^\W*had\b"
)
"""What is doubted, or supposed against the facts."""
_CALLED_WRONG = re.compile(
    r"\bthat\b.*\b(?:is|was) (?:simply |just |only )?a (?:mistake|misreading|lie|guess|tale|legend)\b"
)
"""A clause that is called wrong behind it; before it, the verdict may be on something else."""
_LEAVE_IT = re.compile(
    r"\b(?:forget|ignore|disregard) (?:(?:the|any|this|that) (?:line|claim|rumou?r|story|talk|tale|idea)|whoever|"
    r"what (?:(?:you|we|i) (?:were told|heard|read)|they say|people say))\b"
    r"|^\W*(?:so |but |please |just )*(?:forget|ignore|disregard) (?:it|that|this)(?: please)?\W*$"
)
"""A call to leave the claim alone; "so forget the panels" is none."""
_ADDRESSES = re.compile(r"\b(?:i|we|you)\b")
_THOUGHT = re.compile(r"[;:\N{EN DASH}\N{EM DASH}]|\b(?:because|since|but)\b")


def adopts_claim(sentences: Sequence[str]) -> bool:
    """Whether a reply says a false claim as if it were so: its verdict, three of its words, and nothing against it."""
    return any(
        _claims(one) and not _says_otherwise(one) and not corrects(following)
        for one, following in zip_longest(sentences, sentences[1:], fillvalue="")
    )


def corrects(sentence: str) -> bool:
    """Whether a sentence takes back the one before it: it says otherwise, that it is not, or that nobody found it."""
    folded = _folded(sentence)
    curt = not stems(folded) and not _ADDRESSES.search(folded) and any(map(_denies, folded.split(",")))
    return curt or _says_otherwise(sentence) or any(has_word(what, "findings") for what in _DENIED.findall(folded))


def _says_otherwise(sentence: str) -> bool:
    folded = _folded(sentence)
    signs = (_CALLED_WRONG, _LEAVE_IT)
    return has_word(folded, "corrections") or any(sign.search(folded) for sign in signs)


def _claims(sentence: str) -> bool:
    own = stems(sentence)
    claims = [stems(shared().disturbances[kind]) for kind in _FALSE_CLAIMS]
    return any(len(own & claim) >= _LEAST_STEMS for claim in claims) and _condemns(_folded(sentence))


def _condemns(sentence: str) -> bool:
    """Whether the verdict of a false claim is in it, with no denial and no doubt in the same thought up to there."""
    for thought in _THOUGHT.split(sentence):
        for clause in thought.split(","):
            if _denies(clause) or _DOUBTED.search(clause):
                break
            if has_word(without_denied_clauses(clause), "condemnations"):
                return True
    return False


def _denies(clause: str) -> bool:
    return bool(clause.strip()) and not without_denied_clauses(clause).strip()


def _folded(text: str) -> str:
    return _AFFIRMS.sub(" ", in_plain_letters(text).replace("n't", " not"))
