"""The labels that RecToM's options stand for, in the order of their letters, which never changes.

Fine labels have the codes of IARD (Cai & Chen, UMAP 2020), whose annotation they are; coarse ones its top level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

__all__ = ["ATTITUDES", "COARSE", "FINE", "LIKED", "TOP_LEVEL", "Role", "coarse_of"]

Role = Literal["recommender", "seeker"]

COARSE: Mapping[Role, Sequence[str]] = {
    "recommender": ("request", "respond", "recommend", "explain", "other"),
    "seeker": ("feedback", "details", "ask", "other"),
}
"""By role, the coarse labels in the order of the letters."""

TOP_LEVEL: Mapping[Role, Mapping[str, str]] = {
    "recommender": {
        "Request": "request",
        "Respond": "respond",
        "Recommend": "recommend",
        "Explain": "explain",
        "OTH": "other",
    },
    "seeker": {"GiveFeedback": "feedback", "AddDetails": "details", "AskForRec": "ask", "OTH": "other"},
}
"""By role, IARD's names of the coarse labels."""

FINE: Mapping[Role, Mapping[str, str]] = {
    "recommender": {
        "REQ": "request",
        "CLQ": "request",
        "RESP": "respond",
        "R-ANS": "respond",
        "REC-S": "recommend",
        "REC-E": "recommend",
        "EXP-I": "explain",
        "EXP-P": "explain",
        "EXP-S": "explain",
        "OTH": "other",
    },
    "seeker": {
        **dict.fromkeys(("IQU", "CON", "REF", "STO"), "ask"),
        **dict.fromkeys(("PRO", "ANS", "ASK"), "details"),
        **dict.fromkeys(("SEE", "ACC", "REJ", "INQ", "CRI-F", "CRI-A", "NRE", "CRI-C"), "feedback"),
        "OTH": "other",
    },
}
"""By role, the codes of the fine labels in IARD's order, each with its coarse label.

That of the recommender's is the order of the published letters; that of the seeker's is not known to be.
"""

ATTITUDES: Sequence[str] = (
    "recommender/unseen/disliked",
    "recommender/unseen/liked",
    "recommender/seen/disliked",
    "recommender/seen/liked",
    "seeker/unseen/liked",
    "seeker/seen/disliked",
    "seeker/seen/liked",
)
"""The options of belief items: who proposed it, whether the seeker has seen it, whether they like it."""

LIKED = frozenset({"recommender/unseen/liked", "recommender/seen/liked"})
"""The attitudes to what the recommender proposed with which, in the published files, desire says yes."""


def coarse_of(label: str) -> str:
    """The coarse label that a fine option's role names: "request" of "request: CLQ"."""
    return label.partition(": ")[0]
