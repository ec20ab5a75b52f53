"""The bars of RecToM's published files: counts, IARD, problems, rules without a mind, stand-ins that answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bars import Row, blind_rules, exactly, run, same_bytes, within
from loopback import Answer, Loopback, Request, completion

from dtomtrack.audit import audit_items
from dtomtrack.evaluation.prompting import prompt_text
from dtomtrack.evaluation.records import AskConfig
from dtomtrack.items.item import Item
from dtomtrack.items.presented import presented
from dtomtrack.library import evaluate
from dtomtrack.suites.published.importing import import_published
from dtomtrack.suites.rectom.importing import PublishedRectom
from dtomtrack.suites.rectom.suite import SUITE

__all__ = ["answer_bars", "audit_bars", "count_bars", "import_bars", "rule_bars"]

COUNTS = {
    **dict.fromkeys(("coarse_intention_rec", "fine_intention_rec", "coarse_intention_seeker"), 2205),
    **{"prediction_rec": 2098, "prediction_seeker": 2149, "judgement_rec": 2098, "judgement_seeker": 2149},
    **{"desire": 1448, "belief": 1762},
}
AGREED = {
    **dict.fromkeys(("coarse_intention_rec", "fine_intention_rec", "coarse_intention_seeker"), 2205),
    **{"prediction_rec": 2098, "prediction_seeker": 2149},
}
PROBLEMS = {
    ("1_intent_rec.json", "look-ahead"): 1436,
    ("2_coarse_intent_seeker.json", "look-ahead"): 769,
    ("3_pred_rec.json", "question again"): 36,
    ("4_pred_seeker.json", "question again"): 57,
    ("5_reverse_judge_rec.json", "question again"): 19,
    ("6_judge_seeker.json", "question again"): 30,
    ("3_pred_rec.json", "different golds"): 7,
    ("4_pred_seeker.json", "different golds"): 16,
    ("5_reverse_judge_rec.json", "different golds"): 2,
    ("6_judge_seeker.json", "different golds"): 3,
    ("desire follows from belief", "0 exceptions"): 1367,
}
MODAL = {
    **{"coarse_intention_rec": 25.85, "fine_intention_rec": 13.47, "coarse_intention_seeker": 40.27},
    **{"prediction_rec": 27.22, "prediction_seeker": 41.37, "judgement_rec": 68.64, "judgement_seeker": 68.22},
}
STRATEGY = {"judgement_rec": 73.0, "judgement_seeker": 75.0}
LEARNT = {
    **{"coarse_intention_rec": 61.0, "fine_intention_rec": 45.5, "coarse_intention_seeker": 67.3},
    **{"fine_intention_seeker_rebuilt": 50.6, "prediction_rec": 32.4, "prediction_seeker": 50.0},
    **{"belief": 59.5, "desire": 81.5},
}
YES = {"judgement_rec": 31.4, "judgement_seeker": 31.8}


def import_bars(folder: Path, out: Path) -> Iterator[Row]:
    """Bar 1: an import without IARD, in time and memory, twice."""
    first, second = (run("import", "rectom", folder, "--out", out / name) for name in ("first", "second"))
    counts = Counter(item.groups["type"] for item in SUITE.items(out / "first"))
    yield exactly("import: exit statuses", (first.status, second.status), (0, 0))
    yield exactly("import: items by type", dict(sorted(counts.items())), dict(sorted(COUNTS.items())))
    yield exactly("import: missing files named", first.output.count("missing: "), 1)
    yield within("import: seconds of processor time", first.seconds, high=8)
    yield within("import: MB", first.peak, high=300)
    yield exactly("import: same bytes twice", same_bytes(out / "first", out / "second"), True)


def count_bars(read: PublishedRectom, items: Sequence[Item]) -> Iterator[Row]:
    """Bars 1 to 3: dialogues, lines, agreement with IARD, problems."""
    config = read.config()
    yield exactly("dialogues, lines", (len(read.release.dialogues), config["lines"]), (336, 4420))
    yield exactly("items, the rebuilt ones among them", len(items), 20_524 if read.agreed else 18_319)
    agreed = {one.type: one.agreeing for one in read.agreed if one.type in AGREED}
    if read.agreed:
        yield exactly("golds that are IARD's labels", dict(sorted(agreed.items())), dict(sorted(AGREED.items())))
    told = config["problems"]
    every = {str(one["kind"]): one["count"] for one in told if isinstance(one, dict)} if isinstance(told, list) else {}
    for (start, words), wanted in PROBLEMS.items():
        found = next((count for kind, count in every.items() if kind.startswith(start) and words in kind), None)
        yield exactly(f"{start}: {words}", found, wanted)


def rule_bars(found: Mapping[tuple[str, str], float]) -> Iterator[Row]:
    """Bar 4: what rules get, in percent, by type and name of the rule."""
    for name, wanted, off in (("modal set (in sample)", MODAL, 0.1), ("strategy alone", STRATEGY, 0.1)):
        for kind, percent in wanted.items():
            yield within(f"{kind}: {name}, %", found[kind, name], percent - off, percent + off)
    for kind, percent in LEARNT.items():
        if (kind, "learnt utterance") in found:
            yield within(f"{kind}: learnt utterance, %", found[kind, "learnt utterance"], percent - 2, percent + 2)


def audit_bars(folder: Path, out: Path, items: Sequence[Item]) -> Iterator[Row]:
    """Bar 5: judgement as published fails the gate; balanced, no rule is far from chance."""
    failures = audit_items(items).failures()
    for kind in YES:
        yield exactly(f"{kind} as published fails the gate", any(f" on {kind} " in one for one in failures), True)
    import_published("rectom", folder, out / "balanced", "balanced-judge")
    balanced = audit_items(SUITE.items(out / "balanced"))
    yield blind_rules("balanced-judge, points over chance", balanced, 5, types=tuple(YES))


def answer_bars(folder: Path) -> Iterator[Row]:
    """Bar 8: stand-ins that answer the gold, and yes."""
    for permutations in (1, 2):
        with Loopback(_knowing(folder, permutations)) as server:
            (found,) = evaluate(folder, "vllm/knowing", base_url=server.base_url, permutations=permutations)
        right = {group.accuracy.value for group in found.groups["type"]}
        yield exactly(
            f"who answers the gold, {permutations} rotations, of {len(found.groups['type'])} types", right, {1}
        )
    with Loopback(_yes) as server:
        (found,) = evaluate(folder, "vllm/yes", base_url=server.base_url, types=tuple(YES))
    for kind, wanted in YES.items():
        names = (f"{name}_{kind}" for name in ("prediction_bias", "false_positive_rate", "recall_no"))
        told = [measure.estimate.value for measure in map(found.measure, names) if measure is not None]
        yield exactly(f"who says yes, {kind}: bias, false positives, recall of no", told, [1.0, 1.0, 0.0])
        group = next(group for group in found.groups["type"] if group.name == kind)
        yield within(f"who says yes, {kind}, %", 100 * (group.accuracy.value or 0), wanted - 0.05, wanted + 0.05)


def _yes(request: Request) -> Answer:
    return completion("A" if 'A) "yes"' in request["messages"][0]["content"] else "B")


def _knowing(folder: Path, permutations: int) -> Callable[[Request], Answer]:
    """A model that answers the gold; where the same is asked twice with other golds, the golds in turn."""
    config = AskConfig(subject="-", questions="-", permutations=permutations, context=SUITE.conditions[0])
    known: dict[str, list[str]] = {}
    for shown in presented(SUITE.items(folder), permutations):
        known.setdefault(prompt_text(shown, config, SUITE.focus), []).append("".join(shown.seen(shown.item.gold)))
    return lambda request: completion(_next(known[request["messages"][0]["content"]]))


def _next(golds: list[str]) -> str:
    golds.append(golds.pop(0))
    return golds[-1]
