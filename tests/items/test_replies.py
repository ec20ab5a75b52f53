"""Reading answers: a table of what models write, and laws."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from answer_reading import HardReply, hard_replies
from hypothesis import example, given
from hypothesis import strategies as st

from dtomtrack.items.replies import read_answer, read_answers

MUSIC = {
    "A": "To have jazz playing",
    "B": "To have disco playing",
    "C": "To have a string quartet",
    "D": "To have silence",
}
TURNS = {"A": "At turn 1", "B": "At turn 12", "C": "At no turn", "D": "At turn 7"}
YES_NO = {"A": "Yes", "B": "No"}
ECHO = "\n".join(f"{letter}) {text}" for letter, text in MUSIC.items())

READABLE = [
    ("B", "B"),
    ("B.", "B"),
    ("b", "B"),
    ("b)", "B"),
    ("B)", "B"),
    ("(A)", "A"),
    ("[C]", "C"),
    ("**B**", "B"),
    ("**B**\n\nShe said so at turn 5.", "B"),
    ("`D`", "D"),
    ("```B```", "B"),
    ("```\nB\n```", "B"),
    ("```text\nAnswer: B\n```", "B"),
    ('"C"', "C"),
    ("__D__", "D"),
    ("<b>B</b>", "B"),
    (r"\boxed{D}", "D"),
    (r"$\boxed{\text{D}}$", "D"),
    (r"Maya gave that up, hence \boxed{C}.", "C"),
    ("ANSWER: $B$", "B"),
    ("Answer: B", "B"),
    ("answer: b", "B"),
    ("Answer:\n\n**B**", "B"),
    ("### Final Answer: (B)", "B"),
    ("**Answer:** B) To have disco playing", "B"),
    ("**Final answer**: D.", "D"),
    ("Answer - it must be C.\nThe answer is C.", "C"),
    ("The answer is (B).", "B"),
    ("The answer is A.", "A"),
    ("The answer is a.", "A"),
    ("The answer is A because she said so.", "A"),
    ("The correct answer is option (C): a quartet.", "C"),
    ("The correct option is D", "D"),
    ("The best choice would be C, given turn 4.", "C"),
    ("The answer to the question about the music is therefore B.", "B"),
    ("The answer is clearly B, not A.", "B"),
    ("The answer is not A but B.", "B"),
    ("The answer is: to have silence.", "D"),
    ('The answer is "To have a string quartet".', "C"),
    ("The answer is a string quartet.\nAnswer: C", "C"),
    ("Option D", "D"),
    ("option d.", "D"),
    ("Choice: C", "C"),
    ("My choice is C.", "C"),
    ("I'd go with C because she asked for strings.", "C"),
    ("I would choose option B.", "B"),
    ("I choose A", "A"),
    ("I think it's B.", "B"),
    ("I'm going with D, since she wanted quiet.", "D"),
    ("It's B.", "B"),
    ("Option B is correct.", "B"),
    ("B is the correct answer.", "B"),
    ("(C) is the best choice here.", "C"),
    ("A is wrong. C never came up. So B.", "B"),
    ("The answer isn't A, it's B.", "B"),
    ("It can't be A, since she gave that up, so it must be B.", "B"),
    ("The right answer is neither A nor B but C.", "C"),
    ("The correct answer is **B**. Option A was her first wish. Option C is wrong.", "B"),
    ("Answer: B\n\nA) was her first wish. C) never came up.", "B"),
    ("B, not A", "B"),
    ("B (not A)", "B"),
    ("A, because of turn 2", "A"),
    ("Sure! The answer is B.", "B"),
    ("1. At turn 2, Maya wanted jazz.\n2. At turn 5 she changed.\nSo the answer is B) To have disco playing.", "B"),
    ("She wants to have disco playing (Option B).", "B"),
    ("B</s>", "B"),
    ("<|assistant|>B<|im_end|>", "B"),
    ("A is not correct. B is correct.", "B"),
    ("At first A seems right, but at turn 8 she changes her mind, so the answer is B", "B"),
    ("The answer is A. Wait, she corrects herself. The answer is B.", "B"),
    ("First she wants jazz, then disco.\n\nTherefore, B.", "B"),
    ("First she wants jazz, then disco.\n\nB", "B"),
    ("First she wants jazz, then disco.\n\n(B) To have disco playing", "B"),
    ("To have jazz playing was her first wish. The answer is to have disco playing.", "B"),
    ("To have disco playing", "B"),
    ("to have disco playing.", "B"),
    ("Maya wants to have disco playing.", "B"),
    ("By then she did not want to have jazz playing, she hoped to have disco playing.", "B"),
    ("jazz playing", "A"),
    ("Silence.", "D"),
    ("B) To have disco playing", "B"),
    ("B: To have disco playing", "B"),
    ("B - To have disco playing", "B"),
    ("B, to have disco playing", "B"),
    ("(B) To have disco playing.", "B"),
    ("To have disco playing (B)", "B"),
    ("B. She said so at turn 5.", "B"),
    ("B because she said so at turn 5.", "B"),
    ("B) She no longer likes jazz.\n\nA) is wrong.", "B"),
    ("\uff22", "B"),
    ("\uff08\uff23\uff09", "C"),
    ("Answer\uff1a\uff24", "D"),
    ("【B】", "B"),
    ("\x00B\x07", "B"),
    ("\u200bB\u200b\r\n", "B"),
    ("Answer:\u00a0B\u2028", "B"),
    ('{"answer": "C"}', "C"),
    ("{'answer': 'C'}", "C"),
    ('{"answer": "c)"}', "C"),
    ('{"answer": {"letter": "C"}}', "C"),
    ('{"answer": ["C"]}', "C"),
    ('```json\n{"answer": "C"}\n```', "C"),
    ('Here it is:\n```json\n{"answer": "C"}\n```', "C"),
    ('{"reasoning": "The answer is A, one might say.", "answer": "C"}', "C"),
    ('{"answer": "C", "reasoning": "The answer is not A."}', "C"),
    ('{"final_answer": "B) To have disco playing"}', "B"),
    ('{"answer": "C", "reas', "C"),
    ("<answer>C</answer>", "C"),
    ("She wanted strings.\n<answer>\n(C)\n</answer>", "C"),
    ("<think>The answer is A.</think>B", "B"),
    ("<think>The answer is A.</think>\n\nAnswer: B", "B"),
    ("The answer is A.</think>\nB", "B"),
    ("<think>a <think> b </think> so A </think> B", "B"),
    (f"{ECHO}\n\nB", "B"),
    (f"{ECHO}\n\nAnswer: D", "D"),
    (f"The options are:\n{ECHO}\n\nShe changed her mind, so the correct option is B.", "B"),
    ("- B", "B"),
    ("> B", "B"),
    ("→ B", "B"),
]

UNREADABLE = [
    "",
    " \n\t",
    "?",
    "\x00\x01\x02",
    "E",
    "Answer: E",
    "The answer is A. No: the answer is E.",
    "clearly F",
    "A or B",
    "Either A or B.",
    "The answer is A or B.",
    "A/B",
    "B?",
    "The answer is A?",
    "B and C are correct.",
    "B, C",
    "not A",
    "Not B.",
    "It is not A.",
    "The answer is not A.",
    "The answer isn't B.",
    "I would not choose C.",
    "Neither A nor B is correct.",
    "It is A that is wrong.",
    "The answer could be A.",
    "C is incorrect.",
    "As a man, A",
    "The answer cannot be determined.",
    "Answer: N/A",
    "If the answer is A, she lied.",
    "I don't know whether B is correct.",
    "A man walks into the restaurant.",
    "A quartet was mentioned, I think.",
    "The answer is a matter of taste.",
    "I",
    "I think so.",
    "I, for one, can't say.",
    "I'm sorry, but I can't help with that.",
    "As an AI, I cannot answer.",
    "None of the above",
    "She is low on vitamin C.",
    "Their plan B failed.",
    "Looking at option B, we see that",
    "B) To have jazz playing",
    "The answer is B: to have jazz playing.",
    "To have jazz playing (B)",
    "Maya wanted to have jazz playing and Ben wanted to have silence.",
    "She never wanted to have jazz playing.",
    "A) She gave that up.\nB) She said so.",
    ECHO,
    f"The options are:\n{ECHO}",
    "**A) To have jazz playing**\nShe said so.\n**B) To have disco playing**",
    "<think>The answer is B.",
    "<think>The answer is B.</think>",
    "<answer></answer>",
    r"\boxed{}",
    '{"answer": null}',
    '{"answer": "E"}',
    '{"answer": ""}',
    '{"answer": 2}',
    '{"answer": ' + "[" * 100_000,
    '{"answer": ' + "[" * 900 + "]" * 900 + "}",
    '{"reasoning": "A quiet place."}',
    "Answer:",
]

SHORT = [reply for reply in [*(reply for reply, _ in READABLE), *UNREADABLE] if len(reply) < 1000]

SELECTIONS = [
    ("B, C", "BC"),
    ("B and C", "BC"),
    ("(B) and (C)", "BC"),
    ("Answer: B, C", "BC"),
    ("Answer: A, B and D.", "ABD"),
    ("The correct answers are B and C.", "BC"),
    ("**B**, **C**", "BC"),
    ("- B\n- C", "BC"),
    ("Answer:\n- B) To have disco playing\n- C) To have a string quartet", "BC"),
    ('{"answer": ["B", "C"]}', "BC"),
    ('["B", "C"]', "BC"),
    ("B & D", "BD"),
    ("B; C", "BC"),
    ("B", "B"),
    ("The answers are A, B, C and D.", "ABCD"),
    ("B and C are correct.", "BC"),
]


@pytest.mark.parametrize(("reply", "letter"), READABLE)
def test_a_stated_answer_is_read(reply: str, letter: str) -> None:
    assert read_answer(reply, MUSIC) == letter


@pytest.mark.parametrize("reply", UNREADABLE)
def test_what_states_no_answer_is_unparsed(reply: str) -> None:
    assert read_answer(reply, MUSIC) is None


@pytest.mark.parametrize(("reply", "letters"), SELECTIONS)
def test_several_letters_are_read_for_several_right_options(reply: str, letters: str) -> None:
    assert read_answers(reply, MUSIC) == frozenset(letters)


@pytest.mark.parametrize("reply", ["B or C", "B, E", ECHO, "", "not B"])
def test_an_unclear_selection_is_unparsed(reply: str) -> None:
    assert read_answers(reply, MUSIC) is None


def by_kind() -> dict[str, list[HardReply]]:
    kinds: dict[str, list[HardReply]] = {}
    for reply in hard_replies():
        kinds.setdefault(reply.kind, []).append(reply)
    return kinds


@pytest.mark.parametrize("replies", [pytest.param(replies, id=kind) for kind, replies in by_kind().items()])
def test_hard_replies_are_read_alike_whatever_letter_an_option_has(replies: list[HardReply]) -> None:
    misread = [
        (reply.text, picked)
        for reply in replies
        if (picked := read_answers(reply.text, reply.options, reply.select)) != reply.meaning
    ]
    assert misread == []


@pytest.mark.parametrize("reply", ["B, C", "BC", "B C", "B/C", "B and C", r"\boxed{B}, \boxed{C}", "- B\n- C"])
def test_two_letters_are_a_set_where_several_are_right_and_unparsed_where_one_is(reply: str) -> None:
    assert read_answers(reply, MUSIC, "any") == frozenset("BC")
    assert read_answers(reply, MUSIC, "one") is None
    assert read_answer(reply, MUSIC) is None


@pytest.mark.parametrize(
    ("reply", "letter"),
    [("She says so. (A)", "A"), ("", None), ("B", "B")],
)
def test_an_item_may_have_all_letters(reply: str, letter: str | None) -> None:
    options = {chr(ord("A") + place): f"the {place}th thing" for place in range(26)}
    assert read_answer(reply, options) == letter


@given(
    st.lists(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), min_size=2, max_size=26, unique=True),
    st.sampled_from(["{}", "Answer: {}", "\\boxed{{{}}}", "**{}**"]),
)
def test_any_run_of_letters_of_the_item_is_a_set(run: list[str], frame: str) -> None:
    options = {chr(ord("A") + place): f"the {place}th thing" for place in range(26)}
    picked = read_answers(frame.format("".join(run)), options, "any")
    assert picked == frozenset(run) or "".join(run) in {"NO", "OK"}


@pytest.mark.parametrize(
    ("reply", "letter"),
    [("At turn 12", "B"), ("Turn 1", "A"), ("At turn 12.", "B"), ("It changed at turn 7.", "D"), ("At no turn", "C")],
)
def test_an_option_that_begins_another_is_not_taken_for_it(reply: str, letter: str) -> None:
    assert read_answer(reply, TURNS) == letter


@pytest.mark.parametrize(("reply", "letter"), [("Yes", "A"), ("No, she did not.", "B"), ("There is no telling.", None)])
def test_everyday_words_are_answers_only_where_an_answer_stands(reply: str, letter: str | None) -> None:
    assert read_answer(reply, YES_NO) == letter


def test_letters_are_those_of_the_item() -> None:
    assert read_answer("Answer: C", YES_NO) is None
    assert read_answer("Answer: E", {**MUSIC, "E": "To have bells"}) == "E"


FRAMES = [
    "{}",
    "({})",
    "{})",
    "{}.",
    "**{}**",
    "[{}]",
    "Answer: {}",
    "ANSWER: ${}$",
    "The answer is ({}).",
    "The correct answer is {}.",
    "Option {}",
    "I'd go with {} because of turn 4.",
    "So {}.",
    "{} is the correct answer.",
    "<answer>{}</answer>",
    '{{"answer": "{}"}}',
    '```json\n{{"answer": "{}"}}\n```',
    "\\boxed{{{}}}",
    "<think>The answer is A or B or C or D.</think>{}",
    "Nothing is certain.\n\n{}",
    "At first it seems to be A, then C.\nFinal answer: {}",
]
frames = st.sampled_from(FRAMES)
letters = st.sampled_from("ABCD")
orders = st.permutations("ABCD")
SOUP = """
    A B C D E I a or and not is the answer option so but because To have jazz disco playing silence ( ) . , : ? →
    correct B) (C) **D** Answer: <think> </think> turn
