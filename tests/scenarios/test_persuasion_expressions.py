"""The words of generated persuasion: what is said has to be true of the conversation, and tell one attitude from the
others whatever else is said in the line."""

from __future__ import annotations

import re

import pytest

from dtomtrack.items.words import stems
from dtomtrack.scenarios.persuasion.pack_files import expressions, find_goals
from dtomtrack.scenarios.persuasion.ways import ways_of

OF_EARLIER = re.compile(r"\b(again|how often|always|never listen|long enough|once more|not that)\b", re.IGNORECASE)
OF_ANOTHER = re.compile(r"\byou(?:'ll| will| know| always| never| ask| think| like| want| believe)\b", re.IGNORECASE)


@pytest.mark.parametrize("kind", ["attitudes", "tones"])
def test_no_form_tells_of_what_was_said_before_or_of_what_the_other_has_in_mind(kind: str) -> None:
    """In the first round nothing was said yet, and who has just agreed has not always something to say against it."""
    for form in getattr(expressions(), kind):
        for text in ways_of(form.say):
            assert not OF_EARLIER.search(text), text
            assert not OF_ANOTHER.search(re.sub("how you think", "", text)), text


def test_no_attitude_comes_with_worries_or_with_an_answer() -> None:
    """Who voices worries is worried, who can't decide thoughtful, who agrees glad: whatever else is right."""
    words = _attitudes()
    assert not words & {"worried", "afraid", "discouraged", "thoughtful", "undecided", "willing", "eager", "reluctant"}
    said = [way for forms in expressions().desires.values() for way in ways_of(forms)]
    answers = frozenset[str]().union(*map(stems, said))
    assert not answers & frozenset[str]().union(*map(stems, words), {"glad", "gladly"})


def test_no_worry_is_said_in_an_attitudes_words() -> None:
    attitudes = _attitudes()
    for goal in find_goals("all").values():
        for concern in goal.concerns:
            for text in ways_of(concern.say):
                assert not attitudes & set(re.findall(r"[a-z-]+", text.lower())), text


def _attitudes() -> set[str]:
    return {word for one in expressions().attitudes for word in (one.positive, one.negative)}


FEELING = re.compile(r"\b(?:glad|happy|pleased|splendid|afraid|fear|sad|sadly|my friend|hurts)\b", re.IGNORECASE)


def test_how_the_persuader_goes_on_has_no_tone_of_its_own() -> None:
    """ "I'm glad to hear that. My heart is racing" would be both cheerful and anxious, and both are offered."""
    forms = expressions()
    said = [*forms.reactions.values(), *(one.taken_up for one in forms.intentions)]
    assert not [way for says in said for way in ways_of(says) if FEELING.search(way)]


def test_no_words_of_an_attitude_name_either_of_the_two() -> None:
    for one in expressions().attitudes:
        for text in ways_of(one.say):
            assert not {one.positive, one.negative} & set(re.findall(r"[a-z-]+", text.lower())), text


def test_each_principle_is_asked_for_in_one_intention_and_its_words_name_no_strategy() -> None:
    asking = [one for one in expressions().intentions if one.asks_for is not None]
    assert len({one.asks_for for one in asking}) == len(asking) == 6
    labels = [one.label.lower() for goal in find_goals("all").values() for one in goal.strategies]
    assert not [way for one in asking for way in ways_of(one.say) for label in labels if label in way.lower()]
    assert all(one.taken_up for one in asking)
