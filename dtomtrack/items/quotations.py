"""Quotations in a reply: what somebody said in the dialogue is nothing that the model says of its answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

__all__ = ["without_quotations"]

_LONGEST = 400
_QUOTED = re.compile(
    rf"“[^”\n]{{1,{_LONGEST}}}”|„[^“”\n]{{1,{_LONGEST}}}[“”]|«[^»\n]{{1,{_LONGEST}}}»|「[^」\n]{{1,{_LONGEST}}}」"
    rf'|(?<![\w"\\])"(?=[^\s,:}}\]])[^"\n]{{1,{_LONGEST}}}"(?!\w)'
    rf"|(?<![\w'\\])['\u2018](?=\w)(?:[^'\u2019\n]|(?<=\w)['\u2019](?=\w)){{1,{_LONGEST}}}['\u2019](?!\w)"
)
_MARKS = frozenset("\"'“„«「\u2018")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_FEWEST_WORDS = 3
_ANSWERED = re.compile(
    r"(?:\b(?:answer|option|choice|letter|selection|selected|response|boxed|antwort|réponse|respuesta|risposta|resposta)\b"
    r"|答案|答|答え|정답|ответ)[\W_]{0,6}(?:is|are|ist|lautet|est|es|è|é|是|は)?[\W_]{0,6}$",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"\b(?:says?|said|saying|answers|answered|repl(?:y|ies|ied)|adds?|added|tells? \w+|told \w+|asks?|asked|evidence"
    r"|quotes?|line|turn \d+(?: \([^()\n]{1,30}\))?)[\s*_]{0,3}[:,]?[\s*_(]{0,4}$"
    r"|(?:^|\n)[\s*_>-]{0,6}[A-Z][a-z]+(?: \([^()\n]{1,30}\))?[*_]{0,2}: ?[*_]{0,2}$",
    re.IGNORECASE,
)
_SPEAKER_LINE = re.compile(
    r"^[ \t]{0,3}>[ \t]*[*_]{0,2}[^\s:>*_]{1,30}(?: \([^()\n]{1,30}\))?[*_]{0,2}: .{1,600}$", re.MULTILINE
)
_ANSWER_LABEL = re.compile(r">[ \t]*[*_]{0,2}(?:answer|option|choice|antwort|final|correct|selected)", re.IGNORECASE)
_SAID = "xx"
"""Stands for what was quoted: a word, and no letter."""


def without_quotations(text: str, options: Iterable[str]) -> str:
    """The reply without the sentences that it quotes; quoted options and answers, and a reply all in quotes, stay.

    Args:
        text: the reply.
        options: the texts of the item's options, in lower case.
    """
    if ">" in text:
        text = _SPEAKER_LINE.sub(lambda line: line[0] if _ANSWER_LABEL.match(line[0].lstrip()) else _SAID, text)
    if not _MARKS & set(text):
        return text
    texts = list(options)
    whole = text.strip(" \n*_`.")
    return _QUOTED.sub(lambda span: span[0] if span[0] == whole or _is_kept(text, span, texts) else _SAID, text)


def _is_kept(text: str, span: re.Match[str], options: Collection[str]) -> bool:
    before = text[max(0, span.start() - 60) : span.start()]
    if _ANSWERED.search(before):
        return True
    if _SPOKEN.search(before):
        return False
    words = len(_WORD.findall(span[0]))
    return words < _FEWEST_WORDS or any(_is_option(span[0], option, words) for option in options)


def _is_option(quoted: str, option: str, words: int) -> bool:
    """Whether a quotation is an option's text, with its letter perhaps."""
    return option in quoted.lower() and words <= len(_WORD.findall(option)) + 1
