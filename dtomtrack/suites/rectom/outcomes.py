"""What became of a recommendation, as IARD's labels of the seeker's next line have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dtomtrack.items.item import ContextLine
from dtomtrack.suites.rectom.iard import IardDialogue, IardLine
from dtomtrack.suites.rectom.kinds import Kind
from dtomtrack.suites.rectom.published import SPEAKERS, PublishedRecord
from dtomtrack.suites.rectom.release import Release

__all__ = ["OUTCOME_KIND", "answered", "outcome_records"]

OUTCOME_KIND = Kind(
    "judgement_outcome", "umap2020_IARD_Cai.json", "recommender", "judgement", 2, "one", "sub-intent/action", ""
)
_QUESTION = "Will the seeker's next line take up the recommendation that the recommender has just made?"
_REFUSAL = frozenset({"REJ", "CRI-F", "CRI-A", "CRI-C"})


def answered(line: IardLine) -> bool | None:
    """Whether a line takes a recommendation up, or refuses or criticises it; None where it does neither, or both."""
    taken, refused = "ACC" in line.fine, bool(line.fine & _REFUSAL)
    return taken if taken is not refused else None


def outcome_records(release: Release, iard: Mapping[str, IardDialogue]) -> Iterator[PublishedRecord]:
    """A yes or no question on each recommendation that the seeker's next line answers, first lines left out."""
    for name in release.dialogues:
        lines = iard[name].lines
        for number in range(2, len(lines)):
            outcome = _outcome(lines[number - 1], lines[number])
            if outcome is not None:
                yield _record(name, tuple(one.said for one in lines[:number]), outcome)


def _outcome(line: IardLine, following: IardLine) -> bool | None:
    """What the seeker's next line makes of a line, if that recommends something."""
    spoken = line.said.speaker, following.said.speaker
    if spoken != (SPEAKERS["recommender"], SPEAKERS["seeker"]) or "recommend" not in line.coarse:
        return None
    return answered(following)


def _record(dialogue: str, lines: tuple[ContextLine, ...], outcome: bool) -> PublishedRecord:
    return PublishedRecord(
        kind=OUTCOME_KIND,
        place=f"{OUTCOME_KIND.file}: {dialogue}",
        number=len(lines),
        dialogue=dialogue,
        position=len(lines),
        lines=lines,
        question=_QUESTION,
        options=("yes", "no"),
        gold=frozenset({0 if outcome else 1}),
        letters=("A" if outcome else "B",),
        coarse=None,
        subject="recommendation",
        is_dict=True,
    )
