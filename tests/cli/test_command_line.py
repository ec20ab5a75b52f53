"""The command line: what it prints, what it writes, and its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from commands import run

from dtomtrack.scenarios.pack_files import builtin_domains, find_pack


def dtomtrack(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run(*arguments)


def complaint(*arguments: str) -> str:
    """The one sentence of a call that can't be taken."""
    done = dtomtrack(*arguments)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("dtomtrack: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_generate_writes_a_dataset_and_sums_it_up(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = dtomtrack("generate", "--domain", "travel", "--n", "4", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "dialogues kept" in done.stdout
    assert "4 of 4" in done.stdout
    assert "scripted actors" in done.stdout
    assert f"complete: {out}" in done.stdout.replace("\n", "")
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["command"].endswith(f"generate --domain travel --n 4 --out {out}")


def test_the_folder_is_named_after_domain_and_seed(tmp_path: Path) -> None:
    done = run("generate", "--n", "1", "--seed", "7", "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "out" / "restaurant-7" / "manifest.json").is_file()


def test_runs_of_other_difficulties_have_other_folders_and_the_same_one_its_own(tmp_path: Path) -> None:
    made = []
    for more in (
        (),
        ("--turns", "12"),
        ("--turns", "12,8", "--n", "5"),
        ("--dial", "note_share=.3"),
        ("--dial", "note_share=.4"),
    ):
        for _ in range(2):
            done = run("generate", "--n", "1", "--quiet", *more, cwd=tmp_path)
            assert (done.returncode, done.stderr) == (0, "")
        made.append({one.name for one in (tmp_path / "out").iterdir()})
    assert [len(names) for names in made] == [1, 2, 3, 4, 5]
    assert {"restaurant-0", "restaurant-12-turns-0", "restaurant-12-8-turns-0"} <= made[-1]
    done = run("generate", "--n", "1", "--quiet", "--difficulty", "apart", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out" / "restaurant-apart-0").is_dir()


def test_all_domains_can_be_asked_for(tmp_path: Path) -> None:
    done = dtomtrack("generate", "--domain", "all", "--n", "6", "--out", str(tmp_path / "out"), "--quiet")
    assert done.returncode == 0, done.stderr
    config = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["config"]
    assert config["domains"] == builtin_domains()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--domain", "resturant"), "did you mean 'restaurant'?"),
        (("--domain", "zzz"), "no domain 'zzz'; there are family, medical, restaurant, team, travel"),
        (("--domain", "nowhere/pack.yaml"), "no file 'nowhere/pack.yaml'"),
        (("--domain", "restaurant,restaurant"), "given twice"),
        (("--domain", ""), "names stand between commas, with nothing left out"),
        (("--domain", ","), "names stand between commas, with nothing left out"),
        (("--n", "0"), "n is 0; it has to be from 1 to 1,000,000,000"),
        (("--n", "-4"), "n is -4; it has to be from 1 to 1,000,000,000"),
        (("--turns", "5"), "turns is 5; it has to be from 6 to 400"),
        (("--turns", "401"), "turns is 401; it has to be from 6 to 400"),
        (("--turns", "10,"), "turns is '10,'; it has to be a whole number, or several with commas between them"),
        (("--turns", "10,20,10"), "turns has 10 twice; name each length once"),
        (("--turns", "10,99999999999999999999"), "turns is 99999999999999999999; it has to be from 6 to 400"),
        (
            ("--turns", "10,20", "--n", "4"),
            "n is 4, and of 2 lengths each has 4 dialogues (four of each domain) before",
        ),
        (("--dial", "turns=10-20"), "turns is '10-20'; it has to be a whole number, or several"),
        (("--max-attempts", "0"), "max-attempts is 0"),
        (("--workers", "-1"), "workers is -1"),
        (("--concurrency", "0"), "concurrency is 0"),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    out = tmp_path / "out"
    assert said in complaint("generate", "--out", str(out), *arguments)
    assert not out.exists()


def test_a_word_that_is_no_number_is_refused(tmp_path: Path) -> None:
    done = dtomtrack("generate", "--n", "many", "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "Invalid value for '--n'" in done.stderr


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    assert "is not a folder" in complaint("generate", "--n", "1", "--out", str(file))
    assert file.read_text(encoding="utf-8") == "mine"


def test_domains_are_listed_with_what_is_in_them() -> None:
    done = dtomtrack("domains")
    assert done.returncode == 0
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == builtin_domains()
    assert "topics" in done.stdout


def test_a_pack_that_was_printed_checks_out(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(dtomtrack("domains", "show", "restaurant").stdout, encoding="utf-8")
    done = dtomtrack("domains", "check", str(file))
    assert (done.returncode, done.stdout) == (0, f"{file}: a domain pack with nothing wrong\n")


def test_what_is_wrong_with_a_pack_comes_with_file_line_and_field(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    text = find_pack("restaurant").text.replace("title: ", "titel: ", 1)
    file.write_text(text, encoding="utf-8")
    line = text.split("\n").index(next(one for one in text.split("\n") if one.startswith("titel: "))) + 1
    done = dtomtrack("domains", "check", str(file))
    assert done.returncode == 2
    assert f"{file}:1: title: is missing" in done.stderr
    assert f"{file}:{line}: titel: there is no such field" in done.stderr
    refused = dtomtrack("generate", "--domain", str(file), "--n", "1", "--out", str(tmp_path / "out"))
    assert refused.returncode == 2
    assert f"{file}:{line}: titel:" in refused.stderr


def test_the_schema_command_describes_real_files(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert dtomtrack("generate", "--n", "4", "--out", str(out), "--quiet").returncode == 0
    assert dtomtrack("schema", "--out", str(tmp_path / "schemas")).returncode == 0
    for name in ("dialogues", "questions", "rejected", "progress"):
        schema = json.loads((tmp_path / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        valid = jsonschema.Draft202012Validator(schema)
        for line in (out / f"{name}.jsonl").read_text(encoding="utf-8").split("\n"):
            if line:
                valid.validate(json.loads(line))
    schema = json.loads((tmp_path / "schemas" / "manifest.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads((out / "manifest.json").read_text(encoding="utf-8")), schema)


def test_the_front_matter_of_the_card_names_the_files(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert dtomtrack("generate", "--n", "2", "--out", str(out), "--quiet").returncode == 0
    _, front, _ = (out / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    configs = yaml.safe_load(front)["configs"]
    assert {files["path"] for config in configs for files in config["data_files"]} == {
        "questions.jsonl",
        "dialogues.jsonl",
    }


def test_version_and_help() -> None:
    assert dtomtrack("--version").stdout.strip() == "0.3.0"
    help_text = dtomtrack("--help").stdout
    for name in ("generate", "domains", "schema"):
        assert name in help_text
    assert "--seed" in dtomtrack("generate", "--help").stdout


def test_importing_the_package_and_asking_for_help_load_nothing_heavy() -> None:
    heavy = ("langgraph", "jinja2", "yaml", "rich")
    probe = f"import sys, dtomtrack, dtomtrack.cli.main; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_folder_of_another_suite_is_not_taken_for_dtom(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert dtomtrack("generate", "--n", "2", "--out", str(out), "--quiet").returncode == 0
    manifest = out / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    assert '"suite": "dtom"' in text
    manifest.write_text(text.replace('"suite": "dtom"', '"suite": "other"'), encoding="utf-8")
    assert "suite 'other', not 'dtom'" in complaint("generate", "--n", "2", "--out", str(out))
    assert "manifest.json: is of suite 'other'" in complaint("verify", str(out), "-m", "vllm/x")
    assert "manifest.json: is of suite 'other'" in complaint("evaluate", str(out), "-m", "baseline/random")


def test_playing_takes_no_folder_with_a_dataset_and_no_number_of_workers_below_one(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert dtomtrack("generate", "--n", "2", "--out", str(out), "--quiet").returncode == 0
    assert "holds a dataset" in complaint("play", "rhetbench", "--out", str(out))
    for engine in ("local", "processes"):
        said = complaint("play", "rhetbench", "--engine", engine, "--workers", "-1", "--out", str(tmp_path / "play"))
        assert "workers is -1" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--engine", "local", "--ray-address", "auto"),
            "--ray-address auto: is for --engine ray; the engine local works",
        ),
        (("--engine", "processes", "--ray-address", "auto"), "the engine processes works on this machine"),
    ],
)
def test_engines_of_this_machine_take_no_address(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    assert said in complaint("generate", "--n", "2", "--out", str(tmp_path / "out"), *options)
    assert not (tmp_path / "out").exists()


def test_ray_that_is_not_installed_is_named_before_anything_is_begun(tmp_path: Path) -> None:
    probe = (
        "import sys; sys.modules['ray'] = None\n"
        f"sys.argv = ['dtomtrack', 'generate', '--engine', 'ray', '--out', {str(tmp_path / 'out')!r}]\n"
        "from dtomtrack.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "dtomtrack: --engine ray needs an extra: pip install 'dtomtrack[ray]'\n"
    assert not (tmp_path / "out").exists()


def test_data_of_other_suites_can_be_made_in_this_process_on_request(tmp_path: Path) -> None:
    done = dtomtrack("generate", "--suite", "rectom", "--engine", "local", "--n", "1", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr


def test_a_file_is_no_dataset_folder(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    assert "is a file" in complaint("evaluate", str(file), "-m", "baseline/random")


def test_suites_are_listed_with_what_they_measure() -> None:
    done = dtomtrack("suites")
    assert done.returncode == 0, done.stderr
    assert {"dtom", "items", "rhetbench", "tomelp"} <= {line.split()[0] for line in done.stdout.splitlines()}
    assert all(len(line.split()) > 3 for line in done.stdout.splitlines())
