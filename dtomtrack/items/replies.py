"""Reading the answer to a multiple-choice item from what a model wrote.

An answer is read, never guessed: what can't be read is None, and stands in a table as unparsed. The reply is brought
to plain lines (`plain_reply`) without what it quotes (`quotations`), in English words (`other_languages`), and cut
where the model goes on with another item.
A *mention* is one or more options named in a row, by letter, place or text (`mentions`). The first rule that applies
decides (`Reading`):

1. The last mention that is *stated* as the answer: it follows words such as "the answer is", "I choose", "so"; or
   words such as "is correct" follow it; or it stands alone at the end of the reply.
2. A mention that stands alone at the start of the reply.
3. The option that is ticked or called correct in a walk through several.
4. The only option that heads a line or sentence: "B) She said so at turn 5."
5. The only option stated with "would" or of a time: "at turn 4, the answer is B".
6. The only option whose text occurs, in a reply that names no other; then also with one typo.

Once an answer is given, only a correction replaces it, or the answer said anew; remarks on the dialogue don't
(`settled`). Where several options may be right, options at the heads of lines are one list (`listed_answers`), and
reasons for one of them don't make the set smaller.

What is denied ("not A"), asked ("A?"), supposed ("if A") or said of another case (`scope`) is no answer. A mention
can't be read, and makes the reply unparsed where it decides, if it leaves the choice open ("A or B"), names a letter
that the item lacks, or puts a letter beside the text of another option; two letters can't be read where one option is
right. A list of all options with their texts is an echo of the question. "A man" and "I" are words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from dtomtrack.items.option_texts import OptionTexts
from dtomtrack.items.other_languages import language_of
from dtomtrack.items.plain_reply import TURN_END, one_line, plain_reply
from dtomtrack.items.reading import Reading

__all__ = ["read_answer", "read_answers"]

_NEXT_ITEM = re.compile(
    rf"^(?:{TURN_END}|\(?(?:(?:next |new |another |follow-up )?(?:question|instruction|example|exercise|problem)"
    r"|dialogue|conversation|context|user|human|q) ?\d{0,3}\)?(?::|$))",
    re.IGNORECASE | re.MULTILINE,
)


def read_answer(text: str, options: Mapping[str, str]) -> str | None:
    """The letter that a reply gives for an item of one right option; None if it can't be read.

    Args:
        text: the reply.
        options: the item's options by their capital letters.
    """
    picked = read_answers(text, options, "one")
    return next(iter(picked)) if picked is not None else None


def read_answers(text: str, options: Mapping[str, str], select: Literal["one", "any"] = "any") -> frozenset[str] | None:
    """The letters that a reply gives; None if they can't be read.

    Args:
        text: the reply.
        options: the item's options by their capital letters.
        select: whether one option is right, so that two letters can't be read, or any number of them.
    """
    bare = text.strip()
    if bare in options:
        return frozenset(bare)
    picked = _read_plain(plain_reply(text, map(one_line, options.values())), options, select) if options else None
    return picked if picked and (select == "any" or len(picked) == 1) else None


def _read_plain(text: str, options: Mapping[str, str], select: Literal["one", "any"]) -> frozenset[str] | None:
    language = language_of(text)
    if language is not None:
        text = language.in_english(text)
    texts = OptionTexts(options, language.in_english if language else str)
    parts = [part.strip("\n") for part in _NEXT_ITEM.split(text)]
    parts = [part for part in parts if part]
    for part in parts[:-1]:
        picked = Reading(part, options.keys(), texts, select).outright()
        if picked is not None:
            return picked
    return Reading(parts[-1], options.keys(), texts, select).picked() if parts else None
