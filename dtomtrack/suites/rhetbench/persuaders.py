"""Scripted persuaders with words: a policy chooses a class, a line of that class is said, the reply's tone is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from random import Random

import yaml

from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.scenarios.persuasion_npc.answering import answers
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.suites.rhetbench.episode import EpisodeConfig
from dtomtrack.suites.rhetbench.listening import LONGEST
from dtomtrack.suites.rhetbench.npc import opening_state, step
from dtomtrack.suites.rhetbench.policies import Exchange, PolicyName, Sight, listens, make_policy
from dtomtrack.suites.rhetbench.replies import stable_number
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.suites.rhetbench.tone_reader import reader_without

__all__ = ["ScriptedPersuader", "scripted_lines"]


@cache
def scripted_lines() -> Mapping[ArgumentClass, tuple[str, ...]]:
    """The lines of scripted persuaders, by class, with placeholders."""
    text = (resources.files("dtomtrack.suites.rhetbench") / "lines.yaml").read_text(encoding="utf-8")
    return {ArgumentClass(name): tuple(lines) for name, lines in yaml.safe_load(text).items()}


class ScriptedPersuader:
    """Plays one episode by a policy (a `dtomtrack.graphs.persuasion.Persuader`).

    It hears tones with a reader that has never met the character, and takes up the character's question unless its
    policy is one that doesn't listen. Only the oracle is told of the hidden mind, and keeps account of it by itself:
    the workflow gives it nothing. That account goes by what it meant: where a model classifies and hears something
    else, it is no longer the character's state, and the oracle no bound.

    Attributes:
        declared: the kind of each message so far.
    """

    def __init__(self, policy: PolicyName, pack: PersuasionPack, config: EpisodeConfig) -> None:
        """Prepare for an episode.

        Raises:
            InputError: there is no such policy.
        """
        self._rules = load_rules(config.rules)
        rng = Random(f"{policy}/{pack.id}/{config.seed}")  # noqa: S311 - reproducible, no secret
        self._choose = make_policy(policy, self._rules, rng)
        self._listens = listens(policy)
        self._pack = pack
        self._seed = config.seed
        self._mind = config.mind.mind()
        self._state = opening_state(self._mind)
        self.declared: list[ArgumentClass] = []
        self._answers = False
        self._history: list[Exchange] = []
        self._delay = int(config.legibility == "delayed")

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        """The next message."""
        heard = lines[-1].text
        if self.declared:
            self._take_note(heard)
        chosen = self._choose(self._history, Sight(self._mind, self._state))
        question = next((one for one in self._pack.pivot if heard.endswith(one)), None)
        message = self._message(chosen, question)
        self._answers = question is not None and answers(question, message)
        self.declared.append(chosen)
        return message

    def _take_note(self, heard: str) -> None:
        """Keep what was said, and of which message the reply voices the tone: the last, or the one before."""
        said = self.declared[-1]
        self._history.append(Exchange(said, None))
        voiced = len(self._history) - 1 - self._delay
        if voiced >= 0:
            tone = reader_without(self._pack.id).read(heard)
            self._history[voiced] = Exchange(self._history[voiced].said, tone)
        self._state = step(self._rules, self._mind, self._state, said, answers=self._answers).state

    def _message(self, chosen: ArgumentClass, question: str | None) -> str:
        """A line of the class, behind an answer where one was asked for and there is room for both."""
        line = self._line(chosen)
        answer = self._pack.answer if question is not None and self._listens else None
        both = f"{answer} {line}"
        return line if answer is None or len(both) > LONGEST else both

    def _line(self, chosen: ArgumentClass) -> str:
        """The next line of a class: those for this character first, then those for everybody."""
        number = stable_number(self._seed, self._pack.id, chosen)
        own = self._pack.arguments.get(chosen, ())
        lines = (*_from(own, number), *_from(scripted_lines()[chosen], number))
        return fill(lines[self.declared.count(chosen) % len(lines)], self._pack.placeholders)


def _from(lines: Sequence[str], number: int) -> Sequence[str]:
    """The same lines, beginning with another one."""
    first = number % len(lines) if lines else 0
    return (*lines[first:], *lines[:first])
