"""Which placeholders the lines of a pack for several have (``company:``), so that they are filled and can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from dtomtrack.scenarios.located_yaml import FieldPath

__all__ = ["line_problems"]

_PLACEHOLDER = re.compile(r"\{([^}]*)\}")
_CLAUSE, _LABEL, _TO = frozenset({"clause"}), frozenset({"label"}), frozenset({"to"})
_OF_A_THIRD = frozenset({"who", "clause"})
_FILLED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("say", "adopt", "presume"), _CLAUSE),
    **dict.fromkeys(("wonder", "lead", "back_to", "bring_up", "turned_over"), _LABEL),
    **dict.fromkeys(("confide", "take_aside", "promise", "write", "read", "mixed_up", "welcome"), _TO),
    **dict.fromkeys(("tell", "act"), _OF_A_THIRD),
    **dict.fromkeys(("ignorance.say", "ignorance.presume", "ignorance.restated"), _LABEL),
    **dict.fromkeys(("ignorance.tell", "ignorance.act"), frozenset({"who", "label"})),
    **dict.fromkeys(("talk.say", "talk.adopt", "talk.presume", "talk.unmarked", "talk.mention"), _CLAUSE),
    **dict.fromkeys(("talk.between_two.wonder", "talk.between_two.lead"), _LABEL),
    "restate": frozenset({"short"}),
    "restated": _CLAUSE,
    "greet": frozenset({"me"}),
    **dict.fromkeys(("discreet", "kept_up"), frozenset({"to", "from", "label", "short"})),
}
"""By list, what is filled in its lines beside what every line of the pack may have."""
_TELLING = frozenset({"clause", "short", "who", "from"})
"""Those without which nobody could say what a line tells, or of whom."""


def line_problems(path: FieldPath, text: str, common: Set[str]) -> Iterator[str]:
    """Problems of a line below ``company``; ``common`` are the placeholders that any line of the pack may have."""
    deep = 3 if "between_two" in path else 2 if path[1] in {"ignorance", "talk"} else 1
    parts = path[1 : 1 + deep]
    filled = _FILLED.get(".".join(map(str, parts)), frozenset())
    has = frozenset(_PLACEHOLDER.findall(text))
    for name in sorted(has - filled - common):
        yield f"unknown placeholder {{{name}}}; here it may be one of {sorted(filled | common)}"
    needed = filled if path[1] == "ignorance" else filled & _TELLING
    for name in sorted(needed - has):
        yield f"needs {{{name}}}, without which it tells nothing that could be asked about"
