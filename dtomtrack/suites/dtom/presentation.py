"""DToM-Track on the page: what its groups are called, and what stands at the head."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

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
    OptionRole.UNTRUTH.value: "given out, not held",
    OptionRole.MENTIONED.value: "named as others' view",
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
    "mental_state": "What kind of state is asked about.",
    "marker": "Whether the words for the change asked about name the value given up (explicit) or not (implicit).",
    "trigger": "What brings about the change asked about.",
    "signal": "How the change asked about can be heard: explicit and implicit as above, or by no phrase that marks it.",
    "updates": "Changes of mind in the whole dialogue.",
    "changes": "Changes of the state that is asked about.",
    "returns": "Whether the state asked about goes back to a value that it had before.",
    "revisions": "Changes, over the whole dialogue, of what the holder of the topic really holds.",
    "order": "How many minds are nested: what Ana thinks is of order 1, what Ben takes Ana to think of order 2.",
    "asks": "What is asked for: a state, its first or last change, what is so, what is assumed, or who knows.",
    "topic": "What the state is about.",
    "lag": (
        "Turns from the words that the answer rests on to the end of the dialogue; of when a mind changed, from the "
        "first words on it, and where minds come apart from the change."
    ),
    "since": "Turns from the words that the answer rests on to the turn asked about.",
    "interference": "Other values of the topic that are said between those words and the turn asked about.",
    "turns": "Turns of the dialogue.",
    "differs": "Whether somebody's picture of another is out of date or false, or is as things are.",
    "apart": "How that picture came to be out of date or false.",
    "asked_by": "Whether the moment asked about is given as a turn, by an event, or as that of one of several changes.",
}

_FACTS = {"seed": "Seed", "turns": "Turns a dialogue"}

WORDS = BrowserWords(
    asides="inner speech",
    people="The agents, and what each knows",
    tracks="Who held what, and when",
    tracks_note="≠ marks what is thought of somebody who, for some turns or all, holds something else.",
    kinds=tuple(state.value for state in MentalState),
)


def _shown(value: JsonValue) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def head(manifest: Manifest) -> Head:
    """The domains, how much there is, and who made it."""
    config, counts = manifest.config, manifest.counts
    domains = config.get("domains")
    generator = config.get("generator", "scripted")
    facts = {"Made by": "scripted actors" if generator == "scripted" else str(generator)}
    facts |= {label: _shown(config[name]) for name, label in _FACTS.items() if name in config}
    return Head(
        title=", ".join(str(domain).capitalize() for domain in domains) if isinstance(domains, list) else "DToM-Track",
        lead=(
            f"{counts.dialogues:,} dialogues in which {counts.totals.get('updates', 0):,} changes of mind happen, and "
            f"{counts.questions:,} questions about who held what, and when."
        ),
        facts=facts,
    )
