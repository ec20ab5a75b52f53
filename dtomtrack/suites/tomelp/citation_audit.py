"""An audit of central replies: which items are cited, misused, made up or copied; and cues without support."""

from __future__ import annotations

from dtomtrack.graphs.route_judging import without_tags
from dtomtrack.records import Count, Record, Share
from dtomtrack.scenarios.route.overlap import copied_share
from dtomtrack.suites.tomelp.citations import sentences_of, tags_in
from dtomtrack.suites.tomelp.closed_world import ClosedWorld

__all__ = ["CitationAudit", "audit_citations", "unsupported_cues"]


class CitationAudit(Record):
    """What the tags of a reply are worth.

    Attributes:
        cited: known ids; ``phantom``: ids that the dossier does not have.
        relevant: of those that are cited, how many bear on the doubt; ``available``: how many there are. None where it
            is not known what bears on what.
        misattributed: known ids whose sentence has nothing to do with the item.
        copied: share of the words that stand in a run of six from the dossier.
    """

    cited: Count
    phantom: Count
    relevant: Count | None
    available: Count | None
    misattributed: Count
    copied: Share

    @property
    def precision(self) -> float | None:
        """The share of cited ids that bear on the doubt; phantoms don't."""
        named = self.cited + self.phantom
        return self.relevant / named if named and self.relevant is not None else None

    @property
    def recall(self) -> float | None:
        """The share of ids that bear on the doubt that are cited."""
        return self.relevant / self.available if self.available and self.relevant is not None else None


def audit_citations(text: str, world: ClosedWorld, concern: str | None) -> CitationAudit:
    """The audit of a central reply to a doubt."""
    dossier = world.resources.dossier
    tags, known = set(tags_in(text)), {one.id for one in dossier}
    bearing = {one.id for one in dossier if concern in one.concerns}
    used = {tag for _, tag in world.used(sentences_of(text))}
    return CitationAudit(
        cited=len(tags & known),
        phantom=len(tags - known),
        relevant=len(tags & bearing) if concern is not None else None,
        available=len(bearing) if concern is not None else None,
        misattributed=len(tags & known) - len(used),
        copied=copied_share(without_tags(text), [one.text for one in dossier]),
    )


def unsupported_cues(text: str, world: ClosedWorld) -> int:
    """How many kinds of urgency, authority or consensus a reply has that its scene does not support."""
    return len({kind for one in sentences_of(text) for kind in world.unsupported(one.text)})
