"""RhetBench as a task of Inspect AI: Inspect's model persuades, our characters listen.

    pip install inspect_ai dtomtrack
    inspect eval dtomtrack/rhetbench --model PROVIDER/NAME -T samples=1 -T scenarios=core

What was said is in the transcript; the score is whether the character was won over by turn 10, with standard errors
clustered by scenario. ``won`` is by the last turn. What a spectator is asked is another task: ``dtomtrack export
DIR --to inspect``.
"""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, accuracy, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from dtomtrack.llm.quotes import unquoted
from dtomtrack.scenarios.persuasion_npc.briefing import briefing_of
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.listening import Character
from dtomtrack.suites.rhetbench.metrics import HEADLINE_TURN
from dtomtrack.suites.rhetbench.model_persuader import instructions
from dtomtrack.suites.rhetbench.planning import PlayConfig, episode_config
from dtomtrack.suites.rhetbench.talking import Talking

__all__ = ["rhetbench"]


@task
def rhetbench(
    scenarios: str | list[str] = "core",
    samples: int = 1,
    seed: int = 0,
    rules: str = "dtomtrack",
    cue: str = "neutral",
    drift: str = "none",
    turns: int = 25,
    taxonomy: str = "told",
) -> Task:
    """Episodes as ``dtomtrack play rhetbench`` plays them with the same settings."""
    play = PlayConfig.model_validate(
        {"seed": seed, "samples": samples, "rules": rules, "cue": cue, "drift": drift, "turns": turns}
    )
    play.check()
    talking = Talking.model_validate({"taxonomy": taxonomy})
    # Inspect makes a list of what has commas
    names = scenarios.split(",") if isinstance(scenarios, str) else scenarios
    packs = find_packs([one.strip() for one in names])
    return Task(
        dataset=MemoryDataset([_sample(play, packs, index) for index in range(len(packs) * samples)]),
        solver=persuade(play, talking, packs),
        scorer=persuaded(),
        config=GenerateConfig(temperature=talking.temperature, max_tokens=talking.max_tokens),
        version="1",
    )


def _sample(play: PlayConfig, packs: list[PersuasionPack], index: int) -> Sample:
    pack, config = episode_config(play, packs, index)
    return Sample(
        id=f"{pack.id}-{config.sample}",
        input=briefing_of(pack, play.cue).opening,
        metadata={"index": index, "scenario": pack.id},
    )


@solver
def persuade(play: PlayConfig, talking: Talking, packs: list[PersuasionPack]) -> Solver:
    """The model talks until the character is won over, walks out, or there are no turns left."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        pack, config = episode_config(play, packs, state.metadata["index"])
        briefing, character = briefing_of(pack, play.cue), Character(pack, config)
        told = instructions(briefing, talking, config.turns)
        state.messages = [ChatMessageSystem(content=told), ChatMessageUser(content=briefing.opening)]
        memory = character.opening()
        while not memory.over:
            state = await generate(state)
            memory = character.after(memory, unquoted(state.output.completion))
            state.messages.append(ChatMessageUser(content=memory.turns[-1].reply))
        episode = Episode(
            index=state.metadata["index"],
            subject=str(state.model),
            config=config,
            turns=memory.turns,
            won=memory.won,
            walked_out=memory.walked_out,
        )
        state.metadata["episode"] = episode.model_dump(mode="json")
        return state

    return solve


@metric
def won() -> Metric:
    """The share of episodes won by their last turn."""

    def share(scores: list[SampleScore]) -> float:
        return sum(bool((one.score.metadata or {})["won"]) for one in scores) / len(scores) if scores else 0.0

    return share


@scorer(metrics=[accuracy(), stderr(cluster="scenario"), won()])
def persuaded() -> Scorer:
    """Whether the character was won over by turn 10."""

    async def score(state: TaskState, target: Target) -> Score:
        episode = Episode.model_validate(state.metadata["episode"])
        by = episode.won_at
        return Score(
            value=int(by is not None and by <= HEADLINE_TURN),
            answer=f"won at turn {by}" if by else "walked out" if episode.walked_out else "not won",
            metadata={"won": episode.won, "turns": len(episode.turns)},
        )

    return score
