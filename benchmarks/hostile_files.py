"""Files that are made to take memory: what a command that reads one takes, and what it says.

    python benchmarks/hostile_files.py

Packs and prices of 1 MB that are all structure, lines and list elements of 3 MB that are all structure, files of
published benchmarks that are all structure or all small records, and others of 400 MB. Exit status 1 if a command takes
more than 300 MB, or ends otherwise than with a sentence; where the records are what they should be, it may end well.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from attacks import MOST_MEMORY, peak_memory
from hostile_published import dtomtrack, published, written

MB = 1 << 20
MAP = ["--map", "question=question,options=options,gold=gold,id=id"]


def packs(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Files in YAML that people write."""
    lists = written(folder / "lists.yaml", "names: [", "[]," * 1000, "[]]\n", times=330)
    words = written(folder / "words.yaml", "names: [", "a," * 1000, "a]\n", times=490)
    deep = written(folder / "deep.yaml", "", "[" * 1000, "\n", times=200)
    large = written(folder / "large.yaml", "name: ", "x" * MB, "\n", times=400)
    for name, path in {"lists": lists, "words": words, "deep": deep, "400 MB": large}.items():
        yield f"pack, {name}", dtomtrack("domains", "check", path)
    spent = ["--model", "openai/x", "--base-url", "http://127.0.0.1:9/v1", "--dry-run", "--out", str(folder / "none")]
    yield "prices, 400 MB", dtomtrack("generate", "--n", "1", *spent, "--prices", large)
    yield "prices, lists", dtomtrack("generate", "--n", "1", *spent, "--prices", lists)


def items(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Benchmarks by others."""
    lists = written(folder / "lists.jsonl", '{"question": [', "[]," * 1000, "[]]}\n", times=1040)
    large = written(folder / "large.jsonl", '{"question": "', "x" * MB, '"}\n', times=400)
    array = written(folder / "lists.json", '[{"question": [', "[]," * 1000, "[]]}]\n", times=1040)
    whole = written(folder / "large.json", '[{"question": "', "x" * MB, '"}]\n', times=400)
    for name, path in {"line of lists": lists, "line of 400 MB": large, "lists": array, "400 MB": whole}.items():
        yield f"items, {name}", dtomtrack("audit", path, *MAP)


def objects(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Benchmarks by others that are one object, or a table."""
    lists = written(folder / "under.json", '{"data": [[', "[]," * 1000, "[]]]}\n", times=20000)
    many = written(folder / "many.json", '{"data": [', "[]," * 1000, "[]]}\n", times=20000)
    beside = written(folder / "beside.json", '{"meta": [', "[]," * 1000, '[]], "data": []}\n', times=20000)
    commas = written(folder / "commas.csv", "question,options,gold,id\n", "," * MB, "\n", times=60)
    for name, path in {"element": lists, "elements": many, "beside": beside, "commas": commas}.items():
        yield f"items of 60 MB, {name}", dtomtrack("audit", path, *MAP)


def datasets(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Folders of ours that were tampered with."""
    good = folder / "good"
    subprocess.run(dtomtrack("generate", "--n", "2", "--out", str(good), "--quiet"), check=True)
    for name in ("questions.jsonl", "dialogues.jsonl", "manifest.json", "progress.jsonl"):
        bad = Path(shutil.copytree(good, folder / name.partition(".")[0]))
        with (bad / name).open("a", encoding="utf-8") as file:
            for _ in range(400):
                file.write("x" * MB)
        verb = ["generate", "--n", "3", "--out", str(bad)] if name == "progress.jsonl" else ["report", str(bad)]
        yield f"dataset, {name} of 400 MB", dtomtrack(*verb)


def taken(command: list[str]) -> tuple[int, int, str]:
    """Peak memory in MB, exit status, and the last line of what is said."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    memory = [0]
    watch = threading.Thread(target=peak_memory, args=(process, memory))
    watch.start()
    _, said = process.communicate()
    watch.join()
    return max(memory), process.returncode, said.strip().rpartition("\n")[2]


def main() -> None:
    """A line for each file."""
    met = True
    with tempfile.TemporaryDirectory() as place:
        for make in (packs, items, objects, published, datasets):
            for name, command in make(Path(place)):
                memory, status, said = taken(command)
                met = met and memory <= MOST_MEMORY and status in {0, 2}
                print(f"{name:36} {memory:4} MB, exit {status}: {said.replace(place, '')[:100]}", flush=True)
    if not met:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
