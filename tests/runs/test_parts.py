"""Data files in Parquet: the very lines of JSON lines, whatever happens on the way; no part is taken for another."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run

from dtomtrack import generate, load
from dtomtrack.auditing import audit_benchmark
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.dataset import digest_of
from dtomtrack.library import evaluate, export_dataset, make_report
from dtomtrack.runs.data_files import count_records, read_records, rows_with
from dtomtrack.runs.run import Progress
from dtomtrack.suites.dtom.suite import SUITE

pytestmark = pytest.mark.usefixtures("undrawn")

pytest.importorskip("pyarrow")

FILES = ("dialogues", "questions", "rejected")
N, A_PART = 12, 5


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtomtrack.runs.part_store.SLOTS_A_PART", A_PART)


def made(out: Path, n: int = N, seed: int = 0, report: Callable[[Progress], None] | None = None) -> Path:
    generate("restaurant", n=n, seed=seed, out=out, format="parquet", report=report)
    return out


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve dialogues as JSON lines."""
    folder = tmp_path_factory.mktemp("parts") / "lines"
    generate("restaurant", n=N, out=folder)
    return folder


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in three parts: of five, five and two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dtomtrack.runs.part_store.SLOTS_A_PART", A_PART)
        return made(tmp_path_factory.mktemp("parts") / "parts")


@pytest.fixture
def parts(reference: Path, tmp_path: Path) -> Path:
    """A copy of them."""
    return Path(shutil.copytree(reference, tmp_path / "out"))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for name in FILES for path in (folder / name).iterdir()}


# -- the same content ------------------------------------------------------------------------------------------------


def test_parts_have_the_very_records_of_json_lines(lines: Path, reference: Path) -> None:
    for name, record in (("dialogues.jsonl", Dialogue), ("questions.jsonl", Question)):
        ours, theirs = (list(read_records(folder / name, record)) for folder in (reference, lines))
        assert ours == theirs
        assert [one.model_dump_json() for one in ours] == [one.model_dump_json() for one in theirs]
        assert count_records(reference / name) == len(theirs)
    assert sorted(contents(reference)) == [f"{name}/part-0000{number}.parquet" for name in FILES for number in range(3)]
    assert not list(reference.glob("dialogues.jsonl")) + list(reference.glob("*/*.jsonl"))


def test_an_evaluation_takes_both_forms_for_one_set_of_questions(lines: Path, parts: Path, tmp_path: Path) -> None:
    assert digest_of(lines, SUITE) == digest_of(parts, SUITE)
    (theirs,) = evaluate(lines, "baseline/recency", out=tmp_path / "eval")
    assert evaluate(parts, "baseline/recency", out=tmp_path / "eval") == (theirs,)
    assert evaluate(parts, "baseline/recency") == (theirs,)


def test_commands_read_parts_as_they_read_lines(lines: Path, parts: Path, tmp_path: Path) -> None:
    exported = [export_dataset(one, "lm-eval", tmp_path / "export" / one.name).path for one in (parts, lines)]
    ours, theirs = (sorted(path.read_bytes() for path in one.rglob("*.jsonl")) for one in exported)
    assert ours == theirs != []
    assert audit_benchmark(parts).rows == audit_benchmark(lines).rows
    assert make_report(parts, audit=False).dialogues == N
    assert load(parts).to_arrow("questions").equals(load(lines).to_arrow("questions"))
    assert load(parts).to_arrow("dialogues").equals(load(lines).to_arrow("dialogues"))


def test_the_card_and_the_manifest_say_where_the_data_is(reference: Path) -> None:
    assert "path: questions/*.parquet" in (reference / "README.md").read_text(encoding="utf-8")
    manifest = json.loads((reference / "manifest.json").read_bytes())
    assert manifest["data_format"] == "parquet"
    assert sorted(manifest["files"]) == sorted(contents(reference))


