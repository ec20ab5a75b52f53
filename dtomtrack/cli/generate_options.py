"""The options of ``dtomtrack generate``, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import typer

from dtomtrack.cli.options import RunFlags, WorkerFlags

__all__ = ["AskingRunFlags", "DatasetFlags", "EngineFlags", "StageFlags", "StyleFlags"]

ScenarioSource = Literal["model", "pack"]
ScenarioStyle = Literal["free", "planned"]
ActorStyle = Literal["one-call", "two-call", "free"]
TurnFormat = Literal["json", "text"]
DataFormat = Literal["jsonl", "parquet"]


@dataclass(frozen=True, kw_only=True)
class DatasetFlags:
    """Flags that say what is to be made, and where."""

    HEADING: ClassVar[str] = "The dataset"

    suite: Annotated[
        str,
        typer.Option(help="The suite whose kind of data is made: dtom, persuasivetom, rectom, tomelp or rhetbench."),
    ] = "dtom"
    domain: Annotated[
        str | None,
        typer.Option(
            "--domain",
            "-d",
            help="A built-in domain, several (restaurant,travel), all, or the path of a pack.  [default: restaurant; "
            "with other suites than dtom, all]",
        ),
    ] = None
    n: Annotated[
        int | None,
        typer.Option("--n", "-n", help="How many dialogues are to be kept.  [default: 500; with a language model 20]"),
    ] = None
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0
    out: Annotated[
        Path | None,
        typer.Option(
            help="The dataset folder.  [default: out/DOMAIN-SEED; between them the difficulty if it is not paper, as "
            "in out/travel-group-0, turns that are not its own (40-turns), and 8 letters for dials that are set; "
            "behind them the model's name]"
        ),
    ] = None
    difficulty: Annotated[
        str,
        typer.Option(
            metavar="PRESET",
            help="paper: 2 people, 10 turns, both hear everything. In the others people come and go, take each other "
            "aside, write notes, tell untruths. apart: 2 people and one who passes by, 10 turns; group: 3-4 people, 24 "
            "turns; hard: 3-4, 60; extreme: 4-5, 300.",
        ),
    ] = "paper"
    turns: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="Turns of each dialogue, 6 to 400, or several numbers (24,60,120): four dialogues of a domain have "
            "the first, its next four the second, and so on.  "
            "[default: the difficulty's]",
        ),
    ] = None
    dial: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A dial over the preset, given as often as needed: participants=3-4, topics=2-5, holders=1-2, "
            "revisions=2-4, return_share=.3, resistance_share=.33, decoy_share=.22, signals.none=.4, "
            "apart=absence,note, apart.untruth=2, order=3 and every other of the manifest's difficulty.",
        ),
    ] = None
    max_attempts: Annotated[int, typer.Option(help="How many scenarios may be tried for each dialogue.")] = 5
    data_format: Annotated[
        DataFormat,
        typer.Option(
            "--format",
            help="How data files of dtom are written: jsonl, JSON lines; parquet, in parts of 500 dialogues, a tenth "
            "of the size. Every command reads both.",
        ),
    ] = "jsonl"


@dataclass(frozen=True, kw_only=True)
class EngineFlags(WorkerFlags):
    """Who works, and on how much at once."""

    concurrency: Annotated[
        int | None,
        typer.Option(
            help="With models, calls to each at once; without, dialogues at once in each process.  [default: 16; 8]"
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class StageFlags:
    """Which models take part, and where they are."""

    HEADING: ClassVar[str] = "Language models"

    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="SPEC",
            help="A language model for scenarios, actors and verifier, as PROVIDER/NAME.  [default: none]",
        ),
    ] = None
    scenario_model: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who writes the scenarios.  [default: --model]")
    ] = None
    actor_model: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who plays the agents.  [default: --model]")
    ] = None
    verifier_model: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Who verifies behind the rules; rules for nobody.  [default: --model]"),
    ] = None
    base_url: Annotated[str | None, typer.Option(help="Address of the server, if it is not the provider's own.")] = None
    scenario_base_url: Annotated[str | None, typer.Option(help="Address of the server of --scenario-model.")] = None
    actor_base_url: Annotated[str | None, typer.Option(help="Address of the server of --actor-model.")] = None
    verifier_base_url: Annotated[str | None, typer.Option(help="Address of the server of --verifier-model.")] = None


@dataclass(frozen=True, kw_only=True)
class StyleFlags:
    """How models write, play and verify."""

    HEADING: ClassVar[str] = "How models write, play and verify"

    scenario_source: Annotated[
        ScenarioSource | None,
        typer.Option(
            "--scenarios",
            help="Whether the model writes the scenarios, or they are drawn from the pack.  [default: model, if there "
            "is one]",
        ),
    ] = None
    scenario_style: Annotated[
        ScenarioStyle | None,
        typer.Option(
            help="free: a scenario is written at once; planned: a plan is filled in, for weak models.  [default: free]"
        ),
    ] = None
    actor_style: Annotated[
        ActorStyle | None,
        typer.Option(
            help="one-call: a turn is asked for at once; two-call: one thing at a time, for weak models (1 to 3 B), "
            "known thoughts being put in place; free: only changes of mind are directed, for strong ones.  "
            "[default: one-call]"
        ),
    ] = None
    turn_format: Annotated[
        TurnFormat | None,
        typer.Option(help='The form of a turn in one call; text is (thought) "line".  [default: json]'),
    ] = None
    turn_retries: Annotated[
        int | None, typer.Option(help="How often what of a turn breaks a rule is asked for again.  [default: 3]")
    ] = None
    temperature: Annotated[float | None, typer.Option(help="Temperature of writer and actors.  [default: 0.7]")] = None
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GRADE",
            help="Grade (0 to 1) that the verifier has to give a question; or on one criterion, as correctness=.5, "
            "soundness=.5, quality=.5; may be given several times.  [default: 0.6]",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class AskingRunFlags(RunFlags):
    """Flags for a run that asks before it gets dear."""

    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Begin without asking, even if it takes many calls or much money.")
    ] = False
