"""How well and how fast answers are read from hard replies: python benchmarks/answer_reading.py [--failures]

The replies are those of tests/items/hard_replies.yaml, read once for each dealing of the letters. Printed by class: how
many readings are right, give a wrong letter, or leave a clear answer unread; then the time for typical replies.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml

from dtomtrack.items.replies import read_answers

__all__ = ["HardReply", "hard_replies"]

_FILE = Path(__file__).parent.parent / "tests" / "items" / "hard_replies.yaml"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NTHS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLACEHOLDER = re.compile(r"@(?:(?P<listed>all)\b|(?P<name>[A-Za-z])(?::(?P<form>th|nth|number|digit)\b)?)")
_MUSIC = {
    "A": "To have jazz playing",
    "B": "To have disco playing",
    "C": "To have a string quartet",
    "D": "To have silence",
}
_SENTENCE = "At turn 4, Maya says that she would rather hear something else, because the guests asked her about it. "
_TYPICAL = {
    "B": "B",
    "The answer is B.": "The answer is B.",
    "B) and its text": "B) To have disco playing",
    "1,500 characters": _SENTENCE * 14 + "At first A seems right, but she changes her mind.\n\nSo the answer is B.",
    "100 kB": _SENTENCE * 1000 + "\n\nAnswer: B",
    "1 MB": _SENTENCE * 10_000 + "\n\nAnswer: B",
}


@dataclass(frozen=True)
class HardReply:
    """A reply with what a careful reader takes it to say: letters, or None for no answer."""

    kind: str
    text: str
    options: Mapping[str, str]
    select: Literal["one", "any"]
    meaning: frozenset[str] | None


@dataclass(frozen=True)
class _Dealing:
    """Which letter each option of the file has in one reading of it."""

    letters: Mapping[str, str]
    texts: Mapping[str, str]

    @property
    def options(self) -> dict[str, str]:
        return {self.letters[name]: self.texts[name] for name in sorted(self.texts, key=self.letters.__getitem__)}

    def fill(self, template: str) -> str:
        return _PLACEHOLDER.sub(self._value, template)

    def _value(self, placeholder: re.Match[str]) -> str:
        if placeholder["listed"]:
            return "\n".join(f"{letter}) {text}" for letter, text in self.options.items())
        name, form = placeholder["name"], placeholder["form"]
        letter = self.letters.get(name.upper(), name)
        if form is None:
            return letter if name.isupper() else self.texts[name.upper()]
        position = ord(letter) - ord("A")
        return {"th": _ORDINALS, "nth": _NTHS, "number": _NUMBERS, "digit": [*map(str, range(1, 27))]}[form][position]


def hard_replies() -> Iterator[HardReply]:
    """Every reply of the file under several dealings of the letters."""
    content = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    for group in content["cases"]:
        for dealing in _dealings(content["options"][group["options"]]):
            for meaning, templates in group.items():
                if meaning not in {"class", "options", "select"}:
                    for template in templates:
                        yield _dealt(group, dealing, meaning, template)


def _dealings(texts: Mapping[str, str]) -> Iterator[_Dealing]:
    """The letters as they stand in the file, and moved by up to four steps."""
    names = list(texts)
    for step in sorted({0, 1, len(names) // 2, len(names) - 2, len(names) - 1}):
        yield _Dealing(dict(zip(names, names[step:] + names[:step], strict=True)), texts)


def _dealt(group: Mapping[str, str], dealing: _Dealing, meaning: str, template: str) -> HardReply:
    picked = None if meaning == "none" else frozenset(dealing.letters[name] for name in meaning)
    select: Literal["one", "any"] = "any" if group.get("select") == "any" else "one"
    return HardReply(group["class"], dealing.fill(template), dealing.options, select, picked)


def _microseconds(text: str) -> float:
    """The time of the fastest of several readings."""
    fastest, stop = float("inf"), time.perf_counter() + 0.5
    while time.perf_counter() < stop:
        start = time.perf_counter()
        read_answers(text, _MUSIC, "one")
        fastest = min(fastest, time.perf_counter() - start)
    return fastest * 1e6


def _counted(*, failures: bool) -> dict[str, Counter[str]]:
    """Verdicts by class and over all; each failure is printed where asked."""
    counts: dict[str, Counter[str]] = {}
    for reply in hard_replies():
        picked = read_answers(reply.text, reply.options, reply.select)
        verdict = "right" if picked == reply.meaning else "unread" if picked is None else "wrong"
        counts.setdefault(reply.kind, Counter())[verdict] += 1
        if failures and verdict != "right":
            print(f"{verdict}: {reply.text!r} ({reply.kind}): {_shown(picked)}, not {_shown(reply.meaning)}")
    return {**counts, "all": sum(counts.values(), Counter())}


def _shown(letters: frozenset[str] | None) -> str:
    return "unread" if letters is None else "".join(sorted(letters))


def main() -> None:
    """Print the two tables, and each failure where asked."""
    for kind, verdicts in _counted(failures="--failures" in sys.argv).items():
        print(f"{kind:42}" + "".join(f"{verdicts[name]:6} {name}" for name in ("right", "wrong", "unread")))
    for name, text in _TYPICAL.items():
        print(f"{name:42}{_microseconds(text):12.1f} µs")


if __name__ == "__main__":
    main()
