"""Measure datasets of minds that come apart against their bars: a row each, for every domain and preset.

    python benchmarks/minds_bars.py out/team-hard out/family-hard
    python benchmarks/minds_bars.py --make --n 500 --domains team,family --presets paper,group,hard --turns 24
    python benchmarks/minds_bars.py --make --n 500 --presets hard --turns 24 --only markers
    python benchmarks/minds_bars.py --make --n 5000 --domains restaurant --presets paper,apart --only recurring

With ``--make`` the datasets are generated first, in processes of their own, and time and memory are measured, too;
``--turns`` adds other lengths of hard, across which the marker rule is compared; ``--only`` prints some rows alone.
Exit status 1 if a bar is missed. A careful reader's agreement no program can measure.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
GROUPS = 6
"""Groups that lags are cut into."""
FIRST_ASKED_ABOUT = 2
"""The first turn in which something is said that is asked about."""
FEWEST_TURNS = 12
"""Turns from which on lags have to be spread evenly; in ten turns there are four groups that anything is asked over."""


@dataclass(frozen=True)
class Dataset:
    """A dataset, its preset, and how many dialogues it has; what is in it is read when it is asked for."""

    folder: Path
    preset: str
    turns: int
    kept: int

    def read(self) -> Iterator[Dialogue]:
        """Its dialogues, one in memory at a time."""
        return read_lines(self.folder / "dialogues.jsonl", Dialogue)

    @cached_property
    def heard(self) -> Mapping[str, Heard]:
        """What is said in its dialogues."""
        dialogues = {one.id: one for one in self.read()}
        readings = hear(dialogues)
        return {name: Heard(one, readings[name]) for name, one in dialogues.items()}

    @cached_property
    def asked(self) -> Asked:
        """Its questions."""
        return Asked.of(self.folder)


def opened(folder: Path) -> Dataset:
    """A dataset as it is in its folder."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    config = manifest["config"]
    preset = config.get("difficulty", {}).get("preset", "paper")
    return Dataset(folder, preset, config["turns"], manifest["counts"]["dialogues"])


def rows_of(data: Dataset, only: Sequence[str] = ()) -> Iterator[Row]:
    """The rows of a dataset: all of them, or those of the sections of these names."""
    for name, section in SECTIONS.items():
        if name in only or not only:
            yield from section(data)


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
    several = data.preset in SEVERAL
    least = 70 if several else None
    yield bar("pictures with gold other than what is so", percent(*data.asked.differing()), least, None)
    with_all = percent(*data.asked.differing(of_what_is_so=True))
    yield bar("the same, with questions that ask what is so", with_all, None, None)
    marked, of = data.asked.marked()
    yield Row("of pictures marked apart or control as they are", f"{marked} of {of}", "all", marked == of)
    egocentric = data.asked.apart().accuracy("actual")
    yield bar(
        "baseline/actual on those apart", None if egocentric is None else 100 * egocentric, None, 5 if several else None
    )


def rules(data: Dataset) -> Iterator[Row]:
    """What rules that retrieve get: the best of them."""
    best, by_type, chosen = data.asked.best_rule()
    yield bar("best-rule, all types", None if best is None else 100 * best, None, BEST_RULE.get(data.preset))
    for kind, share in by_type.items():
        yield bar(f"best-rule, {kind}", 100 * (share or 0.0), None, None, chosen.get(kind, ""))


def markers(data: Dataset) -> Iterator[Row]:
    """What a rule gets that looks for markers."""
    limit = 45.0 if data.preset == "hard" else None
    yield bar("marker rule, update_detection", marker_share(data), None, limit)


def marker_share(data: Dataset) -> float | None:
    """What the marker rule gets of the questions when a mind changed, in percent."""
    marker = data.asked.about("update_detection").accuracy("marker-turn")
    return None if marker is None else 100 * marker


def blind(data: Dataset) -> Iterator[Row]:
    """What rules get that never see the dialogue."""
    name, excess, low = blind_excess(data.folder, SMALLEST_TYPE)
    most = 3 if data.kept >= MANY else 5
    note = f"{100 * excess:+.1f} points (low end {100 * low:+.1f}): {name}"
    yield Row("most by a rule without the dialogue", note, f"<= +{most} points", 100 * excess <= most)
    skipped = [f"{kind} ({items})" for kind, items in data.asked.counts("type").items() if items < SMALLEST_TYPE]
    yield Row(
        f"types of under {SMALLEST_TYPE} items, left out there", ", ".join(skipped) or "none", "printed", kept=True
    )


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
    yield lag_row(data.asked.counts("lag"), data.turns)
    since, shares = _evenness(data.asked.counts("since"))
    yield Row("lag to the turn asked about, the same", f"{since:.2f} ({shares})", "printed", kept=True)
    yield from ways(data)


