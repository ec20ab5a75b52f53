"""Scripted persuaders with words: a policy chooses a class, a line of that class is said, the reply's tone is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from random import Random

import yaml

from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.suites.rhetbench.episode import EpisodeConfig
from dtomtrack.suites.rhetbench.npc import opening_state, step
from dtomtrack.suites.rhetbench.policies import Exchange, PolicyName, Sight, make_policy
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

    It hears tones with a reader that has never met the character. Only the oracle is told of the hidden mind, and
    keeps account of it by itself: the workflow gives it nothing.

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
        self._pack = pack
        self._seed = config.seed
        self._mind = config.mind.mind()
        self._state = opening_state(self._mind)
        self.declared: list[ArgumentClass] = []
        self._history: list[Exchange] = []

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        """The next message."""
        if self.declared:
            tone = reader_without(self._pack.id).read(lines[-1].text)
            self._history.append(Exchange(self.declared[-1], tone))
            self._state = step(self._rules, self._mind, self._state, self.declared[-1]).state
        chosen = self._choose(self._history, Sight(self._mind, self._state))
        message = self._line(chosen)
        self.declared.append(chosen)
        return message

    def _line(self, chosen: ArgumentClass) -> str:
        lines = scripted_lines()[chosen]
        number = stable_number(self._seed, self._pack.id, chosen) + self.declared.count(chosen)
        return fill(lines[number % len(lines)], self._pack.placeholders)
