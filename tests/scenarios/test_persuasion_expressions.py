"""The words of generated persuasion: what is said has to be true of the conversation, and tell one attitude from the
others whatever else is said in the line."""

from __future__ import annotations

import re

import pytest

from dtomtrack.items.words import stems
from dtomtrack.scenarios.persuasion.pack_files import expressions, find_goals

OF_EARLIER = re.compile(r"\b(again|how often|always|never listen|long enough|once more|not that)\b", re.IGNORECASE)
OF_ANOTHER = re.compile(r"\byou(?:'ll| will| know| always| never| ask| think| like| want| believe)\b", re.IGNORECASE)


@pytest.mark.parametrize("kind", ["attitudes", "tones"])
def test_no_form_tells_of_what_was_said_before_or_of_what_the_other_has_in_mind(kind: str) -> None:
    """In the first round nothing was said yet, and who has just agreed has not always something to say against it."""
    for form in getattr(expressions(), kind):
        for text in form.say:
            assert not OF_EARLIER.search(text), text
            assert not OF_ANOTHER.search(re.sub("how you think", "", text)), text


def test_no_attitude_comes_with_worries_or_with_an_answer() -> None:
    """Who voices worries is worried, who can't decide thoughtful, who agrees glad: whatever else is right."""
    words = {one.word for one in expressions().attitudes}
    assert not words & {"worried", "afraid", "discouraged", "thoughtful", "undecided", "willing", "eager", "reluctant"}
    answers = frozenset[str]().union(*(stems(text) for forms in expressions().desires.values() for text in forms))
    assert not answers & frozenset[str]().union(
        *(stems(one.word) for one in expressions().attitudes), {"glad", "gladly"}
    )


def test_no_worry_is_said_in_an_attitudes_words() -> None:
    attitudes = {one.word for one in expressions().attitudes}
    for goal in find_goals("all").values():
        for concern in goal.concerns:
            for text in concern.say:
                assert not attitudes & set(re.findall(r"[a-z-]+", text.lower())), text
