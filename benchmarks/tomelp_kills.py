"""Plays, closed loops and written scenes under kills and faults: python benchmarks/tomelp_kills.py [KILLS] [SCENES]

A server on loopback persuades, judges, writes and reads in set phrases; three of ten of its answers are errors. One run
is left alone, another is killed after random numbers of requests and given again until it is done: both have to end in
the same bytes, no line lost or doubled, and no reply that had arrived may be asked for again. At last a judge that
never gives a verdict judges a play: every score has to be null. Exit status 1 if not.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from killing import FaultyServer, killed, to_the_end
from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade
from scene_author import company

COMMAND = Path(sys.executable).with_name("dtomtrack")
CONCURRENCY = 16
JUDGED = ("attitude", "route_fit", "predicted", "anchored", "evidence", "alignment", "substitution")
"""Scores that need a judge."""


@dataclass(frozen=True)
class Part:
    """A kind of run.

    Attributes:
        command: from the folder of scenes on; ``where`` the run is in that folder, and which file and field of it tell
            whether a line is lost or doubled.
        lines: how many there have to be, by the number of scenes and of states.
    """

    name: str
    reply: Callable[[Request], Answer]
    command: Callable[[Path], Sequence[str]]
    where: str
    file: str
    field: str
    lines: Callable[[int, int], int]

    def of(self, folder: Path, base_url: str) -> list[str]:
        """The command on a folder."""
        shared = ["--base-url", base_url, "--concurrency", str(CONCURRENCY), "--quiet"]
        return [str(COMMAND), *self.command(folder), *shared]


def _play(folder: Path) -> Sequence[str]:
    return ("play", "tomelp", str(folder), "-m", "vllm/persuader", "--judge", "vllm/judge", "--perturb", "all")


def _loop(folder: Path) -> Sequence[str]:
    return ("play", "tomelp", str(folder), "--closed-loop", "-m", "vllm/persuader", "--tom", "inferred")


def _written(folder: Path) -> Sequence[str]:
    scenes = sum(1 for line in (folder / "dialogues.jsonl").read_bytes().split(b"\n") if line)
    model = ("--model", "vllm/author", "--out", str(folder / "written"))
    return ("generate", "--suite", "tomelp", "--n", str(scenes), *model)


PARTS = (
    Part("play", persuade, _play, "play/vllm_persuader", "plays.jsonl", "state", lambda _, states: states),
    Part("loops", persuade, _loop, "loops/vllm_persuader", "loops.jsonl", "", lambda n, _: 10 * n),
    Part("written scenes", company, _written, "written", "states.jsonl", "id", lambda _, states: states),
)


def measure(part: Part, scenes: Path, root: Path, kills: int) -> bool:
    """Print what holds of one kind of run."""
    folders = [root / f"{part.file}-{name}" for name in ("alone", "killed")]
    for folder in folders:
        shutil.copytree(scenes, folder)
    alone, other = folders
    first, second = FaultyServer(part.reply), FaultyServer(part.reply)
    with Loopback(first.answer, latency=0.02, keep=False) as server:
        to_the_end(part.of(alone, server.base_url))
        once = server.count
    with Loopback(second.answer, latency=0.02) as server:
        done = killed(part.of(other, server.base_url), kills, once, server, other / part.where)
    same = len({(folder / part.where / part.file).read_bytes() for folder in folders}) == 1
    ids = [_id(part, json.loads(line)) for line in _lines(other / part.where / part.file)]
    wanted = part.lines(len(_lines(scenes / "dialogues.jsonl")), len(_lines(scenes / "states.jsonl")))
    more, bound = second.served - first.served, done.kills * CONCURRENCY
    print(
        f"{part.name}: killed {done.kills} times while running; same bytes: {same}; lines {len(ids)} of {wanted}, "
        f"{len(set(ids))} of them"
    )
    print(f"  {first.served} replies left alone; {more} more under kills, at most {bound} were on their way")
    print(f"  {done.asked_again} journaled replies asked for again")
    return same and len(ids) == len(set(ids)) == wanted and not done.asked_again and more <= bound


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def _id(part: Part, line: dict[str, object]) -> str:
    return f"{line[part.field]}" if part.field else f"{line['index']} {line['variant']}"


def mute_judge(scenes: Path, root: Path) -> bool:
    """Print what a judge that never gives a verdict makes of a play."""
    shutil.copytree(scenes, root / "mute")

    def answer(request: Request) -> Answer:
        return completion("I would rather not say.") if request["model"] == "judge" else persuade(request)

    with Loopback(answer, keep=False) as server:
        to_the_end(PARTS[0].of(root / "mute", server.base_url))
    found = json.loads((root / "mute" / PARTS[0].where / "metrics.json").read_text(encoding="utf-8"))
    scores = {name: [own["scores"][name]["interval"]["value"] for own in found["variants"]] for name in JUDGED}
    print(f"a judge that never gives a verdict: unjudged {found['unjudged']}, scores {scores}")
    return sum(found["unjudged"].values()) > 0 and all(one is None for own in scores.values() for one in own)


def main(kills: int, scenes: int) -> int:
    """Print what holds."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        made = ["generate", "--suite", "tomelp", "--n", str(scenes), "--out", str(root / "scenes"), "--quiet"]
        subprocess.run([str(COMMAND), *made], check=True)
        held = [measure(part, root / "scenes", root, kills) for part in PARTS]
        held.append(mute_judge(root / "scenes", root))
    return 0 if all(held) else 1


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    sys.exit(main(*(given + [20, 6][len(given) :])))
