"""Options from a file: below the command line, above the defaults; what is wrong with them is one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run


def manifest_of(folder: Path) -> dict[str, object]:
    told: dict[str, object] = json.loads((folder / "manifest.json").read_bytes())
    return told


def test_the_command_line_goes_before_the_file_and_the_file_before_the_defaults(tmp_path: Path) -> None:
    config, out = tmp_path / "run.yaml", tmp_path / "out"
    config.write_text(f"domain: travel\nn: 2\nmax_attempts: 4\nquiet: yes\ndial: [question_share=.4]\nout: {out}\n")
    done = run("generate", "--config", str(config), "--n", "3")
    assert (done.returncode, done.stderr) == (0, "")
    told = manifest_of(out)
    assert told["n"] == 3
    made = told["config"]
    assert isinstance(made, dict)
    assert (made["domains"], made["max_attempts"], made["seed"]) == (["travel"], 4, 0)
    assert made["difficulty"]["question_share"] == 0.4


def test_a_manifest_stands_for_the_options_of_its_command(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert run("generate", "--n", "2", "-d", "medical", "--seed", "5", "-q", "--out", str(first)).returncode == 0
    assert run("generate", "--config", str(first / "manifest.json"), "--out", str(second)).returncode == 0
    assert (first / "questions.jsonl").read_bytes() == (second / "questions.jsonl").read_bytes()


def test_so_does_the_manifest_of_a_run_that_had_a_file_itself(tmp_path: Path) -> None:
    """Also once the file is another, or gone."""
    config, first, second = tmp_path / "run.yaml", tmp_path / "first", tmp_path / "second"
    config.write_text("domain: travel\nn: 3\nseed: 4\nquiet: yes\ndial: [said_share=.4, note_share=.5]\ndry-run: no\n")
    asked = ("generate", "--n", "2", "--config", str(config), "--out", str(first))
    assert run(*asked).returncode == 0
    assert manifest_of(first)["command"] == (
        "dtomtrack generate --domain travel --seed 4 --dial said_share=.4 --dial note_share=.5 --quiet --n 2 "
        f"--out {first}"
    )
    config.unlink()
    done = run("generate", f"--config={first / 'manifest.json'}", "--out", str(second))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (first / "questions.jsonl").read_bytes() == (second / "questions.jsonl").read_bytes()
    assert str(manifest_of(second)["command"]).startswith("dtomtrack generate --domain travel --n 2 --seed 4")


def test_so_does_the_manifest_of_a_play(tmp_path: Path) -> None:
    asked = ("--scenarios", "needle_finder", "--samples", "2", "-m", "policy/cycle", "--turns", "3", "-q")
    first, second = tmp_path / "first", tmp_path / "second"
    assert run("play", "rhetbench", *asked, "--out", str(first)).returncode == 0
    manifest = first / "policy_cycle" / "manifest.json"
    done = run("play", "rhetbench", "--config", str(manifest), "--out", str(second))
    assert (done.returncode, done.stderr) == (0, "")
    one, other = (folder / "policy_cycle" / "episodes.jsonl" for folder in (first, second))
    assert one.read_bytes() == other.read_bytes()


def test_evaluate_takes_one_too(tmp_path: Path) -> None:
    (tmp_path / "ask.json").write_text(json.dumps({"model": ["baseline/recency", "baseline/longest"], "quiet": True}))
    assert run("generate", "--n", "2", "-q", "--out", str(tmp_path / "out")).returncode == 0
    done = run("evaluate", str(tmp_path / "out"), "--config", str(tmp_path / "ask.json"))
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "out" / "eval").iterdir()} == {"baseline_longest", "baseline_recency"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("domian: travel", "domian: dtomtrack generate has no such option; did you mean domain?"),
        ("config: other.yaml", "config: dtomtrack generate has no such option"),
        ("n: many", "n is 'many'; it has to be a whole number"),
        ("temperature: warm", "temperature is 'warm'; it has to be a number"),
        ("quiet: perhaps", "quiet is 'perhaps'; it has to be yes or no"),
        ("n: [1, 2]", "n: has to be one word or number"),
        (
            "dial: {order: 3, note_share: .4}",
            "dial: has to be words or a list of them; write 'dial: [order=3, note_share=.4]'",
        ),
        ("dial: {signals: {none: .4}}", "dial: has to be words or a list of them; write 'dial: [signals.none=.4]'"),
        ("dial: {apart: [note, aside]}", "words or a list of them; write 'dial: [\"apart=note,aside\"]'"),
        ("- travel", "is no configuration; write an option a line, as in 'domain: travel'"),
        ("a: &x [*x]", "is no configuration"),
        ("a: [", "is no YAML"),
        ("", "is no configuration"),
        ('{"format_version": 1, "command": "dtomtrack evaluate x"}', "by another command than dtomtrack generate"),
        (
            '{"format_version": 1, "command": "dtomtrack generate \'"}',
            "command: is no command line (No closing quotation)",
        ),
        pytest.param(f"n: [{'[],' * 60_000}[]]", "is no configuration", id="all lists"),
        ('{"format_version": 1, "command": "curl evil"}', "by another command than dtomtrack generate"),
        ('{"format_version": 1, "command": ""}', "was made in Python, so it has no command line"),
        ("n: 3\nn: 4", "run.yaml: n stands twice; leave one of the two"),
        ("format: xml", "format is 'xml'; 'xml' is not one of 'jsonl', 'parquet'"),
        ("max-attempts: 3\nmax_attempts: 5", "max_attempts: stands twice; leave one of the two"),
        ('out: "ne\\nw"', "--out holds a line break or another control character"),
        ("seed: -1", "run.yaml: seed is -1; it has to be from 0 to 9,223,372,036,854,775,807"),
        ("n: 0", "run.yaml: n is 0; it has to be from 1 to 1,000,000,000"),
        ("turns: 3", "run.yaml: turns is 3; it has to be from 6 to 400"),
        ("difficulty: soft", "run.yaml: no difficulty 'soft'"),
        ("dial: [event_share=nan]", "run.yaml: difficulty: event_share: is nan, which is no number"),
        ("dial: [event_share=2]\nseed: 1", "run.yaml: difficulty: event_share: has to be 1.0 or less"),
        ("temperature: .5", "run.yaml: --temperature: no language model takes part"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    config = tmp_path / "run.yaml"
    config.write_text(text, encoding="utf-8")
    done = run("generate", "--config", str(config), "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_an_option_of_the_command_line_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    config = tmp_path / "run.yaml"
    config.write_text("seed: 3\n")
    done = run("generate", "--config", str(config), "--seed", "-1", "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stderr) == (
        2,
        "dtomtrack: seed is -1; it has to be from 0 to 9,223,372,036,854,775,807\n",
    )


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    done = run("generate", "--config", str(tmp_path / "none.yaml"))
    assert (done.returncode, done.stderr) == (
        2,
        f"dtomtrack: {tmp_path / 'none.yaml'}: there is no such file; --config names one\n",
    )


def test_keys_and_values_are_read_as_they_stand_in_the_file(tmp_path: Path) -> None:
    """YAML 1.1 takes yes for true, also as a key, and 010 for eight."""
    config, out = tmp_path / "run.yaml", tmp_path / "out"
    config.write_text(f"yes: true\nseed: 010\nn: 02\nquiet: on\nturns: null\nmax-attempts: ~\nformat:\nout: {out}\n")
    done = run("generate", "--config", str(config))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    made = manifest_of(out)["config"]
    assert isinstance(made, dict)
    assert (made["seed"], made["turns"], made["max_attempts"], manifest_of(out)["n"]) == (10, 10, 5, 2)
    command = str(manifest_of(out)["command"])
    assert "--seed 010" in command and "--yes" in command


def test_a_copied_manifest_does_not_write_where_it_was_copied_from(tmp_path: Path) -> None:
    first, copy = tmp_path / "first", tmp_path / "copy.json"
    assert run("generate", "--n", "2", "-q", "--out", str(first)).returncode == 0
    copy.write_bytes((first / "manifest.json").read_bytes())
    done = run("generate", "--config", str(copy), "--n", "3")
    hint = "as the folder to write to, and doesn't lie there; say which with --out"
    assert (done.returncode, done.stderr) == (2, f"dtomtrack: {copy}: names {first} {hint}\n")
    assert manifest_of(first)["n"] == 2
    assert run("generate", "--config", str(copy), "--out", str(first), "--n", "3").returncode == 0
    assert run("generate", "--config", str(first / "manifest.json"), "--n", "4").returncode == 0
    assert manifest_of(first)["n"] == 4


def test_of_two_files_none_is_passed_over(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_text("n: 2\n")
    named = ("--config", str(tmp_path / "one.yaml"), f"--config={tmp_path / 'two.yaml'}")
    done = run("generate", *named, "--out", str(tmp_path / "out"))
    said = "dtomtrack: --config is given twice; give one file with the options of both\n"
    assert (done.returncode, done.stderr) == (2, said)
    assert not (tmp_path / "out").exists()


def test_what_has_commas_on_the_command_line_may_be_a_list(tmp_path: Path) -> None:
    config, out = tmp_path / "run.yaml", tmp_path / "out"
    config.write_text(f"domain: [travel, team]\nturns: [8, 12]\nn: 9\nquiet: yes\nout: {out}\n")
    done = run("generate", "--config", str(config))
    assert (done.returncode, done.stderr) == (0, "")
    made = manifest_of(out)["config"]
    assert isinstance(made, dict)
    assert (made["domains"], made["turns"]) == (["travel", "team"], [8, 12])
    config.write_text("seed: [8, 12]\n")
    assert "seed: has to be one word or number" in run("generate", "--config", str(config)).stderr
