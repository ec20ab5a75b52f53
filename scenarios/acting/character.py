"""A part: what an actor, scripted or a language model, knows of the character it plays; and what it makes of a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.scenario import Agent, Topic
from dtomtrack.scenarios.stage import Direction, StagedScenario

__all__ = ["Character", "Performance", "characters"]


@dataclass(frozen=True)
class Character:
    """What an actor knows of its part: nothing that only the partner knows.

    Attributes:
        agent: the character itself, with its own private information.
        role: "a" or "b".
        partner: name of the other; ``partner_role``: what they are.
        topics: what is talked about, by id, with the values that there are, but not which of them the partner holds.
        reasons: what this character knows that can change the partner's mind, by (topic, content).
        directions: by turn, what to do.
        length: how many turns the dialogue has.
        attempt: at which slot, and which attempt at it.
        random: makes the generator of random numbers of a turn.
    """

    domain: str
    agent: Agent
    role: str
    partner: str
    partner_role: str
    context: str
    topics: Mapping[str, Topic]
    slots: Mapping[str, str]
    situation: str
    reasons: Mapping[tuple[str, str], str]
    directions: Mapping[int, tuple[Direction, ...]]
    length: int
    attempt: tuple[int, int]
    random: Callable[[int], Random]

    @property
    def name(self) -> str:
        """Of the agent."""
        return self.agent.name

    def speaks_last(self, turn: int) -> bool:
        """Whether the dialogue ends with this turn."""
        return turn + 1 == self.length


def characters(
    staged: StagedScenario, attempt: tuple[int, int], random: Callable[[int], Random]
) -> tuple[Character, Character]:
    """The two parts of a staged scenario, each with nothing of the other's but name, role and what may be talked about.

    Args:
        attempt: slot, and number of the attempt.
    """
    first, second = (_character(staged, index, attempt, random) for index in (0, 1))
    return first, second


def _character(
    staged: StagedScenario, index: int, attempt: tuple[int, int], random: Callable[[int], Random]
) -> Character:
    scenario = staged.scenario
    agent, partner = scenario.agents[index], scenario.agents[1 - index]
    told = {update.topic for update in scenario.updates if update.agent == partner.name}
    return Character(
        domain=scenario.domain,
        agent=agent,
        role="ab"[index],
        partner=partner.name,
        partner_role=partner.role,
        context=scenario.context,
        topics={topic.id: topic for topic in scenario.topics},
        slots=staged.slots,
        situation=staged.situation,
        reasons={key: reason for key, reason in staged.reasons.items() if key[0] in told},
        directions={turn: here for turn, here in enumerate(staged.script) if turn % 2 == index},
        length=len(staged.script),
        attempt=attempt,
        random=random,
    )


@dataclass(frozen=True)
class Performance:
    """What an actor thought, in the paper's text form ``(I want ... )``, and what it said.

    ``thoughts`` is what the actor read from its own inner speech, where the words alone don't tell the topic.
    """

    inner_speech: str
    utterance: str
    thoughts: tuple[InnerSpeech, ...] | None = None
