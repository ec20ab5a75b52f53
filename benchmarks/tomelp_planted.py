"""Planted subjects before the judge `rules`, on 60 scenes: python benchmarks/tomelp_planted.py [SCENES]

Eight scripted subjects play every cell; what the figures should say of each is known. Two more bars a part of the
design: where it is taken away, the contrast has to find what that was planted to change (a judge that goes by tags
alone stands in for one where tags are shown to it). Prints a line a bar, and the processor time and memory of one
subject in the paper's 32 cells. Exit status 1 if a bar is missed.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from pathlib import Path

from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade

from dtomtrack.evaluation.bounded import Estimate, Part, Range, estimate
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.run import run
from dtomtrack.scenarios.route.terms import ABLATIONS
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.tomelp.metrics import AblationEffect, PlayMetrics
from dtomtrack.suites.tomelp.play_run import PLAY, PlayRequest, run_play, scenes_played
from dtomtrack.suites.tomelp.scoring import known_scores, reply_rows

NAMES = ("faithful", "no-tom", "drift", "stuffing", "copy", "misled", "generic", "empty")
SECONDS = 30.0
TAGGED_SCENES = 12
Bar = tuple[str, float, bool]


def played(folder: Path) -> dict[str, PlayMetrics]:
    """The metrics of all scripted subjects, with the null of retention."""
    subjects = tuple(f"policy/{name}" for name in NAMES)
    found = asyncio.run(run_play(PlayRequest(folder, subjects, perturb="with-null")))
    return dict(zip(NAMES, found, strict=True))


def score(metrics: PlayMetrics, name: str, variant: str = "inferred") -> float:
    """A mean over clean cells."""
    figures = next(one for one in metrics.variants if one.variant == variant)
    return figures.scores[name].interval.value or 0.0


def retained(metrics: PlayMetrics, disturbance: str) -> float:
    """Retention of the variant without states."""
    (kept,) = (one for one in metrics.variants[0].retention if one.disturbance == disturbance)
    return float("nan") if kept.retained.interval.value is None else kept.retained.interval.value


def less_evidence(folder: Path) -> float:
    """The upper end of stuffing's evidence minus faithful's."""
    parts = []
    for name, sign in (("stuffing", 1.0), ("faithful", -1.0)):
        rows = [row for scene in scenes_played(folder, folder / PLAY / f"policy_{name}") for row in reply_rows(scene)]
        parts.append(Part(list(known_scores(rows, "evidence")), sign))
    high = estimate(parts, Range(-2, 2)).interval.high
    return float("nan") if high is None else high


def gap(metrics: PlayMetrics, route: str) -> float:
    """Attitude of high_cog minus that of low_cog, without states."""
    (found,) = (one for one in metrics.variants[0].persona_gap if one.route == route)
    return found.estimate.interval.value or 0.0


def effect(metrics: PlayMetrics, ablation: str, score: str, disturbance: str = "clean") -> AblationEffect:
    """The effect on the variant without states."""
    wanted = (ablation, score, disturbance, "no_tom")
    return next(one for one in metrics.ablations if wanted == (one.ablation, one.score, one.disturbance, one.variant))


def ends(one: Estimate) -> tuple[float, float]:
    """The ends of an interval."""
    low, high = one.interval.low, one.interval.high
    return (float("nan"), float("nan")) if low is None or high is None else (low, high)


def by_tags(request: Request) -> Answer:
    """Judges routes by whether there is a tag."""
    text = request["messages"][0]["content"]
    if "mainly try to persuade" in text:
        return completion("A" if "u005bF" in text or "u005bC" in text else "B")
    return persuade(request)


def tags_shown(folder: Path, out: Path) -> float:
    """What seeing tags does to central replies' blind route, before a judge that goes by nothing else."""
    with Loopback(by_tags, keep=False) as server:
        request = PlayRequest(
            folder,
            ("policy/faithful",),
            judge="vllm/by-tags",
            ablations=("tags-shown",),
            limit=TAGGED_SCENES,
            judge_base_url=server.base_url,
            out=out,
        )
        (found,) = asyncio.run(run_play(request))
    return ends(effect(found, "tags-shown", "predicted").estimate)[0]


