"""A run's promises: the same bytes whatever happens, nothing lost, nothing twice."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import run
from killed_runs import never_ended

from dtomtrack.api import agenerate, dialogues, generate
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.library import evaluate, make_report
from dtomtrack.runs.edited import EditedDatasetWarning
from dtomtrack.runs.folder import open_dataset
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.locks import writing
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.run import Progress

FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of twenty slots."""
    folder = tmp_path_factory.mktemp("run") / "reference"
    assert generate("restaurant", n=20, out=folder, concurrency=1).status == "complete"
    return folder


@pytest.mark.parametrize(("workers", "concurrency"), [(1, 64), (3, 1)])
async def test_neither_workers_nor_concurrency_change_a_byte(
    reference: Path, tmp_path: Path, workers: int, concurrency: int
) -> None:
    await agenerate("restaurant", n=20, out=tmp_path / "out", workers=workers, concurrency=concurrency)
    assert contents(tmp_path / "out") == contents(reference)


def test_another_seed_gives_other_dialogues(reference: Path, tmp_path: Path) -> None:
    generate("restaurant", n=20, seed=1, out=tmp_path / "out")
    ours = {line["turns"][0]["utterance"] for line in _json_lines(tmp_path / "out" / "dialogues.jsonl")}
    theirs = {line["turns"][0]["utterance"] for line in _json_lines(reference / "dialogues.jsonl")}
    assert len(ours & theirs) < 5


def _json_lines(path: Path) -> list[dict[str, list[dict[str, str]]]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_more_slots_later_are_the_same_as_more_slots_at_once(reference: Path, tmp_path: Path) -> None:
    generate("restaurant", n=7, out=tmp_path / "out")
    manifest = generate("restaurant", n=20, out=tmp_path / "out")
    assert contents(tmp_path / "out") == contents(reference)
    assert manifest.sessions == 2
    assert manifest.counts.dialogues == 20


def test_every_line_validates_and_every_question_has_its_dialogue(reference: Path) -> None:
    turns = {one.id: len(one.turns) for one in read_lines(reference / "dialogues.jsonl", Dialogue)}
    assert len(turns) == 20
    questions = list(read_lines(reference / "questions.jsonl", Question))
    assert len({question.id for question in questions}) == len(questions) >= 200
    for question in questions:
        assert all(0 <= turn < turns[question.dialogue_id] for turn in question.evidence)
    list(read_lines(reference / "rejected.jsonl", Rejection))


def test_times_stand_in_the_manifest_alone(reference: Path) -> None:
    manifest = Manifest.model_validate_json((reference / "manifest.json").read_bytes())
    assert manifest.seconds > 0
    assert manifest.started[:4].encode() not in b"".join(contents(reference).values())


def test_the_card_opens_with_front_matter_and_says_who_wrote_it(reference: Path) -> None:
    card = (reference / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\npretty_name:")
    assert "path: questions.jsonl" in card
    assert "No language model wrote any of it" in card


def test_a_finished_run_is_left_as_it_is(reference: Path) -> None:
    before = (reference / "manifest.json").read_bytes()
    assert generate("restaurant", n=20, out=reference).status == "complete"
    assert (reference / "manifest.json").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 5}, "holds another run (seed 0 there, 5 here)"),
        ({"turns": 12}, "holds another run (turns 10 there, 12 here)"),
        ({"difficulty": "group"}, "holds another run (difficulty paper there, group here)"),
        ({"difficulty": "apart", "seed": 5}, "holds another run (difficulty paper there, apart here)"),
        ({"domains": "travel"}, "holds another run (domains restaurant there, travel here)"),
        ({"n": 3}, "holds 20 slots, more than 3"),
    ],
)
def test_a_folder_of_another_run_is_refused(reference: Path, change: dict[str, object], message: str) -> None:
    before = contents(reference)
    order: dict[str, object] = {"domains": "restaurant", "n": 20, "out": reference} | change
    with pytest.raises(DatasetError) as caught:
        generate(**order)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert contents(reference) == before


def just_before_the_lock(monkeypatch: pytest.MonkeyPatch, module: str, happens: Callable[[], object]) -> None:
    """Have something happen when a module has looked at a folder and goes on to lock it, once."""

    @contextmanager
    def later(folder: Path) -> Iterator[None]:
        monkeypatch.undo()
        happens()
        with writing(folder):
            yield

    monkeypatch.setattr(f"dtomtrack.runs.{module}.writing", later)


