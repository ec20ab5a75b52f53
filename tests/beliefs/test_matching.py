"""Which value of a topic free words express: the right one, or none."""

from __future__ import annotations

import gc
import tracemalloc
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.matching import StateMatcher, ThoughtGuidedReader, listener_of
from dtomtrack.beliefs.quantities import number_words
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.items.words import stems
from dtomtrack.scenarios.pack_files import builtin_domains, find_pack, load_pack

FILLERS = ("well", "so", "honestly", "as i said", "i mean", "you see", "for what it is worth", "by the way")
VALUES = [
    (name, Topic(id=topic.id, label=topic.label, mental_state=topic.state, holder="Maya", values=topic.clauses), value)
    for name in builtin_domains()
    for topic in load_pack(find_pack(name)).topics
    for value in topic.clauses
]


@settings(max_examples=400)
@given(
    st.sampled_from(VALUES),
    st.lists(st.sampled_from(FILLERS), max_size=3),
    st.lists(st.sampled_from(FILLERS), max_size=3),
)
def test_a_value_said_as_it_stands_is_itself_and_no_other(
    told: tuple[str, Topic, str], before: list[str], after: list[str]
) -> None:
    _, topic, value = told
    said = ", ".join([*before, value, *after])
    matcher = StateMatcher([topic])
    assert matcher.value(topic.id, said) == value
    assert matcher.value(topic.id, f"{said.capitalize()}!") == value
    assert matcher.mentions(topic.id, value, said)
    assert [other for other in topic.values if other != value and matcher.mentions(topic.id, other, said)] == []
    assert matcher.thought("Maya", topic.mental_state, said) == (topic.id, value)


def test_every_value_of_every_pack_is_itself() -> None:
    wrong = [
        (name, topic.id, value)
        for name, topic, value in VALUES
        if StateMatcher([topic]).value(topic.id, value) != value
    ]
    assert wrong == []


@pytest.mark.parametrize("name", builtin_domains())
def test_among_all_topics_of_a_pack_a_thought_finds_its_own(name: str) -> None:
    topics = {topic.id: topic for domain, topic, _ in VALUES if domain == name}
    matcher = StateMatcher(topics.values())
    wrong = [
        (topic.id, value, found)
        for domain, topic, value in VALUES
        if domain == name and (found := matcher.thought("Maya", topic.mental_state, value)) != (topic.id, value)
    ]
    assert wrong == []


def topic(*values: str, id: str = "t", label: str = "the matter", holder: str = "Maya") -> Topic:
    return Topic(id=id, label=label, mental_state=MentalState.BELIEF, holder=holder, values=values)


BOOKING = topic("a table must be booked 24 hours ahead", "a table must be booked 48 hours ahead")
SEAT = topic("the table is outside under the lime trees", "the table is inside by the stove")


@pytest.mark.parametrize(
    ("about", "text", "value"),
    [
        (BOOKING, "one books 48 hours ahead here", 1),
        (BOOKING, "24 hours will do", 0),
        (BOOKING, "a table must be booked ahead", None),
        (BOOKING, "24 or 48 hours, who knows", None),
        (BOOKING, "48 hours instead of 24", 1),
        (BOOKING, "not 24 hours but 48", 1),
        (BOOKING, "it is not 24, it is 48 hours", 1),
        (BOOKING, "248 hours ahead", None),
        (SEAT, "outside, under the trees", 0),
        (SEAT, "inside rather than outside under the lime trees", 1),
        (SEAT, "it is no longer outside under the lime trees; it is inside, by the stove", 1),
        (SEAT, "The Table Is INSIDE, By The Stove", 1),
        (SEAT, "there is a table", None),
        (SEAT, "", None),
        (SEAT, "trees", None),
        (SEAT, "the lime trees outside, the stove inside", None),
    ],
)
def test_what_tells_values_apart_decides(about: Topic, text: str, value: int | None) -> None:
    found = StateMatcher([about]).value("t", text)
    assert found == (None if value is None else about.values[value])


