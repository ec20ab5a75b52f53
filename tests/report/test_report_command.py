"""``dtomtrack report``: what it prints."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from dtomtrack.cli.report import command
from dtomtrack.errors import InputError
from dtomtrack.report.writing import Places, write_report
from dtomtrack.suites.registry import suite_of

RUNNER = CliRunner()


@pytest.fixture
def app() -> typer.Typer:
    """The command on its own."""
    app = typer.Typer()
    app.command()(command)
    return app


def test_it_says_where_the_page_is(app: typer.Typer, made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "out")
    (tmp_path / "out" / "eval" / "half").mkdir(parents=True)
    done = RUNNER.invoke(app, [str(tmp_path / "out"), "--no-audit", "--dialogues", "2"])
    assert done.exit_code == 0, done.output
    page = tmp_path / "out" / "report" / "report.html"
    assert f"0 evaluations, 0 figure files, 2 dialogues to look at: {page}" in done.stdout
    assert "eval/half is not finished" in done.stderr
    assert page.is_file()


def test_it_says_what_to_do_where_nobody_has_answered(app: typer.Typer, made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "out")
    done = RUNNER.invoke(app, [str(tmp_path / "out"), "--no-audit"])
    assert done.exit_code == 0, done.output
    assert f"nobody has answered it yet: dtomtrack evaluate {tmp_path / 'out'} -m PROVIDER/NAME asks a" in done.stdout


@pytest.mark.parametrize(("out", "holds"), [("", "a dataset"), ("eval", "evaluations"), ("eval/*", "one evaluation")])
def test_a_report_does_not_lie_among_data(quick: Path, out: str, holds: str) -> None:
    before = sorted(quick.rglob("*"))
    place = next(quick.glob(out)) if out else quick
    with pytest.raises(InputError, match=f"is a folder of {holds}, .*leave --out out for .*report, or name a folder"):
        write_report(suite_of(quick), Places(quick, place))
    assert sorted(quick.rglob("*")) == before


def test_a_page_of_somebody_else_stays(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "out")
    mine = tmp_path / "site" / "report.html"
    mine.parent.mkdir()
    mine.write_text("<p>mine</p>", encoding="utf-8")
    with pytest.raises(InputError, match=r"report\.html: is no report of dtomtrack; it stays as it is"):
        write_report(suite_of(tmp_path / "out"), Places(tmp_path / "out", mine.parent))
    assert [one.read_text(encoding="utf-8") for one in mine.parent.iterdir()] == ["<p>mine</p>"]


@pytest.mark.parametrize("name", ["accuracy.csv", "accuracy-by-type.svg"])
def test_a_file_of_somebody_else_beside_the_page_stays(quick: Path, tmp_path: Path, name: str) -> None:
    mine = tmp_path / "site" / name
    mine.parent.mkdir()
    mine.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=rf"{re.escape(name)}: goes with no report of dtomtrack; it stays as it is"):
        write_report(suite_of(quick), Places(quick, mine.parent))
    assert [one.read_text(encoding="utf-8") for one in mine.parent.iterdir()] == ["mine"]


def test_a_page_of_an_earlier_report_is_replaced(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "out")
    places = Places(tmp_path / "out", tmp_path / "site")
    first, second = (write_report(suite_of(places.dataset), places).page.read_bytes() for _ in range(2))
    assert first == second


def test_a_report_does_not_replace_that_on_another_dataset(quick: Path, made: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    before = write_report(suite_of(quick), Places(quick, site)).page.read_bytes()
    assert write_report(suite_of(quick), Places(quick, site)).page.read_bytes() == before
    hint = r"report\.html: is about another dataset; remove it, or choose another --out"
    with pytest.raises(InputError, match=hint):
        write_report(suite_of(made), Places(made, site))
    assert (site / "report.html").read_bytes() == before
