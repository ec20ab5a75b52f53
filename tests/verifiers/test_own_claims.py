"""Claims of one's own: what a speaker says to hold is what they think, in the rules for a turn and in the review."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.inner_speech import PREFIXES, ThoughtReader
from dtomtrack.beliefs.markers import marker
from dtomtrack.beliefs.matching import StateMatcher, ThoughtfulListener, ThoughtGuidedReader
from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Topic, Trigger
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.domain import Domain
from dtomtrack.verifiers.review import played, review
from dtomtrack.verifiers.turn_requirements import TurnRequirements
from dtomtrack.verifiers.turns import TurnRules

WINDOW, CORNER, TERRACE = "a table by the window", "a table in the corner", "a table on the terrace"
TABLE = Topic(
    id="table", label="table", mental_state=MentalState.DESIRE, holder="Maya", values=(WINDOW, CORNER, TERRACE)
)
MATCHER = StateMatcher([TABLE])
GOAL = "I want a good evening"
VOICED = TurnRequirements(held=(("table", WINDOW),))
CHANGED = TurnRequirements(
    update=PlannedUpdate(
        turn=4,
        agent="Maya",
        trigger=Trigger.GOAL_SHIFT,
        mental_state=MentalState.DESIRE,
        topic="table",
        old=WINDOW,
        new=CORNER,
        marker="actually",
    )
)


def problems(thought: str, line: str, required: TurnRequirements | None = None) -> str:
    """What is wrong with a turn of Maya's, who said before that she wants the window."""
    thoughts = ThoughtReader("Maya", ["Ben"], MATCHER.thought).thoughts(thought)
    said = [("Maya", "The one by the window is what I want, that table.")]
    rules = TurnRules(MATCHER, "Maya", ["Ben"])
    return " / ".join(rules.problems(thought, thoughts, line, required or TurnRequirements(), said))


@pytest.mark.parametrize(
    ("thought", "line", "claimed"),
    [
        (GOAL, "Let us have a table in the corner, that is what I want.", CORNER),
        (f"I want {CORNER}", "Thanks, I want a table on the terrace please.", TERRACE),
        (GOAL, "Thanks, I want a table by the window, as I said.", None),
        (GOAL, "Do I want a table in the corner?", None),
        (GOAL, "I wanted a table in the corner once.", None),
        (GOAL, "A friend wants a table in the corner, I hear.", None),
        (GOAL, "A table in the corner would be dark for me.", None),
        (GOAL, "Someone I went to school with would want a table in the corner.", None),
        (GOAL, "The one I met, who maintains that a table in the corner is best.", None),
        (GOAL, "I would love a table in the corner.", CORNER),
        (GOAL, "I want anything but a table in the corner.", None),
    ],
)
def test_nobody_claims_what_they_do_not_think(thought: str, line: str, claimed: str | None) -> None:
    found = problems(thought, line)
    assert found == ("" if claimed is None else f"what is said claims a state that is not thought: {claimed}")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("I want a table by the window, or no: a table in the corner is what I want.", f"not thought: {CORNER}"),
        ("Do I want a table by the window?", f"it asks what it is to say as one's own: {WINDOW}"),
        ("I want a table by the window rather than a table in the corner.", ""),
        ("I prefer a table by the window to a table in the corner.", ""),
    ],
)
def test_what_is_held_is_stated_and_nothing_beside_it(line: str, wrong: str) -> None:
    found = problems(f"I want {WINDOW}", line, VOICED)
    assert wrong in found if wrong else not found


@pytest.mark.parametrize(
    ("after", "wrong"),
    [
        ("I want a table in the corner, though a table by the window is what I still want.", "is still claimed"),
        ("I want a table in the corner and then a table on the terrace, too.", f"not thought: {TERRACE}"),
        ("do I want a table in the corner?", "the new state is not said"),
        ("I want a table in the corner; I had wanted a table by the window.", ""),
    ],
)
def test_behind_a_change_of_mind_the_new_state_alone_is_claimed(after: str, wrong: str) -> None:
    found = problems(f"I want {CORNER}", f"Actually, {after}", CHANGED)
    assert wrong in found if wrong else not found


def test_what_a_marker_gives_up_is_not_claimed() -> None:
    line = marker("scratch").say("I want a table by the window", "I want a table in the corner")
    assert MATCHER.claimed("table", "Maya", line) == (CORNER,)


@pytest.mark.parametrize(
    ("thought", "required", "wrong"),
    [
        (f"I want {WINDOW}. I want {CORNER}", VOICED, "two states are thought that can't both be"),
        (f"I want {CORNER}", TurnRequirements(current=(("table", WINDOW),)), f"it holds {WINDOW}"),
        (f"I want {WINDOW}", TurnRequirements(current=(("table", WINDOW),)), ""),
    ],
)
def test_of_each_state_one_is_thought_and_it_changes_where_it_is_to(
    thought: str, required: TurnRequirements, wrong: str
) -> None:
    found = problems(thought, "I want a table by the window, truly." if required.held else "Lovely.", required)
    assert wrong in found if wrong else not found


def test_a_question_does_not_say_a_thought() -> None:
    thoughts = ThoughtReader("Maya", ["Ben"], MATCHER.thought).thoughts(f"I want {WINDOW}")
    assert ThoughtfulListener([TABLE], MATCHER).hear(1, "Maya", f"Do I want {WINDOW}?", thoughts, ()) == []


async def test_a_dialogue_in_which_somebody_claims_what_they_do_not_hold_is_thrown_out(
    domains: dict[str, Domain],
) -> None:
    context = RoleplayContext({"restaurant": domains["restaurant"]})
    given: Attempt = {"domains": ["restaurant"], "seed": 3, "index": 4, "attempt": 0, "length": 14}
    dialogue = (await play(context, given)).dialogue
    assert dialogue is not None
    scenario, last = dialogue.scenario, dialogue.turns[-1]
    record = next(one for one in dialogue.beliefs if one.holder == last.speaker and one.order == 1)
    topic = scenario.topic(record.topic)
    held = [one.content for one in dialogue.beliefs if (one.holder, one.topic) == (last.speaker, topic.id)][-1]
    for value, kept in ((held, True), (next(one for one in topic.values if one != held), False)):
        claim = f"{last.utterance} {PREFIXES[topic.mental_state]} {value}."
        turns = [*dialogue.turns[:-1], last.model_copy(update={"utterance": claim})]
        reader = ThoughtGuidedReader(turns, scenario.topics)
        found = await review(played(scenario, turns, reader, slot_at(3, 4, ["restaurant"]), 0, "model"))
        assert (found.dialogue is not None) == kept
        if not kept:
            assert found.rejections[-1].stage == "claim_verification"
            assert value in found.rejections[-1].detail
