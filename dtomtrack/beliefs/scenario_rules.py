"""The rules by which the parts of a scenario go together, whatever domain it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from dtomtrack.beliefs.company import PlannedAudience, Presence
from dtomtrack.beliefs.divergence import Fact, PlannedDivergence
from dtomtrack.beliefs.scenario_parts import PlannedUpdate, Presumption, Topic

__all__ = ["Plan", "check_company", "check_consistency"]


class Plan(Protocol):
    """A scenario, as far as its rules look at it."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def topics(self) -> Sequence[Topic]: ...
    @property
    def updates(self) -> Sequence[PlannedUpdate]: ...
    @property
    def presumptions(self) -> Sequence[Presumption]: ...
    @property
    def speaking_order(self) -> Sequence[int]: ...
    @property
    def presence(self) -> Sequence[Presence]: ...
    @property
    def audiences(self) -> Sequence[PlannedAudience]: ...
    @property
    def facts(self) -> Sequence[Fact]: ...
    @property
    def divergences(self) -> Sequence[PlannedDivergence]: ...
    def speaker(self, turn: int) -> str: ...
    def is_away(self, agent: str, turn: int) -> bool: ...
    def audience(self, turn: int) -> tuple[str, ...]: ...
    def planned_audience(self, turn: int) -> PlannedAudience | None: ...


_NO_NAME = re.compile(r"[\[\]{}\"\r\n]")
"""What sets people apart from what they say in a transcript, and placeholders from words."""


def check_consistency(scenario: Plan) -> None:
    """See that names, topics and turns of a scenario go together.

    Raises:
        ValueError: what does not, in one sentence.
    """
    names = scenario.names
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"two agents are called {twice!r}; give each a name of its own")
    if odd := next((name for name in names if _NO_NAME.search(name)), None):
        raise ValueError(f"an agent is called {odd!r}; a name has no brackets, braces, quotation marks or line ends")
    if beyond := next((position for position in scenario.speaking_order if position >= len(names)), None):
        raise ValueError(f"speaking_order names agents by position, from 0 to {len(names) - 1}, and has {beyond}")
    ids = [topic.id for topic in scenario.topics]
    if twice := next((one for one in ids if ids.count(one) > 1), None):
        raise ValueError(f"two topics have the id {twice!r}; give each its own")
    topics = {topic.id: topic for topic in scenario.topics}
    for problem in _problems(scenario, topics):
        raise ValueError(problem)


def check_company(scenario: Plan, turns: int) -> None:
    """See that each of so many turns has a speaker who is there, and somebody who hears it or to whom it is written.

    Who reads a note has to be there, too.

    Raises:
        ValueError: what is not so, in one sentence.
    """
    for turn in range(turns):
        speaker = scenario.speaker(turn)
        if scenario.is_away(speaker, turn):
            raise ValueError(f"turn {turn} has no speaker: {speaker!r} is away; change presence or speaking_order")
        if len(scenario.audience(turn)) == 1:
            raise ValueError(f"turn {turn} has no hearer: everybody but {speaker!r} is away; change presence")
        if planned := scenario.planned_audience(turn):
            _check_audience(planned, scenario)


def _check_audience(planned: PlannedAudience, scenario: Plan) -> None:
    """See that who is spoken to is there, and that who reads a note is there by then."""
    away = next((name for name in planned.hearers if scenario.is_away(name, planned.turn)), None)
    if away is not None and not planned.is_note:
        raise ValueError(
            f"turn {planned.turn} is said to {away!r}, who is away; change presence, or write it as a note"
        )
    for name, read in planned.read_at.items():
        if read is not None and scenario.is_away(name, read):
            raise ValueError(
                f"note of turn {planned.turn}: {name!r} reads it at turn {read}, and is away then; change read_at or "
                "presence"
            )


def _problems(scenario: Plan, topics: dict[str, Topic]) -> Iterator[str]:
    for topic in scenario.topics:
        yield from _of_topic(topic, scenario)
    for update in scenario.updates:
        yield from _of_update(update, scenario, topics.get(update.topic))
    for presumption in scenario.presumptions:
        yield from _of_presumption(presumption, scenario, topics.get(presumption.topic))
    for presence in scenario.presence:
        yield from _of_presence(presence, scenario)
    for audience in scenario.audiences:
        yield from _of_audience(audience, scenario)
    for fact in scenario.facts:
        yield from _of_fact(fact, scenario, topics.get(fact.topic))
    for divergence in scenario.divergences:
        yield from _of_divergence(divergence, scenario, topics.get(divergence.topic))


def _of_topic(topic: Topic, scenario: Plan) -> Iterator[str]:
    for holder in topic.holders:
        if holder not in scenario.names:
            yield f"topic {topic.id!r} is held by {holder!r}, who is no agent of the scenario"
        if topic.holders.count(holder) > 1:
            yield f"topic {topic.id!r} names {holder!r} twice among its holders"
    if twice := next((one for one in topic.values if topic.values.count(one) > 1), None):
        yield f"topic {topic.id!r} has the value {twice!r} twice; give each once"


