"""Code in the README and in the documentation does what it says; commands in them have the options that they show."""

from __future__ import annotations

import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from shown_commands import is_command
from written_pages import PAGES, REPOSITORY, CodeBlock, code_blocks

from dtomtrack.beliefs.company import PlannedAudience, Presence
from dtomtrack.beliefs.dialogue import (
    BeliefRecord,
    Dialogue,
    Expression,
    InnerSpeech,
    Provenance,
    Turn,
    UpdateVerification,
)
from dtomtrack.beliefs.divergence import Fact, PlannedDivergence
from dtomtrack.beliefs.question import Factors, Question
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.beliefs.scenario_parts import PlannedUpdate, Presumption, Topic
from dtomtrack.records import Record

BLOCKS = [block for page in PAGES for block in code_blocks(page)]
# the tutorial's runs in the folder that its commands made
SNIPPETS = [one for one in BLOCKS if one.language == "python" and one.page.stem != "tutorial"]
EXTRAS = {
    r"\b(?:evaluate|compare|audit_benchmark)\(": {"evaluate", "report"},
    r"\.to_(?:frame|arrow)\(": {"parquet"},
    r"\bsending_spans\(": {"telemetry"},
}
"""Extras of which a call in Python needs one."""


@pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
def test_the_page_names_the_extra_that_a_snippet_needs(snippet: CodeBlock) -> None:
    lists = re.findall(r"dtomtrack\[([\w,]+)\]|'\.\[([\w,]+)\]'", snippet.page.read_text("utf-8"))
    named = {name for one in lists for names in one for name in names.split(",")}
    assert [call for call, extras in EXTRAS.items() if re.search(call, snippet.text) and not named & extras] == []


@pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
def test_the_snippet_runs(snippet: CodeBlock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # nobody collects spans here: they are not sent again for seven seconds
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.5")
    script = tmp_path / "snippet.py"
    script.write_text(snippet.text, encoding="utf-8")
    runpy.run_path(str(script), run_name="__main__")


def test_there_are_snippets_and_commands() -> None:
    assert len(SNIPPETS) >= 8
    assert len(list(shown_commands())) >= 60


def test_what_snippets_make_is_named_on_one_page_and_ignored_by_git() -> None:
    made = {
        (name, block.page.name)
        for block in BLOCKS
        if block.language in {"python", "console"}
        for name in re.findall(r"""(?:--out |\bout=")([\w-]+)""", block.text)
    }
    names = sorted(name for name, _ in made)
    assert len(names) >= 12
    assert names == sorted(set(names))
    assert [name for name in names if not name.startswith("my-dataset")] == []
    assert "my-dataset*/" in (REPOSITORY / ".gitignore").read_text(encoding="utf-8").split("\n")


def test_every_shown_command_is_one() -> None:
    wrong = [f"{page.name}: {line}" for page, line in shown_commands() if not is_command(line)]
    assert wrong == []


def test_every_benchmark_that_can_be_run_is_listed() -> None:
    folder = REPOSITORY / "benchmarks"
    listed = re.findall(r"^\| `(\w+\.py)` \| ", (folder / "README.md").read_text("utf-8"), re.MULTILINE)
    run = [one.name for one in folder.glob("*.py") if '\nif __name__ == "__main__":' in one.read_text("utf-8")]
    assert sorted(listed) == sorted(run)


def test_the_page_on_installing_tells_what_all_leaves_out() -> None:
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", (REPOSITORY / "docs" / "install.md").read_text("utf-8"), re.MULTILINE)
    above = [name for name, _ in rows[: [name for name, _ in rows].index("all")]]
    left_out = re.findall(r"`(\w+)`", dict(rows)["all"])
    taken = re.findall(r"\w+", extras["all"][0].partition("[")[2])
    # evaluate comes with report
    assert sorted({*above, *taken} - {"evaluate"}) == sorted({*taken, *left_out} - {"evaluate"})


def test_figures_in_a_series_stand_in_tables() -> None:
    """Lines of prose are no longer than an editor shows, tables aside; what is about one matter has a heading."""
    page = (REPOSITORY / "docs" / "reference" / "measured.md").read_text(encoding="utf-8")
    assert [line for line in page.split("\n") if len(line) > 140 and not line.startswith("|")] == []
    sections = re.split(r"^##+ ", page, flags=re.MULTILINE)
    assert max(len(re.sub(r"^[| ].*$", "", one, flags=re.MULTILINE).split()) for one in sections) < 200


def test_every_file_that_a_page_names_is_there() -> None:
    named = {
        path
        for page in PAGES
        for path in re.findall(r"`((?:examples|benchmarks|dtomtrack|tests)/[\w/.]+\.\w+)`", page.read_text("utf-8"))
    }
    assert len(named) >= 20
    assert [path for path in sorted(named) if not (REPOSITORY / path).is_file()] == []


def shown_commands() -> Iterator[tuple[Path, str]]:
    """The lines of all pages that call ``dtomtrack``, with their pages."""
    for block in BLOCKS:
        for line in block.text.split("\n"):
            if line.removeprefix("$ ").startswith("dtomtrack "):
                yield block.page, line.removeprefix("$ ")


RECORDS = (
    *(Dialogue, Scenario, Topic, PlannedUpdate, Presumption, Presence, PlannedAudience, PlannedDivergence, Fact),
    *(Turn, InnerSpeech, Expression, BeliefRecord, UpdateVerification, Provenance, Question, Factors),
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_the_page_on_files_names_every_field(record: type[Record]) -> None:
    page = (REPOSITORY / "docs" / "reference" / "files.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", page.partition("## A dialogue")[2].partition("## Imported items")[0]))
    assert record.model_fields.keys() - named == set()
