"""Reading any conversation by the words that tell the values of a topic apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.beliefs.reading import Act, DistinctiveWordReader, Reading, distinctive_words, read_all
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.items.words import content_words

TERRACE, BOOTH, BAR = "a table on the sunny terrace", "a table in the corner booth", "two stools by the bar"
SEATING = Topic(
    id="seating", label="the seating", mental_state=MentalState.DESIRE, holder="Maya", values=(TERRACE, BOOTH, BAR)
)
CLOSING = Topic(
    id="closing",
    label="the closing time",
    mental_state=MentalState.BELIEF,
    holder="Ben",
    values=("the kitchen closes at nine", "the kitchen closes at ten"),
)


@pytest.fixture
def reader() -> DistinctiveWordReader:
    return DistinctiveWordReader([SEATING, CLOSING])


def acts(readings: list[Reading]) -> list[tuple[Act, str, str, str]]:
    return [(one.act, one.holder, one.topic, one.content) for one in readings]


def test_content_words_are_lower_case_and_without_function_words() -> None:
    assert content_words("Will YOU have the Quiet table, at 7?") == {"quiet", "table", "7"}
    assert content_words("and so it is") == frozenset()


def test_content_words_keep_an_apostrophe_within_a_word() -> None:
    assert content_words("The chef's choice") == {"chef's", "choice"}


def test_cues_are_the_words_that_no_other_content_has() -> None:
    assert distinctive_words([TERRACE, BOOTH, BAR]) == {
        TERRACE: {"sunny", "terrace"},
        BOOTH: {"corner", "booth"},
        BAR: {"two", "stools", "bar"},
    }


def test_a_content_within_another_has_no_distinctive_words() -> None:
    assert distinctive_words(["a table", "a quiet table"]) == {"a table": frozenset(), "a quiet table": {"quiet"}}


def test_a_single_content_is_told_by_all_its_words() -> None:
    assert distinctive_words(["a quiet table"]) == {"a quiet table": {"quiet", "table"}}


@given(st.lists(st.lists(st.sampled_from(["red", "green", "blue", "deep", "pale", "the"]), min_size=1).map(" ".join)))
def test_no_cue_is_shared_or_from_elsewhere(contents: list[str]) -> None:
    telling = distinctive_words(contents)
    assert set(telling) == set(contents)
    for content, own in telling.items():
        others = [content_words(other) for other in telling if other != content]
        assert own == content_words(content).difference(*others)


def test_the_holder_states_a_value(reader: DistinctiveWordReader) -> None:
    assert reader.read(4, "Maya", "I'd love the terrace.") == [
        Reading(4, "Maya", Act.STATE, "Maya", "seating", TERRACE)
    ]


def test_half_of_the_cues_are_enough_and_less_is_not(reader: DistinctiveWordReader) -> None:
    assert acts(reader.read(0, "Maya", "Stools at the bar.")) == [(Act.STATE, "Maya", "seating", BAR)]
    assert reader.read(0, "Maya", "Something near the bar.") == []


def test_the_value_with_the_larger_share_of_its_cues_is_read(reader: DistinctiveWordReader) -> None:
    found = reader.read(0, "Maya", "From the terrace into the corner booth with us.")
    assert acts(found) == [(Act.STATE, "Maya", "seating", BOOTH)]


@pytest.mark.parametrize(
    "utterance",
    ["I won't take the terrace.", "It's not the terrace for me.", "Never the terrace.", "No longer the terrace."],
)
def test_a_negated_sentence_of_the_holder_states_nothing(reader: DistinctiveWordReader, utterance: str) -> None:
    assert reader.read(0, "Maya", utterance) == []


def test_a_question_of_the_holder_states_nothing(reader: DistinctiveWordReader) -> None:
    assert reader.read(0, "Maya", "Is the terrace free?") == []


def test_the_partner_presumes_where_the_holder_is_addressed(reader: DistinctiveWordReader) -> None:
    for utterance in ("You'll want the booth.", "The booth is just your thing.", "So YOU take the booth."):
        assert acts(reader.read(1, "Ben", utterance)) == [(Act.PRESUME, "Maya", "seating", BOOTH)]


def test_the_partner_argues_where_the_holder_is_not_addressed(reader: DistinctiveWordReader) -> None:
    assert acts(reader.read(1, "Ben", "The booth isn't drafty.")) == [(Act.ARGUE, "Maya", "seating", BOOTH)]


def test_the_partner_asks_with_a_question_even_where_the_holder_is_addressed(reader: DistinctiveWordReader) -> None:
    assert acts(reader.read(1, "Ben", "Would you like the booth?")) == [(Act.ASK, "Maya", "seating", BOOTH)]


def test_each_sentence_is_read_by_itself_in_order(reader: DistinctiveWordReader) -> None:
    found = reader.read(0, "Maya", "Hello! I won't have the booth; the terrace it is. You close at ten.")
    assert acts(found) == [
        (Act.STATE, "Maya", "seating", TERRACE),
        (Act.PRESUME, "Ben", "closing", "the kitchen closes at ten"),
    ]


def test_a_sentence_may_be_about_two_topics(reader: DistinctiveWordReader) -> None:
    found = reader.read(1, "Ben", "We close the terrace at nine.")
    assert acts(found) == [
        (Act.ARGUE, "Maya", "seating", TERRACE),
        (Act.STATE, "Ben", "closing", "the kitchen closes at nine"),
    ]


def test_capitals_do_not_matter(reader: DistinctiveWordReader) -> None:
    assert acts(reader.read(0, "Maya", "THE TERRACE, PLEASE")) == [(Act.STATE, "Maya", "seating", TERRACE)]


@pytest.mark.parametrize("utterance", ["", "...", "Good evening.", "A table, please.", "The terraces"])
def test_a_sentence_without_cues_says_nothing(reader: DistinctiveWordReader, utterance: str) -> None:
    assert reader.read(0, "Maya", utterance) == reader.read(0, "Ben", utterance) == []


def test_a_value_without_cues_is_never_read() -> None:
    topic = SEATING.model_copy(update={"values": ("a table", "a quiet table")})
    assert acts(DistinctiveWordReader([topic]).read(0, "Maya", "A table.")) == []
    assert acts(DistinctiveWordReader([topic]).read(0, "Maya", "A quiet table.")) == [
        (Act.STATE, "Maya", "seating", "a quiet table")
    ]


def test_every_value_in_its_paraphrased_is_stated(reader: DistinctiveWordReader) -> None:
    transcript = [(topic.holder, value) for topic in (SEATING, CLOSING) for value in topic.values]
    found = read_all(reader, transcript)
    assert [(one.turn, one.content) for one in found] == [(turn, value) for turn, (_, value) in enumerate(transcript)]
    assert {one.act for one in found} == {Act.STATE}


@given(st.text(st.sampled_from("aebt.?!; 'YOU"), max_size=40))
def test_any_text_can_be_read(text: str) -> None:
    for reading in DistinctiveWordReader([SEATING, CLOSING]).read(3, "Maya", text):
        assert (reading.turn, reading.speaker) == (3, "Maya")


@pytest.mark.parametrize(
    "utterance",
    [
        "I cannot take the terrace either.",
        "I don\N{RIGHT SINGLE QUOTATION MARK}t want the terrace.",
        "I want no terrace.",
        "Anything but the terrace.",
        "The terrace isn't for me.",
        "The terrace is nicer than the booth.",
    ],
)
def test_what_is_denied_or_only_compared_is_not_stated(reader: DistinctiveWordReader, utterance: str) -> None:
    assert reader.read(0, "Maya", utterance) == []


@pytest.mark.parametrize(
    "utterance",
    [
        "I want the terrace instead of the booth.",
        "The terrace rather than the booth.",
        "Not the booth but the terrace.",
        "I'll take the terrace, not the booth.",
    ],
)
def test_of_two_values_the_one_that_is_not_denied_is_stated(reader: DistinctiveWordReader, utterance: str) -> None:
    assert acts(reader.read(0, "Maya", utterance)) == [(Act.STATE, "Maya", "seating", TERRACE)]


def test_who_says_that_the_other_does_not_hold_it_presumes_nothing(reader: DistinctiveWordReader) -> None:
    found = reader.read(1, "Ben", "So you don't want the terrace, I see.")
    assert acts(found) == [(Act.ARGUE, "Maya", "seating", TERRACE)]


def test_a_value_that_denies_something_is_stated_by_who_denies_it() -> None:
    topic = SEATING.model_copy(update={"values": ("a room with no heating", "a room by the lake")})
    reader = DistinctiveWordReader([topic])
    assert acts(reader.read(0, "Maya", "I want the room with no heating.")) == [
        (Act.STATE, "Maya", "seating", topic.values[0])
    ]
    assert reader.read(0, "Maya", "I don't want the room with no heating.") == []