def _of_update(update: PlannedUpdate, scenario: Plan, topic: Topic | None) -> Iterator[str]:
    where = f"update at turn {update.turn}"
    if topic is None:
        yield f"{where}: no topic {update.topic!r} in the scenario"
        return
    if update.agent not in topic.holders:
        yield f"{where}: {topic.id!r} is held by {topic.holder!r}, not by {update.agent!r}"
    if (speaker := scenario.speaker(update.turn)) != update.agent:
        yield f"{where}: that is not a turn of {update.agent!r}; {speaker!r} speaks then"
    if topic.mental_state != update.mental_state:
        yield f"{where}: {topic.id!r} is a matter of {topic.mental_state}, not of {update.mental_state}"
    if update.old == update.new:
        yield f"{where}: old and new are the same; change to another value, or leave it out"
    for content in (update.old, update.new):
        if content not in topic.values:
            yield f"{where}: {content!r} is no value of topic {topic.id!r}"


def _of_presumption(presumption: Presumption, scenario: Plan, topic: Topic | None) -> Iterator[str]:
    where = f"presumption of {presumption.agent!r}"
    if presumption.agent not in scenario.names:
        yield f"{where}: that is no agent of the scenario"
    if topic is None or presumption.about not in topic.holders:
        yield f"{where}: {presumption.about!r} holds no topic {presumption.topic!r}"
        return
    if presumption.agent == presumption.about:
        yield f"{where}: one presumes things about another agent, not about oneself"
    if presumption.presumed not in topic.values:
        yield f"{where}: {presumption.presumed!r} is no value of topic {topic.id!r}"


def _of_presence(presence: Presence, scenario: Plan) -> Iterator[str]:
    if presence.agent not in scenario.names:
        yield f"presence: {presence.agent!r} is no agent of the scenario; its agents are {', '.join(scenario.names)}"
    others = [one for one in scenario.presence if one is not presence and one.agent == presence.agent]
    if other := next((one for one in others if one.covers(presence.from_turn)), None):
        yield (
            f"presence: {presence.agent!r} leaves at turn {presence.from_turn}, and is away already since turn "
            f"{other.from_turn}; have them back before, or leave one absence out"
        )


def _of_audience(audience: PlannedAudience, scenario: Plan) -> Iterator[str]:
    where, speaker = f"audience of turn {audience.turn}", scenario.speaker(audience.turn)
    if stranger := next((name for name in audience.hearers if name not in scenario.names), None):
        yield f"{where}: {stranger!r} is no agent of the scenario; its agents are {', '.join(scenario.names)}"
    if speaker in audience.hearers:
        yield f"{where}: {speaker!r} speaks then, and is no hearer; leave them out, or move it to another's turn"
    if twice := next((name for name in audience.hearers if audience.hearers.count(name) > 1), None):
        yield f"{where}: it names {twice!r} twice"
    if sum(one.turn == audience.turn for one in scenario.audiences) > 1:
        yield f"{where}: it is given twice; give each turn one at most"


def _of_fact(fact: Fact, scenario: Plan, topic: Topic | None) -> Iterator[str]:
    where = f"fact on {fact.topic!r}"
    if topic is None:
        yield f"{where}: no such topic in the scenario"
        return
    if fact.truth not in topic.values:
        yield f"{where}: {fact.truth!r} is no value of topic {topic.id!r}"
    if stranger := next((name for name in fact.known_by if name not in scenario.names), None):
        yield f"{where}: {stranger!r} is no agent of the scenario"
    if sum(one.topic == fact.topic for one in scenario.facts) > 1:
        yield f"{where}: there are two; one value is so, leave the others out"


def _of_divergence(divergence: PlannedDivergence, scenario: Plan, topic: Topic | None) -> Iterator[str]:
    where = f"divergence ({divergence.way}) at turn {divergence.turn}"
    if topic is None or divergence.holder not in topic.holders:
        yield f"{where}: {divergence.holder!r} holds no topic {divergence.topic!r}"
        return
    if divergence.mistaken not in scenario.names or divergence.mistaken == divergence.holder:
        yield f"{where}: {divergence.mistaken!r} has to be another agent than {divergence.holder!r}"
    if divergence.mental_state != topic.mental_state:
        yield f"{where}: {topic.id!r} is a matter of {topic.mental_state}, not of {divergence.mental_state}"
    if divergence.until_turn is not None and divergence.until_turn < divergence.from_turn:
        yield f"{where}: it ends at turn {divergence.until_turn}, before it begins at turn {divergence.from_turn}"
    if divergence.believed == divergence.actual:
        yield f"{where}: {divergence.mistaken!r} is right about {divergence.actual!r}"
    for content in filter(None, (divergence.actual, divergence.believed)):
        if content not in topic.values:
            yield f"{where}: {content!r} is no value of topic {topic.id!r}"
