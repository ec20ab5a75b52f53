"""``dtomtrack generate``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from dtomtrack.cli.stopping import complain, logging_to, printing, resumable, run_stoppable

if TYPE_CHECKING:
    from dtomtrack.runs.engines import Engine
    from dtomtrack.runs.job import Job
    from dtomtrack.suites.dtom.job import DtomJob
    from dtomtrack.suites.dtom.model_options import ModelOptions

__all__ = ["command"]

ScenarioSource = Literal["model", "pack"]
ScenarioStyle = Literal["free", "planned"]
ActorStyle = Literal["one-call", "two-call"]
TurnFormat = Literal["json", "text"]

_FEW = 24
"""So many dialogues are made faster in one process than it takes to start others."""


def command(
    domain: Annotated[
        str,
        typer.Option(
            "--domain", "-d", help="A built-in domain, several (restaurant,travel), all, or the path of a pack."
        ),
    ] = "restaurant",
    n: Annotated[int, typer.Option("--n", "-n", help="How many dialogues to keep.")] = 500,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="The dataset folder.  [default: out/DOMAIN-SEED, with the model's name]")
    ] = None,
    turns: Annotated[int, typer.Option(help="Turns of each dialogue, 6 to 60.")] = 10,
    max_attempts: Annotated[int, typer.Option(help="Scenarios that a slot may try.")] = 5,
    engine: Annotated[
        str | None,
        typer.Option(help="Who works: local, this process; processes, others beside it.  [default: by need]"),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(help="Processes that work; 0 for as many as are of use.  [default: one a core; with models 1]"),
    ] = 0,
    concurrency: Annotated[
        int | None,
        typer.Option(
            help="With models, calls to each at once [16]; without, dialogues under way at once in each process [8]."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="A language model, PROVIDER/NAME, for scenarios, actors and verifier.  [default: none]"),
    ] = None,
    scenario_model: Annotated[str | None, typer.Option(help="Who writes the scenarios.  [default: --model]")] = None,
    actor_model: Annotated[str | None, typer.Option(help="Who plays both agents.  [default: --model]")] = None,
    verifier_model: Annotated[
        str | None, typer.Option(help="Who verifies behind the rules; rules for nobody.  [default: --model]")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Address of the server, if not the provider's own.")] = None,
    scenario_base_url: Annotated[str | None, typer.Option(help="That of --scenario-model.")] = None,
    actor_base_url: Annotated[str | None, typer.Option(help="That of --actor-model.")] = None,
    verifier_base_url: Annotated[str | None, typer.Option(help="That of --verifier-model.")] = None,
    scenarios: Annotated[
        ScenarioSource | None,
        typer.Option(help="Scenarios written by the model, or drawn from the pack.  [default: model, if there is one]"),
    ] = None,
    scenario_style: Annotated[
        ScenarioStyle | None,
        typer.Option(help="free: written at once; planned: a plan filled in, for weak models.  [default: free]"),
    ] = None,
    actor_style: Annotated[
        ActorStyle | None,
        typer.Option(
            help="one-call: a turn at once; two-call: thought, then line, for weak models.  [default: one-call]"
        ),
    ] = None,
    turn_format: Annotated[
        TurnFormat | None, typer.Option(help='Of a turn in one call; text is (thought) "line".  [default: json]')
    ] = None,
    turn_retries: Annotated[
        int | None, typer.Option(help="How often a turn that breaks a rule is asked for again.  [default: 3]")
    ] = None,
    temperature: Annotated[float | None, typer.Option(help="Of writer and actors.  [default: 0.7]")] = None,
    threshold: Annotated[
        float | None, typer.Option(help="Grade (0 to 1) that the verifier has to give a question.  [default: 0.6]")
    ] = None,
    requests_per_minute: Annotated[float | None, typer.Option(help="To each model.  [default: no limit]")] = None,
    tokens_per_minute: Annotated[float | None, typer.Option(help="To each model.  [default: no limit]")] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds for one try of a call.  [default: 300]")] = None,
    max_cost: Annotated[float | None, typer.Option(help="US dollars that the run may cost; it stops before.")] = None,
    max_tokens_total: Annotated[int | None, typer.Option(help="Tokens that the run may take; it stops before.")] = None,
    prices: Annotated[Path | None, typer.Option(help="A YAML file of prices that go before the built-in ones.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how many calls, tokens and dollars to expect; call nobody.")
    ] = False,
    log: Annotated[
        Path | None, typer.Option(help="Append a line for each call to this file, without what is said.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")] = False,
) -> None:
    """Make a benchmark: verified dialogues with questions, in a dataset folder.

    Without --model, scenarios are drawn from a domain pack and played by scripted actors: no language model, key or
    network is needed. Models are named openai/..., openrouter/..., vllm/..., ollama/..., llamacpp/..., gguf/PATH or
    langchain/PROVIDER:MODEL; keys come from the environment. A run that was stopped or killed goes on where it was
    when the same command is given again, and pays for no reply twice.
    """
    given: dict[str, object] = {
        "model": model,
        "scenario_model": scenario_model,
        "actor_model": actor_model,
        "verifier_model": verifier_model,
        "base_url": base_url,
        "scenario_base_url": scenario_base_url,
        "actor_base_url": actor_base_url,
        "verifier_base_url": verifier_base_url,
        "scenario_source": scenarios,
        "scenario_style": scenario_style,
        "actor_style": actor_style,
        "turn_format": turn_format,
        "turn_retries": turn_retries,
        "temperature": temperature,
        "threshold": threshold,
        "requests_per_minute": requests_per_minute,
        "tokens_per_minute": tokens_per_minute,
        "timeout": timeout,
        "max_cost": max_cost,
        "max_tokens_total": max_tokens_total,
        "prices": prices,
    }
    with resumable() as command_line:
        from dtomtrack.api import choose_engine, make_job
        from dtomtrack.errors import InputError
        from dtomtrack.scenarios.pack_files import builtin_domains

        if workers < 0:
            raise InputError(f"workers is {workers}; it has to be 0 (as many as are of use) or more")
        names = builtin_domains() if domain == "all" else [name.strip() for name in domain.split(",") if name.strip()]
        job = make_job(
            names,
            n=n,
            seed=seed,
            turns=turns,
            max_attempts=max_attempts,
            concurrency=concurrency,
            **cast("ModelOptions", {name: value for name, value in given.items() if value is not None}),
        )
        if dry_run:
            _estimate(job, n)
            return
        asked = _Asked(n, out or _own_folder(names, seed, actor_model or model or verifier_model), command_line, quiet)
        with logging_to(log):
            _run(job, choose_engine(engine, workers or _workers_of_use(job, n, engine)), asked)


@dataclass(frozen=True)
class _Asked:
    """The rest of what was asked for: how many slots, in which folder, by which command line, and in silence or not."""

    n: int
    out: Path
    command: str
    quiet: bool


def _workers_of_use(job: DtomJob, n: int, engine: str | None) -> int | None:
    """Workers where nobody says how many: processes help with computation; with models it is the waiting that takes
    time."""
    if engine is not None:
        return None
    return 1 if n <= _FEW or job.models is not None else os.cpu_count()


def _own_folder(names: list[str], seed: int, model: str | None) -> Path:
    """Where a dataset goes if nobody says: a folder that tells what it is, so that two runs don't meet in one."""
    name = f"{'-'.join(Path(name).stem for name in names)}-{seed}"
    if model is None:
        return Path("out") / name
    from dtomtrack.runs.names import folder_name

    return Path("out") / f"{name}-{folder_name(model)}"


def _estimate(job: DtomJob, n: int) -> None:
    from dtomtrack.cli.summary import show_estimate
    from dtomtrack.suites.dtom.estimate import estimate

    estimated = estimate(job, n)
    with printing("the estimate", needed=True):
        show_estimate(estimated)


def _run(job: Job, engine: Engine, asked: _Asked) -> None:
    from dtomtrack.cli.summary import show_progress, summarize
    from dtomtrack.runs.run import run

    out = asked.out
    with show_progress(asked.n, quiet=asked.quiet) as report:
        manifest = run_stoppable(run(job, engine, n=asked.n, out=out, command=asked.command, report=report))
    if not asked.quiet:
        with printing(f"{manifest.status}: {out}; the summary"):
            summarize(manifest, out)
    if manifest.status != "complete":
        complain(
            f"{manifest.counts.unfilled} of {manifest.n} slots stayed empty after {manifest.config['max_attempts']} "
            f"attempts; {out / 'rejected.jsonl'} says why. More attempts need another --out"
        )
        raise typer.Exit(1)
