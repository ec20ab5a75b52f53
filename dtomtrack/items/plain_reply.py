"""A model's reply as plain lines: thinking left out, JSON opened, markup and odd characters gone.

Ticks and crosses are brought to two signs, ``TICK`` and ``CROSS``; the end of the model's turn is a line ``TURN_END``.

Every step is linear in the length of the reply: repetitions in the patterns have bounds.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from dtomtrack.items.quotations import without_quotations

__all__ = ["CROSS", "TICK", "TURN_END", "one_line", "plain_reply", "without_thinking"]

TICK, CROSS, TURN_END = "✓", "✗", "\ue000"

_THOUGHT = "(?:seed:)?(?:think|thinking|thought|reasoning|reflection)"
_THINKING = re.compile(
    rf"(?P<close></{_THOUGHT}>|(?-i:\[/THINK\])|◁/think▷|<\|end_of_thought\|>|<\|channel\|>final<\|message\|>)"
    rf"|<{_THOUGHT}>|(?-i:\[THINK\])|◁think▷|<\|begin_of_thought\|>|<\|channel\|>(?:analysis|commentary)\b",
    re.IGNORECASE,
)
_ANSWER_KEY = re.compile(r"(?:final|correct|my|selected|chosen)?_?(?:answer|choice|option|letter|selection)s?", re.I)
_FENCE = re.compile(r"```(?:json5?|text|txt|plaintext|markdown|md|python|yaml|xml|latex)?", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:text[a-z]{0,6}|math[a-z]{0,6}|operatorname|mbox)\b")
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_NEXT_BOX = re.compile(r"\}[}$\s]{0,8}(?:,|;|&|and\b)?[$\s]{0,8}\\f?box(?:ed)?\{")
_OPEN_ANSWER = re.compile(r"\\f?box(?:ed)?\b|<(?:final_?)?answer>", re.IGNORECASE)
_CLOSE_ANSWER = re.compile(r"</(?:final_?)?answer>", re.IGNORECASE)
_END = re.compile(r"<\|(?:im_end|eot_id|eot|end|endoftext|end_of_text|return)\|>|</s>|<(?:end_of_turn|eos)>")
_SPECIAL = re.compile(r"<\|[^<>|]{1,40}\|>|<s>")
_EMPHASIS = re.compile(r"</?(?:b|i|u|em|strong|code|span|p|br)\b[^<>]{0,80}>", re.IGNORECASE)
_BREAK = re.compile(r"<(?:br|p)\b[^<>]{0,80}>")
_WRAPPED = re.compile(r"""(?<!\w)[*_`"'$({]{1,6} ?([A-Za-z]) ?[.:]? ?[*_`"'$)}]{1,6}(?!\w)""")
_LOOSE_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")
_ARROW = re.compile(r"[-=]{1,3}>")
_BULLET = re.compile(r"^(?:[-+•] |\d{1,2}[.)] )+")
_CHECKBOX = re.compile(r"^\s{0,8}(?:[-*+] )?\[([ xX])\] ?", re.MULTILINE)
_BEFORE_MARK = re.compile(r" ([,.:;!?)])")
_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2012\u2013\u2014\u2015", " - "),
        **dict.fromkeys("[\u3010", "("),
        **dict.fromkeys("]\u3011", ")"),
        "\u3002": ".",
        "\u3001": ",",
    }
)
_SIGNS = str.maketrans({**dict.fromkeys("✅✔☑🗸", TICK), **dict.fromkeys("❌✘❎✖", CROSS), "←": " - ", "\ufe0f": None})
_ODD = re.compile(r"[^\n -~]")
_MARKUP = str.maketrans(dict.fromkeys('*_`"$#~<>|{}\\', " "))


def plain_reply(text: str, options: Iterable[str] = ()) -> str:
    """The lines of a reply that say something, each with single spaces and without markup; ``(B)`` for any marked B.

    Args:
        text: the reply.
        options: the texts of the item's options as `one_line` gives them; quotations other than these are left out.
    """
    text = _normal(text)
    if "<" in text or "[" in text or "◁" in text:
        text = without_thinking(text)
        text = _SPECIAL.sub("\n", _END.sub(f"\n{TURN_END}\n", text))
    return _without_markup(without_quotations(_json_answer(_FENCE.sub("", text)), options))


@lru_cache(maxsize=1024)
def one_line(text: str) -> str:
    """An option's text in lower case, as it may stand in a plain reply."""
    return " ".join(_without_markup(_normal(text)).lower().split()).strip(" .!")


def _normal(text: str) -> str:
    """Full-width and styled letters as ASCII ones, no invisible or control characters but the line break."""
    if not _ODD.search(text):
        return text
    return _ODD.sub(_visible, unicodedata.normalize("NFKC", text).translate(_SIGNS))


def _visible(odd: re.Match[str]) -> str:
    character = odd[0]
    if character in {TICK, CROSS}:
        return character
    category = unicodedata.category(character)
    if category in {"Zl", "Zp"}:
        return "\n"
    if category in {"Cf", "Cs"}:
        return ""
    return " " if category in {"Cc", "So"} else character


def without_thinking(text: str) -> str:
    """The text outside the tags; before a tag that only closes and after one that only opens all is thought."""
    said: list[str] = []
    thinking, start = False, 0
    for tag in _THINKING.finditer(text):
        if not thinking and tag["close"]:
            said.clear()
        elif not thinking:
            said.append(text[start : tag.start()])
        thinking, start = not tag["close"], tag.end()
    if not thinking:
        said.append(text[start:])
    return "\n".join(said)


def _json_answer(text: str) -> str:
    """The answer field of a reply that is one JSON object with such a field; any other reply as it is."""
    bare = text.strip(f" \n{TURN_END}")
    if not bare.startswith("{"):
        return text
    try:
        fields = json.loads(bare, strict=False)
    except (ValueError, RecursionError):
        return text
    for value in (value for key, value in reversed(fields.items()) if _ANSWER_KEY.fullmatch(key)):
        if value is None or isinstance(value, str):
            return value or ""
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return ", ".join(value)
    return text


def _without_markup(text: str) -> str:
    text = _NEXT_BOX.sub(", ", text) if "box" in text else text
    if "[" in text:
        text = _CHECKBOX.sub(lambda box: f"{TICK} " if box[1].strip() else "", text)
    text = _STRUCK.sub(" ", text) if "~~" in text else text
    text = _LATEX.sub("", text.translate(_SAME))
    text = _CLOSE_ANSWER.sub("\n", _OPEN_ANSWER.sub(" answer: ", text))
    text = _WRAPPED.sub(r"(\1)", (_EMPHASIS if "</" in text else _BREAK).sub("*", text))
    text = _LOOSE_APOSTROPHE.sub(" ", _ARROW.sub("→", text).translate(_MARKUP))
    lines = (_BULLET.sub("", " ".join(line.split())) for line in text.split("\n"))
    return "\n".join(_BEFORE_MARK.sub(r"\1", line).replace("( ", "(") for line in lines if line)
