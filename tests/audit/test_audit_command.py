"""``dtomtrack audit``: its table, its gate, its file, its complaints."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from commands import run
from planted_benchmark import MAP, Record, random_benchmark

from dtomtrack.api import generate
from dtomtrack.audit import Audit, AuditRow
from dtomtrack.cli.audit_lines import alike, by_group
from dtomtrack.evaluation.records import Interval


def dtomtrack(*arguments: str) -> CompletedProcess[str]:
    return run("audit", *arguments)


def written(records: list[Record], folder: Path) -> str:
    file = folder / "benchmark.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    return str(file)


def test_clean_data_pass(tmp_path: Path) -> None:
    done = dtomtrack(written(random_benchmark(200), tmp_path), "--map", MAP, "--gate")
    assert (done.returncode, done.stderr) == (0, "")
    assert "200 items in 20 clusters; golds are written as: index from 0" in done.stdout
    assert "overlap with the" in done.stdout


def test_a_shortcut_fails_the_gate_and_only_the_gate(tmp_path: Path) -> None:
    records = [{**one, "gold": 1} for one in random_benchmark(200)]
    file, out = written(records, tmp_path), tmp_path / "audit.json"
    assert dtomtrack(file, "--map", MAP, "--overall").returncode == 0
    done = dtomtrack(file, "--map", MAP, "--gate", "--overall", "--json", str(out))
    assert done.returncode == 1
    assert "dtomtrack: gate: always B: 100.0% on all (200 items), surely more than 8" in done.stderr
    worst = done.stdout.partition("all (200 items, chance 25.0)\n")[2].splitlines()[0]
    assert "always B" in worst
    found = Audit.model_validate_json(out.read_text(encoding="utf-8"))
    assert found.rows[0].rule == "always B"
    assert dtomtrack(file, "--map", MAP, "--gate", "--overall", "--threshold", "1").returncode == 0
    assert dtomtrack(file, "--map", MAP, "--gate", "--overall", "--min-items", "201").returncode == 1


@pytest.mark.parametrize("order", [1, -1])
def test_lines_about_a_sample_say_so_under_a_heading_about_all(order: int) -> None:
    """More than 10,000 items: classifiers look at a part of them, whichever rule is the worst."""
    of_all = _row("always A", 18_319, chance=0.25)
    of_sample = _row("option text, classifier", 9_990, chance=0.31)
    lines = list(by_group(alike([of_all, of_sample][::order]), 100, most=2))
    assert lines[1] == "all (18319 items, chance 25.0)"
    assert sorted("(of 9990 items, chance 31.0)" in line for line in lines[2:]) == [False, True]
    assert "always A" in lines[2 if order == 1 else 3]
    assert next(line for line in by_group(alike([of_sample, of_all]), 100, most=1) if "all" in line) == lines[1]


def test_classifiers_look_at_as_many_items_as_are_wanted(tmp_path: Path) -> None:
    file = written(random_benchmark(200), tmp_path)
    out = tmp_path / "audit.json"
    assert dtomtrack(file, "--map", MAP, "--overall", "--classified", "100", "--json", str(out)).returncode == 0
    found = Audit.model_validate_json(out.read_text(encoding="utf-8"))
    assert {row.items for row in found.rows if "classifier" in row.rule} == {100}
    assert "the classifiers look at 100 of 200 items at most, whole clusters drawn by the seed" in found.notes
    assert not [note for note in found.notes if note.startswith("all items are of a single cluster")]
    none = dtomtrack(file, "--map", MAP, "--classified", "0")
    assert (none.returncode, none.stderr) == (2, "dtomtrack: classified is 0; it has to be from 1 to 1,000,000,000\n")


def _row(rule: str, items: int, *, chance: float) -> AuditRow:
    half = Interval(value=0.5, low=0.48, high=0.52)
    return AuditRow(
        rule=rule, accuracy=half, chance=chance, expected=chance, p_value=1e-9, items=items, clusters=items // 50
    )


def test_gold_errors_fail_the_gate(tmp_path: Path) -> None:
    records = random_benchmark(40)
    records[7]["gold"] = 9
    done = dtomtrack(written(records, tmp_path), "--map", MAP, "--gate", "--overall")
    assert done.returncode == 1
    assert done.stderr == "dtomtrack: gate: gold that is no option: 1 (such as q7 at benchmark.json: item 8)\n"
    assert "gold error: gold that is no option: 1 (q7 at benchmark.json: item 8)" in done.stdout


def test_hostile_text_is_printed_harmlessly(tmp_path: Path) -> None:
    records = random_benchmark(80)
    for number, one in enumerate(records):
        one["kind"] = ("\x1b[31mred\x07", "[bold]=HYPERLINK(1)\u202e")[number % 2]
        one["id"] = f"\x1b]0;title\x07{number}\n"
        one["gold"] = 9 if number == 3 else one["gold"]
        one["options"] = [f"\x1b[2J {text}" for text in one["options"]]  # type: ignore[attr-defined]
        one["question"] = "{{7*7}} %s ${x} '; DROP TABLE"
    done = dtomtrack(written(records, tmp_path), "--map", MAP, "--rows", "0")
    assert done.returncode == 0, done.stderr
    assert all(character == "\n" or character.isprintable() for character in done.stdout)
    assert "[bold]" in done.stdout
    assert "]0;title3" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.json",), "nowhere.json: there is no such file or folder"),
        (("nowhere.json", "--threshold", "32"), "threshold is 32.0; it has to be from 0 to 1"),
        (("nowhere.json", "--min-items", "0"), "min-items is 0"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    done = dtomtrack(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_can_not_be_written(tmp_path: Path) -> None:
    file = written(random_benchmark(20), tmp_path)
    done = dtomtrack(file, "--map", MAP, "--overall", "--json", str(tmp_path / "no" / "audit.json"))
    assert done.returncode == 1
    assert "choose another --json" in done.stderr


def test_an_audit_is_not_written_over_anything_else(tmp_path: Path) -> None:
    """`audit FILE --json FILE` replaced the benchmark by its own audit."""
    file, out = Path(written(random_benchmark(40), tmp_path)), tmp_path / "audit.json"
    before = file.read_bytes()
    done = dtomtrack(str(file), "--map", MAP, "--overall", "--json", str(file))
    assert done.returncode == 2
    assert done.stderr == f"dtomtrack: --json {file}: is there already, and is no audit; name another file\n"
    assert file.read_bytes() == before
    for _ in range(2):
        assert dtomtrack(str(file), "--map", MAP, "--overall", "--json", str(out)).returncode == 0


def test_a_rule_is_a_line_of_a_terminal(tmp_path: Path) -> None:
    records = random_benchmark(90)
    for number, one in enumerate(records):
        one["kind"] = f"a kind that has a long name, {number % 3}"
    done = dtomtrack(written(records, tmp_path), "--map", MAP, "--rows", "0")
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if len(line) > 80] == []
    rules = [line for line in done.stdout.splitlines() if line.startswith("  ") and " to " in line]
    assert len(rules) > 30


def test_rules_that_did_the_same_share_a_line(tmp_path: Path) -> None:
    records = [{**one, "gold": 1, "options": ["one", "two", "six", "ten"]} for one in random_benchmark(40)]
    done = dtomtrack(written(records, tmp_path), "--map", MAP, "--overall", "--rows", "0")
    figures = [line[:24] for line in done.stdout.partition("\n\nWords")[0].splitlines() if " to " in line]
    assert len(figures) == len(set(figures))
    assert "alike" in done.stdout


@pytest.mark.parametrize("options", [(), ("--overall",)])
def test_a_grouping_that_no_item_has_is_refused_with_those_that_there_are(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    mapping = MAP.replace("group=kind", "group=kind,group.mental_state=kind")
    done = dtomtrack(written(random_benchmark(40), tmp_path), "--map", mapping, "--group", "mental_sate", *options)
    assert done.returncode == 2
    assert "no item is grouped by 'mental_sate'; they are grouped by mental_state, type" in done.stderr


def test_a_grouping_of_items_that_have_none_is_refused_and_the_usual_one_is_none(tmp_path: Path) -> None:
    file, mapping = written(random_benchmark(40), tmp_path), MAP.replace(",group=kind", "")
    assert dtomtrack(file, "--map", mapping).returncode == 0
    done = dtomtrack(file, "--map", mapping, "--group", "type")
    assert done.returncode == 2
    assert "no item is grouped by 'type'; they have no groups" in done.stderr


def test_a_copy_without_a_manifest_is_a_dataset_as_it_is_to_evaluate(tmp_path: Path) -> None:
    generate("restaurant", n=4, out=tmp_path)
    whole = dtomtrack(str(tmp_path), "--overall")
    (tmp_path / "manifest.json").unlink()
    copy = dtomtrack(str(tmp_path), "--overall")
    assert (copy.returncode, copy.stdout) == (0, whole.stdout)
    assert dtomtrack(str(tmp_path), "--overall", "--strict").returncode == 2
