"""Episodes played by nobody, to count what models would be asked: as chance would play, and how short or long at most.

A stand-in answers the very code that will ask the models. As expected, it says lines of random classes, as long as
models mostly make theirs: the published models did no better than chance. At least, each character is won over or
driven away in as few turns as its rules allow somebody who sees its mind, by short sentences. At most, nobody is ever
moved, every message takes all tokens that it may, and models that help have to be asked again each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeAlias

from dtomtrack.graphs.persuasion import Persuader
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.spent import Spent
from dtomtrack.llm.tokens import count_tokens, prompt_tokens
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.episode import EpisodeConfig
from dtomtrack.suites.rhetbench.exploits import ExploitPersuader
from dtomtrack.suites.rhetbench.job import PersuasionJob
from dtomtrack.suites.rhetbench.model_classifier import ModelClassifier
from dtomtrack.suites.rhetbench.model_persuader import ModelPersuader
from dtomtrack.suites.rhetbench.model_verbalizer import ModelVerbalizer
from dtomtrack.suites.rhetbench.npc import Mind, TurnOutcome, opening_state, step
from dtomtrack.suites.rhetbench.persuaders import ScriptedPersuader, scripted_lines
from dtomtrack.suites.rhetbench.planning import episode_config
from dtomtrack.suites.rhetbench.playing import play_episode
from dtomtrack.suites.rhetbench.rules import Rules, load_rules

__all__ = ["Course", "Rehearsed", "fewest_turns", "rehearse"]

Course: TypeAlias = Literal["expected", "least", "most"]
"""How episodes go."""

_USUAL = 280
"""Characters of a message. In the published runs whose limit was 300, Claude Sonnet 4.6 wrote 289 in the mean of 167
messages, GPT-4o 268 in that of 118."""
_SHORT = "Please do think about it once more."
_PADDING = "It is so, and there is more to say."
"""Of no class."""
_CHARACTERS_A_TOKEN = 8
"""More than a token has in any table."""
_UNMOVED = {"threshold": 2.0, "walk_out": -2.0}
"""Agreement lies between -1 and 1."""


@dataclass
class _StandIn:
    """A model that says what its course has it say, and counts what it is asked (`dtomtrack.llm.chat.ChatModel`)."""

    name: str
    course: Course
    rng: Random = field(default_factory=lambda: Random(0))  # noqa: S311 - the same estimate each time
    calls: int = 0
    prompts: int = 0
    replies: int = 0

    async def chat(self, request: ChatRequest) -> ChatReply:
        """A message, or a letter where one is asked for."""
        text = self._text(request)
        usage = Usage(prompt_tokens(request), min(count_tokens(text), request.max_tokens))
        # at least, the first try does
        if self.course != "least" or request.call.try_ == 0:
            self.calls += 1
            self.prompts += usage.prompt_tokens
            self.replies += usage.completion_tokens
        return ChatReply(text, "stop", usage)

    @property
    def spent(self) -> Spent:
        """The sums."""
        return Spent(self.calls, Usage(self.prompts, self.replies))

    def _text(self, request: ChatRequest) -> str:
        if self.course == "most":
            return _as_long_as(request.max_tokens)
        if request.choices:
            return self.rng.choice(request.choices)
        if self.course == "least":
            return _SHORT
        text = self.rng.choice(scripted_lines()[self.rng.choice(APPEALS)])
        while len(text) < _USUAL:
            text = f"{text} {_PADDING}"
        return text[:_USUAL]


def _as_long_as(tokens: int) -> str:
    """A text of so many tokens; too long for a reply of the character, and no letter."""
    text = ""
    while count_tokens(text) < tokens:
        text += f"{_PADDING} " * (1 + (tokens * _CHARACTERS_A_TOKEN) // len(_PADDING) // 2)
    return text


@dataclass(frozen=True)
class Rehearsed:
    """What the models of a subject were asked: the one that persuades, and those that classify and word replies."""

    persuader: Spent
    classifier: Spent
    verbalizer: Spent


async def rehearse(job: PersuasionJob, course: Course, slots: Sequence[int]) -> Rehearsed:
    """What models are asked in the episodes of these numbers, if they go like that."""
    persuader, classifier, verbalizer = (_StandIn(name, course) for name in ("persuader", "classifier", "verbalizer"))
    asks = load_rules(job.play.rules).asks
    for index in slots:
        pack, planned = episode_config(job.play, job.packs, index)
        config = _on_course(planned, course)
        reader = None if job.classifier is None else ModelClassifier(classifier, "", 0, asks=asks)
        voice = None if job.verbalizer is None else ModelVerbalizer(verbalizer, pack, "", 0)
        speaker = _speaker(job, persuader, pack, config)
        await play_episode(speaker, job.subject, pack, config, index, reader, voice)
    return Rehearsed(persuader.spent, classifier.spent, verbalizer.spent)


def _speaker(job: PersuasionJob, model: _StandIn, pack: PersuasionPack, config: EpisodeConfig) -> Persuader:
    kind, _, name = job.subject.partition("/")
    if job.spec is not None:
        return ModelPersuader(model, job.talking, config.turns, "", 0)
    if kind == "exploit":
        return ExploitPersuader(name, pack)
    # a person is taken to be as good as chance
    return ScriptedPersuader(name or "random", pack, config)


def _on_course(planned: EpisodeConfig, course: Course) -> EpisodeConfig:
    """The episode as it goes: as planned, or with a character that nothing moves until the turns are over."""
    if course == "expected":
        return planned
    unmoved = planned.mind.model_copy(update=_UNMOVED)
    turns = planned.turns if course == "most" else fewest_turns(planned)
    return planned.model_copy(update={"turns": turns, "mind": unmoved})


def fewest_turns(config: EpisodeConfig) -> int:
    """The turns of an episode that is won, or lost, by what moves the character most in each turn."""
    rules, mind = load_rules(config.rules), config.mind.mind()
    return min(_turns(rules, mind, config.turns, sign) for sign in (1, -1))


def _turns(rules: Rules, mind: Mind, most: int, sign: int) -> int:
    """The turns to the end in one direction, as if every argument that helps answered the character's question."""
    state = opening_state(mind)
    for turn in range(1, most + 1):
        outcomes = [step(rules, mind, state, one, answers=sign > 0) for one in ArgumentClass]
        furthest = max(outcomes, key=lambda one: _moved(one, sign))
        if furthest.over:
            return turn
        state = furthest.state
    return most


def _moved(outcome: TurnOutcome, sign: int) -> float:
    return sign * outcome.delta
