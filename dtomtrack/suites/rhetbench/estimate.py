"""The calls, tokens and dollars of a run, found out without calling anybody.

All episodes are rehearsed: a stand-in, asked by the very code that will ask the models, says lines of random classes,
as long as models mostly make theirs. The published models did no better than chance; one that does takes fewer
turns. A model that has played some of these episodes already says in all of them what it said to the same character.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dtomtrack.evaluation.estimate import SubjectEstimate
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.prices import load_prices
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.tokens import count_tokens, prompt_tokens
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.job import PersuasionJob
from dtomtrack.suites.rhetbench.model_classifier import ModelClassifier
from dtomtrack.suites.rhetbench.model_persuader import ModelPersuader
from dtomtrack.suites.rhetbench.model_verbalizer import ModelVerbalizer
from dtomtrack.suites.rhetbench.persuaders import ScriptedPersuader, scripted_lines
from dtomtrack.suites.rhetbench.planning import episode_config
from dtomtrack.suites.rhetbench.play_run import PlayRequest
from dtomtrack.suites.rhetbench.played import played_subjects
from dtomtrack.suites.rhetbench.playing import play_episode
from dtomtrack.suites.rhetbench.rules import load_rules

__all__ = ["estimate_play", "played_before"]

_USUAL = 280
"""Characters of a message. In the published runs whose limit was 300, Claude Sonnet 4.6 wrote 289 in the mean of 167
messages, GPT-4o 268 in that of 118."""
_PADDING = "It is so, and there is more to say."
"""Of no class."""


@dataclass
class _Rehearsal:
    """A stand-in that counts what it is asked (a `dtomtrack.llm.chat.ChatModel`).

    Attributes:
        said: messages that it says first, the last of them for ever; without any, lines are drawn.
    """

    name: str
    said: deque[str] = field(default_factory=deque)
    rng: Random = field(default_factory=lambda: Random(0))  # noqa: S311 - the same estimate each time
    calls: int = 0
    prompts: int = 0
    replies: int = 0

    async def chat(self, request: ChatRequest) -> ChatReply:
        """A line of a random class, or a letter where one is asked for."""
        text = request.choices[0] if request.choices else self._line()
        usage = Usage(prompt_tokens(request), min(count_tokens(text), request.max_tokens))
        self.calls += 1
        self.prompts += usage.prompt_tokens
        self.replies += usage.completion_tokens
        return ChatReply(text, "stop", usage)

    def _line(self) -> str:
        if self.said:
            return self.said.popleft() if len(self.said) > 1 else self.said[0]
        text = self.rng.choice(scripted_lines()[self.rng.choice(APPEALS)])
        while len(text) < _USUAL:
            text = f"{text} {_PADDING}"
        return text[:_USUAL]


def estimate_play(request: PlayRequest) -> tuple[SubjectEstimate, ...]:
    """Estimates of what a run will take: for each subject, and for who classifies, if a model does.

    Raises:
        InputError: it can't be played.
        ModelSpecError: the table of prices can't be used.
    """
    request.check()
    found: list[SubjectEstimate] = []
    for subject in request.subjects:
        job = request.job(subject)
        persuader, classifier = _Rehearsal(subject), _Rehearsal(f"{request.play.classifier}, classifier of {subject}")
        recorded = _recorded(request.out, job)
        verbalizer = _Rehearsal(f"{request.play.verbalizer}, replies to {subject}")
        episodes = len(request.packs) * request.play.samples
        asyncio.run(_rehearse(job, episodes, (persuader, classifier, verbalizer), recorded))
        found.append(_estimate(request, persuader, job.spec))
        if job.classifier is not None:
            found.append(_estimate(request, classifier, job.classifier))
        if job.verbalizer is not None:
            found.append(_estimate(request, verbalizer, job.verbalizer))
    return tuple(found)


def played_before(request: PlayRequest) -> Mapping[str, int]:
    """By language model, how many episodes of the request it has played; its estimate goes by those."""
    jobs = {subject: request.job(subject) for subject in request.subjects}
    counts = {subject: sum(map(len, _recorded(request.out, job).values())) for subject, job in jobs.items()}
    return {subject: count for subject, count in counts.items() if count}


def _recorded(out: Path, job: PersuasionJob) -> Mapping[str, Sequence[Episode]]:
    """By scenario, the episodes that a language model has played in a folder under the same settings."""
    found: dict[str, list[Episode]] = defaultdict(list)
    for played in played_subjects(out):
        # as written: how many samples there are to be is no part of the settings
        if job.spec is not None and played.config.model_dump() == job.config.model_dump():
            for episode in played.episodes():
                found[episode.config.scenario].append(episode)
    return found


async def _rehearse(
    job: PersuasionJob,
    episodes: int,
    models: tuple[_Rehearsal, _Rehearsal, _Rehearsal],
    recorded: Mapping[str, Sequence[Episode]],
) -> None:
    persuader, classifier, verbalizer = models
    if job.client is None:
        return
    asks = load_rules(job.play.rules).asks
    for index in range(episodes):
        pack, config = episode_config(job.play, job.packs, index)
        reader = None if job.classifier is None else ModelClassifier(classifier, "", 0, asks=asks)
        voice = None if job.verbalizer is None else ModelVerbalizer(verbalizer, pack, "", 0)
        before = recorded.get(pack.id)
        said = before[config.sample % len(before)].turns if before else ()
        persuader.said = deque(turn.message for turn in said)
        scripted = job.spec is None
        speaker = (
            ScriptedPersuader("random", pack, config)
            if scripted
            else ModelPersuader(persuader, job.talking, config.turns, "", 0)
        )
        await play_episode(speaker, job.subject, pack, config, index, reader, voice)


def _estimate(request: PlayRequest, one: _Rehearsal, model: ModelSpec | None) -> SubjectEstimate:
    price = None if model is None else load_prices(request.client.prices).of(model)
    cost = 0.0 if model is None else None if price is None else price.of(Usage(one.prompts, one.replies))
    return SubjectEstimate(one.name, one.calls, one.prompts, one.replies, cost)
