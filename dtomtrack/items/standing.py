"""How an option stands in a reply by the words around it: alone, at the end of a clause, denied, confirmed, refuted."""

from __future__ import annotations

import re

__all__ = [
    "ALONE",
    "CALLED_WRONG",
    "CLAUSE_END",
    "CONFIRMED",
    "DENIED",
    "HEADS",
    "IS",
    "REFUTED",
    "RIGHT",
    "TEXT_DENIED",
]

IS = (
    r"(?:is|are|was|were|remains|(?:seems|appears) to be"
    r"|(?:should|must|would|will|has to|have to|can only|seems to|appears to)(?: (?:therefore|thus|then|clearly))? be)"
)
"""Says that two things are the same."""
RIGHT = (
    r"(?:correct|right|best|final|chosen|selected|my|appropriate|accurate|suitable|likely|closest|plausible|probable"
    r"|fitting|reasonable|sensible)"
)
"""Says of an answer that it is the right one."""
DENIED = re.compile(
    r"(?:\b(?:not|nor|neither|never|except|but for|anything but|unlike|than|instead of|rul(?:e|es|ing) out|if|whether"
    r"|suppose|assuming)|n't)(?: be)?(?: that)?(?: the)?(?: correct)? ?\(?$",
    re.IGNORECASE,
)
"""Ends what stands before an option that is denied, asked or supposed."""
TEXT_DENIED = re.compile(
    r"(?:\b(?:not|never|no longer|instead of|rather than|unlike)|n't)\b[^.,:;!?\n]*$", re.IGNORECASE
)
_TAIL = (
    r"(?:,? (?:for now|only|alone|here|too|I (?:think|believe|guess|suppose|would say)|probably|(?:most )?likely"
    r"|after all|obviously|clearly|definitely|indeed|instead|for (?:sure|certain)|of course)\b)?"
)
_NOT_OPEN = r"(?!\.* or\b)"
CLAUSE_END = re.compile(
    rf"\)?{_TAIL}(?:[.,!;\n]|$| -| \(| (?:because|since|as|given|due to|based on|not|over|rather|instead|in"
    r"|the (?:correct|right|best))\b)",
    re.IGNORECASE,
)
ALONE = re.compile(
    rf"{_NOT_OPEN}[.!)]*{_TAIL}(?:[.!)]*(?:\n|$|(?<=[.!]) )| \([^()\n]{{1,120}}\)[.!]?(?:\n|$)"
    r"|,? \(?(?:and |but )?(?:not|rather than|instead of) (?:option )?\(?[A-Z]\b)",
    re.IGNORECASE,
)
_BEST_OF_ALL = (
    rf"(?:{IS}|seems|looks)(?: (?:clearly|definitely|indeed|therefore|thus|the|only|both|one|also|too|most(?! likely)"
    rf"|probably|{RIGHT})){{0,4}}"
    r" (?:correct|right|best|better(?! than)|true|most likely|answers?|choice|option|accurate|appropriate|the one)\b"
)
CALLED_WRONG = re.compile(
    r"\b(?:not|in(?:correct|applicable)|wrong|excluded|eliminated|rejected|false|unlikely)\b[^.:\n]{0,30}: ?\(?$",
    re.IGNORECASE,
)
"""A label that lists options which are not chosen."""
_FITS = (
    r"(?:is the only (?:one|option)(?: that (?:fits|matches|applies|is correct|makes sense|works))?"
    r"|(?:fits?|appl(?:y|ies)|holds?|remains|it is)(?: best| too)?)(?=[.,;!\n]|$)"
)
CONFIRMED = re.compile(rf"\)?,? (?:{_BEST_OF_ALL}|{_FITS})(?! (?:for|that|to (?:a|another|the other)) )", re.IGNORECASE)
HEADS = re.compile(rf"{_NOT_OPEN}{_TAIL}(?:[).:,;]| -| (?:because|since|as)\b)", re.IGNORECASE)
REFUTED = re.compile(
    r"[).:,; -]*(?:(?:this|that|it|which) )?(?:(?:is|was|are|were|would be|can be|seems) )?(?:(?:clearly|also|likely"
    r"|probably) )?(?:not|no|wrong|incorrect|false|unlikely|ruled|eliminated|cannot|(?:is|was|ca|does|did|wo)n't)\b",
    re.IGNORECASE,
)