def test_a_copy_without_manifest_and_progress_is_read(parts: Path, lines: Path) -> None:
    for name in ("manifest.json", "progress.jsonl"):
        (parts / name).unlink()
    assert load(parts).questions == load(lines).questions


def test_half_of_a_file_is_read_before_the_other_is_looked_at(parts: Path) -> None:
    """Parts are read one at a time: that the last is torn is found out at the last."""
    part = parts / "questions" / "part-00002.parquet"
    part.write_bytes(part.read_bytes()[:100])
    records = read_records(parts / "questions.jsonl", Question)
    slots: set[int] = set()
    with pytest.raises(DatasetError, match="part-00002"):
        slots.update(one.slot for one in records)
    for one in read_records(parts / "questions.jsonl", Question):
        slots.add(one.slot)
        if one.slot == 2 * A_PART - 1:
            break
    assert slots == set(range(2 * A_PART))


# -- runs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"engine": "processes", "workers": 2, "concurrency": 1}, {"concurrency": 1}])
def test_engines_and_concurrency_change_no_byte(reference: Path, tmp_path: Path, options: dict[str, object]) -> None:
    generate("restaurant", n=N, out=tmp_path / "out", format="parquet", **options)  # type: ignore[arg-type]
    assert contents(tmp_path / "out") == contents(reference)


