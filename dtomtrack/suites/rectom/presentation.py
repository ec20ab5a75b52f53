"""RecToM on the page: what its groups and measures are called."""

from __future__ import annotations

from collections.abc import Mapping

from dtomtrack.suites.rectom.kinds import KINDS, REBUILT

__all__ = ["LABELS", "LEGEND", "type_label"]

_TYPES: Mapping[str, str] = {
    "fine_intention_rec": "Fine intention, recommender",
    "coarse_intention_rec": "Coarse intention, recommender",
    "belief": "Belief, recommender",
    "fine_intention_seeker": "Fine intention, seeker",
    REBUILT: "Fine intention, seeker, rebuilt from IARD",
    "coarse_intention_seeker": "Coarse intention, seeker",
    "desire": "Desire, seeker",
    "prediction_rec": "Prediction, recommender",
    "judgement_rec": "Judgement, recommender",
    "judgement_outcome": "Will it be taken up",
    "prediction_seeker": "Prediction, seeker",
    "judgement_seeker": "Judgement, seeker",
}
"""In the order of the paper's Table 4."""

LABELS: Mapping[str, Mapping[str, str]] = {
    "type": _TYPES,
    "dimension": {"cognitive inference": "Cognitive inference", "behavioral prediction": "Behavioral prediction"},
    "role": {"recommender": "Recommender", "seeker": "Seeker"},
    "lines_behind": {"0": "None", "1": "One"},
}

_JUDGED = [kind.type for kind in KINDS if kind.asks == "judgement"] + ["judgement_outcome"]
_SETS = [kind.type for kind in KINDS if kind.select == "any"] + [REBUILT]
_FINE = [kind for kind in _SETS if kind.startswith("fine")]

LEGEND: Mapping[str, str] = {
    **{
        f"prediction_bias_{kind}": "Judgements that say yes (Table 5), beside how often yes is right."
        for kind in _JUDGED
    },
    **{f"false_positive_rate_{kind}": "Of what is no, the share that is judged yes (Table 5)." for kind in _JUDGED},
    **{f"recall_no_{kind}": "Of what is no, the share that is judged no (Table 5)." for kind in _JUDGED},
    **{f"recall_yes_{kind}": "Of what is yes, the share that is judged yes." for kind in _JUDGED},
    **{f"balanced_accuracy_{kind}": "The mean of the recalls of yes and of no." for kind in _JUDGED},
    **{
        f"fine_to_coarse_{kind}": "The exact coarse set, of fine answers taken for their coarse labels."
        for kind in _FINE
    },
    **{f"own_coarse_{kind}": "Fine answers that say the same as the own coarse one, right or not." for kind in _FINE},
    **{f"sets_{kind}": "What chosen and right sets have in common, as a share of both together." for kind in _SETS},
    "belief_desire": "Answers that call a movie liked exactly where they say that it will be watched, right or not.",
    "judged_predicted_rec": "Strategies that are judged effective exactly where they are predicted, right or not.",
    "judged_predicted_seeker": "Strategies that are judged effective exactly where they are predicted, right or not.",
    "at_once_belief": "Positions at which several movies are asked about: all right at once.",
    "at_once_desire": "Positions at which several movies are asked about: all right at once.",
    "dimension": "The paper's two dimensions: what is inferred about a mind, and what is foretold or judged.",
    "role": "Whose line or mind is asked about.",
    "gold_size": "How many options are right.",
    "strategy": "Whose strategy is judged, and which it is.",
    "lines_behind": "Lines that are shown after the one that is asked about.",
}


def type_label(kind: str) -> str:
    """What a type is called."""
    return _TYPES.get(kind, kind)
