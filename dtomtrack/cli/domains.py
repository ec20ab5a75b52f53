"""``dtomtrack domains``: what can be generated, and whether a pack of your own is right."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from dtomtrack.cli.help import GroupedCommand
from dtomtrack.cli.options import LimitFlags, ServerFlags, given_options, with_groups
from dtomtrack.cli.output import echo
from dtomtrack.cli.stopping import resumable, run_stoppable

__all__ = ["app"]

app = typer.Typer(
    name="domains", help="List the built-in domains, or check a domain pack of your own.", invoke_without_command=True
)


@app.callback()
def _list(context: typer.Context) -> None:
    """List the built-in domains."""
    if context.invoked_subcommand is not None:
        return
    from dtomtrack.scenarios.pack_files import builtin_domains, find_pack, load_pack

    for name in builtin_domains():
        pack = load_pack(find_pack(name))
        states = Counter(topic.state.value for topic in pack.topics)
        spread = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        echo(f"{name}: {pack.title}; {len(pack.situations)} situations, {len(pack.topics)} topics ({spread})")


@app.command(
    "check",
    cls=GroupedCommand,
    short_help="Say what is wrong with a pack: file, line, field.",
    epilog="dtomtrack domains check mine.yaml\ndtomtrack domains check core",
)
def check(
    file: Annotated[
        str,
        typer.Argument(
            metavar="PACK",
            help="Path of a pack, the name of a built-in domain or character, or a set of characters: core, all, "
            "fresh:COUNT:SEED, a folder.",
        ),
    ],
    seeds: Annotated[
        int, typer.Option(min=1, max=10_000, help="How many episodes with each character of a set win rates are from.")
    ] = 200,
) -> None:
    """Say what is wrong with a pack of a domain, a character or persuasion: file, line and field, a line each.

    Of a set of characters figures are printed, too: who wins by turn 10, whether the context gives away what works, and
    how well tones can be heard, beside what they have to be. The exit status is 1 where one isn't.
    """
    from dtomtrack.scenarios.persuasion_npc.pack_files import is_set

    if is_set(file):
        _check_set(file, seeds)
        return
    kind, wrong = _checked(file)
    for line in wrong:
        echo(line, err=True)
    if wrong:
        raise typer.Exit(2)
    echo(f"{file}: a {kind} pack with nothing wrong")


def _checked(file: str) -> tuple[str, list[str]]:
    """What a pack is of, and what is wrong with it."""
    from dtomtrack.scenarios.pack_files import check_pack, find_pack
    from dtomtrack.scenarios.persuasion.pack_files import check as check_goal
    from dtomtrack.scenarios.persuasion.pack_files import goal_pack
    from dtomtrack.scenarios.persuasion_npc.pack_files import character_pack
    from dtomtrack.scenarios.persuasion_npc.pack_files import check as check_character

    character = character_pack(file)
    if character is not None:
        return "character", list(check_character(file, character))
    goal = goal_pack(file)
    if goal is not None:
        return "persuasion", check_goal(file, goal)
    return "domain", list(check_pack(find_pack(file)))


def _check_set(name: str, seeds: int) -> None:
    from dtomtrack.cli.characters import show_figures
    from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs

    packs = find_packs([name])
    echo(f"{name}: {len(packs)} character packs with nothing wrong")
    if not show_figures(packs, seeds):
        raise typer.Exit(1)


@app.command(
    "write",
    cls=GroupedCommand,
    short_help="Have a language model write a pack from a brief.",
    epilog="dtomtrack domains write plants.yaml --suite rectom --brief plants -m SPEC",
)
@with_groups
def write(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The pack, a new file; its name is the domain's.")],
    suite: Annotated[str, typer.Option(help="What it is for: persuasivetom or rectom.")],
    brief: Annotated[str, typer.Option(help="What it is to be about, in words.")],
    model: Annotated[str, typer.Option("--model", "-m", metavar="SPEC", help="Who writes it.")],
    server: ServerFlags,
    limits: LimitFlags,
    seed: Annotated[int, typer.Option(min=0, help="Another one gives another pack.")] = 0,
) -> None:
    """Write a pack of persuasion or recommendation, to read and change, then: generate --suite SUITE --domain FILE.

    One call or two. Nobody has checked what the model writes; the file says so. Replies stay in FILE.journal.sqlite.
    """
    with resumable():
        from dtomtrack.llm.options import client_settings
        from dtomtrack.llm.spec import parse_spec
        from dtomtrack.suites.generation.pack_writing import check_order, save_pack, written_pack

        options = {**given_options(limits), "concurrency": server.concurrency}
        spec = parse_spec(model, server.base_url)
        check_order(file, suite, brief)
        pack = run_stoppable(written_pack(file, suite, brief, spec, client_settings(options), seed))
        save_pack(file, pack, spec.label)
        echo(f"{file}: written; read it, then try: dtomtrack generate --suite {suite} --domain {file} --n 20")


@app.command("show", cls=GroupedCommand, epilog="dtomtrack domains show restaurant > mine.yaml")
def show(name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a built-in domain or character.")]) -> None:
    """Print a built-in pack, to copy and change."""
    from dtomtrack.scenarios.pack_files import find_pack
    from dtomtrack.scenarios.persuasion_npc.pack_files import character_pack

    echo(character_pack(name) or find_pack(name).text, nl=False)
