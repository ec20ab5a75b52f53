"""Sums over the calls of language models: tokens, money, retries."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtomtrack.llm.chat import Usage

__all__ = ["UsageTotals"]


@dataclass
class UsageTotals:
    """The sums of a run over all its sessions and processes; two add up with ``+``.

    Attributes:
        calls: replies that came in, over all sessions.
        in_flight: calls that servers are working on.
        pending: calls that have no reply yet: those, and others that wait for a permit, a rate, or their next try.
        replayed: replies of this session that came from the journal.
        retries: of this session; ``last_retry`` says why the last one was needed, and when it comes.
        estimated: how many replies came without a token count.
        cost: in US dollars; of models without a known price nothing is in it.
    """

    calls: int = 0
    in_flight: int = 0
    pending: int = 0
    replayed: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: int = 0
    cost: float = 0.0
    last_retry: str = ""

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def queued(self) -> int:
        """Calls that wait and that no server is working on."""
        # one that is made a second time is two at the server
        return max(0, self.pending - self.in_flight)

    def __add__(self, other: UsageTotals) -> UsageTotals:
        names = [one.name for one in fields(self) if one.name != "last_retry"]
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return UsageTotals(**sums, last_retry=other.last_retry or self.last_retry)

    def count_retry(self, why: str) -> None:
        """One more retry."""
        self.retries += 1
        self.last_retry = why

    def count(self, usage: Usage, cost: float) -> None:
        """One more reply."""
        self.calls += 1
        self.prompt_tokens += usage.prompt_tokens
        self.completion_tokens += usage.completion_tokens
        self.estimated += usage.estimated
        self.cost += cost

    def spend(self, usage: Usage, cost: float) -> None:
        """What was paid for and brought no reply."""
        self.prompt_tokens += usage.prompt_tokens
        self.completion_tokens += usage.completion_tokens
        self.cost += cost

    def become(self, other: UsageTotals) -> None:
        """Take over the sums of another, for those who hold this one."""
        for one in fields(self):
            setattr(self, one.name, getattr(other, one.name))
