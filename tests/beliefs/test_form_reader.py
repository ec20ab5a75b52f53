"""Reading the restaurant pack's own forms of words, exactly."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from itertools import permutations

import pytest

from dtomtrack.beliefs.form_reader import FormReader
from dtomtrack.beliefs.forms import Form, Forms, Naming, SharedForms
from dtomtrack.beliefs.markers import MARKERS
from dtomtrack.beliefs.reading import Act, Reading, read_all
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import PackTopic, PackValue
from dtomtrack.scenarios.placeholders import fill

NAMES = {"a": "Maya", "b": "Ben"}
Said = tuple[str, Reading]
"""An utterance of one form, and the one thing that it says."""


@pytest.fixture(scope="module")
def reader(restaurant: Domain) -> FormReader:
    """Reads what Maya, the guest, and Ben, the manager, say."""
    return restaurant.reader(["Maya", "Ben"])


def some_slots(restaurant: Domain, number: int) -> dict[str, str]:
    settings = {name: values[number % len(values)] for name, values in restaurant.pack.settings.items()}
    return {**NAMES, **settings, **restaurant.pack.situations[number].slots}


def values(restaurant: Domain) -> Iterator[tuple[PackTopic, PackValue]]:
    for topic in restaurant.pack.topics:
        for value in topic.values:
            yield topic, value


def partner(topic: PackTopic) -> str:
    return NAMES["b" if topic.holder == "a" else "a"]


def said(restaurant: Domain, act: Act, number: int) -> Iterator[Said]:
    """Every form of an act except questions, in one situation."""
    slots = some_slots(restaurant, number)
    for topic, value in values(restaurant):
        holder = NAMES[topic.holder]
        texts = {
            Act.STATE: (*value.say, *(f"{text}." for text in value.adopt)),
            Act.PRESUME: value.presume,
            Act.ARGUE: value.reason + value.against,
        }[act]
        speaker = holder if act is Act.STATE else partner(topic)
        for text in texts:
            yield fill(text, slots), Reading(7, speaker, act, holder, topic.id, value.clause)


@pytest.mark.parametrize("number", [0, 3, 7])
@pytest.mark.parametrize("act", [Act.STATE, Act.PRESUME, Act.ARGUE])
def test_every_form_is_read_as_its_act_topic_and_content_and_as_nothing_else(
    restaurant: Domain, reader: FormReader, act: Act, number: int
) -> None:
    forms = list(said(restaurant, act, number))
    assert len(forms) > 100
    assert [
        (utterance, reader.read(7, reading.speaker, utterance))
        for utterance, reading in forms
        if reader.read(7, reading.speaker, utterance) != [reading]
    ] == []


@pytest.mark.parametrize("act", [Act.STATE, Act.PRESUME, Act.ARGUE])
def test_a_form_in_the_wrong_mouth_says_nothing(restaurant: Domain, reader: FormReader, act: Act) -> None:
    for utterance, reading in said(restaurant, act, 0):
        wrong = "Ben" if reading.speaker == "Maya" else "Maya"
        assert reader.read(7, wrong, utterance) == []


def test_every_adopted_value_is_read_after_every_marker_and_the_old_one_is_not(
    restaurant: Domain, reader: FormReader
) -> None:
    slots = some_slots(restaurant, 1)
    for topic in restaurant.pack.topics:
        holder = NAMES[topic.holder]
        for old, new in zip(topic.values, (*topic.values[1:], topic.values[0]), strict=True):
            for one in MARKERS:
                for text in new.adopt:
                    utterance = one.say(old.short, fill(text, slots))
                    stated = Reading(4, holder, Act.STATE, holder, topic.id, new.clause)
                    assert reader.read(4, holder, utterance) == [stated]


def test_a_question_asks_about_both_values_in_the_order_in_which_it_names_them(
    restaurant: Domain, reader: FormReader
) -> None:
    slots = some_slots(restaurant, 2)
    for topic in restaurant.pack.topics:
        asker, holder = partner(topic), NAMES[topic.holder]
        for text in topic.ask:
            for first, second in permutations(topic.values, 2):
                utterance = fill(text, {**slots, "x": first.short, "y": second.short})
                assert reader.read(2, asker, utterance) == [
                    Reading(2, asker, Act.ASK, holder, topic.id, one.clause) for one in (first, second)
                ]
                assert reader.read(2, holder, utterance) == []


def test_greetings_asides_and_reactions_state_nothing(restaurant: Domain, reader: FormReader) -> None:
    pack, slots = restaurant.pack, some_slots(restaurant, 0)
    situation = pack.situations[0]
    lines = (
        *pack.greetings.a,
        *pack.greetings.b,
        *situation.opens,
        *situation.replies,
        *situation.asides_a,
        *situation.asides_b,
        *pack.reactions.accept,
        *pack.reactions.correct,
    )
    for line in lines:
        for speaker in ("Maya", "Ben"):
            assert reader.read(0, speaker, fill(line, slots)) == []


def test_an_utterance_of_several_forms_is_read_in_the_order_in_which_it_says_them(
    restaurant: Domain, reader: FormReader
) -> None:
    slots = some_slots(restaurant, 0)
    first, second = [topic for topic in restaurant.pack.topics if topic.holder == "a"][:2]
    parts = [fill(topic.values[0].say[0], slots) for topic in (first, second)]
    forwards = reader.read(0, "Maya", " ".join(parts))
    backwards = reader.read(0, "Maya", " ".join(reversed(parts)))
    assert [one.topic for one in forwards] == [first.id, second.id]
    assert [one.topic for one in backwards] == [second.id, first.id]


def test_names_decide_who_holds_what(restaurant: Domain) -> None:
    topic = next(topic for topic in restaurant.pack.topics if topic.holder == "b")
    utterance = fill(topic.values[0].say[0], some_slots(restaurant, 0))
    (reading,) = restaurant.reader(["Zoe", "Yann"]).read(0, "Yann", utterance)
    assert reading.holder == "Yann"


def small_reader(text: str) -> FormReader:
    form = Form(Act.PRESUME, "a", "seating", "the booth", text)
    return FormReader(Forms([form]), NAMES)


@pytest.mark.parametrize("text", ["You like {thing} best, I know.", "{thing} is where you sit, I know.", "So, {thing}"])
def test_a_slot_of_a_form_stands_for_any_words(text: str) -> None:
    reader = small_reader(text)
    assert len(reader.read(0, "Ben", text.replace("{thing}", "The (old) booth + more"))) == 1
    assert reader.read(0, "Ben", "Something else.") == []


def test_a_form_with_signs_of_a_pattern_is_taken_literally() -> None:
    reader = small_reader("You said (twice) the booth.* is {thing}?")
    assert len(reader.read(0, "Ben", "You said (twice) the booth.* is taken?")) == 1
    assert reader.read(0, "Ben", "You said twice the booth is taken?") == []


def test_a_value_whose_words_only_begin_like_what_is_said_is_not_read() -> None:
    forms = (
        Form(Act.STATE, "any", "window", "", "it stays: {short}", {"a ball": "it was a ball"}),
        Form(Act.STATE, "any", "bill", "a card", "as before: a card"),
    )
    read = FormReader(Forms(forms), NAMES).read
    assert read(3, "Maya", "Actually, it stays: a balloon ride.") == []
    assert read(3, "Maya", "Actually, as before: a card number.") == []
    assert [one.content for one in read(4, "Maya", "Actually, as before: a card.")] == ["a card"]
    assert [one.content for one in read(4, "Maya", "Actually, it stays: a ball.")] == ["it was a ball"]


def test_lines_that_many_share_are_read_with_each_of_the_namings() -> None:
    lines = [(Act.STATE, "I know that {clause}."), (Act.TELL, "{who} knows that {clause}, I hear.")]
    shorts = {"a ball": "it was a ball", "a stone": "it was a stone"}
    namings = [
        Naming("any", "window", "it was a ball", "it was a ball"),
        Naming("any", "window", "", "{short} did it", shorts),
        Naming("b", "bill", "it's paid", "it's paid"),
    ]
    read = FormReader(Forms([SharedForms(lines, namings)]), NAMES).read

    def told(speaker: str, utterance: str) -> list[tuple[Act, str, str]]:
        return [(one.act, one.holder, one.content) for one in read(3, speaker, utterance)]

    assert told("Maya", "Well, I know that it was a ball.") == [(Act.STATE, "Maya", "it was a ball")]
    assert told("Ben", "I know that a stone did it.") == [(Act.STATE, "Ben", "it was a stone")]
    assert told("Ben", "I know that it's paid. Maya knows that A ball did it, I hear.") == [
        (Act.STATE, "Ben", "it's paid"),
        (Act.TELL, "Maya", "it was a ball"),
    ]
    assert told("Maya", "I know that it's paid.") == []
    assert told("Ben", "I think it was a ball. A stone did it.") == []


def test_a_transcript_is_read_with_turns_counted_from_zero(restaurant: Domain, reader: FormReader) -> None:
    slots = some_slots(restaurant, 0)
    topic = next(topic for topic in restaurant.pack.topics if topic.holder == "a")
    stated, presumed = fill(topic.values[0].say[0], slots), fill(topic.values[1].presume[0], slots)
    assert read_all(reader, [("Ben", "Hello."), ("Maya", stated), ("Ben", presumed)]) == [
        Reading(1, "Maya", Act.STATE, "Maya", topic.id, topic.values[0].clause),
        Reading(2, "Ben", Act.PRESUME, "Maya", topic.id, topic.values[1].clause),
    ]


def test_a_reader_that_is_dropped_goes_at_once_with_all_that_it_remembers() -> None:
    """Of thousands of dialogues, each of which has one of its own, memory would grow until garbage is searched for."""
    forms = Forms([Form(Act.STATE, "any", "tea", "tea", "I like tea.")])
    reader = FormReader(forms, NAMES)
    assert reader.read(0, "Maya", "I like tea.")
    assert reader.states(0, "Maya", "I like tea.")
    dropped = weakref.ref(reader)
    remembered = weakref.ref(reader.states)
    gc.disable()
    try:
        del reader
        assert dropped() is None
        assert remembered() is None
    finally:
        gc.enable()
