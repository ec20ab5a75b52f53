"""Files in the form of published benchmarks and corpora that are all structure, or all small records."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from rectom_release import write_release

LISTS = "[]," * 1000
SMALL_ITEM = (
    '{"dialogue_id":"%d-0","dialogue":"a says: %d","question":"","background":"","choices":["a","b","c","d"],'
    '"answerKey":"A"}'
)
LONG_ITEM = (
    '{"dialogue_id":"%d-0","dialogue":"%s","question":"","background":"","choices":["a","b","c","d"],"answerKey":"A"}'
)
SMALL_CONVERSATION = (
    '{"id":%d,"scenario":{"background":"","persuader":"a","persuadee":"b","goal":"%d"},"dialog":{"0":['
    '{"role":"a","strategy":"x%d","tone":"angry","response":"c"},{"role":"b","tone":"calm","response":"d"}]}}'
)
SMALL_ROUND = (
    '{"proposition":"","condition":{"roles":{"human_target":false}},"target_initial_belief":null,"messages":[],'
    '"serial_questions":null}'
)
SMALL_LINE = (
    '"%d":{"utterance_pos":1,"role":"seeker","utterance_text":"","top-level intent/action":[""],'
    '"sub-intent/action":[""]}'
)
SMALL_TRAJECTORY = {"id": "a", "turns": [{"speaker": "a", "utterance": "b"}] * 110_000, "states": [], "topics": []}


def dtomtrack(*arguments: str) -> list[str]:
    """The command line."""
    return [sys.executable, "-m", "dtomtrack", *arguments]


def written(path: Path, *parts: str, times: int = 1) -> str:
    """A file that begins with the first part, has the second so many times, and ends with the third."""
    begin, again, end = parts
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.write(begin)
        for _ in range(times):
            file.write(again)
        file.write(end)
    return str(path)


def published(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Commands that read such files, by name."""
    yield from _persuasivetom(folder)
    yield from _iard(folder)
    yield from _daily(folder)
    yield from _traces(folder)
    shutil.rmtree(folder / "out", ignore_errors=True)


def _out(folder: Path) -> list[str]:
    shutil.rmtree(folder / "out", ignore_errors=True)
    return ["--out", str(folder / "out")]


def _persuasivetom(folder: Path) -> Iterator[tuple[str, list[str]]]:
    small = ",".join(SMALL_ITEM % (number, number) for number in range(65_000))
    lines = ",".join(LONG_ITEM % (number, f"a says: {number}\\n" * 200_000) for number in range(3))
    for name, text in {"items": small, "lines": lines, "lists": LISTS * 2700 + "[]"}.items():
        for file in ("desire_er", "behavior_qa"):
            written(folder / name / f"{file}.json", "[", text, "]")
        yield f"PersuasiveToM, {name}", dtomtrack("import", "persuasivetom", str(folder / name), *_out(folder))
        yield f"ToMELP, {name}", dtomtrack("import", "tomelp", str(folder / name), *_out(folder))


def _iard(folder: Path) -> Iterator[tuple[str, list[str]]]:
    release = write_release(folder / "rectom")
    member = '"%d":{"accepted_recommendation":[],"dialogue_info":{}}'
    small = ",".join(member % number for number in range(140_000))
    long = ",".join(SMALL_LINE % number for number in range(33_000))
    texts = {
        "lists": f'"0":[{LISTS * 1300}[]],"1":[{LISTS * 1300}[]]',
        "60 MB": f'"0":[{LISTS * 20_000}[]]',
        "dialogues": small,
        "lines": f'"0":{{"accepted_recommendation":[],"dialogue_info":{{{long}}}}}',
    }
    for name, text in texts.items():
        file = written(folder / f"iard-{name}.json", "{", text, "}")
        yield f"IARD, {name}", dtomtrack("import", "rectom", str(release), "--iard", file, *_out(folder))


def _daily(folder: Path) -> Iterator[tuple[str, list[str]]]:
    lists = written(folder / "daily-lists.json", "[[", LISTS, "[]]]", times=20_000)
    small = ",".join(SMALL_CONVERSATION % (number, number, number) for number in range(150_000))
    for name, file in {"lists": lists, "goals": written(folder / "daily.json", "[", small, "]")}.items():
        yield f"DailyPersuasion, {name}", dtomtrack("import", "dailypersuasion", file, *_out(folder))


def _traces(folder: Path) -> Iterator[tuple[str, list[str]]]:
    lists = written(folder / "trace-lists" / "a.jsonl", "[", LISTS, "[]]\n", times=10_000)
    rounds = written(folder / "trace" / "a.jsonl", "[", f"{SMALL_ROUND}," * 1000, f"{SMALL_ROUND}]\n", times=200)
    for name, file in {"lists": lists, "rounds": rounds}.items():
        command = dtomtrack("trajectories", str(Path(file).parent), "--form", "persuasiontrace", *_out(folder))
        yield f"persuasiontrace, {name}", command
    turns = written(folder / "turns.jsonl", json.dumps(SMALL_TRAJECTORY, separators=(",", ":")) + "\n", "", "")
    yield "trajectories, turns", dtomtrack("trajectories", turns, *_out(folder))
