"""Which class of argument a message is, by cues: whole words, what is denied left out, each cue counted once.

As published (RhetBench, "How I Built It"): polite beginnings come off first, a phrase weighs five words, words count
less in long messages. Against the faults of the published one: whole words of normalised text instead of substrings,
negation within a clause, no cue counts twice, a tie is GENERIC instead of the first of a dictionary, and so is
a message with clear cues of four classes and more, which is stuffing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

import yaml

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.suites.rhetbench.denials import OTHERS, TOKEN, denial_data, denials

__all__ = ["Classified", "classify", "cue_data", "normalised"]

_PHRASE = 5.0
_WORD = 1.0
_WEIGHTS = {"phrases": _PHRASE, "words": _WORD, "hints": 0.5}
_FULL_WEIGHT = 50
"""Words of longer messages count less, in proportion."""
_LEAST = 0.7
"""The weight of a word in a message of seventy words; a hint alone says nothing."""
_MIXED = 4
_CLEAR = 2.0
"""A phrase or two words; single words of other classes are in any message."""
_MOST_WORDS = 2_000
_FIRST_WORDS = 7
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_CLAUSE_END = re.compile(r"[.!?;:,\n]|\b(?:but|however|and yet)\b")
_CLASSES = "|".join(one.lower().replace("_", "[ _]") for one in ArgumentClass)
_LABEL = re.compile(rf"\bclass\s*[:=]\s*\w+|\[\s*(?:{_CLASSES})\s*\]|\b(?:{_CLASSES})\s*[:=]")
"""A message that says of itself what it is."""
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2032": "'", "\u2010": "-", "\u2011": "-"})


@dataclass(frozen=True, slots=True)
class Classified:
    """How a message was read.

    Attributes:
        scores: of all six classes.
        mixed: two classes were level, or four and more had clear cues.
    """

    argument: ArgumentClass
    scores: Mapping[ArgumentClass, float]
    mixed: bool = False


def normalised(text: str) -> str:
    """Lower-case text in one spelling of letters, apostrophes and hyphens, without control characters."""
    if text.isascii() and text.isprintable():
        return text.lower()
    plain = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).lower()
    return "".join(" " if unicodedata.category(one) in {"Cc", "Cf"} and one != "\n" else one for one in plain)


@lru_cache(maxsize=4096)
def classify(message: str, *, asks: bool = True, strips_openers: bool = True) -> Classified:
    """The class of a message.

    Args:
        asks: whether a question that puts no case is ASK, else GENERIC.
        strips_openers: whether a polite beginning is passed over.
    """
    text = _LABEL.sub(" ", normalised(message[: _MOST_WORDS * 10]))
    if strips_openers:
        text = _without_opener(text)
    sentences = [(sentence, TOKEN.findall(sentence)) for sentence in _SENTENCE.findall(text)]
    found = {cue for sentence, tokens in sentences for cue in _found(sentence, tokens[:_MOST_WORDS])}
    scores = _scores(found, sum(len(tokens) for _, tokens in sentences))
    best, second = sorted(scores.values(), reverse=True)[:2]
    asked = asks and (_is_question(text) if best <= _WORD else best < 2 * _PHRASE and _is_inquiry(text))
    if asked or best < _LEAST:
        return Classified(ArgumentClass.ASK if asked else ArgumentClass.GENERIC, scores)
    if best == second or sum(score >= _CLEAR for score in scores.values()) >= _MIXED:
        return Classified(ArgumentClass.GENERIC, scores, mixed=True)
    return Classified(max(APPEALS, key=lambda one: scores[one]), scores)


def cue_data() -> Mapping[str, object]:
    """The cues for a classifier elsewhere: those that begin alike, as (class, words, weight), and the other lists."""
    cues = _cues()
    return {
        "label": _LABEL.pattern,
        "starting": {
            key: [[one.argument, list(one.words), one.weight] for one in own] for key, own in cues.starting.items()
        },
        "openers": list(cues.openers),
        "questions": sorted(cues.questions),
        "inquiries": list(cues.inquiries),
        "others": sorted(OTHERS),
        **denial_data(),
    }


# -- cues ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Cue:
    argument: ArgumentClass
    words: tuple[str, ...]
    weight: float

    def at(self, tokens: Sequence[str], start: int) -> bool:
        """Whether it stands here."""
        end = start + len(self.words)
        return end <= len(tokens) and all(map(_matches, self.words, tokens[start:end]))


@dataclass(frozen=True)
class _CueFile:
    starting: Mapping[str, tuple[_Cue, ...]]
    """Cues by the first letters of their first word."""
    openers: tuple[str, ...]
    questions: frozenset[str]
    inquiries: tuple[str, ...]


_KEY = 2
_NUMBER = "#"


@cache
def _cues() -> _CueFile:
    text = (resources.files("dtomtrack.suites.rhetbench") / "cues.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    starting: dict[str, list[_Cue]] = defaultdict(list)
    for one in APPEALS:
        for kind, weight in _WEIGHTS.items():
            for entry in data[one][kind]:
                words = tuple(str(entry).split())
                starting[words[0][:_KEY]].append(_Cue(one, words, weight))
    return _CueFile(
        {key: tuple(sorted(cues, key=lambda cue: -len(cue.words))) for key, cues in starting.items()},
        tuple(data["openers"]),
        frozenset(data["questions"]),
        tuple(f"{one} " for one in data["inquiries"]),
    )


def _matches(cue: str, token: str) -> bool:
    if cue == _NUMBER:
        return token.isdecimal()
    return token.startswith(cue[:-1]) if cue.endswith("*") else token == cue


def _found(sentence: str, tokens: Sequence[str]) -> Iterator[_Cue]:
    """Cues of a sentence; of a class, a word within one of its phrases says nothing more."""
    cues = _cues()
    denied = denials(sentence, tokens)
    covered: dict[ArgumentClass, int] = dict.fromkeys(APPEALS, 0)
    for start, token in enumerate(tokens):
        for cue in cues.starting.get(_NUMBER if token.isdecimal() else token[:_KEY], ()):
            if start >= covered[cue.argument] and cue.at(tokens, start):
                covered[cue.argument] = start + len(cue.words)
                if start not in denied:
                    yield cue


# -- counting --------------------------------------------------------------------------------------------------------


def _scores(found: set[_Cue], words: int) -> Mapping[ArgumentClass, float]:
    shrink = min(1.0, _FULL_WEIGHT / words) if words else 1.0
    scores = dict.fromkeys(APPEALS, 0.0)
    for cue in found:
        scores[cue.argument] += cue.weight if cue.weight == _PHRASE else cue.weight * shrink
    return {one: round(score, 6) for one, score in scores.items()}


def _without_opener(text: str) -> str:
    """A message without the polite clauses that it begins with."""
    rest = text.lstrip()
    while rest and any(rest.startswith(opener) for opener in _cues().openers):
        end = _CLAUSE_END.search(rest)
        if end is None:
            return ""
        rest = rest[end.end() :].lstrip(" ,")
    return rest


def _is_question(text: str) -> bool:
    ends = text.rstrip().endswith("?")
    questions = [one for one in _SENTENCE.findall(text) if one.rstrip().endswith("?")]
    return ends and any(_cues().questions & {*TOKEN.findall(one)[:_FIRST_WORDS]} for one in questions)


def _is_inquiry(text: str) -> bool:
    """Whether a message is one question about the other person, so that its words are what is asked about."""
    asked = text.strip()
    alone = len(_SENTENCE.findall(asked)) == 1 and asked.endswith("?")
    return alone and asked.startswith(_cues().inquiries) and not OTHERS.isdisjoint(TOKEN.findall(asked))
