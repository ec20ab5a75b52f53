"""The language models of a run, by stage: writer of scenarios, actors and verifier."""

from __future__ import annotations

from dataclasses import dataclass, field

from dtomtrack.llm.options import AnyModel, is_on_server
from dtomtrack.llm.settings import ClientSettings

__all__ = ["StageModels"]


@dataclass(frozen=True)
class StageModels:
    """The models of a run; None where a stage has none. `ModelConfig` has their names and what decides the bytes."""

    scenario: AnyModel | None = None
    actor: AnyModel | None = None
    verifier: AnyModel | None = None
    client: ClientSettings = field(default_factory=ClientSettings)

    @property
    def on_servers(self) -> bool:
        """Whether several processes may ask all of them."""
        return all(model is None or is_on_server(model) for model in (self.scenario, self.actor, self.verifier))
