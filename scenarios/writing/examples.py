"""Worked examples, one for each mental state, shown to models that write scenarios.

No built-in domain is a music school, so that a copied example is seen to be one.
"""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.scenarios.writing.outputs import SettingOutput

__all__ = ["EXAMPLES", "RETURN_EXAMPLE", "SETTING_EXAMPLE", "Example"]


@dataclass(frozen=True)
class Example:
    """A change of mind.

    Attributes:
        verb: what comes between a name and a content.
        how: what the change is like; ``{name}`` is whose it is, ``{partner}`` who brings it about.
        fact: what changes the mind.
    """

    verb: str
    how: str
    topic: str
    old: str
    fact: str
    new: str
    others: tuple[str, str, str, str]

    @property
    def texts(self) -> tuple[str, ...]:
        """All that a model could copy."""
        return self.topic, self.old, self.fact, self.new, *self.others


SETTING_EXAMPLE = SettingOutput(
    context="Nadia calls the music school to find lessons for her son. Owen answers at the front desk.",
    goal_a="to find lessons that the boy will not drop after a month",
    secret_a="The boy dropped the violin last year.",  # noqa: S106
    goal_b="to fill the free places before summer",
    secret_b="The best teacher leaves in June.",  # noqa: S106
)
EXAMPLES = {
    MentalState.BELIEF: Example(
        verb="believes that",
        how="At first {name} believes something wrong. Then {partner} tells a fact, and {name} believes otherwise.",
        topic="the length of a lesson",
        old="a lesson takes thirty minutes",
        fact="Since spring a lesson has been forty-five minutes long.",
        new="a lesson takes forty-five minutes",
        others=(
            "a lesson takes a full hour",
            "a lesson takes twenty minutes",
            "a lesson takes a whole morning",
            "a lesson takes two hours",
        ),
    ),
    MentalState.INTENTION: Example(
        verb="will",
        how="At first {name} plans to do one thing. Then {partner} tells a fact, and {name} plans to do another.",
        topic="the instrument",
        old="rent a small keyboard",
        fact="The school lends every beginner an upright piano for a year.",
        new="borrow an upright piano",
        others=(
            "buy a used organ",
            "share the neighbor's accordion",
            "order a cheap synthesizer",
            "repair the old harpsichord",
        ),
    ),
    MentalState.DESIRE: Example(
        verb="wants",
        how="At first {name} wants one thing. Then {partner} tells a fact, and {name} wants another.",
        topic="the teacher",
        old="to have the strict teacher",
        fact="The patient teacher wins every prize with beginners.",
        new="to have the patient teacher",
        others=(
            "to have the young teacher",
            "to have the famous teacher",
            "to have the retired teacher",
            "to have the cheapest teacher",
        ),
    ),
    MentalState.EMOTION: Example(
        verb="feels",
        how="At first {name} has one feeling. Then {partner} tells a fact, and {name} has another.",
        topic="the first concert",
        old="nervous about the first concert",
        fact="Only the parents come to the first concert, and every child gets a prize.",
        new="relieved about the first concert",
        others=(
            "bored by the first concert",
            "proud of the first concert",
            "angry about the first concert",
            "curious about the first concert",
        ),
    ),
    MentalState.KNOWLEDGE: Example(
        verb="knows that",
        how="At first {name} goes by what is no longer so. Then {partner} tells a fact, and {name} knows better.",
        topic="the place of the recital",
        old="the recital is in the gym",
        fact="The roof of the gym leaks, so the recital was moved to the library.",
        new="the recital is in the library",
        others=(
            "the recital is in the church",
            "the recital is in the town hall",
            "the recital is in the cafeteria",
            "the recital is in the park",
        ),
    ),
}
RETURN_EXAMPLE = "The strict teacher has promised to bring sweets to every lesson."
"""What brings somebody back to wanting the strict teacher."""
