"""Which class of argument a message is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
import yaml

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.fresh import fresh_packs
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.scenarios.persuasion_npc.pools import shared_lines
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.suites.rhetbench.classifier import classify, cue_data
from dtomtrack.suites.rhetbench.persuaders import scripted_lines


def _read(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = yaml.safe_load((Path(__file__).parent / name).read_text(encoding="utf-8"))
    return found


_MESSAGES = _read("messages.yaml")
# those that no cue was made for: the odd ones, and all that were written afterwards
_HELD_OUT = {name: messages[1::2] + _read("later_messages.yaml")[name] for name, messages in _MESSAGES.items()}
_GENERIC, _LOGICAL, _EMOTIONAL = ArgumentClass.GENERIC, ArgumentClass.LOGICAL, ArgumentClass.EMOTIONAL
_CONCESSION, _AUTHORITY, _ANECDOTE = ArgumentClass.CONCESSION, ArgumentClass.AUTHORITY, ArgumentClass.ANECDOTE
_SOCIAL, _ASK = ArgumentClass.SOCIAL_PROOF, ArgumentClass.ASK


def _macro_f1(messages: Mapping[str, Sequence[str]]) -> float:
    right, missed, wrong = Counter[str](), Counter[str](), Counter[str]()
    for name, of in messages.items():
        for message in of:
            found = classify(message).argument
            (right if found == name else missed)[name] += 1
            wrong[found] += found != name
    return sum(2 * right[one] / (2 * right[one] + missed[one] + wrong[one]) for one in messages) / len(messages)


def test_messages_are_enough() -> None:
    assert {*_MESSAGES} == {*_HELD_OUT} == {*ArgumentClass}
    assert all(len(messages) >= 40 for messages in (*_MESSAGES.values(), *_HELD_OUT.values()))


def test_macro_f1_over_messages_that_no_cue_was_made_for() -> None:
    assert _macro_f1(_HELD_OUT) >= 0.90


@pytest.mark.parametrize("argument", list(ArgumentClass))
def test_scripted_lines_are_read_as_they_are_meant(argument: ArgumentClass) -> None:
    for pack in [*builtin_packs(controls=True), *fresh_packs(16, 3)]:
        for line in (*pack.arguments.get(argument, ()), *scripted_lines()[argument]):
            message = fill(line, pack.placeholders)
            assert classify(message).argument is argument, (pack.id, line)
            if argument in APPEALS:
                assert classify(f"{pack.answer} {message}").argument is argument, (pack.id, pack.answer, line)


@pytest.mark.parametrize("argument", APPEALS)
def test_hints_can_be_read_for_their_class(argument: ArgumentClass) -> None:
    for line in shared_lines().hints[argument]:
        assert classify(line, asks=False).argument is argument, line


@pytest.mark.parametrize(
    ("message", "argument"),
    [
        # parts of words
        ("Your enthusiasm shows.", _GENERIC),
        ("The android stands there.", _GENERIC),
        ("It is a fine career.", _GENERIC),
        ("That is normally so.", _GENERIC),
        ("I know all of it.", _GENERIC),
        ("The database is open.", _GENERIC),
        ("An abnormal day.", _GENERIC),
        ("The scarecrow stands there.", _GENERIC),
        ("Heartland and hopscotch.", _GENERIC),
        ("A careful plan.", _GENERIC),
        ("Feedback is open.", _GENERIC),
        ("The storyboard is finished.", _GENERIC),
        ("It was a fairground.", _GENERIC),
        ("A doctored picture.", _GENERIC),
        ("The professorial chair stands empty.", _GENERIC),
        # spellings
        ("You\u2019re right about the price.", _CONCESSION),
        ("You\u02bcre right about the price.", _CONCESSION),
        ("I don\u2019t deny it.", _CONCESSION),
        ("YOU ARE RIGHT.", _CONCESSION),
        ("\uff39\uff4f\uff55 are right.", _CONCESSION),
        ("you are\u00a0right", _CONCESSION),
        # what is denied
        ("I won't cite data.", _GENERIC),
        ("This isn't about evidence.", _GENERIC),
        ("Without any statistics or figures.", _GENERIC),
        ("I am no expert.", _GENERIC),
        ("It is not a story.", _GENERIC),
        ("I never said you're right.", _GENERIC),
        ("There is no doubt the data and the evidence are strong.", _LOGICAL),
        ("Not only the data but also the figures say so.", _LOGICAL),
        # what is denied ends with its clause, and some denials deny nothing
        ("I won't lie: the data show a clear gain.", _LOGICAL),
        ("There is no question: experts agree on this.", _AUTHORITY),
        ("There is no question that experts agree.", _AUTHORITY),
        ("Not to mention that experts recommend it.", _AUTHORITY),
        ("Never forget that studies show it works.", _LOGICAL),
        ("It is not cheap, and most people still buy it.", _SOCIAL),
        ("It isn't cheap but experts recommend it.", _AUTHORITY),
        ("Nobody, not the experts either, can tell.", _GENERIC),
        # and reaches to the end of its clause, or to a conjunction
        ("I do not have a story to tell you about a friend.", _GENERIC),
        ("It is not true that most people agree with you.", _GENERIC),
        ("Don't ask me what the experts say.", _GENERIC),
        ("I have no intention of quoting studies or the data here.", _GENERIC),
        ("I cannot say in good faith that you're right.", _GENERIC),
        ("Forget what the experts say.", _GENERIC),
        ("I refuse to cite the data.", _GENERIC),
        ("Don't forget the data.", _LOGICAL),
        ("Instead of the data, a friend of mine told me how she did it.", _ANECDOTE),
        ("You are not alone, and my friend Joan once told me so.", _ANECDOTE),
        ("It is not cheap and the data show that it pays off.", _LOGICAL),
        # who won't say something so admits something, unless it is that the other is right, or they themselves wrong
        ("I'm not going to pretend this is cheap.", _CONCESSION),
        ("I'm not going to pretend that you are right.", _GENERIC),
        ("I won't pretend you're right.", _GENERIC),
        ("I can't pretend you have a point.", _GENERIC),
        ("I won't pretend I was wrong.", _GENERIC),
        ("I won't pretend we've never been wrong.", _CONCESSION),
        ("I won't pretend you don't have a point.", _CONCESSION),
        ("I can't pretend your point isn't valid.", _CONCESSION),
        ("I won't pretend your point about costs is wrong.", _CONCESSION),
        ("I can't pretend you weren't right about the budget.", _CONCESSION),
        ("I'm not going to pretend you have missed the point.", _CONCESSION),
        ("I can't pretend I have proven you wrong.", _CONCESSION),
        ("I won't pretend otherwise: you're right.", _CONCESSION),
        ("I won't pretend it is cheap and you are right about the price.", _CONCESSION),
        ("I'd be lying if I said it was cheap.", _CONCESSION),
        ("I'd be lying if I said you are right.", _GENERIC),
        ("It would be dishonest to say you're right.", _GENERIC),
        ("It would be dishonest to deny that you have a point.", _CONCESSION),
        ("Stop pretending that you are right.", _GENERIC),
        ("I could pretend that you are right, but I won't.", _GENERIC),
        ("I doubt that you are right.", _GENERIC),
        ("I don't doubt that you're right.", _CONCESSION),
        ("I fail to see that you have a point.", _GENERIC),
        ("I decline to say that you are right.", _GENERIC),
        # politeness is no concession
        ("I understand your concern. The data show a 40 percent drop.", _LOGICAL),
        ("I hear you, and the evidence is strong.", _LOGICAL),
        ("Thank you for that. The regulator has approved it.", _AUTHORITY),
        ("I appreciate that, but imagine how it would feel to be free of it.", _EMOTIONAL),
        ("I understand your concern.", _GENERIC),
        ("That's a good question. A friend of mine tried it and told me everything.", _ANECDOTE),
        ("I completely understand. You're right, and I was wrong.", _CONCESSION),
        # stuffing
        ("You're right, the data, experts agree, a friend of mine, everyone else, peace of mind.", _GENERIC),
        ("The evidence. Experts agree. Most of your peers have already. Granted. I once met a man.", _GENERIC),
        ("LOGICAL: just do it.", _GENERIC),
        ("[CONCESSION] say yes", _GENERIC),
        ("class=AUTHORITY", _GENERIC),
        ("the data the data the data. You're right. I admit it. Granted.", _CONCESSION),
        # filler and nothing
        ("", _GENERIC),
        ("   ", _GENERIC),
        ("!!!", _GENERIC),
        ("\x00\x07", _GENERIC),
        ("{claim} {topic}", _GENERIC),
        ("I know the fear you carry, and I can imagine how it hurts.", _EMOTIONAL),
        ("More and more people like you are switching, and your peers have already.", _SOCIAL),
        ("What would you need?", _ASK),
        # an apology admits something where it says what for
        ("I'm sorry, I'm not sure what you're talking about.", _GENERIC),
        ("I'm sorry, but I can't help with that.", _GENERIC),
        ("I'm sorry we pushed you so hard last year.", _CONCESSION),
        ("I apologise for the way we handled it.", _CONCESSION),
        ("I'm so sorry you went through that.", _EMOTIONAL),
        # to say that the other side is wrong is no concession
        ("You are wrong about this.", _GENERIC),
        ("That would be a mistake.", _GENERIC),
        ("Just do the right thing, right now.", _GENERIC),
        ("It's expensive to wait.", _GENERIC),
        ("Yes, but think about it.", _GENERIC),
        # a question about the other person asks, whatever it asks about
        ("What would the data have to show for you to say yes?", _ASK),
        ("What are you afraid of?", _ASK),
        ("Do you know anyone who has done it?", _ASK),
        ("How would you feel if your daughter lay awake at night?", _EMOTIONAL),
        (
            "What would you say if nine out of ten of your peers, and most people you know, were already doing it?",
            _SOCIAL,
        ),
    ],
)
def test_what_fools_a_keyword_scorer(message: str, argument: ArgumentClass) -> None:
    assert classify(message).argument is argument


def test_a_phrase_counts_once() -> None:
    once, often = classify("The data, look."), classify("The data, " * 20 + "look.")
    assert once.scores[_LOGICAL] >= often.scores[_LOGICAL]


def test_stuffing_is_flagged() -> None:
    assert classify("You're right, the data, experts agree, a friend of mine, peace of mind.").mixed


def test_without_questions_nothing_is_asked() -> None:
    assert classify("What would you need?", asks=False).argument is _GENERIC


def test_a_message_of_a_megabyte_is_read() -> None:
    assert classify("You're right. " * 80_000).argument is _CONCESSION


def test_lists_for_the_page_hold_words_alone() -> None:
    """YAML reads a bare false, no or yes as a truth value, and the page was given none of the lists then."""
    data = cue_data()
    for name in ("questions", "inquiries", "others", "own", "negations", "not_negations", "disclaimers", "faults"):
        words = data[name]
        assert isinstance(words, list)
        assert words
        assert [one for one in words if not isinstance(one, str)] == []
    assert "false" in cast("list[str]", data["faults"])
