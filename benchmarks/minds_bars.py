"""Measure datasets of minds that come apart against their bars: a row each, for every domain and preset.

    python benchmarks/minds_bars.py out/team-hard out/family-hard
    python benchmarks/minds_bars.py --make --n 500 --domains team,family --presets paper,group,hard --turns 24

With ``--make`` the datasets are generated first, in processes of their own, and time and memory are measured, too;
``--turns`` adds other lengths of hard, across which the marker rule is compared.
Exit status 1 if a bar is missed. A careful reader's agreement no program can measure.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bars import Row
from dataset_quality import hear, percent
from minds_dialogues import Heard, changes_and_markers, first_voices, label_frames, resisted, ways_apart
from minds_made import Made, Wanted, make
from minds_prose import distinct, recurring, repeated
from minds_questions import Asked, blind_excess

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.question import Question
from dtomtrack.runs.lines import read_lines

BEST_RULE = {"group": 65.0, "hard": 50.0}
TIMES = {"paper": 4.0, "hard": 25.0}
SEVERAL = ("group", "hard", "extreme")
SMALLEST_TYPE = 100
MANY = 2000
SIX_GROUPS = 12
"""Turns from which on there are six groups of lags; in ten turns there are four that anything is asked over."""


@dataclass(frozen=True)
class Dataset:
    """A dataset, its preset, and what is said in its dialogues."""

    folder: Path
    preset: str
    turns: int
    heard: dict[str, Heard]
    asked: Asked

    @property
    def dialogues(self) -> list[Dialogue]:
        """Its dialogues."""
        return [one.dialogue for one in self.heard.values()]


def opened(folder: Path) -> Dataset:
    """A dataset as it is in its folder."""
    config = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["config"]
    dialogues = {one.id: one for one in read_lines(folder / "dialogues.jsonl", Dialogue)}
    readings = hear(dialogues)
    heard = {name: Heard(one, readings[name]) for name, one in dialogues.items()}
    preset = config.get("difficulty", {}).get("preset", "paper")
    return Dataset(folder, preset, config["turns"], heard, Asked.of(folder))


def rows_of(data: Dataset) -> Iterator[Row]:
    """All rows of a dataset."""
    yield from agreement(data)
    yield from pictures(data)
    yield from rules(data)
    yield from signals(data)
    yield from spread(data)
    yield from coming_up(data)
    yield from prose(data)


def bar(what: str, value: float | None, low: float | None, high: float | None, note: str = "") -> Row:
    """A row of a percentage that has to be within bounds; printed only, where there are none."""
    if low is None and high is None:
        limit = "printed"
    elif low is None or high is None:
        limit = f">= {low:g} %" if high is None else f"<= {high:g} %"
    else:
        limit = f"{low:g} to {high:g} %"
    shown = "-" if value is None else f"{value:.1f} %"
    unbound = low is None and high is None
    kept = unbound or (value is not None and (low or 0.0) <= value <= (100.0 if high is None else high))
    return Row(what, f"{shown}{f' {note}' if note else ''}", limit, kept)


# -- what is right ---------------------------------------------------------------------------------------------------


def agreement(data: Dataset) -> Iterator[Row]:
    """Who overhears the utterances, and the oracle on the records, against the gold."""
    agreed = of = 0
    for question in read_lines(data.folder / "questions.jsonl", Question):
        agreed += data.heard[question.dialogue_id].answers(question)
        of += 1
    yield Row("overhearer agrees with gold", f"{agreed} of {of}", "all", agreed == of)
    oracle = data.asked.accuracy("oracle") or 0.0
    yield Row("oracle", f"{100 * oracle:.2f} %", "100 %", oracle == 1.0)


def pictures(data: Dataset) -> Iterator[Row]:
    """Questions about what one takes another to hold: where minds differ, and what the egocentric reader gets."""
    differing, of = data.asked.differing()
    several = data.preset in SEVERAL
    yield bar("pictures with gold other than what is so", percent(differing, of), 70 if several else None, None)
    marked = len(data.asked.apart().items)
    yield Row("of these marked apart", f"{marked} of {differing}", "printed", True)
    egocentric = data.asked.apart().accuracy("actual")
    yield bar(
        "baseline/actual on those", None if egocentric is None else 100 * egocentric, None, 5 if several else None
    )


def rules(data: Dataset) -> Iterator[Row]:
    """What rules get: the best of those that retrieve, markers, and those that never see the dialogue."""
    best, by_type, chosen = data.asked.best_rule()
    yield bar("best-rule, all types", None if best is None else 100 * best, None, BEST_RULE.get(data.preset))
    for kind, share in by_type.items():
        yield bar(f"best-rule, {kind}", 100 * (share or 0.0), None, None, chosen.get(kind, ""))
    marker = data.asked.about("update_detection").accuracy("marker-turn")
    limit = 45.0 if data.preset == "hard" else None
    yield bar("marker rule, update_detection", None if marker is None else 100 * marker, None, limit)
    name, excess, low = blind_excess(data.folder, SMALLEST_TYPE)
    most = 3 if len(data.heard) >= MANY else 5
    note = f"{100 * excess:+.1f} points (low end {100 * low:+.1f}): {name}"
    yield Row("most by a rule without the dialogue", note, f"<= +{most} points", 100 * excess <= most)


def signals(data: Dataset) -> Iterator[Row]:
    """Changes without a marker, markers without a change, reasons without effect."""
    counts = changes_and_markers(data.heard.values())
    hard = data.preset == "hard"
    unmarked = percent(counts["unmarked changes"], counts["changes"])
    yield bar("changes with no marker", unmarked, 25 if hard else None, 40 if hard else None)
    decoys = percent(counts["decoys"], counts["marked turns"])
    yield bar("markers with no change", decoys, 15 if hard else None, 30 if hard else None)
    still, of = resisted(data.heard.values())
    yield bar("reasons resisted", percent(still, of), 25 if hard else None, 40 if hard else None, f"of {of}")


def spread(data: Dataset) -> Iterator[Row]:
    """How evenly lags and ways of coming apart are spread."""
    lags = data.asked.counts("lag")
    ratio = max(lags.values(), default=0) / max(1, min(lags.values(), default=1))
    shares = " ".join(f"{name}:{percent(count, lags.total()):.0f}" for name, count in sorted(lags.items(), key=_number))
    six = data.turns >= SIX_GROUPS
    limit = "<= 1.5" if six else "printed"
    kept = not six or (ratio <= 1.5 and len(lags) >= 5)
    yield Row("lag, largest group / smallest", f"{ratio:.2f} ({shares})", limit, kept)
    ways = ways_apart(data.heard.values())
    each = data.preset in {"group", "hard"}
    for way in sorted({*ways, *(list(Way) if each else ())}, key=lambda way: -ways[way]):
        least, most = 8 if each else None, 20 if way == "presumption" else None
        yield bar(f"apart by {way}", percent(ways[way], ways.total()), least, most)
    if data.preset in SEVERAL and not ways:
        yield Row("ways of coming apart", "none", ">= 8 % each", kept=False)


def _number(entry: tuple[str, int]) -> int:
    return int(entry[0].partition("-")[0].rstrip("+"))


# -- how it reads ----------------------------------------------------------------------------------------------------


def coming_up(data: Dataset) -> Iterator[Row]:
    """How topics come up."""
    framed, of = label_frames(data.heard.values())
    yield bar("turns with a label frame", percent(framed, of), None, 8)
    voices = first_voices(data.heard.values())
    yield bar("first voices by an X-or-Y quiz", percent(voices["quizzes"], voices["first voices"]), None, 15)
    yield bar("dialogues with a cold introduction", percent(voices["cold dialogues"], voices["dialogues"]), None, 2)


def prose(data: Dataset) -> Iterator[Row]:
    """Lines said twice, variety, and lines that come back."""
    again, of, having = repeated(data.dialogues)
    yield bar("sentences repeated in a dialogue", percent(again, of), None, 1, f"in {having} dialogues")
    for size, least in ((2, 0.53), (3, 0.75)):
        share = distinct(data.dialogues, size)
        yield Row(f"distinct-{size} over 20,000 tokens", f"{share:.3f}", f">= {least}", share >= least)
    note = f"over {len(data.heard)} dialogues"
    yield bar("sentences that recur in other dialogues", 100 * recurring(data.dialogues), None, 85, note)


# -- lengths, times --------------------------------------------------------------------------------------------------


Length = tuple[str, str, int, float]
"""Domains, preset, turns of a dataset, and what the marker rule gets in it, in percent."""


def length_of(data: Dataset) -> Length:
    """What a dataset says to the comparison of lengths."""
    domains = "+".join(sorted({one.domain for one in data.dialogues}))
    marker = data.asked.about("update_detection").accuracy("marker-turn")
    return domains, data.preset, data.turns, 100 * (marker or 0.0)


def across_lengths(lengths: Sequence[Length]) -> Iterator[Row]:
    """The marker rule at each length of a preset, and how far they are from each other."""
    found: dict[tuple[str, str], dict[int, float]] = {}
    for domains, preset, turns, marker in lengths:
        found.setdefault((domains, preset), {})[turns] = marker
    for (domains, preset), shares in found.items():
        if len(shares) > 1:
            told = ", ".join(f"{turns} turns {share:.1f} %" for turns, share in sorted(shares.items()))
            kept = max(shares.values()) - min(shares.values()) <= 5
            yield Row(f"{domains} {preset}", told, "within 5 points", kept)


def times(made: Made) -> Iterator[Row]:
    """Time and memory that a dataset took."""
    most = TIMES.get(made.preset)
    value = f"{made.seconds:.1f} s; {made.processor_seconds:.1f} s of processors"
    limit = "printed" if most is None else f"<= {most:g} s for 500 on two cores"
    yield Row("time", value, limit, most is None or made.seconds * 500 / made.n <= most)
    yield Row("largest process", f"{made.megabytes:.0f} MB", "printed", True)


def show(title: str, rows: Sequence[Row]) -> bool:
    """Print rows; whether all bars are kept."""
    print(title)
    width = max((len(row.what) for row in rows), default=0)
    for row in rows:
        mark = "    " if row.bar == "printed" else "ok  " if row.kept else "MISS"
        print(f"{mark} {row.what:{width}}  {row.value:>28}  bar: {row.bar}")
    print(flush=True)
    return all(row.kept for row in rows)


def main() -> int:
    """Print the rows of each dataset; 1 if a bar is missed."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folders", type=Path, nargs="*")
    arguments.add_argument("--make", action="store_true", help="generate the datasets first")
    arguments.add_argument("--n", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=77)
    arguments.add_argument("--domains", default="restaurant,travel,medical,team,family")
    arguments.add_argument("--presets", default="paper,group,hard")
    arguments.add_argument("--turns", type=int, nargs="*", default=[], help="further lengths of hard")
    arguments.add_argument("--out", type=Path, default=Path("out/minds"))
    given = arguments.parse_args()
    if given.make == bool(given.folders):
        arguments.error("name datasets, or have them made with --make")
    made = {one.folder: one for one in make(given.out, wanted(given))} if given.make else {}
    kept, lengths = [], []
    for folder in made or given.folders:
        data = opened(folder)
        lengths.append(length_of(data))
        kept.append(show(str(folder), [*rows_of(data), *(times(made[folder]) if made else ())]))
    compared = list(across_lengths(lengths))
    kept.append(not compared or show("marker rule over lengths", compared))
    return 0 if all(kept) else 1


def wanted(given: argparse.Namespace) -> list[Wanted]:
    """The datasets that are asked for."""
    presets = [(preset, None) for preset in given.presets.split(",")] + [("hard", turns) for turns in given.turns]
    return [
        Wanted(domain, preset, given.n, given.seed, turns)
        for domain in given.domains.split(",")
        for preset, turns in presets
    ]


if __name__ == "__main__":
    sys.exit(main())
