"""What somebody knows of a fact is not asked from where they hear that it is not so: being told is knowing."""

from __future__ import annotations

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.questions.about_others import about_others
from dtomtrack.beliefs.questions.dials import QuestionDials
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import Topic
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.runs.slots import slot_at

VALUES = ("soap", "ham", "coal", "tea")
TRUNK = Topic(id="trunk", label="the trunk", holder="Ada", mental_state=MentalState.KNOWLEDGE, values=VALUES)
TOLD = 12


def asked(news: bool) -> set[int]:
    """Turns as of which it is asked what Cleo takes Ada to know, who says soap to both at first and ham to Ben at 4."""
    said = {0: ("soap", ("Ben", "Cleo")), 4: ("ham", ("Ben",))}
    turns = [
        Turn(
            index=at,
            speaker="Ada" if at in said else ("Ben", "Cleo")[at % 2],
            inner_speech=(thought(MentalState.KNOWLEDGE, said[at][0], "trunk"),) if at in said else (),
            utterance="...",
            audience=("Ada", *said[at][1]) if at in said else (),
        )
        for at in range(24)
    ]
    readings = [Reading(at, "Ada", Act.STATE, "Ada", "trunk", value) for at, (value, _) in said.items()]
    readings += [Reading(TOLD, "Ben", Act.ARGUE, "Ada", "trunk", "coal")] if news else []
    found: set[int] = set()
    for seed in range(30):
        dials = QuestionDials(comes_apart=True)
        slot = slot_at(seed, 0, ["x"])
        source = QuestionSource(BeliefTracker.of(turns), [TRUNK], readings, slot, (), (), None, dials)
        found |= {one.turn for one in about_others(source) if one.agent == "Cleo" and one.turn is not None}
    return found


def test_nothing_is_asked_of_a_fact_from_its_news_on() -> None:
    assert max(asked(news=False)) >= TOLD
    assert 4 < max(asked(news=True)) < TOLD
