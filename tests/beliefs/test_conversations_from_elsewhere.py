"""Conversations that were not generated: lines to turns, turns to questions."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.conversations import Utterance, ask_about, to_turns
from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.errors import InputError

DESIRE, BELIEF = MentalState.DESIRE, MentalState.BELIEF
TERRACE, BOOTH = "a table on the sunny terrace", "a table in the corner booth"
SEATING = Topic(
    id="seating",
    label="the seating",
    mental_state=DESIRE,
    holder="Maya",
    values=(TERRACE, BOOTH, "stools by the bar", "seats beneath the stairs", "cushions upstairs"),
)
CLOSING = Topic(
    id="closing",
    label="the closing time",
    mental_state=BELIEF,
    holder="Ben",
    values=tuple(f"the kitchen closes at {hour}" for hour in ("eight", "nine", "ten", "eleven", "midnight")),
)
TOPICS = (SEATING, CLOSING)
UTTERANCES = (
    Utterance("Maya", "Good evening! I'd like the terrace."),
    Utterance("Ben", "Of course."),
    Utterance("Maya", "Thanks."),
    Utterance("Ben", "We close at nine, by the way."),
    Utterance("Maya", "Good to know."),
    Utterance("Ben", "The terrace gets windy at dusk."),
    Utterance("Maya", "Actually, the booth will do."),
    Utterance("Ben", "Noted."),
    Utterance("Maya", "And the soup?"),
    Utterance("Ben", "Leek."),
)


def test_turns_keep_speakers_and_words_and_are_counted_from_zero() -> None:
    turns = to_turns(UTTERANCES, TOPICS)
    assert [(turn.speaker, turn.utterance) for turn in turns] == [(one.speaker, one.text) for one in UTTERANCES]
    assert [turn.index for turn in turns] == list(range(len(UTTERANCES)))


def test_who_states_something_thinks_so_and_who_hears_it_thinks_so_of_the_other() -> None:
    turns = to_turns(UTTERANCES[:3], TOPICS)
    assert turns[0].inner_speech == (thought(DESIRE, TERRACE, "seating"),)
    assert turns[1].inner_speech == (second_order("Maya", DESIRE, TERRACE, "seating"),)
    assert turns[2].inner_speech == ()


def test_who_takes_something_for_granted_of_the_other_thinks_so() -> None:
    turns = to_turns([Utterance("Maya", "Hello."), Utterance("Ben", "You'll want the booth.")], TOPICS)
    assert turns[1].inner_speech == (second_order("Maya", DESIRE, BOOTH, "seating"),)


@pytest.mark.parametrize("utterance", ["The booth is warm.", "Would you like the booth?"])
def test_who_argues_or_asks_thinks_nothing_of_it(utterance: str) -> None:
    turns = to_turns([Utterance("Maya", "Hello."), Utterance("Ben", utterance), Utterance("Maya", "Hm.")], TOPICS)
    assert all(turn.inner_speech == () for turn in turns)


def test_a_change_of_mind_reaches_the_tracker() -> None:
    tracker = BeliefTracker.of(to_turns(UTTERANCES, TOPICS))
    assert [(old.content, new.content, new.source_turn) for old, new in tracker.updates()] == [(TERRACE, BOOTH, 6)]
    heard = tracker.history(StateKey("Ben", "seating", about="Maya"))
    assert [(one.content, one.source_turn) for one in heard] == [(TERRACE, 0), (BOOTH, 6)]


def test_given_thoughts_are_matched_to_the_topics_whose_values_they_are() -> None:
    given = f"(I want {TERRACE}. I think that Ben believes the kitchen closes at ten. I feel calm.)"
    turns = to_turns([Utterance("Maya", "Hello.", given), Utterance("Ben", "Hello.")], TOPICS)
    assert turns[0].inner_speech == (
        thought(DESIRE, TERRACE, "seating"),
        second_order("Ben", BELIEF, "the kitchen closes at ten", "closing"),
        thought(MentalState.EMOTION, "calm"),
    )


@pytest.mark.parametrize(
    ("speaker", "given"),
    [
        ("Ben", f"(I want {TERRACE})"),
        ("Maya", f"(I feel {TERRACE})"),
        ("Maya", "(I want a table on the roof)"),
        ("Maya", f"(I think that Ben wants {TERRACE})"),
    ],
)
def test_a_given_thought_of_another_holder_state_or_content_belongs_to_no_topic(speaker: str, given: str) -> None:
    turns = to_turns(
        [Utterance("Maya", "Hello."), Utterance("Ben", "Hello."), Utterance(speaker, "Hm.", given)], TOPICS
    )
    (one,) = turns[2].inner_speech
    assert one.topic is None


def test_given_thoughts_stand_even_where_the_words_say_otherwise() -> None:
    turns = to_turns(
        [Utterance("Maya", "The terrace, please.", f"(I want {BOOTH})"), Utterance("Ben", "Sure.")], TOPICS
    )
    assert turns[0].inner_speech == (thought(DESIRE, BOOTH, "seating"),)
    assert turns[1].inner_speech == (second_order("Maya", DESIRE, TERRACE, "seating"),)


def test_thoughts_given_empty_are_none_at_all() -> None:
    turns = to_turns([Utterance("Maya", "The terrace, please.", ""), Utterance("Ben", "Sure.", "()")], TOPICS)
    assert [turn.inner_speech for turn in turns] == [(), ()]


class EverythingIsTheBooth:
    """A reader of one's own."""

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        return [Reading(turn, speaker, Act.STATE, "Maya", "seating", BOOTH)] if speaker == "Maya" else []


