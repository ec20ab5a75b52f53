"""Imported benchmarks: what is written, that bad input writes nothing, and the way through every command."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from commands import run
from examinee import MODEL, asked_question, prompt_of
from loopback import Answer, Loopback, Request, completion

from dtomtrack import DtomtrackError, import_items
from dtomtrack.errors import InputError
from dtomtrack.evaluation.records import Metrics
from dtomtrack.items.foreign import MappingOptions
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.reading import items_of
from dtomtrack.suites.items.records import ContextRecord, ItemLine, RejectedLine
from dtomtrack.suites.items.writing import write_items

LABELS = ["ask", "answer", "greet", "thank", "refuse", "accept", "explain", "suggest", "recall", "other"]
MAP = "question=ask,options=choices,gold=key,context=dialogue,cluster=dialogue_id:0,group=kind,turn=dialogue_id:1,id=id"
Fields = dict[str, object]


def talks(count: int = 20) -> list[Fields]:
    """Questions on growing beginnings of talks, ten labels each, one to three of them right."""
    random = Random(0)
    records: list[Fields] = []
    for talk in range(count):
        lines = [f"{('SEEKER', 'GUIDE')[line % 2]} says: this is line {line} of talk {talk}" for line in range(8)]
        for shown in (2, 4, 8, 6):
            right = random.sample(range(10), random.choice((1, 1, 2, 3)))
            records.append(
                {
                    "id": f"{talk}.{shown}",
                    "dialogue_id": f"{talk}-{shown}",
                    "dialogue": "\n".join(lines[:shown]),
                    "ask": f"What is meant in line {shown - 1} of talk {talk}?",
                    "choices": [f"{'abcdefghij'[number]}) {label}" for number, label in enumerate(LABELS)],
                    "key": ["ABCDEFGHIJ"[number] for number in right],
                    "kind": ("early", "late")[shown > 4],
                }
            )
    return records


def written(records: list[Fields], path: Path) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def test_contexts_are_stored_once(tmp_path: Path) -> None:
    manifest = import_items(written(talks(), tmp_path / "talks.jsonl"), tmp_path / "out", MAP)
    contexts = list(read_lines(tmp_path / "out" / "dialogues.jsonl", ContextRecord))
    lines = list(read_lines(tmp_path / "out" / "questions.jsonl", ItemLine))
    assert [(one.id, len(one.lines)) for one in contexts] == [(str(talk), 8) for talk in range(20)]
    assert contexts[3].lines[1].model_dump() == {"speaker": "GUIDE", "text": "this is line 1 of talk 3"}
    assert [one.context.lines for one in lines[:4] if one.context is not None] == [2, 4, 8, 6]
    assert lines[0].options == dict(zip("ABCDEFGHIJ", LABELS, strict=True))
    assert (lines[0].cluster, lines[0].groups, lines[0].turn, lines[0].select) == ("0", {"type": "early"}, 2, "any")
    assert (manifest.suite, manifest.format_version, manifest.status) == ("items", 2, "complete")
    assert (manifest.counts.dialogues, manifest.counts.questions, manifest.counts.totals) == (20, 80, {"clusters": 20})
    assert manifest.counts.groups == {"type": {"early": 40, "late": 40}}
    assert manifest.config["mapping"] == MAP
    assert Manifest.model_validate_json((tmp_path / "out" / "manifest.json").read_bytes()) == manifest


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    file = written(talks(), tmp_path / "talks.jsonl")
    for name in ("one", "two"):
        done = run("import", "items", file, "--map", MAP, "--out", tmp_path / name)
        assert (done.returncode, done.stderr) == (0, "")
    for name in ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "talks.jsonl", "two"]


def test_what_is_wrong_is_counted_and_named(tmp_path: Path) -> None:
    records = talks(10)
    records[1]["choices"] = ["only one"]
    records[2]["choices"] = [f"option {number}" for number in range(27)]
    records[3]["key"] = ["Z"]
    records[4]["choices"] = ["same", " same", "other"]
    records[4]["key"] = ["A"]
    records[5]["ask"] = " "
    records[6]["choices"] = ["AA", "Aa", "aa"]
    records[6]["key"] = ["A"]
    records.append({**records[0], "id": "again"})
    file = written(records, tmp_path / "talks.jsonl")
    done = run("import", "items", file, "--map", MAP.replace("dialogue_id:0", "id"), "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    rejected = list(read_lines(tmp_path / "out" / "rejected.jsonl", RejectedLine))
    assert [(one.file, one.place, one.reason) for one in rejected] == [
        ("talks.jsonl", "line 2", "fewer than two options"),
        ("talks.jsonl", "line 3", "more than 26 options"),
        ("talks.jsonl", "line 4", "gold that is no option"),
    ]
    assert "no item: more than 26 options: 1" in done.stdout
    assert "problem: options that are the same: 1 (1.2 at talks.jsonl:5)" in done.stdout
    assert "problem: empty questions: 1 (1.4 at talks.jsonl:6)" in done.stdout
    assert "note: every item has a cluster of its own" in done.stdout
    assert "note: one item has options that differ in nothing but case" in " ".join(done.stdout.split())
    manifest = Manifest.model_validate_json((tmp_path / "out" / "manifest.json").read_bytes())
    assert manifest.counts.rejected_questions == {one.reason: 1 for one in rejected}
    notes = manifest.config["notes"]
    assert isinstance(notes, list)
    assert any("cluster of its own" in str(one) for one in notes)


def test_items_come_back_as_they_were_written(tmp_path: Path) -> None:
    class Lines:
        def __init__(self, *lines: ContextLine) -> None:
            self.lines = lines

        def text(self, condition: str) -> str:
            return condition

    first, second, other = ContextLine("Ada", "Hi."), ContextLine("", "It \u2028 rains."), ContextLine("Ada", "Bye.")
    options, roles = tuple(f"option {number}" for number in range(26)), tuple(f"role {number}" for number in range(26))
    given = [
        Item("q1", "talk", "Who?", options, frozenset({0, 25}), "any", {"type": "t"}, {"pair": "1"}, roles, 3, None),
        Item("q2", "talk", "Who?", ("a", "b"), frozenset({1}), context=Lines(first)),
        Item("q3", "talk", "Who?", ("a", "b"), frozenset({1}), context=Lines(first, second)),
        Item("q4", "talk", "Who?", ("a", "b"), frozenset({1}), context=Lines(first, other)),
    ]
    made = write_items(tmp_path, lambda: given)
    assert (made.items, made.contexts, made.clusters) == (4, 2, {"talk"})
    back = list(items_of(tmp_path))
    assert back[0] == given[0]
    contexts = [one.context.lines for one in back if one.context is not None]
    assert contexts == [(first,), (first, second), (first, other)]
    assert back[2].context is not None
    assert back[2].context.text("context").endswith('"Ada": "Hi."\n"It \\u2028 rains."')
    assert "Hi." not in back[2].context.text("none")


def test_items_of_the_same_id_are_refused_before_anybody_pays_for_answers(tmp_path: Path) -> None:
    given = [Item("q1", talk, "Who?", ("a", "b"), frozenset({1})) for talk in ("one", "other")]
    with pytest.raises(InputError, match=r"^two items have the id 'q1'; "):
        write_items(tmp_path, lambda: given)


def test_the_first_clusters_wherever_they_stand(tmp_path: Path) -> None:
    records = [record for shown in range(4) for record in talks(5)[shown::4]]
    import_items(written(records, tmp_path / "talks.jsonl"), tmp_path / "out", MAP)
    assert [one.cluster for one in items_of(tmp_path / "out", 2)] == ["0", "1"] * 4


# -- through the commands --------------------------------------------------------------------------------------------


def oracle(records: list[Fields]) -> dict[str, str]:
    """By question, a reply as models give them."""
    return {str(one["ask"]): f"The answer is {', '.join(map(str, one['key']))}." for one in records}  # type: ignore[call-overload]


def test_an_imported_benchmark_goes_through_every_command(tmp_path: Path) -> None:
    records = talks()
    file, out = written(records, tmp_path / "talks.jsonl"), tmp_path / "out"
    assert run("import", "items", file, "--map", MAP, "--out", out).returncode == 0
    audited = run("audit", out, "--overall", "--rows", "3")
    assert (audited.returncode, audited.stderr) == (0, "")
    assert "80 items in 20 clusters; golds are written as: letter; to be selected: any" in audited.stdout
    replies = oracle(records)

    def answer(request: Request) -> Answer:
        assert "this is line 0 of talk" in prompt_of(request)
        assert "One or several of the options are right" in prompt_of(request)
        return completion(replies[asked_question(request)])

    with Loopback(answer) as server:
        models = ("--model", "baseline/random", "--model", "baseline/frequent-gold", "--model", MODEL)
        done = run("evaluate", out, *models, "--mode", "text", "--base-url", server.base_url)
        assert done.returncode == 0, done.stderr
        assert server.count == 80
    found = {path.name: metrics_in(path) for path in (out / "eval").iterdir()}
    assert found["vllm_examinee"].micro.accuracy.value == 1.0
    random, frequent = found["baseline_random"].micro, found["baseline_frequent-gold"].micro
    assert random.accuracy.value is not None
    assert random.accuracy.value < 0.1
    assert frequent.items == 80
    assert [one.name for one in found["vllm_examinee"].groups["type"]] == ["early", "late"]
    before = (out / "eval" / "vllm_examinee" / "answers.jsonl").read_bytes()
    again = run("rescore", out)
    assert again.returncode == 0, again.stderr
    assert (out / "eval" / "vllm_examinee" / "answers.jsonl").read_bytes() == before
    reported = run("report", out)
    assert reported.returncode == 0, reported.stderr
    assert "this is line 7" not in (out / "report" / "report.html").read_text(encoding="utf-8")[:2000]
    for form in ("lm-eval", "parquet", "huggingface", "inspect"):
        exported = run("export", out, "--to", form)
        assert exported.returncode == 0, exported.stderr


def metrics_in(path: Path) -> Metrics:
    return Metrics.model_validate_json((path / "metrics.json").read_bytes())


# -- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "mapping", "said"),
    [
        ("", MAP, "talks.jsonl: holds no items"),
        ('{"ask": "?"}\n{"ask": ', MAP, "talks.jsonl:2: is no JSON"),
        ('{"ask": "?", "options": ["a", "b"], "answer": "A"}', "question=asked", "no record has a field 'asked'"),
        (
            '{"question": "?", "options": ["a"], "answer": "A"}',
            "",
            "talks.jsonl: line 1: fewer than two options, and no other",
        ),
        ('{"question": "?", "options": ["a", "b"], "answer": "E"}', "", "talks.jsonl:1: the gold 'E' in 'answer'"),
        (
            json.dumps({"question": "?", "options": [str(number) for number in range(27)], "answer": "A"}),
            "",
            "talks.jsonl: line 1: more than 26 options, and no other",
        ),
        ("[1, 2]", MAP, "talks.jsonl:1: begins a list, not an object a line; name the file .json"),
        ("3", MAP, "talks.jsonl:1: has to be an object"),
    ],
)
def test_bad_files_get_one_sentence_and_write_nothing(content: str, mapping: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "talks.jsonl"
    file.write_text(content, encoding="utf-8")
    how = ("--map", mapping) if mapping else ()
    done = run("import", "items", file, *how, "--out", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["talks.jsonl"]


def test_folders_that_an_import_may_not_write(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    file = written(talks(3), source / "talks.jsonl")
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine.txt").write_text("mine", encoding="utf-8")
    for place, out, said in (
        (file, taken, "taken: is there already; an import makes a new folder"),
        (file, taken / "mine.txt", "mine.txt: is there already"),
        (source, source, "source: is the source or in it"),
        (source, source / "out", "out: is the source or in it"),
        (tmp_path / "nowhere.json", tmp_path / "out", "nowhere.json: there is no such file or folder"),
    ):
        with pytest.raises(DtomtrackError, match=said):
            import_items(place, out, MAP)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["mine.txt", "source", "taken", "talks.jsonl"]
    import_items(file, taken / "new", MappingOptions(MAP))
    with pytest.raises(DtomtrackError, match="is there already"):
        import_items(file, taken / "new", MAP)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("questions.jsonl", '"B":', '"C":', r"questions\.jsonl:1: line: the options have the letters"),
        ("questions.jsonl", '"lines":2', '"lines":9', r"questions\.jsonl:1: shows 9 lines .* which has 8"),
        ("questions.jsonl", '"context":{"id":"0"', '"context":{"id":"x"', "the dialogue 'x' is not in dialogues"),
        ("dialogues.jsonl", '"id":"1"', '"id":"0"', r"dialogues\.jsonl:2: the dialogue '0' is there twice"),
        ("dialogues.jsonl", '{"id"', '{"name"', r"dialogues\.jsonl:1: id: is missing"),
    ],
)
def test_damaged_datasets(name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    import_items(written(talks(3), tmp_path / "talks.jsonl"), tmp_path / "out", MAP)
    path = tmp_path / "out" / name
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DtomtrackError, match=said):
        list(items_of(tmp_path / "out"))


def test_hostile_names_stay_data(tmp_path: Path) -> None:
    records = talks(3)
    for record in records:
        record["kind"] = "`| {{ 7*7 }} </script>\n# heading"
        record["dialogue"] = f"{record['dialogue']}\nSEEKER says: {{question}} </script> \x1b[2J"
    import_items(written(records, tmp_path / "talks.jsonl"), tmp_path / "out", MAP, command="dtomtrack import")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "`'/ {{ 7*7 }} </script> # heading`" in card
    assert "\n# heading" not in card
    (item, *_) = items_of(tmp_path / "out")
    assert item.context is not None
    assert "\x1b" not in item.context.text("context")
    assert "{question}" in item.context.text("context")
