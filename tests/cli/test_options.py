"""Groups of options: declared once, taken by several commands."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from dtomtrack.cli.main import app as commands
from dtomtrack.cli.options import LimitFlags, given_options, with_groups


@dataclass(frozen=True, kw_only=True)
class Colours:
    """How something is painted."""

    colour: Annotated[str | None, typer.Option(help="Which one.")] = None
    coats: Annotated[int, typer.Option("--coats", "-c", help="How many.")] = 2


def painting() -> tuple[typer.Typer, list[tuple[Path, Colours, bool]]]:
    seen: list[tuple[Path, Colours, bool]] = []

    @with_groups
    def paint(
        wall: Annotated[Path, typer.Argument(help="What.")],
        colours: Colours,
        quick: Annotated[bool, typer.Option("--quick")] = False,
    ) -> None:
        """Paint a wall."""
        seen.append((wall, colours, quick))

    app = typer.Typer(rich_markup_mode=None)
    app.command()(paint)
    return app, seen


def test_a_command_gets_the_group_made_from_its_options() -> None:
    app, seen = painting()
    for arguments in (["north"], ["south", "--colour", "red", "-c", "3", "--quick"]):
        assert CliRunner().invoke(app, arguments).exit_code == 0
    assert seen == [(Path("north"), Colours(), False), (Path("south"), Colours(colour="red", coats=3), True)]


def test_the_options_of_a_group_stand_in_the_help_in_its_place() -> None:
    app, _ = painting()
    told = CliRunner().invoke(app, ["--help"]).output
    assert "Paint a wall." in told
    assert [told.index(word) for word in ("--colour", "--coats", "--quick")] == sorted(
        told.index(word) for word in ("--colour", "--coats", "--quick")
    )
    assert "How many.  [default: 2]" in told


def test_a_wrong_value_is_told_as_of_any_option() -> None:
    app, _ = painting()
    done = CliRunner().invoke(app, ["north", "--coats", "many"])
    assert done.exit_code == 2
    assert "--coats" in done.output


def test_only_what_was_given_a_value_is_passed_on() -> None:
    assert given_options(Colours(), LimitFlags(max_cost=1.0)) == {"coats": 2, "max_cost": 1.0}


@pytest.mark.parametrize("name", ["generate", "verify", "evaluate", "rescore", "compare", "audit", "report", "export"])
def test_no_command_has_more_than_twelve_parameters(name: str) -> None:
    command = next(one for one in commands.registered_commands if one.name == name)
    assert command.callback is not None
    code = inspect.unwrap(command.callback).__code__
    assert code.co_argcount + code.co_kwonlyargcount <= 12
