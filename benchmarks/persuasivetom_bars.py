"""The bars of PersuasiveToM's published files, from what `persuasivetom_published` found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bars import Row, exactly, run, same_bytes, within

from dtomtrack.audit import Audit, AuditRow
from dtomtrack.evaluation.records import Metrics
from dtomtrack.library import evaluate
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.persuasivetom.measures import consistency_name

__all__ = ["artefact_bars", "baseline_bars", "change_bars", "import_bars"]

COUNTS = {"desire_ee": 2459, "intention_ee": 2041, "judgement": 2041, "prediction": 2041}
PROBLEMS = {
    "options that are the same": 112,
    "options other than the 4 of this type": 1,
    "lines that do not go with the id": 2,
    "dialogues without desire_ee": 23,
}
CHANGES = {"No to Neutral": 216, "No to Yes": 203, "Neutral to Yes": 180, "Neutral to No": 57}
READ_THE_QUESTION = ("question", "turn number")
"""Rules with these words in their names see more than options."""


def import_bars(folder: Path, out: Path, lines: int) -> Iterator[Row]:
    """Bar 1: what an import counts, how long it takes, and whether it gives the same twice."""
    first, second = (run("import", "persuasivetom", folder, "--out", out / name) for name in ("first", "second"))
    manifest = Manifest.model_validate_json((out / "first" / "manifest.json").read_bytes())
    told = manifest.config["problems"]
    problems = {one["kind"]: one["count"] for one in told if isinstance(one, dict)} if isinstance(told, list) else {}
    yield exactly("import: exit statuses", (first.status, second.status), (0, 0))
    yield exactly("import: dialogues, lines", (manifest.counts.totals["clusters"], lines), (525, 5090))
    yield exactly("import: items by type", dict(manifest.counts.groups["type"]), COUNTS)
    yield exactly("import: problems", {kind: problems.get(kind) for kind in PROBLEMS}, PROBLEMS)
    missing = manifest.config["missing"]
    yield exactly("import: missing files named", len(missing) if isinstance(missing, list) else missing, 4)
    yield within("import: seconds of processor time", first.seconds, high=5)
    yield exactly("import: same bytes twice", same_bytes(out / "first", out / "second"), True)


def baseline_bars(found: Sequence[Metrics]) -> Iterator[Row]:
    """Bar 3: what baselines get on the persuadee's desire."""
    by_name = {one.config.subject.rpartition("/")[2]: one for one in found}
    for name, wanted in (("frequent-gold", 50.8), ("by-round", 64.5)):
        group = next(group for group in by_name[name].groups["type"] if group.name == "desire_ee")
        yield within(f"{name} on desire_ee, %", 100 * (group.accuracy.value or 0), wanted - 0.2, wanted + 0.2)
    whole = by_name["no-then-yes"].measure(consistency_name("desire_ee"))
    told = (whole.count, whole.items) if whole is not None else None
    yield exactly("no, then yes: dialogues whole", told, (92, 502))


def artefact_bars(audits: Mapping[str, Audit]) -> Iterator[Row]:
    """Bars 3 and 4: what rules get that never read the conversation, as published and in the variants."""
    published = audits["as-published"]
    judged, intended = published.failures(), "option text, classifier"
    yield within("judgement, keyword in the question, %", _of(published, "judgement", "keyword in the question"), 99.5)
    yield within("intention_ee, option text, classifier, %", _of(published, "intention_ee", intended), 97, 99)
    for kind in ("intention_ee", "judgement"):
        fails = any(f" on {kind} " in one for one in judged)
        yield exactly(f"{kind} as published fails the gate", fails, True)
    for kind in ("intention_ee", "prediction"):
        rows = [row for row in _blind(audits["same-dialogue"], kind) if not _reads_question(row)]
        yield within(f"same-dialogue, items of {kind}", rows[0].items, 1990)
        yield _over(f"same-dialogue, options alone, {kind}", rows, 2)
    outcome, balanced = _blind(audits["outcome"]), _blind(audits["balanced"])
    yield within("outcome, items", outcome[0].items, 900)
    yield _over("outcome, without the conversation", outcome, 3)
    yield exactly("balanced, items", balanced[0].items, 1092)
    yield _over("balanced, without the conversation", balanced, 10)


def change_bars(folder: Path, all_of: Manifest, balanced: Manifest) -> Iterator[Row]:
    """Bar 5: changes of desire, and the balanced questions about them."""
    yield exactly("changes of desire", all_of.config["changes"], CHANGES)
    yield exactly("dialogues with changes", all_of.config["changing"], 441)
    types = balanced.counts.groups["type"]
    yield exactly("balanced: before, after, temporal", [types[one] for one in _BALANCED], [228, 228, 1065])
    oracle, by_round = evaluate(folder, ["baseline/oracle", "baseline/by-round"])
    yield exactly("balanced: oracle", oracle.micro.accuracy.value, 1.0)
    temporal = next(group for group in by_round.groups["type"] if group.name == "temporal")
    yield within("balanced: by-round on temporal, %", 100 * (temporal.accuracy.value or 0), 32.8, 33.8)


_BALANCED = ("pre_update", "post_update", "temporal")


def _blind(found: Audit, group: str | None = None) -> list[AuditRow]:
    """The rules that don't read the conversation, on one group."""
    return [row for row in found.rows if not row.reads_context and (group is None or row.group == group)]


def _of(found: Audit, group: str, rule: str) -> float:
    """What one rule gets on a group, in percent."""
    return 100 * next(row.accuracy.value or 0 for row in _blind(found, group) if row.rule == rule)


def _reads_question(row: AuditRow) -> bool:
    return any(word in row.rule for word in READ_THE_QUESTION)


def _over(what: str, rows: Sequence[AuditRow], allowed: float) -> Row:
    """The rule that exceeds chance by most points."""
    worst = max(rows, key=lambda row: (row.accuracy.value or 0) - row.chance)
    over = 100 * ((worst.accuracy.value or 0) - worst.chance)
    return Row(f"{what}: {worst.rule}, points over chance", f"{over:+.1f}", f"<= {allowed:+g}", over <= allowed)