def test_a_folder_that_another_run_fills_at_that_moment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    just_before_the_lock(monkeypatch, "run_folder", lambda: run("generate", "--n", "2", "--seed", "1", "--out", out))
    with pytest.raises(DatasetError, match=r"holds another run \(seed 1 there, 0 here\)"):
        generate("restaurant", n=4, out=out)
    assert generate("restaurant", n=2, seed=1, out=out).counts.dialogues == 2


def test_whoever_writes_into_a_dataset_has_the_manifest_that_is_there_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    generate("restaurant", n=1, out=out)
    just_before_the_lock(monkeypatch, "folder", lambda: generate("restaurant", n=2, out=out))
    with open_dataset(out, to="write") as manifest:
        assert manifest.counts.dialogues == 2


def test_a_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    generate("restaurant", n=1, out=tmp_path / "out")
    file = tmp_path / "out" / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(manifest | {"dtomtrack_version": "99.0"}), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"made by dtomtrack 99\.0"):
        generate("restaurant", n=1, out=tmp_path / "out")


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"holds 'thesis\.tex'"):
        generate("restaurant", n=1, out=tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("lost", ["questions.jsonl", "progress.jsonl"])
def test_a_dataset_with_lines_missing_is_left_alone(tmp_path: Path, lost: str) -> None:
    generate("restaurant", n=9, out=tmp_path / "out")
    file = tmp_path / "out" / lost
    file.write_bytes(file.read_bytes()[:2_000])
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    for n in (9, 20):
        with pytest.raises(DatasetError, match=rf"{lost}: was edited, damaged or cut: of the 9 slots .* only \d are"):
            generate("restaurant", n=n, out=tmp_path / "out")
    assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


@pytest.mark.parametrize("lost", ["dialogues.jsonl", "questions.jsonl", "progress.jsonl"])
def test_a_file_that_is_missing_is_named_and_not_made_anew(reference: Path, tmp_path: Path, lost: str) -> None:
    out = Path(shutil.copytree(reference, tmp_path / "out"))
    (out / lost).unlink()
    before = {path: path.read_bytes() for path in out.iterdir()}
    for n in (2, 20, 30):
        with pytest.raises(DatasetError, match=rf"{lost}: is missing, .* 20 slots; put it back or choose another"):
            generate("restaurant", n=n, out=out)
    assert {path: path.read_bytes() for path in out.iterdir()} == before


@pytest.mark.parametrize(("n", "said"), [(2, "holds 20 slots, more than 2"), (20, "questions.jsonl: was edited")])
def test_a_run_that_is_refused_makes_no_file(reference: Path, tmp_path: Path, n: int, said: str) -> None:
    out = Path(shutil.copytree(reference, tmp_path / "out"))
    # nothing was rejected: a run that goes on makes it again
    (out / "rejected.jsonl").unlink()
    if n == 20:
        (out / "questions.jsonl").write_bytes(b"{}\n")
    before = {path: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(DatasetError, match=said):
        generate("restaurant", n=n, out=out)
    assert {path: path.read_bytes() for path in out.iterdir()} == before


def test_what_somebody_added_to_a_finished_dataset_is_not_cut_off(tmp_path: Path) -> None:
    generate("restaurant", n=2, out=tmp_path / "out")
    with (tmp_path / "out" / "questions.jsonl").open("ab") as file:
        file.write(b"{}\n")
    with pytest.warns(EditedDatasetWarning, match=r"edited since it was made \(questions\.jsonl\)"):
        generate("restaurant", n=2, out=tmp_path / "out")
    assert (tmp_path / "out" / "questions.jsonl").read_bytes().endswith(b"\n{}\n")


def test_a_manifest_that_is_no_text_is_named(tmp_path: Path) -> None:
    generate("restaurant", n=1, out=tmp_path / "out")
    (tmp_path / "out" / "manifest.json").write_bytes(b"\xff\xfe{")
    with pytest.raises(DatasetError, match=r"manifest\.json: is not UTF-8 text"):
        generate("restaurant", n=1, out=tmp_path / "out")


def test_a_link_to_nowhere_and_a_pipe_are_named(tmp_path: Path) -> None:
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "dialogues.jsonl").symlink_to(tmp_path / "nowhere")
    with pytest.raises(DatasetError, match=r"holds 'dialogues\.jsonl'"):
        generate("restaurant", n=1, out=tmp_path / "linked")
    (tmp_path / "piped").mkdir()
    os.mkfifo(tmp_path / "piped" / "progress.jsonl")
    with pytest.raises(DatasetError, match=r"progress\.jsonl: is not an ordinary file"):
        generate("restaurant", n=1, out=tmp_path / "piped")


@pytest.mark.parametrize("beneath", [".", "sub"])
def test_an_out_that_is_a_link_to_nowhere_is_named(tmp_path: Path, beneath: str) -> None:
    generate("restaurant", n=1, out=tmp_path / "data")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    out = tmp_path / "link" / beneath
    for write in (
        lambda: generate("restaurant", n=1, out=out),
        lambda: evaluate(tmp_path / "data", "baseline/random", out=out),
        lambda: make_report(tmp_path / "data", out=out, audit=False),
    ):
        with pytest.raises(DatasetError, match="link: is a link to nowhere; make the folder that it leads to"):
            write()
    assert not (tmp_path / "nowhere").exists()


def test_a_damaged_progress_line_is_named(tmp_path: Path) -> None:
    generate("restaurant", n=3, out=tmp_path / "out")
    progress = tmp_path / "out" / "progress.jsonl"
    lines = progress.read_bytes().split(b"\n")
    progress.write_bytes(b"\n".join([lines[0], b'{"slot": 1}', *lines[2:]]))
    with pytest.raises(DatasetError, match=r"progress\.jsonl:2: is damaged"):
        generate("restaurant", n=5, out=tmp_path / "out")


@pytest.mark.parametrize("torn", ["dialogues.jsonl", "questions.jsonl", "rejected.jsonl", "progress.jsonl"])
def test_half_a_line_at_the_end_of_any_file_is_mended(reference: Path, tmp_path: Path, torn: str) -> None:
    generate("restaurant", n=9, out=tmp_path / "out")
    never_ended(tmp_path / "out")
    with (tmp_path / "out" / torn).open("ab") as file:
        file.write(b'{"slot": 9, "half of a')
    generate("restaurant", n=20, out=tmp_path / "out")
    assert contents(tmp_path / "out") == contents(reference)


def test_lines_without_their_progress_are_written_again(reference: Path, tmp_path: Path) -> None:
    generate("restaurant", n=9, out=tmp_path / "out")
    never_ended(tmp_path / "out")
    for name in FILES:
        shutil.copy(reference / name, tmp_path / "out" / name)
    generate("restaurant", n=20, out=tmp_path / "out")
    assert contents(tmp_path / "out") == contents(reference)


def test_counts_add_up_over_sessions(reference: Path) -> None:
    manifest = Manifest.model_validate_json((reference / "manifest.json").read_bytes())
    questions = list(read_lines(reference / "questions.jsonl", Question))
    assert manifest.counts.questions == len(questions)
    groups = manifest.counts.groups
    assert sum(groups["type"].values()) == sum(groups["mental_state"].values()) == len(questions)
    assert manifest.counts.dialogues + manifest.counts.unfilled == manifest.n == 20


def test_progress_is_reported_slot_by_slot(tmp_path: Path) -> None:
    seen: list[Progress] = []
    generate("restaurant", n=5, out=tmp_path / "out", report=seen.append)
    assert [(progress.done, progress.wanted) for progress in seen] == [(done, 5) for done in range(1, 6)]


async def test_dialogues_come_one_at_a_time_and_are_those_of_the_folder(reference: Path) -> None:
    first = [one async for one in dialogues("restaurant", n=3)]
    written = list(read_lines(reference / "dialogues.jsonl", Dialogue))[:3]
    assert [one.dialogue for one in first] == written
    assert all(one.questions for one in first)


def test_domains_take_turns(tmp_path: Path) -> None:
    generate(["restaurant", "travel"], n=6, out=tmp_path / "out")
    domains = [dialogue.domain for dialogue in read_lines(tmp_path / "out" / "dialogues.jsonl", Dialogue)]
    assert domains == ["restaurant", "travel"] * 3


def test_slots_that_stay_empty_are_counted_and_named(restaurant_scenario_without_room: object, tmp_path: Path) -> None:
    manifest = generate(
        "restaurant",
        n=2,
        out=tmp_path / "out",
        turns=6,
        max_attempts=2,
        scenarios=[restaurant_scenario_without_room],  # type: ignore[list-item]
    )
    assert manifest.status == "incomplete"
    assert (manifest.counts.dialogues, manifest.counts.unfilled) == (1, 1)
    rejected = list(read_lines(tmp_path / "out" / "rejected.jsonl", Rejection))
    assert [one.stage for one in rejected] == ["scenario", "scenario", "slot"]
    assert "no room in 6 turns" in rejected[0].detail


@pytest.fixture
def restaurant_scenario_without_room(reference: Path) -> object:
    """A scenario of ten turns with three changes, all in the last two of six."""
    written = read_lines(reference / "dialogues.jsonl", Dialogue)
    scenario = next(one.scenario for one in written if len({update.topic for update in one.scenario.updates}) == 3)
    early = (update.model_copy(update={"turn": 4 + update.turn % 2}) for update in scenario.updates)
    return scenario.model_copy(update={"updates": tuple(early)})


@pytest.mark.parametrize(
    ("field", "value"), [("n", 0), ("turns", 5), ("turns", 401), ("workers", 0), ("max_attempts", 0)]
)
def test_numbers_out_of_range_are_refused(tmp_path: Path, field: str, value: int) -> None:
    order: dict[str, object] = {"n": 1, "out": tmp_path / "out", field: value}
    with pytest.raises(InputError, match=f"is {value}; it has to be"):
        generate("restaurant", **order)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


def test_lines_are_split_at_line_feeds_only(tmp_path: Path) -> None:
    generate("restaurant", n=1, out=tmp_path / "out")
    dialogue = next(read_lines(tmp_path / "out" / "dialogues.jsonl", Dialogue))
    odd = dialogue.turns[0].model_copy(update={"utterance": "one\u2028two\u0085three\u2029four"})
    again = dialogue.model_copy(update={"turns": (odd, *dialogue.turns[1:])})
    (tmp_path / "odd.jsonl").write_text(again.model_dump_json() + "\n", encoding="utf-8")
    assert list(read_lines(tmp_path / "odd.jsonl", Dialogue)) == [again]


def test_a_line_that_is_no_record_is_named_by_its_number(reference: Path, tmp_path: Path) -> None:
    lines = (reference / "questions.jsonl").read_bytes().split(b"\n")
    (tmp_path / "bad.jsonl").write_bytes(lines[0] + b"\n" + lines[1].replace(b'"answer":', b'"anwser":') + b"\n")
    with pytest.raises(DatasetError, match=r"bad\.jsonl:2: answer: "):
        list(read_lines(tmp_path / "bad.jsonl", Question))


def test_a_scenario_that_does_not_hang_together_is_refused_before_anything_is_written(
    reference: Path, tmp_path: Path
) -> None:
    scenario = next(read_lines(reference / "dialogues.jsonl", Dialogue)).scenario
    odd = scenario.model_copy(update={"situation": "nowhere"})
    with pytest.raises(InputError, match="scenario 1: situation 'nowhere' is not in the pack"):
        generate("restaurant", n=2, out=tmp_path / "out", scenarios=[scenario, odd])
    late = scenario.updates[-1].model_copy(update={"turn": 20})
    long = scenario.model_copy(update={"updates": (*scenario.updates[:-1], late)})
    with pytest.raises(InputError, match="scenario 1: update at turn 20: in 12 turns the last is turn 11; ask for tur"):
        generate("restaurant", n=2, out=tmp_path / "out", turns=12, scenarios=[scenario, long])
    with pytest.raises(InputError, match="2 scenarios are given, and n is 1"):
        generate("restaurant", n=1, out=tmp_path / "out", scenarios=[scenario, scenario])
    with pytest.raises(InputError, match="are of one domain; 2 are given"):
        generate(["restaurant", "travel"], n=2, out=tmp_path / "out", scenarios=[scenario])
    assert not (tmp_path / "out").exists()