def test_endings_do_not_matter() -> None:
    assert stems("booking tables quickly") == stems("booked table quick")
    assert stems("Maya's stoves") == stems("Maya stove")
    assert stems("places, glasses, baking, planned") == stems("place, glass, baked, planned")
    assert stems("bus lass cat") == {"bus", "lass", "cat"}
    assert stems("") == frozenset()


def test_whose_thought_it_is_and_of_what_kind_matters() -> None:
    matcher = StateMatcher([SEAT])
    assert matcher.thought("Maya", MentalState.BELIEF, "the table is inside by the stove") == ("t", SEAT.values[1])
    assert matcher.thought("Ben", MentalState.BELIEF, "the table is inside by the stove") is None
    assert matcher.thought("Maya", MentalState.DESIRE, "the table is inside by the stove") is None


def test_of_topics_that_both_fit_the_one_with_more_of_the_words_is_meant() -> None:
    garden = topic("the garden is open all day", "the garden is closed at dusk", id="garden", label="the garden")
    museum = topic("the museum is open all day", "the museum is closed at dusk", id="museum", label="the museum")
    matcher = StateMatcher([garden, museum])
    assert matcher.thought("Maya", MentalState.BELIEF, "the museum is closed at dusk") == ("museum", museum.values[1])
    assert matcher.thought("Maya", MentalState.BELIEF, "the garden is closed at dusk") == ("garden", garden.values[1])


@given(st.text(max_size=80))
def test_any_text_expresses_one_value_or_none(text: str) -> None:
    for about in (BOOKING, SEAT):
        value = StateMatcher([about]).value("t", text)
        assert value is None or value in about.values


STAY = topic("the party will stay for two hours", "the party will stay until midnight", label="the length of the stay")
ERRAND = topic("make a reservation", "call for a taxi", label="what to do next")
HOUR = topic("the party will stay for an hour", "the party will stay until midnight", label="the length of the stay")


@pytest.mark.parametrize(
    ("about", "text", "value"),
    [
        (STAY, "the party will stay for two hours", 0),
        (STAY, "they will stay 2 hours", 0),
        (STAY, "the party will stay for an hour", None),
        (STAY, "the party will stay for three hours", None),
        (HOUR, "the party will stay for three hours", None),
        (HOUR, "they will stay an hour", 0),
        (ERRAND, "make the right decision", None),
        (ERRAND, "make a quick reservation", 0),
    ],
)
def test_numbers_tell_and_verbs_that_go_with_anything_do_not(about: Topic, text: str, value: int | None) -> None:
    found = StateMatcher([about])
    assert found.value("t", text) == (None if value is None else about.values[value])
    assert [one for one in about.values if found.mentions("t", one, text)] == (
        [] if value is None else [about.values[value]]
    )


def test_one_word_of_several_needs_a_second_one() -> None:
    matcher = StateMatcher([SEAT])
    assert not matcher.mentions("t", SEAT.values[1], "the stove was a present")
    assert matcher.mentions("t", SEAT.values[1], "the table by the stove")


def test_what_is_denied_is_mentioned_and_not_asserted() -> None:
    matcher = StateMatcher([SEAT])
    for text in ("the table isn't inside by the stove", "I don't think the table is inside by the stove"):
        assert matcher.mentions("t", SEAT.values[1], text)
        assert not matcher.asserts("t", SEAT.values[1], text)
    assert matcher.asserts("t", SEAT.values[1], "not outside, the table is inside by the stove")


def test_a_value_that_is_a_denial_is_asserted_by_one_and_not_by_two() -> None:
    diet = topic("the guest cannot eat shellfish", "the guest cannot eat celery", label="the diet")
    matcher = StateMatcher([diet])
    for text in ("the guest cannot eat shellfish", "The guest must not eat shellfish, I hear."):
        assert matcher.asserts("t", diet.values[0], text)
    assert not matcher.asserts("t", diet.values[0], "it's not as if the guest cannot eat shellfish")


