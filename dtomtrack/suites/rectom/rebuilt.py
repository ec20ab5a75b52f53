"""The seeker's fine intentions, built anew from IARD where the published file is missing.

Our options in IARD's order: never mixed with the published ones, whose letters may stand in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dtomtrack.items.letters import letters_of
from dtomtrack.suites.rectom.agreement import labelled_line
from dtomtrack.suites.rectom.iard import IardDialogue
from dtomtrack.suites.rectom.kinds import BY_TYPE, REBUILT
from dtomtrack.suites.rectom.labels import FINE
from dtomtrack.suites.rectom.published import PublishedRecord
from dtomtrack.suites.rectom.release import Release
from dtomtrack.suites.rectom.wordings import fine_wordings

__all__ = ["REBUILT_KIND", "rebuilt_records"]

_COARSE = "coarse_intention_seeker"
REBUILT_KIND = replace(BY_TYPE["fine_intention_seeker"], type=REBUILT)


def rebuilt_records(release: Release, iard: Mapping[str, IardDialogue]) -> Iterator[PublishedRecord]:
    """A record for every utterance of which the coarse file asks the seeker's intention."""
    codes = tuple(FINE["seeker"])
    options = tuple(fine_wordings("seeker")[code] for code in codes)
    for record in release.of(_COARSE):
        line = labelled_line(record, iard)
        if line is not None:
            gold = frozenset(map(codes.index, line.fine))
            letters = tuple(letters_of(gold))
            yield replace(record, kind=REBUILT_KIND, options=options, gold=gold, letters=letters, coarse=line.coarse)
