"""A conversation that was not generated: track who held what since when, and ask about it.

    python examples/existing_conversation.py

You bring the utterances and the topics: what can be held about each, and by whom. Thoughts that were written down are
used as they are; here there are none, so they are read from what is said.
"""

from __future__ import annotations

from dtomtrack import BeliefTracker, StateKey, Topic, Utterance, ask_about, to_turns
from dtomtrack.beliefs.scenario import MentalState

UTTERANCES = (
    Utterance("Ada", "I'm off to Lisbon on Friday. I want to go by train, the whole way along the coast."),
    Utterance("Tom", "By train? It's two days. Who feeds the cat?"),
    Utterance("Ada", "My sister. She has the key already."),
    Utterance(
        "Tom", "The border is closed for trains this week, I read. There is a night bus from the harbor, though."
    ),
    Utterance("Ada", "Hm, let me think. Would it have beds? Back is settled: I want to sail home with Inês."),
    Utterance("Tom", "Proper ones. My cousin swears by it. I think the conference starts on Sunday, so you have time."),
    Utterance("Ada", "Actually, I want to take the night bus, then. But the conference starts on Saturday, Tom."),
    Utterance(
        "Tom", "Oh. You're right, it starts on Saturday. I'll send you the bus times, since you want to fly back."
    ),
    Utterance("Ada", "Thanks. Send them tonight, would you?"),
    Utterance("Tom", "Within the hour."),
)
TOPICS = (
    Topic(
        id="journey",
        label="the journey to Lisbon",
        mental_state=MentalState.DESIRE,
        holder="Ada",
        values=("to go by train", "to take the night bus", "to share a car", "to take a ferry"),
    ),
    Topic(
        id="return",
        label="the way back",
        mental_state=MentalState.DESIRE,
        holder="Ada",
        values=("to fly back", "to hitchhike home", "to cycle home", "to sail home"),
    ),
    Topic(
        id="start",
        label="the start of the conference",
        mental_state=MentalState.BELIEF,
        holder="Tom",
        values=(
            "the conference starts on Saturday",
            "the conference starts on Sunday",
            "the conference starts on Monday",
            "the conference starts on Tuesday",
        ),
    ),
)


def main() -> None:
    turns = to_turns(UTTERANCES, TOPICS)
    tracker = BeliefTracker.of(turns)
    for record in tracker.records():
        whose = f"{record.holder} on {record.about}" if record.about else record.holder
        until = f"until turn {record.superseded_at}" if record.superseded else "to the end"
        print(f"{whose}: {record.mental_state} {record.content!r} from turn {record.source_turn} {until}")
    journey = StateKey("Ada", "journey")
    before, at = tracker.before(journey, 6), tracker.at(journey, 6)
    print(f"before turn 6: {before and before.content}; at turn 6: {at and at.content}")
    for question in ask_about(turns, TOPICS):
        options = "  ".join(f"{letter}) {text}" for letter, text in sorted(question.options.items()))
        print(f"[{question.type}] {question.question}\n    {options}\n    {question.answer}")


if __name__ == "__main__":
    main()