BANK = topic("the bank is open on Saturday", "the branch closes early", label="the bank")
PLAN = topic("book the window table", "sit at the bar", label="the plan")


@pytest.mark.parametrize("apostrophe", ["'", "\N{RIGHT SINGLE QUOTATION MARK}", "\N{MODIFIER LETTER APOSTROPHE}"])
def test_a_denial_is_one_with_every_apostrophe(apostrophe: str) -> None:
    text = f"the bank isn{apostrophe}t open on Saturday"
    assert StateMatcher([BANK]).value("t", text) is None
    assert not StateMatcher([BANK]).asserts("t", BANK.values[0], text)


@pytest.mark.parametrize(
    "text",
    [
        "no bank is open on Saturday",
        "neither the bank nor the branch is open on Saturday",
        "hardly a bank is open on Saturday",
        "none of it: nobody has the bank open on Saturday",
        "anything but the bank being open on Saturday",
        "avoid the bank that is open on Saturday",
    ],
)
def test_there_are_many_words_to_deny_with(text: str) -> None:
    assert StateMatcher([BANK]).value("t", text) is None
    assert not StateMatcher([BANK]).asserts("t", BANK.values[0], text)


@pytest.mark.parametrize("text", ["no doubt the bank is open on Saturday", "No, the bank is open on Saturday."])
def test_not_every_no_denies_what_follows(text: str) -> None:
    assert StateMatcher([BANK]).value("t", text) == BANK.values[0]


def test_a_denied_value_is_not_held_even_where_it_stands_word_for_word() -> None:
    matcher = StateMatcher([PLAN])
    assert matcher.value("t", "I will not book the window table") is None
    assert matcher.value("t", "I will not sit at the bar but book the window table") == PLAN.values[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the guest cannot eat shellfish", 0),
        ("The guest must not eat shellfish, I hear.", 0),
        ("well, no, the guest cannot eat celery", 1),
        ("it's not as if the guest cannot eat shellfish", None),
    ],
)
def test_a_value_that_is_a_denial_is_held_by_who_denies_just_that(text: str, value: int | None) -> None:
    diet = topic(
        "the guest cannot eat shellfish", "the guest cannot eat celery", "the guest is vegan", label="the diet"
    )
    assert StateMatcher([diet]).value("t", text) == (None if value is None else diet.values[value])


def test_words_are_words_in_every_alphabet() -> None:
    seat = topic("столик под окном", "столик на террасе", label="столик")
    assert StateMatcher([seat]).value("t", "Я хочу столик под окном.") == seat.values[0]


BILL = topic("the bill is 80 euros", "the bill is 100 euros", "the bill is 25 euros", label="the bill")
TRAIN = topic("the train leaves at seven", "the train leaves at 7:45", "the train leaves at noon", label="the train")


@pytest.mark.parametrize(
    ("about", "text", "value"),
    [
        (BILL, "the bill is eighty euros", 0),
        (BILL, "one hundred euros is the bill", 1),
        (BILL, "the bill is twenty-five euros", 2),
        (BILL, "the bill is a hundred and eighty euros", None),
        (BILL, "the bill is 1,100 euros", None),
        (BILL, "the bill is 100.50 euros", None),
        (BILL, "the bill is eighty five euros", None),
        (TRAIN, "the train leaves at 7:00 pm", 0),
        (TRAIN, "the train leaves at half past seven", None),
        (TRAIN, "the train leaves at seven thirty", None),
        (TRAIN, "the train leaves at seven forty-five", 1),
        (TRAIN, "the train leaves at quarter to eight", 1),
        (TRAIN, "the train leaves at 7:50", None),
    ],
)
def test_no_part_of_a_number_passes_for_the_whole(about: Topic, text: str, value: int | None) -> None:
    matcher = StateMatcher([about])
    expected = [] if value is None else [about.values[value]]
    assert [one for one in about.values if matcher.mentions("t", one, text)] == expected
    assert matcher.value("t", text) == (expected[0] if expected else None)


