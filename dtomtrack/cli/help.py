"""What ``--help`` prints: options in the groups in which they are declared, then examples; commands in groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from typer import BadParameter
from typer.core import TyperCommand, TyperGroup

from dtomtrack.errors import InputError

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

__all__ = ["GroupedCommand", "GroupedCommands"]

_OF_PYDANTIC = "Value error, "
"""Typer has pydantic look at values, which puts this before what it says of some."""
_KINDS = {
    "Input should be a valid integer": "it has to be a whole number",
    "Input should be a valid number": "it has to be a number",
}
"""What a value has to be, by how pydantic's complaint begins."""
_ONCE = frozenset({"difficulty", "turns"})
"""Options that somebody gives twice who means both."""
_ARGUMENTS = "Arguments"
_OTHERS = "Options"
_EXAMPLES = "Examples"


class GroupedCommand(TyperCommand):
    """A command whose options stand in groups, in the order in which they come; its epilog has examples, one a line."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the command line.

        Raises:
            BadParameter: the value of an option can't be what it is.
            InputError: what sets the size of all dialogues is given twice; the last would be taken without a word.
        """
        try:
            self._check_once(ctx, args)
            return super().parse_args(ctx, args)
        except BadParameter as error:
            said = error.message.removeprefix(_OF_PYDANTIC)
            error.message = next((words for start, words in _KINDS.items() if said.startswith(start)), said)
            raise

    def _check_once(self, ctx: Context, args: list[str]) -> None:
        once = [one for one in self.params if one.name in _ONCE]
        if not once or ctx.resilient_parsing:
            return
        _, _, named = self.make_parser(ctx).parse_args(list(args))
        for one in once:
            if named.count(one) > 1:
                several = f", several as --{one.name} 24,60" if one.metavar == "NUMBERS" else ""
                raise InputError(f"--{one.name} is given twice; give it once{several}")

    def invoke(self, ctx: Context) -> Any:
        """Run the command.

        Raises:
            InputError: what was given can't be used; the message names the ``--config`` that it stands in.
        """
        try:
            return super().invoke(ctx)
        except InputError as error:
            from dtomtrack.cli.config_file import with_file

            error.args = (with_file(ctx, str(error)),)
            raise

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Arguments, options of no group, then the groups; help by itself comes last."""
        groups: dict[str, list[tuple[str, str]]] = {_ARGUMENTS: [], _OTHERS: []}
        for one in self.get_params(ctx):
            record = one.get_help_record(ctx)
            if record is not None:
                groups.setdefault(_heading(one), []).append(record)
        if len(groups[_OTHERS]) == 1:
            groups[_OTHERS] = groups.pop(_OTHERS)
        for heading, records in groups.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Examples as they are: a line that was broken could not be copied."""
        if self.epilog:
            with formatter.section(_EXAMPLES):
                for line in self.epilog.strip().split("\n"):
                    formatter.write(f"{'':>{formatter.current_indent}}{line.strip()}\n")


class GroupedCommands(TyperGroup):
    """The commands of the program, by what they are for."""

    sections: ClassVar[Mapping[str, Sequence[str]]] = {}

    def list_commands(self, ctx: Context) -> list[str]:
        """Names of commands in the order of the sections."""
        return [name for names in self.sections.values() for name in names]

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """A section for each group of commands."""
        for heading, names in self.sections.items():
            rows = [(name, self.commands[name].short_help or "") for name in names]
            with formatter.section(heading):
                formatter.write_dl(rows)


def _heading(parameter: Any) -> str:
    """What a parameter stands under."""
    if parameter.param_type_name == "argument":
        return _ARGUMENTS
    return getattr(parameter, "rich_help_panel", None) or _OTHERS
