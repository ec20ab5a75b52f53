"""A domain, ready for use: a pack with its compiled language and the actor that speaks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from dtomtrack.beliefs.form_reader import FormReader
from dtomtrack.beliefs.forms import Forms
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.scenarios.acting.scripted_actor import ScriptedActor
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_forms import compile_forms
from dtomtrack.scenarios.roles import by_role
from dtomtrack.scenarios.sides import sides_of

__all__ = ["Domain"]

_READERS = 64
"""Readers that are kept, of the dialogues under way: what an actor has read, the verifiers need not read again."""


class Domain:
    """All that a workflow needs of a domain.

    Args:
        several: whether what is said only in dialogues that are planned for several people is read, too.
    """

    def __init__(self, pack: DomainPack, *, several: bool = True) -> None:
        self.pack = pack
        self._several = several
        self._reader_of = lru_cache(maxsize=_READERS)(self._new_reader)
        self._topics = {(topic.state, clause): topic.id for topic in pack.topics for clause in topic.contents}

    @cached_property
    def _forms(self) -> Forms:
        # compiled when they are first used: where language models play, nobody reads by them
        return _compiled(_Written(self.pack.model_dump_json(), self._several, self.pack))

    @cached_property
    def actor(self) -> ScriptedActor:
        """The scripted actor of this domain."""
        return ScriptedActor(self.pack, self.reader)

    def reader(self, agents: Sequence[str]) -> FormReader:
        """A reader of what these agents, in the order of their scenario, say."""
        return self._reader_of(tuple(agents))

    def _new_reader(self, agents: tuple[str, ...]) -> FormReader:
        return FormReader(self._forms, by_role(agents), sides_of(self.pack, agents))

    def find_topic(self, who: str, mental_state: MentalState, content: str) -> str | None:
        """The topic that a thought is about: clauses belong to one topic, whoever thinks them."""
        return self._topics.get((mental_state, content))


@dataclass(frozen=True)
class _Written:
    """A pack as a key, by what is in it: its lists can't be hashed."""

    text: str
    several: bool
    pack: DomainPack = field(compare=False)


@lru_cache(maxsize=8)
def _compiled(written: _Written) -> Forms:
    # most of what a short run takes, and the same for every run of a process
    return compile_forms(written.pack, several=written.several)
