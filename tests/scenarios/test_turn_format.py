"""A turn as models write it: exactly one thought, hidden, and one utterance; anything else is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.errors import ReplyError
from dtomtrack.scenarios.acting.turn_format import read_text_turn, spoken, thought_words

GOOD = [
    ('Maya: (I believe that it rains.) "Shall we go in?"', "I believe that it rains.", "Shall we go in?"),
    ("(I believe that it rains.) Shall we go in?", "I believe that it rains.", "Shall we go in?"),
    ('  Maya: ( I believe that\n it rains. )\n\n"Shall we\ngo in?"  ', "I believe that it rains.", "Shall we go in?"),
    ("Maya: (I want tea. I will ask.) “Is there tea?”", "I want tea. I will ask.", "Is there tea?"),
    ('(I want tea.) "Is there tea".', "I want tea.", '"Is there tea".'),
    (
        '(I want tea.) "My aunt calls it "the old place", I hear."',
        "I want tea.",
        'My aunt calls it "the old place", I hear.',
    ),
]


@pytest.mark.parametrize(("text", "thought", "utterance"), GOOD)
def test_a_turn_is_a_thought_and_an_utterance(text: str, thought: str, utterance: str) -> None:
    turn = read_text_turn(text, "Maya")
    assert (turn.thought, turn.utterance) == (thought, utterance)


@pytest.mark.parametrize(("text", "thought", "utterance"), GOOD)
def test_a_turn_that_was_begun_is_read_as_a_whole(text: str, thought: str, utterance: str) -> None:
    at = text.index("(") + 3
    turn = read_text_turn(text[at:], "Maya", text[:at])
    assert (turn.thought, turn.utterance) == (thought, utterance)


REFUSED = {
    "no thought": ('"Shall we go in?"', "does not begin with a thought"),
    "nothing": ("", "does not begin with a thought"),
    "thought behind": ('"Shall we go in?" (I want tea.)', "does not begin with a thought"),
    "speaker of another name": ('Ben: (I want tea.) "Tea?"', "does not begin with a thought"),
    "unclosed": ('(I want tea. "Is there tea?"', "not closed"),
    "unclosed and endless": ("(" + "tea " * 5_000, "not closed"),
    "nested": ('(I want (really) tea.) "Is there tea?"', "thought within a thought"),
    "double": ('(I want tea.) (I will ask.) "Is there tea?"', "holds a thought"),
    "second behind": ('(I want tea.) "Is there tea?" (I hope so.)', "holds a thought"),
    "in the middle": ('(I want tea.) "Is there (I hope so) tea?"', "holds a thought"),
    "unclosed behind": ('(I want tea.) "Is there tea?" (I hope', "holds a thought"),
    "closed twice": ('(I want tea.)) "Is there tea?"', "holds a thought"),
    "square brackets": ('(I want tea.) [smiles] "Is there tea?"', "stage direction in brackets"),
    "asterisks": ('(I want tea.) *smiles* "Is there tea?"', "stage direction in brackets"),
    "braces": ('(I want tea.) "Is there {tea}?"', "stage direction in brackets"),
    "wide parentheses": ('(I want tea.) "Is there tea?" \uff08I hope so\uff09', "holds a thought"),
    "wide parentheses within": ('(I want \uff08really\uff09 tea.) "Tea?"', "thought within a thought"),
    "empty thought": ('() "Is there tea?"', "the thought is empty"),
    "no utterance": ("(I want tea.)", "the utterance is empty"),
    "an utterance of dots": ('(I want tea.) "..."', "the utterance is empty"),
    "control characters": ('(I want tea.) "Is there\x1b[31m tea?"', "control characters"),
    "control token": ('(I want tea.) "Is there tea?<|im_end|>"', "control characters"),
    "control token in the thought": ('(I want <|eot|> tea.) "Tea?"', "control characters"),
    "thinking": ('(I want tea.) "<think>I hope so</think> Is there tea?"', "utterance holds a tag"),
    "thinking never closed": ('(I want tea.) "Is there tea?" <think', "utterance holds a tag"),
    "thinking in the thought": ('(I want </think> tea.) "Tea?"', "thought holds a tag"),
    "a tag of its own": ('(I want tea.) "Tea? <inner voice: I hope so>"', "utterance holds a tag"),
    "single angle quotes": ('(I want tea.) "Tea? \u2039I hope so\u203a"', "angle brackets"),
    "mathematical brackets": ('(I want tea.) "Tea? \u27e8I hope so\u27e9"', "angle brackets"),
    "angle brackets in the thought": ('(I want \u27e8really\u27e9 tea.) "Tea?"', "angle brackets"),
    "wide angle brackets": ('(I want tea.) "Tea? \uff1cI hope so\uff1e"', "angle brackets"),
    "a labelled thought": ('(I want tea.) "Thought: He is tiresome. Utterance: Tea?"', "holds 'Thought:'; write only"),
    "a label within": ('(I want tea.) "How tiresome. Aloud: Tea?"', "holds 'Aloud:'; write only"),
    "an inner monologue": ('(I want tea.) "Inner monologue: He is tiresome. Tea?"', "holds 'Inner monologue:'"),
    "thinking labelled": ('(I want tea.) "Thinking: I lie. Tea?"', "holds 'Thinking:'"),
    "a private thought": ('(I want tea.) "Private thought: I lie. Tea?"', "holds 'Private thought:'"),
    "a thought of mine": ('(I want tea.) "My thought: I lie. Tea?"', "holds 'My thought:'"),
    "a label with a dash": ('(I want tea.) "Thought - I lie. Tea?"', "holds 'Thought - '"),
    "underscores": ('(I want tea.) "_sighs_ Tea?"', "stage direction in brackets or underscores"),
    "told behind": ('(I want tea.) "Sure." I lied to him.', "behind the closing quotation mark"),
    "told behind a word": ('(I want tea.) "Sure" I lied to him.', "behind the closing quotation mark"),
    "told between": ('(I want tea.) "Sure." I lied to him. "Tea?"', "behind the closing quotation mark"),
    "said by": ('(I want tea.) "Tea," she said', "behind the closing quotation mark"),
    "endless utterance": ('(I want tea.) "' + "tea " * 500 + '"', "longer than 1200 characters"),
    "endless thought": ("(" + "tea " * 200 + '.) "Tea?"', "the thought"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_could_show_a_thought_is_refused(kind: str) -> None:
    text, why = REFUSED[kind]
    with pytest.raises(ReplyError, match=why) as caught:
        read_text_turn(text, "Maya")
    assert len(str(caught.value)) < 200


@given(st.text(alphabet='()"MayaI want. \n{}[]*:<>/\u2039\u27e8\uff08\uff09', max_size=60))
def test_whatever_is_written_no_bracket_is_said(text: str) -> None:
    try:
        turn = read_text_turn(text, "Maya")
    except ReplyError:
        return
    assert not set("()[]{}*\u2039\u27e8\uff08\uff09\n") & set(turn.utterance)
    assert not {"<a", "</"} & {turn.utterance[at : at + 2] for at in range(len(turn.utterance))}
    assert not set("()\uff08\uff09\n") & set(turn.thought)
    assert turn.thought and turn.utterance


@given(st.text(max_size=40))
def test_in_json_it_is_no_different(text: str) -> None:
    for read in (spoken, thought_words):
        try:
            words = read(text)
        except ReplyError:
            continue
        assert words == " ".join(words.split())
        assert words
        assert not set("()\uff08\uff09\x00\x1b\u2028") & set(words)


def test_a_sign_is_no_tag() -> None:
    assert spoken("I <3 tea, and 5 < 7.") == "I <3 tea, and 5 < 7."
    assert thought_words("I want tea -> now.") == "I want tea -> now."


def test_a_colon_is_no_label() -> None:
    assert spoken("Here is a thought: tea. She said it aloud: tea!")
    assert spoken("My first thought of it - and my last - is tea. The a_b_c file.")
    assert spoken('"Fine dining" is what I want. The thinking is: tea.')


def test_one_pair_of_marks_around_is_taken_off() -> None:
    assert thought_words("(I want tea.)") == "I want tea."
    assert spoken("“I want tea.”") == "I want tea."