def taken_away(folder: Path, out: Path) -> list[Bar]:
    """What the contrasts find where a part of the design is taken away, and where nothing was planted."""
    subjects = ("policy/heedful", "policy/faithful")
    request = PlayRequest(folder, subjects, perturb="all", ablations=ABLATIONS, out=out / "ablated")
    heedful, faithful = asyncio.run(run_play(request))
    misled = ends(effect(heedful, "unwarned", "attitude", "misleading").estimate)[1]
    unmoved = ends(effect(faithful, "unwarned", "attitude", "misleading").estimate)
    noise = ends(effect(heedful, "unwarned", "attitude", "noise").estimate)
    stripped = ends(effect(faithful, "tags-stripped", "evidence").estimate)[1]
    rules = ends(effect(faithful, "tags-shown", "predicted").estimate)
    shown = tags_shown(folder, out / "tagged")
    swapped = effect(faithful, "elaboration-swapped", "attitude")
    high, low = (ends(swapped.of(persona, "central")) for persona in ("high_cog", "low_cog"))
    fewer = ends(effect(faithful, "no-counterpoints", "evidence").estimate)[1]
    generic = ends(effect(faithful, "no-counterpoints", "predicted").estimate)
    return [
        ("heedful, unwarned of a misleading claim: attitude, upper end < 0", misled, misled < 0),
        ("heedful, unwarned of noise: attitude unmoved", max(map(abs, noise)), noise == (0.0, 0.0)),
        ("faithful, unwarned: attitude unmoved", max(map(abs, unmoved)), unmoved == (0.0, 0.0)),
        ("faithful, tags stripped: evidence, upper end < 0", stripped, stripped < 0),
        ("judge by tags, tags shown: central read as central, lower end > 0", shown, shown > 0),
        ("judge rules, tags shown: route unmoved", max(map(abs, rules)), rules == (0.0, 0.0)),
        ("elaboration swapped: evidence moves high_cog less, upper end < 0", high[1], high[1] < 0),
        ("elaboration swapped: evidence moves low_cog more, lower end > 0", low[0], low[0] > 0),
        ("faithful without counterpoints: evidence, upper end < 0", fewer, fewer < 0),
        (
            "faithful without counterpoints: route unmoved within .05",
            max(map(abs, generic)),
            max(map(abs, generic)) < 0.05,
        ),
    ]


def bars(folder: Path, found: dict[str, PlayMetrics]) -> list[Bar]:
    """What is measured, and whether it is as planted."""
    faithful = found["faithful"]
    gain = faithful.contrast("alignment", "inferred", "no_tom")
    low = gain.estimate.interval.low if gain and gain.estimate.interval.low is not None else float("nan")
    least = min(score(faithful, "predicted", variant) for variant in ("no_tom", "inferred"))
    drift = min(score(found["drift"], "substitution", variant) for variant in ("no_tom", "inferred"))
    stuffed, evidence = score(found["stuffing"], "precision"), less_evidence(folder)
    copied, own = score(found["copy"], "copied"), score(faithful, "copied")
    misled, redrawn = retained(found["misled"], "misleading"), retained(faithful, "redraw")
    central, peripheral = gap(faithful, "central"), -gap(faithful, "peripheral")
    return [
        ("faithful: blind prediction, the lower of both variants >= .95", least, least >= 0.95),
        ("drift: substitution, the lower of both variants >= .95", drift, drift >= 0.95),
        ("stuffing: citation precision <= .60", stuffed, stuffed <= 0.60),
        ("stuffing - faithful: evidence, upper end < 0", evidence, evidence < 0),
        ("copy: copied share >= .90", copied, copied >= 0.90),
        ("faithful: copied share <= .10", own, own <= 0.10),
        ("misled: retention of misleading <= .3", misled, misled <= 0.3),
        ("faithful: retention of a redraw = 1", redrawn, redrawn == 1.0),
        ("faithful: alignment, tom_aware - no_tom, lower end > 0", low, low > 0),
        ("evidence reply: high - low >= .5", central, central >= 0.5),
        ("cue reply: low - high >= .5", peripheral, peripheral >= 0.5),
    ]


def throughput(folder: Path, out: Path) -> float:
    """Seconds of processor for one subject in 32 cells a state."""
    before = time.process_time()
    asyncio.run(run_play(PlayRequest(folder, ("policy/faithful",), perturb="all", out=out)))
    return time.process_time() - before


def main(scenes: int) -> int:
    """Print it."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "scenes"
        job = generating_suite("tomelp").job(GenerationRequest("all", scenes))
        asyncio.run(run(job, open_engine("local"), n=scenes, out=folder))
        found = played(folder)
        checked = bars(folder, found) + taken_away(folder, Path(root))
        seconds = throughput(folder, Path(root) / "plays")
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for name, value, holds in checked:
        print(f"{'ok  ' if holds else 'MISS'} {name:<68}{value:>8.3f}")
    states = found["faithful"].states
    print(f"{scenes} scenes, {states} states x 32 cells: {seconds:.1f} s of processor, {megabytes:.0f} MB at most")
    return 0 if all(holds for _, _, holds in checked) and seconds <= SECONDS else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
