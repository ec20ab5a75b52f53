"""Thoughts in words and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.inner_speech import PREFIXES, VERBS, parse_thought, parse_thoughts, second_order, thought
from dtomtrack.beliefs.scenario import MentalState

states = st.sampled_from(MentalState)
_words = st.text(st.sampled_from("abcdefgINTWxyz0123456789'-,()éß北"), min_size=1, max_size=8)
contents = st.lists(_words, min_size=1, max_size=6).map(" ".join)
"""Words without sentence ends, and not opening with "that": a verb of belief may be followed by it or not."""
names = st.sampled_from(["Ben", "Mei-Ling", "O'Hara", "Ben Cole"])


def test_every_mental_state_has_a_prefix_and_a_verb_of_its_own() -> None:
    assert set(PREFIXES) == set(VERBS) == set(MentalState)
    assert len(set(PREFIXES.values())) == len(set(VERBS.values())) == len(MentalState)


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (MentalState.BELIEF, "I believe that it is late"),
        (MentalState.INTENTION, "I will it is late"),
        (MentalState.DESIRE, "I want it is late"),
        (MentalState.EMOTION, "I feel it is late"),
        (MentalState.KNOWLEDGE, "I know it is late"),
    ],
)
def test_a_thought_starts_with_the_prefix_of_its_mental_state(state: MentalState, text: str) -> None:
    assert thought(state, "it is late", "closing") == InnerSpeech(
        mental_state=state, order=1, about=None, topic="closing", content="it is late", text=text
    )


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (MentalState.BELIEF, "I think that Ben believes it is late"),
        (MentalState.INTENTION, "I think that Ben will it is late"),
        (MentalState.DESIRE, "I think that Ben wants it is late"),
        (MentalState.EMOTION, "I think that Ben feels it is late"),
        (MentalState.KNOWLEDGE, "I think that Ben knows it is late"),
    ],
)
def test_a_thought_about_the_other_names_whose_state_it_is(state: MentalState, text: str) -> None:
    assert second_order("Ben", state, "it is late", "closing") == InnerSpeech(
        mental_state=state, order=2, about="Ben", topic="closing", content="it is late", text=text
    )


@given(states, contents)
def test_a_first_order_thought_is_read_as_it_was_written(state: MentalState, content: str) -> None:
    written = thought(state, content)
    assert parse_thought(written.text, "Maya", ["Ben"]) == written


@given(names, states, contents)
def test_a_second_order_thought_is_read_as_it_was_written(name: str, state: MentalState, content: str) -> None:
    written = second_order(name, state, content)
    assert parse_thought(written.text, "Maya", ["Ben", "Mei-Ling", "O'Hara", "Ben Cole"]) == written


# parentheses are what stands between thoughts
unclosed = contents.filter(lambda content: ")" not in content)


@given(st.lists(st.tuples(st.booleans(), states, unclosed), max_size=5), st.sampled_from([". ", ".\n", "! ", "?  "]))
def test_several_thoughts_in_parentheses_are_read_as_they_were_written(
    parts: list[tuple[bool, MentalState, str]], end: str
) -> None:
    written = [
        second_order("Ben", state, content) if about else thought(state, content) for about, state, content in parts
    ]
    text = f"({end.join(one.text for one in written)}.)"
    expected = [(one.order, one.about, one.mental_state, one.content) for one in written]
    found = [
        (one.order, one.about, one.mental_state, one.content.rstrip("!?"))
        for one in parse_thoughts(text, "Maya", ["Ben"])
    ]
    assert found == expected


@given(states, contents)
def test_the_topic_is_found_from_whose_state_it_is_what_kind_and_the_content(state: MentalState, content: str) -> None:
    def find_topic(who: str, mental_state: MentalState, what: str) -> str | None:
        return f"{who}/{mental_state}/{what}"

    own = parse_thought(thought(state, content).text, "Maya", ["Ben"], find_topic)
    about = parse_thought(second_order("Ben", state, content).text, "Maya", ["Ben"], find_topic)
    assert own is not None
    assert about is not None
    assert own.topic == f"Maya/{state}/{content}"
    assert about.topic == f"Ben/{state}/{content}"


def test_a_thought_that_belongs_to_no_topic_is_kept_without_one() -> None:
    found = parse_thought("I want a good evening", "Maya", ["Ben"], lambda *_: None)
    assert found == thought(MentalState.DESIRE, "a good evening")


@pytest.mark.parametrize("verb", ["believes", "knows"])
def test_that_may_follow_a_verb_of_belief(verb: str) -> None:
    found = parse_thought(f"I think that Ben {verb} that we are four.", "Maya", ["Ben"])
    assert found is not None
    assert (found.about, found.content) == ("Ben", "we are four")
    assert found.text == f"I think that Ben {verb} that we are four"


def test_that_belongs_to_what_is_wanted() -> None:
    found = parse_thought("I think that Ben wants that table", "Maya", ["Ben"])
    assert found is not None
    assert found.content == "that table"


@pytest.mark.parametrize("sentence", ["  I feel calm.  ", "I feel calm...", "I feel   calm", "I feel calm\n"])
def test_space_around_a_thought_and_its_period_are_no_part_of_it(sentence: str) -> None:
    found = parse_thought(sentence, "Maya", ["Ben"])
    assert found is not None
    assert (found.mental_state, found.content) == (MentalState.EMOTION, "calm")


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        ".",
        "Hmm, tricky",
        "Maya wants a table",
        "I wanted a table",
        "I willingly wait",
        "I believe it is late",
        "i want a table",
        "I want",
        "Surely I want a table",
        "I think that it is late",
        "I think that Cleo wants a table",
        "I think that Ben hopes for a table",
        "I think that Ben wants",
        "I think Ben wants a table",
        "I think that Benjamin wants a table",
        "(I want a table)",
    ],
)
def test_a_sentence_without_a_prefix_of_inner_speech_is_no_thought(sentence: str) -> None:
    assert parse_thought(sentence, "Maya", ["Ben"]) is None


def test_a_longer_name_is_not_taken_for_the_name_it_starts_with() -> None:
    found = parse_thought("I think that Ben Cole wants a table", "Maya", ["Ben", "Ben Cole"])
    assert found is not None
    assert found.about == "Ben Cole"


def test_the_example_of_the_paper_holds_two_thoughts() -> None:
    found = parse_thoughts("(I want a quiet table. I think that Ben believes we are four.)", "Maya", ["Ben"])
    assert found == (
        thought(MentalState.DESIRE, "a quiet table"),
        second_order("Ben", MentalState.BELIEF, "we are four"),
    )


def test_thoughts_need_no_parentheses() -> None:
    with_them = parse_thoughts("(I want a quiet table. I feel calm.)", "Maya", ["Ben"])
    assert parse_thoughts(" I want a quiet table. I feel calm. ", "Maya", ["Ben"]) == with_them
    assert len(with_them) == 2


def test_sentences_with_an_unknown_prefix_ahead_of_a_thought_are_dropped() -> None:
    assert parse_thoughts("(Hmm, tricky. I wonder. I feel calm.)", "Maya", ["Ben"]) == (
        thought(MentalState.EMOTION, "calm"),
    )


def test_a_thought_about_somebody_unknown_is_dropped_and_the_others_are_kept() -> None:
    assert parse_thoughts("(I think that Cleo wants tea. I feel calm.)", "Maya", ["Ben"]) == (
        thought(MentalState.EMOTION, "calm"),
    )


def test_a_thought_in_parentheses_of_its_own_is_dropped() -> None:
    assert parse_thoughts("((I want a quiet table.))", "Maya", ["Ben"]) == ()


def test_parentheses_within_a_thought_belong_to_its_content() -> None:
    assert parse_thoughts("(I want a table (the quiet one). I feel calm.)", "Maya", ["Ben"]) == (
        thought(MentalState.DESIRE, "a table (the quiet one)"),
        thought(MentalState.EMOTION, "calm"),
    )


@pytest.mark.parametrize("text", ["", "()", "( )", "  ", "(Hmm.)"])
def test_a_text_without_thoughts_gives_none(text: str) -> None:
    assert parse_thoughts(text, "Maya", ["Ben"]) == ()


def test_the_others_may_be_given_one_by_one() -> None:
    text = "(I think that Ben wants tea. I think that Ben feels calm.)"
    assert len(parse_thoughts(text, "Maya", iter(["Ben"]))) == 2


def test_what_is_no_thought_is_left_out_between_two_that_are() -> None:
    parsed = parse_thoughts("(I want a table. Hmm, tricky. I feel calm.)", "Maya", ["Ben"])
    assert [one.content for one in parsed] == ["a table", "calm"]


@pytest.mark.parametrize("text", ["(I want a table.)\n(I feel calm.)", "(I want a table.) (I feel calm.)"])
def test_thoughts_in_parentheses_of_their_own_are_told_apart(text: str) -> None:
    assert [one.content for one in parse_thoughts(text, "Maya", ["Ben"])] == ["a table", "calm"]


def test_parentheses_within_a_thought_stay() -> None:
    (one,) = parse_thoughts("I want a table (the quiet one)", "Maya", ["Ben"])
    assert one.content == "a table (the quiet one)"
    (other,) = parse_thoughts("(I want a quiet table).", "Maya", ["Ben"])
    assert other.content == "a quiet table"


def test_a_title_does_not_end_a_thought() -> None:
    (one,) = parse_thoughts("(I believe that Mr. Smith is late.)", "Maya", ["Ben"])
    assert one.content == "Mr. Smith is late"


def test_that_belongs_to_the_content_if_the_topic_says_so() -> None:
    def find_topic(who: str, state: MentalState, content: str) -> str | None:
        return "table" if content == "that table is free" else None

    (known,) = parse_thoughts("(I think that Ben believes that table is free.)", "Maya", ["Ben"], find_topic)
    assert (known.content, known.topic) == ("that table is free", "table")
    (unknown,) = parse_thoughts("(I think that Ben believes that it rains.)", "Maya", ["Ben"], find_topic)
    assert unknown.content == "it rains"


@pytest.mark.parametrize("name", ["Ms. Lee", "Prof. Kim", "Rev. Doe", "Capt. Ray", "J. Doe"])
def test_the_period_of_a_title_or_an_initial_ends_no_thought(name: str) -> None:
    text = f"(I want {name} to lead. I think that {name} believes we meet {name}. I feel calm.)"
    parsed = parse_thoughts(text, "Maya", [name])
    assert [one.content for one in parsed] == [f"{name} to lead", f"we meet {name}", "calm"]


def test_a_thought_opens_behind_an_initial() -> None:
    parsed = parse_thoughts("(I will take plan B. I think that Ben wants plan C.)", "Maya", ["Ben"])
    assert [one.content for one in parsed] == ["take plan B", "plan C"]