def test_a_reader_of_ones_own_reads_the_words() -> None:
    turns = to_turns([Utterance("Maya", "Hello."), Utterance("Ben", "Hello.")], TOPICS, EverythingIsTheBooth())
    assert turns[0].inner_speech == (thought(DESIRE, BOOTH, "seating"),)


@pytest.mark.parametrize(
    ("speakers", "message"),
    [
        ([], r"has 0 speakers"),
        (["Maya", "Maya"], r"has 1 speakers \(Maya\); it needs two or more"),
    ],
)
def test_a_conversation_needs_two_speakers_at_least(speakers: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        to_turns([Utterance(speaker, "Hello.") for speaker in speakers], [SEATING])


def test_a_topic_is_held_by_somebody_who_speaks() -> None:
    with pytest.raises(InputError, match="topic 'seating' is held by 'Maya', who says nothing"):
        to_turns([Utterance("Cleo", "Hello."), Utterance("Ben", "Hello.")], TOPICS)


@pytest.fixture
def turns() -> tuple[Turn, ...]:
    return to_turns(UTTERANCES, TOPICS)


def of_type(questions: list[Question], question_type: QuestionType) -> list[Question]:
    return [question for question in questions if question.type is question_type]


def test_a_change_of_mind_is_asked_about_before_after_and_when(turns: tuple[Turn, ...]) -> None:
    questions = ask_about(turns, TOPICS)
    golds = {
        kind: [question.gold for question in of_type(questions, kind) if question.topic == "seating"]
        for kind in (QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE, QuestionType.UPDATE_DETECTION)
    }
    assert golds == {
        QuestionType.PRE_UPDATE: ["A table on the sunny terrace"],
        QuestionType.POST_UPDATE: ["A table in the corner booth"],
        QuestionType.UPDATE_DETECTION: ["At turn 6"],
    }


def test_every_gold_of_a_state_is_what_the_tracker_has_on_record(turns: tuple[Turn, ...]) -> None:
    tracker = BeliefTracker.of(turns)
    temporal = of_type(ask_about(turns, TOPICS), QuestionType.TEMPORAL)
    assert temporal
    for question in temporal:
        assert question.turn is not None
        held = tracker.at(StateKey(question.agent, question.topic), question.turn)
        assert held is not None
        assert question.gold.lower() == held.content.lower()


def test_the_name_seed_and_index_of_a_conversation_go_into_the_ids(turns: tuple[Turn, ...]) -> None:
    questions = ask_about(turns, TOPICS, name="call", seed=3, index=5)
    assert [question.id for question in questions] == [
        f"call-3-000005-q{number:02d}" for number in range(len(questions))
    ]
    assert {(question.dialogue_id, question.slot) for question in questions} == {("call-3-000005", 5)}


def test_the_same_conversation_gives_the_same_questions(turns: tuple[Turn, ...]) -> None:
    assert ask_about(turns, TOPICS, seed=2, index=9) == ask_about(turns, TOPICS, seed=2, index=9)


@pytest.mark.parametrize("start", [0, 4])
def test_letters_balance_over_each_four_conversations(turns: tuple[Turn, ...], start: int) -> None:
    letters = [
        of_type(ask_about(turns, TOPICS, index=index), QuestionType.PRE_UPDATE)[0].answer
        for index in range(start, start + 4)
    ]
    assert sorted(letters) == ["A", "B", "C", "D"]


def test_a_conversation_about_nothing_gives_no_questions() -> None:
    turns = to_turns([Utterance("Maya", "Hello."), Utterance("Ben", "Hello.")], TOPICS)
    assert ask_about(turns, TOPICS) == []


def test_what_the_partner_named_is_among_the_wrong_options(turns: tuple[Turn, ...]) -> None:
    lines = [*UTTERANCES[:1], Utterance("Ben", "Would you take the cushions upstairs?"), *UTTERANCES[2:]]
    named = "Cushions upstairs"
    post = of_type(ask_about(to_turns(lines, TOPICS), TOPICS), QuestionType.POST_UPDATE)
    assert [named in question.options.values() for question in post] == [True]
    assert all(question.gold != named for question in post)


def test_who_speaks_twice_in_a_row_is_heard_by_the_other_and_not_by_themselves() -> None:
    lines = [
        Utterance("Maya", "I'd love to sit on the terrace."),
        Utterance("Maya", "Anyway, hello."),
        Utterance("Ben", "Hello, Maya."),
    ]
    topic = Topic(
        id="seat",
        label="the seat",
        mental_state=MentalState.DESIRE,
        holder="Maya",
        values=("to sit on the terrace", "to sit in the garden"),
    )
    thoughts = [[speech.text for speech in turn.inner_speech] for turn in to_turns(lines, [topic])]
    assert thoughts == [["I want to sit on the terrace"], [], ["I think that Maya wants to sit on the terrace"]]


def test_an_utterance_that_says_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="utterance 1 of the conversation says nothing"):
        to_turns([Utterance("Maya", "Hello."), Utterance("Ben", " ")], [])