def lag_row(lags: Counter[str], turns: int) -> Row:
    """How evenly lags to the end are spread, over as many groups as the length is cut into."""
    ratio, shares = _evenness(lags)
    what, value = "lag to the end, largest group / smallest", f"{ratio:.2f} ({shares})"
    if turns < FEWEST_TURNS:
        return Row(what, value, "printed", kept=True)
    wanted = lag_groups(turns)
    return Row(what, value, f"<= 1.5, {wanted} groups", ratio <= 1.5 and len(lags) == wanted)


def lag_groups(turns: int) -> int:
    """How many groups the lags of dialogues of so many turns fill.

    A group is a sixth of the turns wide, rounded up, and nothing that is asked about is said before turn 2. That fills
    all six at 18, 24, 60, 120 and 300 turns, but five at 20 (0-3 to 16-19) and at 25 (0-4 to 20-24), and four at 10.
    """
    largest = turns - 1 - FIRST_ASKED_ABOUT
    return largest // -(-turns // GROUPS) + 1


def _evenness(groups: Counter[str]) -> tuple[float, str]:
    """The largest of some groups over the smallest, and the share of each in words."""
    ratio = max(groups.values(), default=0) / max(1, min(groups.values(), default=1))
    ordered = sorted(groups.items(), key=_number)
    return ratio, " ".join(f"{name}:{percent(count, groups.total()):.0f}" for name, count in ordered)


def ways(data: Dataset) -> Iterator[Row]:
    """Each way of coming apart: its share of what is planned, and of the questions about pictures that are apart."""
    planned, asked = ways_apart(data.heard.values()), data.asked.ways()
    each = data.preset in {"group", "hard"}
    for way in sorted({*planned, *asked, *(list(Way) if each else ())}, key=lambda way: -planned[way]):
        least, most = 8 if each else None, 20 if way == "presumption" else None
        yield bar(f"apart by {way}", percent(planned[way], planned.total()), least, most)
        yield bar(f"questions apart by {way}", percent(asked[way], asked.total()), None, None, f"of {asked.total()}")
    if data.preset in SEVERAL and not planned:
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
    """Lines said twice, and variety."""
    dialogues = [one.dialogue for one in data.heard.values()]
    again, of, having = repeated(dialogues)
    yield bar("sentences repeated in a dialogue", percent(again, of), None, 1, f"in {having} dialogues")
    for size, least in ((2, 0.53), (3, 0.75)):
        share = distinct(dialogues, size)
        yield Row(f"distinct-{size} over 20,000 tokens", f"{share:.3f}", f">= {least}", share >= least)


def lines_that_recur(data: Dataset) -> Iterator[Row]:
    """Lines that come back in other dialogues: the more there are of these, the more do."""
    share, note = 100 * recurring(data.read()), f"over {data.kept} dialogues"
    yield bar("sentences that recur in other dialogues", share, None, 85, note)


SECTIONS: Mapping[str, Callable[[Dataset], Iterator[Row]]] = {
    "agreement": agreement,
    "pictures": pictures,
    "rules": rules,
    "markers": markers,
    "blind": blind,
    "signals": signals,
    "spread": spread,
    "coming-up": coming_up,
    "prose": prose,
    "recurring": lines_that_recur,
}
"""By name, what gives the rows of which a command may print some alone."""


# -- lengths, times --------------------------------------------------------------------------------------------------


Length = tuple[str, str, int, float]
"""Domains, preset, turns of a dataset, and what the marker rule gets in it, in percent."""


def length_of(data: Dataset) -> Length:
    """What a dataset says to the comparison of lengths."""
    domains = json.loads((data.folder / "manifest.json").read_text(encoding="utf-8"))["config"]["domains"]
    return "+".join(sorted(domains)), data.preset, data.turns, marker_share(data) or 0.0


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
    arguments.add_argument("--only", default="", help=f"rows of these alone: {', '.join(SECTIONS)}")
    arguments.add_argument("--out", type=Path, default=Path("out/minds"))
    given = arguments.parse_args()
    if given.make == bool(given.folders):
        arguments.error("name datasets, or have them made with --make")
    only = [name for name in given.only.split(",") if name]
    if unknown := [name for name in only if name not in SECTIONS]:
        arguments.error(f"--only: there are no rows of {', '.join(unknown)}")
    made = {one.folder: one for one in make(given.out, wanted(given))} if given.make else {}
    kept, lengths = [], []
    for folder in made or given.folders:
        data = opened(folder)
        if "markers" in only or not only:
            lengths.append(length_of(data))
        kept.append(show(str(folder), [*rows_of(data, only), *(times(made[folder]) if made else ())]))
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