@pytest.mark.parametrize("before", [3, A_PART, 8])
def test_more_slots_later_are_the_same_as_more_slots_at_once(reference: Path, tmp_path: Path, before: int) -> None:
    made(tmp_path / "out", before)
    made(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(reference)


@pytest.mark.parametrize("at", [1, A_PART - 1, A_PART, A_PART + 1, 11, N])
def test_a_run_that_was_killed_at_any_slot_ends_in_the_same_bytes(reference: Path, tmp_path: Path, at: int) -> None:
    """The folder as a kill leaves it is the folder as it is at that instant."""

    def snapshot(progress: Progress) -> None:
        if progress.done == at:
            shutil.copytree(tmp_path / "run", tmp_path / "killed")

    made(tmp_path / "run", report=snapshot)
    (tmp_path / "killed" / "questions").mkdir(exist_ok=True)
    (tmp_path / "killed" / "questions" / ".part-00002.parquet.draft-0123456789abcdef").write_bytes(b"half of a part")
    with (tmp_path / "killed" / "progress.jsonl").open("ab") as file:
        file.write(b'{"slot": 8, "half of a')
    made(tmp_path / "killed")
    assert contents(tmp_path / "killed") == contents(reference)


def test_a_kill_while_the_last_part_is_filled_up_loses_no_part(reference: Path, tmp_path: Path) -> None:
    made(tmp_path / "out", 8)

    def snapshot(progress: Progress) -> None:
        if progress.done == 9:
            shutil.copytree(tmp_path / "out", tmp_path / "killed")

    made(tmp_path / "out", report=snapshot)
    made(tmp_path / "killed")
    assert contents(tmp_path / "killed") == contents(reference)


def test_a_part_that_was_written_and_not_recorded_is_written_again(reference: Path, tmp_path: Path) -> None:
    made(tmp_path / "out", A_PART)
    for name in FILES:
        shutil.copy(reference / name / "part-00001.parquet", tmp_path / "out" / name)
    made(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(reference)


def test_a_run_that_is_interrupted_keeps_what_it_has(reference: Path, tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.done == 7:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        made(tmp_path / "out", report=stop)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert (manifest["status"], manifest["counts"]["dialogues"]) == ("interrupted", 7)
    made(tmp_path / "out")
    assert contents(tmp_path / "out") == contents(reference)


def test_a_run_begun_as_lines_that_came_to_nothing_may_go_on_as_parts(reference: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    generate("restaurant", n=1, out=out)
    manifest = json.loads((out / "manifest.json").read_bytes())
    (out / "manifest.json").write_text(json.dumps(manifest | {"status": "interrupted", "counts": {}, "files": {}}))
    for lines in out.glob("*.jsonl"):
        lines.write_bytes(b"")
    assert contents(made(out)) == contents(reference)
    assert {path.name for path in out.glob("*.jsonl")} == {"progress.jsonl"}
    assert len(load(out).dialogues) == N


def test_a_part_is_closed_at_many_bytes_too(lines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtomtrack.runs.part_store.BYTES_A_PART", 30_000)
    made(tmp_path / "out", 7)
    made(tmp_path / "out")
    made(tmp_path / "at once")
    assert len(list((tmp_path / "out" / "dialogues").iterdir())) > 3
    assert contents(tmp_path / "out") == contents(tmp_path / "at once")
    assert load(tmp_path / "out").dialogues == load(lines).dialogues


def test_a_folder_of_the_other_form_is_refused(lines: Path, parts: Path) -> None:
    with pytest.raises(DatasetError, match="holds data files as jsonl, not as parquet"):
        made(lines)
    with pytest.raises(DatasetError, match="holds data files as parquet, not as jsonl"):
        generate("restaurant", n=N, out=parts)


def test_slots_that_stayed_empty_get_more_attempts(reference: Path, tmp_path: Path) -> None:
    written = read_records(reference / "dialogues.jsonl", Dialogue)
    plans = [one.scenario for one in written]
    # no mind changes twice at a turn
    once = [plan for plan in plans if len({update.topic for update in plan.updates}) == len(plan.updates)]
    scenario = max(once, key=lambda plan: len(plan.updates))
    early = (update.model_copy(update={"turn": 4 + update.turn % 2}) for update in scenario.updates)
    full = scenario.model_copy(update={"updates": tuple(early)})

    def again(out: Path, attempts: int) -> object:
        manifest = generate(
            "restaurant", n=6, out=out, turns=6, max_attempts=attempts, scenarios=[full], format="parquet"
        )
        return manifest.counts.unfilled

    assert again(tmp_path / "out", 1) == again(tmp_path / "out", 2) == again(tmp_path / "at once", 2) == 1
    assert contents(tmp_path / "out") == contents(tmp_path / "at once")
    assert len(load(tmp_path / "out" / "with-1-attempts").dialogues) == 5


# -- parts that are not what was made --------------------------------------------------------------------------------


def tear(part: Path, other: Path) -> None:
    part.write_bytes(part.read_bytes()[:-50])


def spoil(part: Path, other: Path) -> None:
    content = part.read_bytes()
    part.write_bytes(content[:200] + bytes(400) + content[600:])


def take(part: Path, other: Path) -> None:
    part.unlink()


def swap(part: Path, other: Path) -> None:
    shutil.copy(other / part.parent.name / part.name, part)


def rewrite(part: Path, other: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(pq.read_table(part).slice(1), part)


def strip(part: Path, other: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(pq.read_table(part).replace_schema_metadata({}), part)


def shift(part: Path, other: Path) -> None:
    shutil.copy(part.with_name("part-00000.parquet"), part)


DAMAGE = {
    "torn": (tear, "is torn or damaged"),
    "spoilt": (spoil, r"is torn or damaged|was edited"),
    "missing": (take, r"is missing|can't be read"),
    "of another run": (swap, "is of another run"),
    "edited": (rewrite, "was edited since it was made"),
    "without notes": (strip, "is no part of a dataset"),
    "in another's place": (shift, "was edited since it was made"),
}


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with another seed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dtomtrack.runs.part_store.SLOTS_A_PART", A_PART)
        return made(tmp_path_factory.mktemp("parts") / "other", seed=7)


@pytest.mark.parametrize("name", ["dialogues", "questions"])
@pytest.mark.parametrize("kind", DAMAGE)
def test_a_part_that_was_not_made_so_is_told_in_a_sentence_and_nothing_is_lost(
    parts: Path, other: Path, kind: str, name: str
) -> None:
    damage, reason = DAMAGE[kind]
    part = parts / name / "part-00001.parquet"
    damage(part, other)
    before = contents(parts)
    for command in (
        lambda: made(parts),
        lambda: made(parts, N + 5),
        lambda: evaluate(parts, "baseline/longest"),
        lambda: audit_benchmark(parts),
        lambda: export_dataset(parts, "parquet"),
        lambda: make_report(parts, audit=False),
        lambda: load(parts),
    ):
        with pytest.raises(DatasetError, match=reason) as caught:
            command()
        assert str(part) in str(caught.value)
        assert "put" in str(caught.value)
        assert "\n" not in str(caught.value)
    assert contents(parts) == before


@pytest.mark.parametrize("kind", [*DAMAGE])
def test_a_copy_without_manifest_is_looked_at_part_by_part(parts: Path, other: Path, kind: str) -> None:
    for name in ("manifest.json", "progress.jsonl"):
        (parts / name).unlink()
    part = parts / "questions" / "part-00001.parquet"
    DAMAGE[kind][0](part, other)
    with pytest.raises(DatasetError, match=r"part-00001|row \d+"):
        list(load(parts).items)


def test_a_part_too_many_is_none_of_the_dataset(parts: Path, other: Path) -> None:
    shutil.copy(other / "questions" / "part-00001.parquet", parts / "questions" / "part-00003.parquet")
    with pytest.raises(DatasetError, match=r"part-00003\.parquet: is of another run"):
        list(load(parts).items)


@pytest.mark.parametrize("n", [N, N + 5])
def test_a_run_does_not_go_on_beside_a_part_that_it_did_not_write(parts: Path, other: Path, n: int) -> None:
    stranger = parts / "questions" / "part-00003.parquet"
    for source in (other / "questions" / "part-00001.parquet", parts / "questions" / "part-00001.parquet"):
        shutil.copy(source, stranger)
        before = contents(parts)
        with pytest.raises(DatasetError, match=r"part-00003\.parquet: is no part that this run wrote; move it"):
            made(parts, n)
        assert contents(parts) == before
    stranger.unlink()
    made(parts, n)


def test_a_dataset_of_json_lines_is_not_read_from_parts_that_lie_beside_it(
    lines: Path, other: Path, tmp_path: Path
) -> None:
    both = Path(shutil.copytree(lines, tmp_path / "both"))
    before = {path.name: path.read_bytes() for path in both.glob("*.jsonl")}
    shutil.copytree(other / "questions", both / "questions")
    told = r"both/questions: holds parts of questions\.jsonl, which is there, too; move one of them away"
    for use in (
        lambda: evaluate(both, "baseline/random"),
        lambda: list(load(both).items),
        lambda: audit_benchmark(both),
    ):
        with pytest.raises(DatasetError, match=told):
            use()
    with pytest.raises(DatasetError, match="both/questions: holds parts"):
        generate("restaurant", n=N + 2, out=both)
    assert {path.name: path.read_bytes() for path in both.glob("*.jsonl")} == before


def test_a_part_that_a_killed_run_had_just_written_is_written_again_or_removed(
    parts: Path, reference: Path, tmp_path: Path
) -> None:
    lines = (parts / "progress.jsonl").read_bytes().split(b"\n")
    (parts / "progress.jsonl").write_bytes(lines[0] + b"\n")
    manifest = json.loads((parts / "manifest.json").read_bytes())
    manifest |= {
        "status": "running",
        "counts": json.loads(lines[0])["counts"],
        "files": json.loads(lines[0])["digests"],
    }
    (parts / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    fewer = Path(shutil.copytree(parts, tmp_path / "fewer"))
    assert contents(made(parts)) == contents(reference)
    assert contents(made(fewer, A_PART)) == contents(made(tmp_path / "at once", A_PART))


@pytest.mark.parametrize("name", ["dialogues", "questions"])
def test_that_all_parts_of_a_file_are_gone_is_told_in_a_sentence(parts: Path, name: str) -> None:
    shutil.rmtree(parts / name)
    for command in (
        lambda: made(parts),
        lambda: made(parts, N + 5),
        lambda: audit_benchmark(parts),
        lambda: make_report(parts, audit=False),
        lambda: load(parts),
    ):
        with pytest.raises(DatasetError, match="is missing; put back the folder with all parts") as caught:
            command()
        assert str(caught.value).startswith(f"{parts / name}: ")
        assert not (parts / name).exists()


def test_a_row_that_is_no_record_is_named(parts: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for name in ("manifest.json", "progress.jsonl"):
        (parts / name).unlink()
    part = parts / "questions" / "part-00001.parquet"
    table = pq.read_table(part)
    place = table.schema.get_field_index("answer")
    answers = ["Z", *table.column("answer").to_pylist()[1:]]
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(answers)), part)
    with pytest.raises(DatasetError, match=r"questions: row \d+: .*answer is Z"):
        list(load(parts).items)


def test_a_part_that_unpacks_to_far_more_than_a_run_writes_is_not_read(
    parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dtomtrack.runs.parts.MOST_ROWS", 10)
    with pytest.raises(DatasetError, match=r"part-00000\.parquet: unpacks to more than any part that a run writes"):
        list(load(parts).items)


# -- bad input -------------------------------------------------------------------------------------------------------


def test_a_format_that_there_is_none_of_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="format is 'parket'; it has to be one of 'jsonl', 'parquet'"):
        generate("restaurant", n=1, out=tmp_path / "out", format="parket")  # type: ignore[arg-type]
    done = run("generate", "--n", "1", "--format", "parket", "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "Invalid value for '--format': 'parket' is not one of 'jsonl', 'parquet'" in done.stderr
    assert not (tmp_path / "out").exists()


def test_other_suites_say_that_they_have_no_use_for_it(tmp_path: Path) -> None:
    done = run("generate", "--suite", "rectom", "--format", "parquet", "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "--format: is for dialogues of dtom" in done.stderr


def test_without_pyarrow_the_extra_is_named(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'dtomtrack\[parquet\]'"):
        made(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(InputError, match=r"pip install 'dtomtrack\[parquet\]'"):
        list(load(reference).items)


# -- dialogues from anywhere -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["lines", "reference"])
def test_drawn_dialogues_come_with_all_their_questions(form: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(form)
    drawn = list(SUITE.drawn_dialogues(folder, 6))
    whole = {one.id: one for one in SUITE.dialogues(folder, N)}
    assert len(drawn) == 6
    assert [whole[one.id] for one in drawn] == drawn
    assert [one.id for one in drawn] == sorted(one.id for one in drawn) != sorted(whole)[:6]
    assert [one.id for one in SUITE.drawn_dialogues(folder, 2 * N)] == list(whole)


def test_drawn_dialogues_are_the_same_in_both_forms_and_each_time(lines: Path, reference: Path) -> None:
    assert list(SUITE.drawn_dialogues(lines, 5)) == list(SUITE.drawn_dialogues(reference, 5))


def test_rows_are_found_whatever_the_order_of_fields(lines: Path, reference: Path, tmp_path: Path) -> None:
    wanted = {3, 11}
    found = rows_with(lines / "questions.jsonl", "slot", wanted)
    assert found == rows_with(reference / "questions.jsonl", "slot", wanted)
    texts = (lines / "questions.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    sorted_keys = (json.dumps(dict(reversed(json.loads(text).items()))) + "\n" for text in texts)
    (tmp_path / "questions.jsonl").write_text("".join(sorted_keys), encoding="utf-8")
    assert rows_with(tmp_path / "questions.jsonl", "slot", wanted) == found
    (tmp_path / "questions.jsonl").write_text("no JSON\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"questions\.jsonl:1: is no JSON"):
        rows_with(tmp_path / "questions.jsonl", "slot", wanted)