def test_three_may_talk_and_each_hears_the_others() -> None:
    turns = to_turns(
        [
            Utterance("Maya", "I'd like the terrace."),
            Utterance("Cleo", "Hello."),
            Utterance("Ben", "Welcome."),
            Utterance("Maya", "Thanks."),
            Utterance("Cleo", "Maya, you'll want the booth."),
            Utterance("Ben", "Well."),
        ],
        TOPICS,
    )
    wants_terrace = second_order("Maya", DESIRE, TERRACE, "seating")
    assert turns[1].inner_speech == turns[2].inner_speech == (wants_terrace,)
    assert turns[4].inner_speech == (second_order("Maya", DESIRE, BOOTH, "seating"),)
    assert turns[5].inner_speech == ()


def test_questions_about_three_name_the_one_who_thinks_and_the_one_who_is_thought_about() -> None:
    said = [
        Utterance("Maya", "I'd like the terrace."),
        Utterance("Cleo", "Hello."),
        Utterance("Ben", "Welcome."),
        Utterance("Maya", "Thanks."),
        Utterance("Cleo", "Maya, you'll want the booth."),
        Utterance("Ben", "We close at nine."),
    ]
    questions = ask_about(to_turns(said, TOPICS), TOPICS)
    wrong = [question for question in questions if question.type is QuestionType.FALSE_BELIEF]
    assert {(question.agent, question.about) for question in wrong} >= {("Cleo", "Maya")}
    for question in wrong:
        assert "Maya" in question.question
        assert "Cleo" in question.question
        assert "Ben" not in question.question
    thought_of = [question for question in questions if question.type is QuestionType.SECOND_ORDER]
    assert {question.about for question in thought_of} == {"Maya"}
    assert {question.agent for question in thought_of} == {"Cleo", "Ben"}


def test_turns_on_offer_are_those_at_which_the_agent_spoke() -> None:
    said = [*UTTERANCES[:4], Utterance("Ben", "And a breeze."), *UTTERANCES[4:]]
    asked = ask_about(to_turns(said, TOPICS), TOPICS)
    when = next(question for question in asked if question.type is QuestionType.UPDATE_DETECTION)
    assert when.agent == "Maya"
    own = {f"At turn {turn}" for turn, one in enumerate(said) if one.speaker == "Maya"}
    assert set(when.options.values()) <= own | {"At no turn"}


@pytest.mark.parametrize("values", [("tea with milk", "tea", "coffee", "water"), ("tea", "Tea", "coffee", "water")])
def test_a_value_without_a_word_of_its_own_is_refused(values: tuple[str, ...]) -> None:
    drink = SEATING.model_copy(update={"id": "drink", "values": values})
    with pytest.raises(InputError, match=r"topic 'drink': its value 'tea' has no word that no other"):
        to_turns(UTTERANCES, [drink])
    with pytest.raises(InputError, match=r"topic 'drink': its value 'tea' has no word"):
        ask_about(to_turns(UTTERANCES, TOPICS), [drink])


def test_a_thought_that_may_be_about_either_of_two_topics_is_refused() -> None:
    drink = Topic(id="drink", label="the drink", mental_state=DESIRE, holder="Ana", values=("tea", "coffee"))
    gift = drink.model_copy(update={"id": "gift", "label": "the gift", "values": ("tea", "a scarf")})
    lines = (Utterance("Ana", "The drink is what I think of.", "(I want tea.)"), Utterance("Ben", "I see."))
    with pytest.raises(InputError, match="the thought 'tea' of 'Ana' may be about 'drink' or 'gift': reword"):
        to_turns(lines, (drink, gift))
    of_ben = gift.model_copy(update={"holder": "Ben"})
    assert to_turns(lines, (drink, of_ben))[0].inner_speech == (thought(DESIRE, "tea", "drink"),)
