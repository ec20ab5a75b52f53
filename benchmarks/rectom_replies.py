"""How well sets of letters are read: python benchmarks/rectom_replies.py [--failures]

The forms of tests/suites/rectom/replies.yaml with 4, 5, 10 and 16 options of which several may be right, and with 7 of
which one is, each with several letters; options are our wordings of RecToM's labels, and the same with a full stop, as
published ones have it. Printed by number of options: how many forms are read as the table says whatever the letters,
and how many are read as something else under some.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import yaml

from dtomtrack.items.item import Select
from dtomtrack.items.letters import LETTERS
from dtomtrack.items.replies import read_answers
from dtomtrack.suites.rectom.wordings import attitude_wordings, coarse_wordings, fine_wordings

__all__ = ["SetReply", "set_replies", "verdict"]

_FILE = Path(__file__).parent.parent / "tests" / "suites" / "rectom" / "replies.yaml"
_DRAWN = 8
_PLACEHOLDER = re.compile(r"@(every|all|[XYZxyzW])")


@dataclass(frozen=True)
class SetReply:
    """A reply with what a careful reader takes it to say: letters, or None for no answer."""

    form: str
    text: str
    options: Mapping[str, str]
    select: Select
    meaning: frozenset[str] | None


def set_replies() -> Iterator[SetReply]:
    """Every form with every number of options, under several letters."""
    forms = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    for texts, select in _options():
        options = dict(zip(LETTERS, texts, strict=False))
        for chosen in _chosen(len(texts)):
            for form in forms:
                yield _reply(form["reply"], form["says"], options, select, chosen)


def verdict(reply: SetReply) -> str:
    """Whether a reply is read right, wrong or not at all."""
    found = read_answers(reply.text, reply.options, reply.select)
    if found == reply.meaning:
        return "right"
    return "unread" if found is None else "wrong"


def _options() -> Iterator[tuple[Sequence[str], Select]]:
    """The options of each type that has another number of them, with and without a full stop."""
    labels = [coarse_wordings(role) for role in ("seeker", "recommender")]
    labels += [fine_wordings(role) for role in ("recommender", "seeker")]
    for stop in ("", "."):
        yield from (([f"{text}{stop}" for text in one.values()], "any") for one in labels)
        yield [f"{text}{stop}" for text in attitude_wordings().values()], "one"


def _chosen(options: int) -> Sequence[tuple[str, ...]]:
    """Three letters each; I, which is a word, is among some where it is a letter."""
    random_ = random.Random(options)
    letters = LETTERS[:options]
    drawn = random_.sample(list(combinations(letters, 3)), min(_DRAWN, options))
    return [*drawn, *([("B", "I", "J"), ("A", "D", "I")] if "I" in letters else [])]


def _reply(form: str, says: str, options: Mapping[str, str], select: Select, chosen: Sequence[str]) -> SetReply:
    letters = dict(zip("XYZ", chosen, strict=True)) | {"every": "".join(options), "W": LETTERS[len(options)]}
    values = {**letters, "all": "\n".join(f"{letter}) {text}" for letter, text in options.items())}
    values |= {name.lower(): options[letters[name]] for name in "XYZ"}
    meant = frozenset(letters["every"] if says == "every" else (letters[name] for name in says if name in letters))
    readable = meant and (select == "any" or len(meant) == 1)
    text = _PLACEHOLDER.sub(lambda found: values[found[1]], form)
    return SetReply(form, text, options, select, meant if readable else None)


def main() -> None:
    """Print a line for each number of options, and each failure where asked."""
    verdicts: dict[tuple[int, str], Counter[str]] = {}
    for reply in set_replies():
        found = verdict(reply)
        verdicts.setdefault((len(reply.options), reply.form), Counter())[found] += 1
        if found != "right" and "--failures" in sys.argv:
            print(f"{found}: {reply.text!r}, not {''.join(sorted(reply.meaning or ())) or 'unread'}")
    for size in sorted({size for size, _ in verdicts}):
        forms = [counts for (options, _), counts in verdicts.items() if options == size]
        right = sum(set(counts) == {"right"} for counts in forms)
        wrong = sum(counts["wrong"] > 0 for counts in forms)
        print(f"{size:2} options: {right} of {len(forms)} forms right whatever the letters, {wrong} wrong under some")


if __name__ == "__main__":
    main()
