"""Data in Parquet beside JSON lines: size, time to load the questions, and memory while a run writes it.

    python benchmarks/parquet_folder.py               20,000 scripted dialogues in both forms; exit status 1 on a miss
    python benchmarks/parquet_folder.py --n 200000    so many
    python benchmarks/parquet_folder.py --out DIR     in a new folder that stays

Memory is that of the whole run, and that of what writes alone, which is given 200,000 slots: the same 500 dialogues
again and again. Times are those of the processor, the least of three, of a process that has read a small dataset
before. Questions are loaded as a table (``load(DIR).to_arrow("questions")``); the rows below it, as records and as
items with their dialogues, have no bar: they are checked one by one, which takes the same time in both forms.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from bars import Row, exactly, run, show, within

from dtomtrack import load
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.evaluation.dataset import digest_of
from dtomtrack.runs.data_files import read_records
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.run_folder import RunFolder
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.slot_result import DATA_FILES, DIALOGUES, QUESTIONS, SlotResult
from dtomtrack.suites.dtom.suite import SUITE
from dtomtrack.version import VERSION

SMALL, MANY = 500, 200_000
ROUNDS = 3
SIZE, TIME, MEMORY = 0.25, 0.2, 1.1

WAYS: Mapping[str, Callable[[Path], int]] = {
    "table": lambda folder: int(load(folder).to_arrow("questions").num_rows),
    "records": lambda folder: len(load(folder).questions),
    "items": lambda folder: sum(1 for _ in load(folder).items),
}


def seconds(way: str, folder: Path, small: Path) -> float:
    """Processor time that loading the questions takes."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(timed, (way, folder, small))


def timed(way: str, folder: Path, small: Path) -> float:
    """The same, in this process."""
    ask = WAYS[way]
    ask(small)
    found = []
    for _ in range(ROUNDS if way == "table" else 1):
        start = time.process_time()
        ask(folder)
        found.append(time.process_time() - start)
    return min(found)


def writing(slots: int, source: Path, out: Path) -> float:
    """The most memory, in MB, that it takes to write so many slots, with the dialogues of a dataset again and again."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(written, (slots, source, out))


def written(slots: int, source: Path, out: Path) -> float:
    """The same, in this process."""
    manifest = read_manifest(source)
    if manifest is None:
        sys.exit(f"{source}: has no manifest")
    filled = list(slots_of(source))
    config = RunConfig.model_validate(manifest.config)
    with RunFolder(out, "dtom", config, DATA_FILES, VERSION, SUITE.records) as folder:
        for index in range(slots):
            one = filled[index % len(filled)]
            folder.append(SlotLines(index, one.data, one.counts))
            if index % 1000 == 0:
                folder.write_manifest(manifest.model_copy(update={"counts": folder.saved, "files": folder.digests}))
        folder.flush()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def slots_of(folder: Path) -> Iterator[SlotLines]:
    """The slots of a dataset, whose dialogues all have questions and no rejections."""
    questions = groupby(read_records(folder / QUESTIONS, Question), key=lambda one: one.slot)
    for dialogue, (slot, asked) in zip(read_records(folder / DIALOGUES, Dialogue), questions, strict=True):
        yield SlotResult(slot, dialogue, tuple(asked), ()).lines()


def made(out: Path, n: int, *options: str) -> float:
    """Make a dataset; the most memory that it took, in MB."""
    done = run("generate", "--n", n, "--out", out, "--quiet", *options)
    if done.status:
        sys.exit(done.output)
    return done.peak


def size(folder: Path) -> int:
    """Bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def rows(folder: Path, n: int) -> list[Row]:
    """The figures of both forms."""
    small, parts, lines = (folder / name for name in ("small", "parts", "lines"))
    little = made(small, SMALL, "--format", "parquet", "--engine", "local")
    much = made(parts, n, "--format", "parquet", "--engine", "local")
    made(lines, n)
    least, most = (writing(slots, small, folder / f"written-{slots}") for slots in (SMALL, MANY))
    found = [
        exactly("the same questions", digest_of(parts, SUITE) == digest_of(lines, SUITE), True),
        within(f"memory, {n} dialogues over {SMALL} ({much:.0f} MB)", much / little, high=MEMORY),
        within(f"memory of what writes, {MANY:,} slots over {SMALL} ({most:.0f} MB)", most / least, high=MEMORY),
        within(f"size ({size(parts) / 1e6:.1f} MB of {size(lines) / 1e6:.1f})", size(parts) / size(lines), high=SIZE),
    ]
    for way in WAYS:
        ours, theirs = (seconds(way, one, small) for one in (parts, lines))
        what, share = f"loading, {way} ({ours:.2f} s of {theirs:.2f})", ours / theirs
        found.append(within(what, share, high=TIME) if way == "table" else Row(what, f"{share:.4g}", "none", True))
    return found


def main() -> int:
    """Measure, and print the figures beside their bars."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=20_000)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    if asked.out is not None:
        asked.out.mkdir(parents=True)
        return show(rows(asked.out, asked.n))
    with tempfile.TemporaryDirectory() as folder:
        return show(rows(Path(folder), asked.n))


if __name__ == "__main__":
    sys.exit(main())