@given(st.integers(2, 9999))
def test_every_number_in_words_is_that_in_digits(number: int) -> None:
    small = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    names = ["", *small.split(), "seventeen", "eighteen", "nineteen"]
    tens = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    thousands, hundreds, rest = number // 1000, number // 100 % 10, number % 100
    below = names[rest] if rest < 20 else f"{tens[rest // 10]}-{names[rest % 10]}".rstrip("-")
    said = [f"{names[thousands]} thousand"] * bool(thousands) + [f"{names[hundreds]} hundred"] * bool(hundreds)
    assert number_words(" and ".join([" ".join(said), below] if said and below else [*said, below])) == {str(number)}


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("I can't wait for the table inside by the stove", True),
        ("I couldn't be happier than with the table inside by the stove", True),
        ("I won't settle for less than the table inside by the stove", True),
        ("I can’t think of a better place than the table inside by the stove", True),  # noqa: RUF001
        ("I could hardly ask for more than the table inside by the stove", True),
        ("I don't want anything but the table inside by the stove", True),
        ("It's not only that the table is inside by the stove", True),
        ("I can't stand the table inside by the stove", False),
        ("I couldn't wait inside by the stove", False),
        ("I won't settle for the table inside by the stove", False),
        ("I don't want the table inside by the stove", False),
        ("I can't imagine dinner inside by the stove", False),
        ("anything but the table inside by the stove", False),
    ],
)
def test_a_denial_in_which_one_agrees_denies_nothing(text: str, *, agrees: bool) -> None:
    assert StateMatcher([SEAT]).asserts("t", SEAT.values[1], text) == agrees


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("I refuse to have the table inside by the stove", False),
        ("I gave up on the table inside by the stove", False),
        ("I have dropped the idea of the table inside by the stove", False),
        ("I stopped wanting the table inside by the stove", False),
        ("forget about the table inside by the stove", False),
        ("I'm done with the table inside by the stove", False),
        ("I decided against the table inside by the stove", False),
        ("I refuse to sit outside, the table is inside by the stove", True),
        ("I will never give up the table inside by the stove", True),
        ("I drop by, and the table is inside by the stove", True),
        ("I stopped to see that the table is inside by the stove", True),
    ],
)
def test_who_refuses_or_leaves_a_thing_denies_it(text: str, *, held: bool) -> None:
    assert StateMatcher([SEAT]).asserts("t", SEAT.values[1], text) == held


def test_all_who_hear_a_dialogue_share_a_listener_that_goes_with_the_last_of_them() -> None:
    said = "The table is inside by the stove."
    own = thought(MentalState.BELIEF, SEAT.values[1], SEAT.id)
    turns = [Turn(index=0, speaker="Maya", inner_speech=(own,), utterance=said)]
    listener = listener_of([SEAT])
    heard = listener.hear(0, "Maya", said, (own,), ())
    read = ThoughtGuidedReader(turns, (SEAT,)).read(0, "Maya", said)
    assert [one.content for one in heard] == [SEAT.values[1]]
    assert [id(one) for one in read] == [id(one) for one in heard]
    assert listener_of([PLAN]) is not listener
    gone = weakref.ref(listener)
    del listener
    gc.collect()
    assert gone() is None


def test_whoever_listens_to_very_many_dialogues_does_not_remember_them_all() -> None:
    listener = listener_of([SEAT])
    tracemalloc.start()
    sizes = []
    for number in range(8_000):
        listener.hear(number, "Maya", "The table is inside by the stove.", (), ())
        if number % 2_000 == 1_999:
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert max(sizes[1:]) < 1.5 * sizes[0]
