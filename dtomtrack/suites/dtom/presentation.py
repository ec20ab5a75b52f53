"""DToM-Track on the page: what its groups are called, and what stands at the head."""

from __future__ import annotations

from collections.abc import Mapping

from dtomtrack.beliefs.question import OptionRole, QuestionType
from dtomtrack.beliefs.scenario import MentalState, Way
from dtomtrack.report.presentation import Head
from dtomtrack.report.shown import BrowserWords
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.dtom.items import ABSENT, APART, DIFFERS, RETURNS

__all__ = ["LABELS", "LEGEND", "ROLE_LABELS", "WORDS", "head"]

_INAPPLICABLE = "Does not apply"

LABELS: Mapping[str, Mapping[str, str]] = {
    "type": {
        QuestionType.TEMPORAL.value: "Temporal",
        QuestionType.UPDATE_DETECTION.value: "Update detection",
        QuestionType.POST_UPDATE.value: "Post-update",
        QuestionType.FALSE_BELIEF.value: "False belief",
        QuestionType.SECOND_ORDER.value: "Second-order",
        QuestionType.PRE_UPDATE.value: "Pre-update",
        QuestionType.INFORMATION_ACCESS.value: "Information access",
    },
    "mental_state": {state.value: state.value.capitalize() for state in MentalState},
    "marker": {"implicit": "Implicit", "explicit": "Explicit", ABSENT: _INAPPLICABLE},
    "trigger": {
        "correction": "Correction",
        "new_information": "New information",
        "contradiction": "Contradiction",
        "goal_shift": "Goal shift",
        ABSENT: _INAPPLICABLE,
    },
    "signal": {"explicit": "Explicit marker", "implicit": "Implicit marker", "none": "No marker"},
    DIFFERS: {"apart": "Apart from what is so", "control": "As it is (control)"},
    APART: {way.value: way.value.replace("_", " ").capitalize() for way in Way},
    "asked_by": {"turn": "By turn", "event": "By event", "change": "By the number of the change"},
    RETURNS: {"no": "No", "yes": "Yes", ABSENT: _INAPPLICABLE},
}
"""Question types in the order of the paper's Table 4, those beyond it behind them."""

ROLE_LABELS: Mapping[str, str] = {
    OptionRole.GOLD.value: "right",
    OptionRole.ACTUAL_VALUE.value: "what is so",
    OptionRole.POST_VALUE.value: "held later",
    OptionRole.PRE_VALUE.value: "held earlier",
    OptionRole.PARTNER_VALUE.value: "named by the partner",
    OptionRole.OTHER_TOPIC.value: "about another topic",
    OptionRole.NEVER_SAID.value: "never said",
    OptionRole.OTHER_TURN.value: "another turn",
    OptionRole.NO_CHANGE.value: "no change",
    OptionRole.OTHER_HOLDER.value: "held by another",
    OptionRole.HEARSAY.value: "told of the agent",
    OptionRole.PRESUMED.value: "presumed",
    OptionRole.ASKED_ABOUT.value: "asked about",
    OptionRole.NOT_REACHED.value: "does not know",
}

LEGEND: Mapping[str, str] = {
    "gap": (
        "Accuracy right after an update minus accuracy before it, in points, on pairs of questions about the same "
        "update. Above 0: what is new is better known than what was held before."
    ),
    "gap_single": (
        "The same of states that change once: what goes back to an earlier value makes the last word right about "
        "before, too."
    ),
    "intrusion": "Answers about before an update that name what was held after it.",
    "perseveration": "Answers about after an update that name what was held before it.",
    "egocentric": (
        "Answers about what one thinks of another that name what the other really holds, where that is something else."
    ),
    "divergence": (
        "Divergences of which all questions (what is so, what is ascribed, who knows) are answered right, beside what "
        "errors that have nothing to do with each other would give."
    ),
    "trajectory": (
        "Updates of which before, after and when are all answered right, beside what errors that have nothing to do "
        "with each other would give."
    ),
}

_FACTS = {"seed": "Seed", "turns": "Turns a dialogue"}

WORDS = BrowserWords(
    asides="inner speech",
    people="The agents, and what each knows",
    tracks="Who held what, and when",
    tracks_note="≠ marks what is thought of somebody who, for some turns or all, holds something else.",
    kinds=tuple(state.value for state in MentalState),
)


def head(manifest: Manifest) -> Head:
    """The domains, how much there is, and who made it."""
    config, counts = manifest.config, manifest.counts
    domains = config.get("domains")
    generator = config.get("generator", "scripted")
    facts = {"Made by": "scripted actors" if generator == "scripted" else str(generator)}
    facts |= {label: str(config[name]) for name, label in _FACTS.items() if name in config}
    return Head(
        title=", ".join(str(domain).capitalize() for domain in domains) if isinstance(domains, list) else "DToM-Track",
        lead=(
            f"{counts.dialogues:,} dialogues in which {counts.totals.get('updates', 0):,} changes of mind happen, and "
            f"{counts.questions:,} questions about who held what, and when."
        ),
        facts=facts,
    )
