"""Templates are found as a regular expression of their text would find them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.beliefs.template import Template

SHORTS = ("by car", "by car or boat", "on foot")
NAME = r"[^\W\d_][\w'\u2019.-]*(?: [^\W\d_][\w'\u2019.-]*)*?"
PIECES = (
    "{who}",
    "{from}",
    "{x}",
    "{y}",
    "{guest}",
    "I hear ",
    " goes ",
    ", ",
    " or ",
    "?",
    ".",
    "Ben",
    "by car",
    "On foot",
)
SAID = (
    "Ben",
    "Ann Lee",
    "Mr. Fox",
    "by car",
    "By car or boat",
    "on foot",
    "feet",
    "I hear ",
    " goes ",
    ", ",
    " or ",
    "?",
)


def expression(text: str) -> re.Pattern[str]:
    """The text as a regular expression; what comes twice is known from its first place."""
    shorts = "|".join(sorted(map(re.escape, SHORTS), key=len, reverse=True))
    known = {"who": NAME, "from": NAME, "x": rf"(?i:{shorts})(?!\w)", "y": rf"(?i:{shorts})(?!\w)"}
    parts = re.split(r"\{(\w+)\}", text)
    for at in range(1, len(parts), 2):
        words = known.pop(parts[at], None)
        parts[at] = ".+?" if words is None else f"(?P<{parts[at]}>{words})"
    parts[::2] = map(re.escape, parts[::2])
    return re.compile("".join(parts))


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6), st.lists(st.sampled_from(SAID), max_size=9))
def test_a_template_is_in_an_utterance_if_and_only_if_its_regular_expression_is(
    text: list[str], said: list[str]
) -> None:
    template, utterance = Template("".join(text), SHORTS), "".join(said)
    found, match = template.find(utterance), expression("".join(text)).search(utterance)
    assert (found is None) == (match is None)
    if found is not None and match is not None:
        assert found[0] == match.start()
        assert found[1] == match.groupdict()


@pytest.mark.parametrize(
    ("text", "utterance", "found"),
    [
        ("{who} goes {x}.", "I hear, Ann Lee goes On foot.", (8, {"who": "Ann Lee", "x": "On foot"})),
        ("{x} or {y}?", "Is it by car or boat or on foot?", (6, {"x": "by car or boat", "y": "on foot"})),
        ("for {guest} or {guest}: {x}", "for you or me: by car", (0, {"x": "by car"})),
        ("{who} says that {who} goes", "Ben says that he goes", (0, {"who": "Ben"})),
        ("keep it from {from}.", "keep it from Dr. Okafor.", (0, {"from": "Dr. Okafor"})),
        ("{who}.", "It was J.R.", (0, {"who": "It was J.R"})),
        ("tell {who}", "tell Ben something", (0, {"who": "Ben"})),
        ("it is {x}", "it is by caravan", None),
        ("it is {x}", "it is by bike", None),
        ("for {guest} only", "for\nonly", None),
    ],
)
def test_placeholders_take_names_shorts_and_any_words(
    text: str, utterance: str, found: tuple[int, dict[str, str]] | None
) -> None:
    assert Template(text, SHORTS).find(utterance) == found