"""
OTHER_WORDS = "she went there with Ben when they were talking the answer is unclear so"
word_soup = st.lists(st.sampled_from([*SOUP.split(), "\n"]), max_size=30).map(" ".join)


def relabelled(order: list[str]) -> dict[str, str]:
    """The options of MUSIC under other letters."""
    return {new: MUSIC[old] for old, new in sorted(zip(MUSIC, order, strict=True), key=lambda pair: pair[1])}


@given(frames, letters)
def test_any_letter_in_any_frame_reads_back(frame: str, letter: str) -> None:
    assert read_answer(frame.format(letter), MUSIC) == letter
    assert read_answers(frame.format(letter), MUSIC) == frozenset(letter)


@given(letters, frames, letters)
def test_the_last_of_two_stated_answers_wins(first: str, frame: str, last: str) -> None:
    reply = f"The answer is {first}. Wait, that was before the change.\n\n{frame.format(last)}"
    assert read_answer(reply, MUSIC) == last


@given(frames, letters, orders)
def test_letters_and_texts_in_another_order_give_the_same_option(frame: str, letter: str, order: list[str]) -> None:
    names = dict(zip(MUSIC, order, strict=True))
    options = relabelled(order)
    assert read_answer(frame.format(names[letter]), options) == names[letter]
    assert read_answer(frame.format(MUSIC[letter]), options) == names[letter]
    assert read_answer(f"{names[letter]}) {MUSIC[letter]}", options) == names[letter]


@given(orders, st.sampled_from(SHORT))
def test_the_order_in_which_options_are_given_does_not_matter(order: list[str], reply: str) -> None:
    assert read_answer(reply, {letter: MUSIC[letter] for letter in order}) == read_answer(reply, MUSIC)


@given(st.text(st.characters(categories=["Nd", "Po", "Zs", "Cc", "Sm"])))
def test_text_without_letters_is_unparsed(reply: str) -> None:
    assert read_answers(reply, MUSIC) is None


@given(st.lists(st.sampled_from(OTHER_WORDS.split())))
def test_words_that_name_no_option_are_unparsed(reply: list[str]) -> None:
    assert read_answers(" ".join(reply), MUSIC) is None


@given(st.one_of(st.text(), word_soup), st.sampled_from([MUSIC, TURNS, YES_NO, {}]))
@example("ANSWER:A&SO$E", MUSIC)
@example("Answer: A. So E", MUSIC)
def test_only_letters_of_the_item_are_read(reply: str, options: Mapping[str, str]) -> None:
    picked, letter = read_answers(reply, options), read_answer(reply, options)
    assert letter is None or letter in options
    # "So B. So A": the last word where one option is right, and no set where several are
    if picked is not None:
        assert picked
        assert picked <= options.keys()
        assert letter == (next(iter(picked)) if len(picked) == 1 else None)


@given(letters, st.text(st.characters(codec="utf-8")))
def test_the_answer_of_a_json_object_stands_whatever_the_other_fields_say(letter: str, reasoning: str) -> None:
    assert read_answer(json.dumps({"reasoning": reasoning, "answer": letter}), MUSIC) == letter


@pytest.mark.parametrize(
    "piece",
    [
        "A ",
        "A, ",
        "A/",
        "*",
        " ",
        "\n",
        "(",
        "(A",
        "answer ",
        "answer is ",
        "so ",
        "not ",
        "<think>",
        '{"a":',
        "I would ",
        "to have ",
        "to have jazz playing ",
        "B is correct ",
        "\\boxed{",
        "[[",
        "B\n",
        "\u200b",
        "```",
        "the option ",
        "Wait, no, ",
        "A B ",
        "BC ",
        "~~",
        "}, \\boxed{",
        "<|im_end|>",
        "Question:\n",
        "After turn 6, ",
        "A) To have jazz playing ",
        "Options:\nA) x ",
        "✓ A ",
        "- [x] A\n",
        "答案是",
        "die Antwort ",
        '"a b c ',
        "> Ann: x\n",
    ],
)
def test_a_long_hostile_reply_is_read_to_its_end(piece: str) -> None:
    thought = "</think>" if piece == "<think>" else ""
    assert read_answer(piece * (15_000 // len(piece)) + f"{thought}\n\nThe answer is D.", MUSIC) == "D"


def test_an_answer_after_a_quarter_of_a_megabyte_of_reasoning_is_read() -> None:
    reasoning = "At first A seems right, but is it? She wants to have jazz playing, (B) or not. " * 3_000
    assert read_answer(f"{reasoning}\nAnswer: C", MUSIC) == "C"
