"""What the site has beside its files: every command's help, every public name, and formulas as MathML.

mkdocs calls these by their names. Formulas stand between $$ and $$, in LaTeX; they become MathML when the site is
built, so that no page needs a script of somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer
from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import dtomtrack
from dtomtrack.cli.main import app

__all__ = ["commands_page", "names_page", "on_files", "on_page_markdown"]

_FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_WIDTH = 96
_BESIDE = (
    "dtomtrack.api.Options",
    "dtomtrack.suites.generation.model_options.ModelOptions",
    "dtomtrack.evaluation.request.EvaluateOptions",
    "dtomtrack.llm.chat.ChatModel",
    "dtomtrack.llm.chat.ChatRequest",
    "dtomtrack.llm.chat.ChatReply",
    "dtomtrack.evaluation.records.Metrics",
    "dtomtrack.evaluation.comparison.Comparisons",
)
"""What the functions take and give, and programs seldom have to name."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site with the two pages that are made from the code."""
    for path, text in (("reference/commands.md", commands_page()), ("reference/api.md", names_page())):
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **others: object) -> str:
    """A page's text with its formulas as MathML."""
    return _FORMULA.sub(_formula, markdown)


def _formula(found: re.Match[str]) -> str:
    """A formula: a block of its own if a line break follows the signs, else a part of its line."""
    latex = found[1].strip()
    if found[1].startswith("\n"):
        return convert(latex, display="block")
    # in a span, for a line that began with MathML would be taken for a block
    return f"<span>{convert(latex)}</span>"


def commands_page() -> str:
    """The help of every command, as it is printed."""
    parts = [
        "# Commands",
        "What `dtomtrack COMMAND --help` prints. Exit status: 0 done, 1 incomplete or failed, 2 bad input or usage, "
        "130 interrupted.",
    ]
    for name, text in _helps(typer.main.get_command(app), "dtomtrack"):
        parts += [f"## {name}", f"```text\n{text}\n```"]
    return "\n\n".join(parts) + "\n"


def _helps(command: Any, name: str, parent: Any = None) -> Iterator[tuple[str, str]]:
    """The command's name and help, then those of its subcommands."""
    context = command.make_context(name, [], parent=parent, resilient_parsing=True, max_content_width=_WIDTH)
    context.terminal_width = _WIDTH
    yield context.command_path, command.get_help(context)
    for own, subcommand in getattr(command, "commands", {}).items():
        yield from _helps(subcommand, own, context)


def names_page() -> str:
    """Every name of ``dtomtrack.__all__``, functions first, with its docstring; then what they take and give."""
    homes = [_home(name) for name in dtomtrack.__all__]
    functions = [home for home in homes if home.rpartition(".")[2].islower()]
    sections = {
        "Functions": functions,
        "Classes": [home for home in homes if home not in functions],
        "What functions take and give": _BESIDE,
    }
    parts = ["# The library", "All that `import dtomtrack` offers. Everything else may change without notice."]
    for title, names in sections.items():
        parts += [f"## {title}", *(f"::: {name}" for name in names)]
    return "\n\n".join(parts) + "\n"


def _home(name: str) -> str:
    """The full name of a public name where it is defined."""
    found = getattr(dtomtrack, name)
    return f"{found.__module__}.{found.__qualname__}"
