"""Scenarios of your own: say who believes what and whose mind changes when, and have it played.

    python examples/custom_scenarios.py

The scenario below is the paper's own (Figure 1): Alex takes same-day booking for granted, Ben knows the rule. The
built-in restaurant has no words for that belief, so a pack in code adds them.
"""

from __future__ import annotations

import asyncio

from dtomtrack import DomainPack, PlannedUpdate, Scenario, Topic, dialogues
from dtomtrack.beliefs.scenario import Agent, InitialState, MentalState, Personality, Trigger
from dtomtrack.scenarios.pack import PackValue
from dtomtrack.scenarios.pack_files import find_pack, load_pack

SAME_DAY = "a table can be booked spontaneously"
DAY_AHEAD = "a table must be booked 48 hours ahead"
EVEN_TEMPER = Personality(openness=0.5, conscientiousness=0.5, extraversion=0.5, agreeableness=0.5, neuroticism=0.5)


def pack_with_same_day_booking() -> DomainPack:
    """The restaurant pack, with one more value of the topic "booking_notice"."""
    restaurant = load_pack(find_pack("restaurant"))
    value = PackValue(
        id="same_day",
        clause=SAME_DAY,
        short="spontaneously, on the day",
        say=("People book spontaneously at your place, the way I understand it.",),
        adopt=("then one can simply come spontaneously, which suits my lot",),
        presume=("Since you think one comes here spontaneously, you must have expected an empty room.",),
        reason=("We keep the front room free for people who come spontaneously.",),
        against=("Whoever turned up spontaneously this spring ate on the steps.",),
    )
    topics = tuple(
        topic.model_copy(update={"values": (*topic.values, value)}) if topic.id == "booking_notice" else topic
        for topic in restaurant.topics
    )
    return restaurant.model_copy(update={"name": "restaurant_same_day", "topics": topics})


def anniversary(pack: DomainPack) -> Scenario:
    """Alex learns the rule at turn 6."""
    booking = pack.topic("booking_notice")
    alex = Agent(
        name="Alex",
        role="customer",
        personality=EVEN_TEMPER,
        goal="to make it a surprise",
        initial_states=(InitialState(mental_state=MentalState.BELIEF, topic=booking.id, content=SAME_DAY),),
    )
    ben = Agent(name="Ben", role="manager", personality=EVEN_TEMPER, goal="to be fair to every guest")
    return Scenario(
        domain=pack.name,
        context="Alex wants a table for the night a partner comes home. Ben knows the rule; Alex assumes none.",
        situation="homecoming",
        agents=(alex, ben),
        topics=(
            Topic(
                id=booking.id,
                label=booking.label,
                mental_state=MentalState.BELIEF,
                holder="Alex",
                values=booking.clauses,
            ),
        ),
        updates=(
            PlannedUpdate(
                turn=6,
                agent="Alex",
                trigger=Trigger.CORRECTION,
                mental_state=MentalState.BELIEF,
                topic=booking.id,
                old=SAME_DAY,
                new=DAY_AHEAD,
                marker="actually",
            ),
        ),
    )


async def main() -> None:
    pack = pack_with_same_day_booking()
    async for generated in dialogues(pack, n=1, scenarios=[anniversary(pack)]):
        for turn in generated.dialogue.turns:
            thoughts = ". ".join(speech.text for speech in turn.inner_speech)
            print(f"{turn.index} {turn.speaker}: ({thoughts}.) {turn.utterance}")
        for question in generated.questions:
            print(f"[{question.type}] {question.question} -> {question.answer}) {question.gold}")


if __name__ == "__main__":
    asyncio.run(main())
