"""Questions: gold answers from the tracker, four distinct options, each with the role it plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from dtomtrack import generate
from dtomtrack.beliefs.dialogue import Dialogue, InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.question import PAPER_TYPES, OptionRole, Question, QuestionType
from dtomtrack.beliefs.questions import QuestionBuilder
from dtomtrack.beliefs.questions.spec import NO_TURN, as_option, at_turn
from dtomtrack.beliefs.reading import Act, Reading, read_all
from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Topic, Trigger
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.slots import Slot, slot_at
from dtomtrack.scenarios.dials import difficulty_of
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult

Asked = list[tuple[Question, Dialogue]]

DESIRE = MentalState.DESIRE
CORNER, TERRACE, STOOLS, BENCH, WINDOW = VALUES = ("a corner", "the terrace", "two stools", "a bench", "the window")
SEATING = Topic(id="seating", label="the seating", mental_state=DESIRE, holder="Maya", values=VALUES)


@pytest.fixture(scope="module")
def asked(slots: dict[str, list[SlotResult]], long_slots: list[SlotResult]) -> Asked:
    """All kept questions with their dialogues; the long ones come from slots that the short ones come from, too."""
    filled = [*(slot for own in slots.values() for slot in own), *long_slots]
    return [(question, slot.dialogue) for slot in filled if slot.dialogue for question in slot.questions]


def of_type(asked: Asked, kind: QuestionType) -> Asked:
    return [(question, dialogue) for question, dialogue in asked if question.type is kind]


def gold_on_record(question: Question, dialogue: Dialogue) -> str:
    """The answer as the tracker has it."""
    tracker = BeliefTracker.of(dialogue.turns)
    own = StateKey(question.agent, question.topic)
    turn = question.turn or 0
    match question.type:
        case QuestionType.UPDATE_DETECTION:
            changes = [record.source_turn for record in tracker.history(own)[1:]]
            if not changes:
                return at_turn(None)
            return at_turn(changes[0] if question.factors.asks == "first_change" else changes[-1])
        case QuestionType.PRE_UPDATE:
            held = tracker.before(own, turn)
        case QuestionType.POST_UPDATE | QuestionType.TEMPORAL:
            held = tracker.at(own, turn)
        case QuestionType.FALSE_BELIEF if question.factors.asks == "actual":
            held = tracker.at(own, turn) or tracker.after(own, turn)
        case _:
            held = tracker.at(StateKey(question.agent, question.topic, question.about), turn)
    assert held is not None
    return as_option(held.content)


def test_the_gold_is_what_the_tracker_has_on_record(asked: Asked) -> None:
    assert {question.type for question, _ in asked} == set(PAPER_TYPES)
    for question, dialogue in asked:
        assert question.gold == gold_on_record(question, dialogue), question.id


def test_the_four_options_are_distinct(asked: Asked) -> None:
    for question, _ in asked:
        assert "".join(question.options) == "ABCD"
        assert len({text.casefold() for text in question.options.values()}) == 4


def test_one_option_is_gold(asked: Asked) -> None:
    for question, _ in asked:
        assert list(question.option_roles.values()).count(OptionRole.GOLD) == 1


def test_options_are_values_of_the_topic(asked: Asked) -> None:
    for question, dialogue in asked:
        if question.type is not QuestionType.UPDATE_DETECTION:
            values = {as_option(value) for value in dialogue.scenario.topic(question.topic).values}
            assert set(question.options.values()) <= values


def test_what_came_later_is_always_an_option_of_what_was_held_before(asked: Asked) -> None:
    for question, dialogue in of_type(asked, QuestionType.PRE_UPDATE):
        later = {
            question.options[letter] for letter, role in question.option_roles.items() if role is OptionRole.POST_VALUE
        }
        new = BeliefTracker.of(dialogue.turns).at(StateKey(question.agent, question.topic), question.turn or 0)
        assert new is not None
        assert as_option(new.content) in later


def test_what_was_held_before_is_always_an_option_of_what_came_later(asked: Asked) -> None:
    for question, dialogue in of_type(asked, QuestionType.POST_UPDATE):
        old = BeliefTracker.of(dialogue.turns).before(StateKey(question.agent, question.topic), question.turn or 0)
        assert old is not None
        (topic,) = (one for one in dialogue.scenario.topics if one.id == question.topic)
        # nobody comes to know nothing
        assert (as_option(old.content) in question.options.values()) == (old.content != topic.ignorance)


def test_both_sides_of_a_wrong_assumption_are_options(asked: Asked) -> None:
    for question, dialogue in of_type(asked, QuestionType.FALSE_BELIEF):
        (presumed,) = [one for one in dialogue.scenario.presumptions if one.topic == question.topic]
        (held,) = [one.content for one in dialogue.beliefs if one.order == 1 and one.topic == question.topic]
        texts = set(question.options.values())
        assert {as_option(presumed.presumed), as_option(held)} <= texts
        assert question.gold == as_option(held if question.factors.asks == "actual" else presumed.presumed)


def test_what_nobody_mentioned_is_called_so(asked: Asked, domains: dict[str, Domain]) -> None:
    for question, dialogue in asked:
        agents = [agent.name for agent in dialogue.scenario.agents]
        transcript = [(turn.speaker, turn.utterance) for turn in dialogue.turns]
        readings = read_all(domains[dialogue.domain].reader(agents), transcript)
        named = {as_option(one.content) for one in readings if one.topic == question.topic}
        for letter, role in question.option_roles.items():
            if role is OptionRole.NEVER_SAID:
                assert question.options[letter] not in named
            elif role is OptionRole.PARTNER_VALUE:
                assert question.options[letter] in named


def test_what_was_given_out_as_an_untruth_is_not_called_never_said(domains: dict[str, Domain], tmp_path: Path) -> None:
    generate("family", n=12, out=tmp_path / "out", seed=9, difficulty=difficulty_of("apart", {"apart": "untruth"}))
    dialogues = {one.id: one for one in read_lines(tmp_path / "out" / "dialogues.jsonl", Dialogue)}
    given_out = 0
    for question in read_lines(tmp_path / "out" / "questions.jsonl", Question):
        dialogue = dialogues[question.dialogue_id]
        reader = domains["family"].reader([agent.name for agent in dialogue.scenario.agents])
        readings = read_all(reader, [(turn.speaker, turn.utterance) for turn in dialogue.turns])
        named = {as_option(one.content) for one in readings if one.topic == question.topic}
        for letter, role in question.option_roles.items():
            assert role is not OptionRole.NEVER_SAID or question.options[letter] not in named
            given_out += role is OptionRole.UNTRUTH
    assert given_out > 3


def test_evidence_turns_exist(asked: Asked) -> None:
    for question, dialogue in asked:
        assert question.evidence
        assert set(question.evidence) <= {turn.index for turn in dialogue.turns}


def test_the_turn_that_is_asked_about_exists(asked: Asked) -> None:
    for question, dialogue in asked:
        assert question.turn is None or 0 <= question.turn < len(dialogue.turns)


def test_sometimes_a_mind_never_changed(asked: Asked) -> None:
    detections = of_type(asked, QuestionType.UPDATE_DETECTION)
    share = sum(question.gold == NO_TURN for question, _ in detections) / len(detections)
    assert 0.1 < share < 0.4
    assert all((question.gold == NO_TURN) == (question.turn is None) for question, _ in detections)


def test_update_detection_always_offers_that_nothing_changed_unless_three_turns_do_not(asked: Asked) -> None:
    for question, _ in of_type(asked, QuestionType.UPDATE_DETECTION):
        roles = Counter(question.option_roles.values())
        assert NO_TURN in question.options.values()
        assert roles[OptionRole.OTHER_TURN] == (3 if question.gold == NO_TURN else 2)
        assert roles[OptionRole.NO_CHANGE] == (0 if question.gold == NO_TURN else 1)


def test_ids_are_unique_and_start_with_the_dialogue(slots: dict[str, list[SlotResult]]) -> None:
    questions = [question for own in slots.values() for slot in own for question in slot.questions]
    assert len({question.id for question in questions}) == len(questions)
    assert all(question.id.startswith(f"{question.dialogue_id}-q") for question in questions)


def test_factors_count_the_changes(asked: Asked) -> None:
    for question, dialogue in asked:
        tracker = BeliefTracker.of(dialogue.turns)
        about = None if question.order == 1 else question.about
        assert question.factors.updates == len(tracker.updates())
        assert question.factors.changes == len(tracker.history(StateKey(question.agent, question.topic, about))) - 1


def test_a_question_about_an_update_has_its_marker_and_trigger(asked: Asked) -> None:
    for kind in (QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE):
        for question, dialogue in of_type(asked, kind):
            (plan,) = [
                one for one in dialogue.scenario.updates if (one.topic, one.turn) == (question.topic, question.turn)
            ]
            assert (question.factors.marker, question.factors.trigger) == (plan.marker, plan.trigger)


# -- a conversation by hand ----------------------------------------------------------------------------------------


def turns_of(*thoughts: Sequence[InnerSpeech]) -> list[Turn]:
    return [
        Turn(index=index, speaker=("Maya", "Ben")[index % 2], inner_speech=tuple(own), utterance="...")
        for index, own in enumerate(thoughts)
    ]


def wants(content: str) -> list[InnerSpeech]:
    return [thought(DESIRE, content, "seating")]


def supposes(content: str) -> list[InnerSpeech]:
    return [second_order("Maya", DESIRE, content, "seating")]


CHANGED = turns_of(wants(CORNER), supposes(CORNER), [], [], wants(TERRACE), supposes(TERRACE), [], [])


SLOT = slot_at(0, 0, ["talk"])


def build(
    turns: Sequence[Turn],
    topics: Sequence[Topic] = (SEATING,),
    readings: Sequence[Reading] = (),
    planned: Sequence[PlannedUpdate] = (),
    slot: Slot = SLOT,
) -> list[Question]:
    builder = QuestionBuilder(BeliefTracker.of(turns), topics, readings, slot, planned)
    return builder.build("talk")


def one_of(questions: Sequence[Question], kind: QuestionType) -> Question:
    return next(question for question in questions if question.type is kind)


def test_a_change_is_asked_about_before_after_and_when() -> None:
    questions = build(CHANGED)
    assert one_of(questions, QuestionType.PRE_UPDATE).gold == "A corner"
    assert one_of(questions, QuestionType.POST_UPDATE).gold == "The terrace"
    assert one_of(questions, QuestionType.UPDATE_DETECTION).gold == "At turn 4"


def test_the_gold_follows_what_is_thought_not_what_was_planned() -> None:
    lie = PlannedUpdate(
        turn=4,
        agent="Maya",
        trigger=Trigger.GOAL_SHIFT,
        mental_state=DESIRE,
        topic="seating",
        old=STOOLS,
        new=BENCH,
        marker="wait",
    )
    plain, with_plan = build(CHANGED), build(CHANGED, planned=[lie])
    assert [question.gold for question in with_plan] == [question.gold for question in plain]
    assert [question.options for question in with_plan] == [question.options for question in plain]
    assert one_of(with_plan, QuestionType.PRE_UPDATE).factors.marker == "wait"
    assert one_of(plain, QuestionType.PRE_UPDATE).factors.marker is None


def test_where_nothing_changes_the_answer_is_at_no_turn() -> None:
    steady = turns_of(wants(CORNER), supposes(CORNER), [], [], [], [], [], [])
    questions = build(steady)
    assert not [one for one in questions if one.type in {QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE}]
    assert one_of(questions, QuestionType.UPDATE_DETECTION).gold == NO_TURN


def test_a_mind_that_changes_back_is_asked_about_both_ways() -> None:
    back = turns_of(wants(CORNER), [], [], [], wants(TERRACE), [], wants(CORNER), [])
    questions = build(back)
    before = [question for question in questions if question.type is QuestionType.PRE_UPDATE]
    assert [(question.turn, question.gold) for question in before] == [(4, "A corner"), (6, "The terrace")]
    for question, later in zip(before, ("The terrace", "A corner"), strict=True):
        letter = next(letter for letter, text in question.options.items() if text == later)
        assert question.option_roles[letter] is OptionRole.POST_VALUE
    when = {
        (one.factors.asks, one.gold)
        for index in range(20)
        for one in build(back, slot=slot_at(0, index, ["talk"]))
        if one.type is QuestionType.UPDATE_DETECTION
    }
    assert when == {("first_change", "At turn 4"), ("last_change", "At turn 6")}


def test_what_the_partner_named_is_an_option_before_what_nobody_said() -> None:
    named = [Reading(3, "Ben", Act.ARGUE, "Maya", "seating", WINDOW)]
    question = one_of(build(CHANGED, readings=named), QuestionType.PRE_UPDATE)
    roles = {question.options[letter]: role for letter, role in question.option_roles.items()}
    assert roles["The window"] is OptionRole.PARTNER_VALUE
    assert roles["The terrace"] is OptionRole.POST_VALUE
    assert roles["A corner"] is OptionRole.GOLD


def test_a_wrong_assumption_is_asked_about_from_both_sides() -> None:
    assumed = turns_of(wants(CORNER), supposes(CORNER), [], supposes(BENCH), [], [], [], [])
    both = {one.order: one for one in build(assumed) if one.divergence and one.type is not QuestionType.SECOND_ORDER}
    assert (both[2].gold, both[2].agent, both[2].about) == ("A bench", "Ben", "Maya")
    assert (both[2].type, both[2].factors.asks, both[2].factors.differs) == ("false_belief", "assumed", "apart")
    assert (both[1].gold, both[1].agent, both[1].turn) == ("A corner", "Maya", both[2].turn)
    assert both[2].factors.corrected is False
    assert OptionRole.ACTUAL_VALUE in both[2].option_roles.values()


def test_contents_that_are_no_value_of_their_topic_are_not_asked_about() -> None:
    odd = turns_of(wants(CORNER), [], [], [], wants("a spaceship"), [], [], [])
    questions = build(odd)
    assert not [one for one in questions if "spaceship" in " ".join(one.options.values())]
    assert not [one for one in questions if one.type is QuestionType.POST_UPDATE]


def test_a_topic_with_two_values_borrows_from_others_of_its_mental_state() -> None:
    small = SEATING.model_copy(update={"values": (CORNER, TERRACE)})
    music = Topic(id="music", label="the music", mental_state=DESIRE, holder="Ben", values=("a waltz", "a tango"))
    dances = [thought(DESIRE, "a waltz", "music")]
    turns = turns_of(wants(CORNER), dances, [], [], wants(TERRACE), [], [], [thought(DESIRE, "a tango", "music")])
    question = one_of(build(turns, [small, music]), QuestionType.PRE_UPDATE)
    assert (question.topic, question.gold) == ("seating", "A corner")
    roles = {question.options[letter]: role for letter, role in question.option_roles.items()}
    assert roles == {
        "A corner": OptionRole.GOLD,
        "The terrace": OptionRole.POST_VALUE,
        "A waltz": OptionRole.OTHER_TOPIC,
        "A tango": OptionRole.OTHER_TOPIC,
    }


def test_where_options_are_too_few_only_turns_are_asked_about() -> None:
    small = SEATING.model_copy(update={"values": (CORNER, TERRACE)})
    assert {question.type for question in build(CHANGED, [small])} == {QuestionType.UPDATE_DETECTION}


def test_the_same_dialogue_gives_the_same_questions() -> None:
    assert build(CHANGED) == build(CHANGED)


@pytest.mark.parametrize("turn", [4, 6, 8])
def test_a_single_change_is_asked_for_as_the_first_about_as_often_as_the_last(turn: int) -> None:
    """A little more often as the last where it is early: of two changes, the first is early and asked for as such."""
    changed = turns_of(wants(CORNER), *([[]] * (turn - 1)), wants(TERRACE), *([[]] * (9 - turn)))
    asked = Counter(
        one.factors.asks
        for index in range(800)
        for one in build(changed, slot=slot_at(0, index, ["talk"]))
        if one.type is QuestionType.UPDATE_DETECTION
    )
    # a few are left out, so that no turn is right more often than another
    assert asked["first_change"] + asked["last_change"] > 640
    assert abs(asked["first_change"] / asked.total() - {4: 0.44, 6: 0.5, 8: 0.56}[turn]) < 0.06
