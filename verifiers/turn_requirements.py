"""What a turn of a model has to bring, as the rules check it."""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.beliefs.scenario import PlannedUpdate

__all__ = ["TurnRequirements"]


@dataclass(frozen=True)
class TurnRequirements:
    """All that a turn has to bring.

    Attributes:
        held: (topic, value) of the speaker's own that are thought and said.
        update: the change of mind that happens.
        presumed: (topic, value) of another's that is thought of them and said, to them or of them.
        told: (topic, value) of another's that is told to others, whatever is thought of it.
        untrue: (topic, thought, said) of the speaker's own of which something else is said than thought.
        decoys: ids of markers that are said although no mind changes.
        facts: what is told; ``reserved``, what must not be told yet.
        secret: sentences of the stage directions, which nobody says aloud.
        asked: topics that another is asked about, with the values that are named (none, where it is asked openly).
        current: (topic, value) of the speaker's own that are held before the turn.
    """

    held: tuple[tuple[str, str], ...] = ()
    update: PlannedUpdate | None = None
    presumed: tuple[tuple[str, str], ...] = ()
    told: tuple[tuple[str, str], ...] = ()
    untrue: tuple[tuple[str, str, str], ...] = ()
    decoys: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    asked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    current: tuple[tuple[str, str], ...] = ()

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """(topic, value) of all that may be said of a state."""
        changed = ((self.update.topic, self.update.new),) if self.update else ()
        untrue = ((topic, said) for topic, _, said in self.untrue)
        return (*self.held, *changed, *self.presumed, *self.told, *untrue)

    @property
    def voices(self) -> bool:
        """Whether a state is said aloud: then the line may well be the thought."""
        return bool(self.held or self.update or self.untrue)
