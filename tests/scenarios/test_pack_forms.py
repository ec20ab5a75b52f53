"""Lines of packs of one's own that begin with what they name, or don't name it, are read as the actor says them."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.reading import Act
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack, PackTopic
from dtomtrack.scenarios.pack_rules import problems
from dtomtrack.scenarios.placeholders import fill

NAMES = ["Anna", "Ben", "Cleo"]


@pytest.fixture(scope="module")
def odd(domains: dict[str, Domain]) -> Domain:
    """The family, whose lines begin otherwise."""
    written = domains["family"].pack.model_dump(mode="json", exclude_unset=True)
    written["company"] = {
        **written.get("company", {}),
        "discreet": ["{from} would only laugh, so there I'll fib: {short}."],
        "presume": {"belief": ["{clause}, you said so."]},
        "tell": {"belief": ["{clause}, says {who}."]},
        "restate": ["{short}, as before"],
        "ignorance": {
            "say": ["{label} is all news to me."],
            "tell": ["{label} is all news to {who}, as far as I know."],
            "act": ["{label} is nothing to ask {who} about."],
            "presume": ["{label} is all news to you, so I'll leave it."],
        },
    }
    pack = DomainPack.model_validate(written)
    assert problems(pack) == []
    return Domain(pack)


def topic(odd: Domain, state: str) -> PackTopic:
    return next(one for one in odd.pack.topics if one.state == state and one.holder == "any")


@pytest.mark.parametrize(
    ("line", "act", "holder"),
    [
        ("{clause}, you said so.", Act.PRESUME, "Ben"),
        ("{clause}, says {who}.", Act.TELL, "Ben"),
    ],
)
@pytest.mark.parametrize("start", ["", "Ben, "])
def test_a_line_that_begins_with_a_value_is_read(odd: Domain, line: str, act: Act, holder: str, start: str) -> None:
    about = topic(odd, "belief")
    for value in about.values:
        said = fill(line, {"clause": value.clause, "who": "Ben"})
        said = start + (said[0].lower() + said[1:] if start else said)
        (found,) = odd.reader(NAMES[:2]).read(3, "Anna", said)
        assert (found.act, found.holder, found.topic, found.content) == (act, holder, about.id, value.clause)


def test_that_all_is_as_before_is_read_where_that_comes_behind(odd: Domain) -> None:
    about = topic(odd, "belief")
    for value in about.values:
        said = fill("{short}, as before", {"short": odd.pack.restated(about, value.clause)}) + "."
        (found,) = odd.reader(NAMES).read(3, "Anna", said)
        assert (found.act, found.holder, found.content) == (Act.STATE, "Anna", value.clause)


@pytest.mark.parametrize(
    ("line", "act", "holder"),
    [
        ("{label} is all news to me.", Act.STATE, "Anna"),
        ("{label} is all news to {who}, as far as I know.", Act.TELL, "Ben"),
        ("{label} is nothing to ask {who} about.", Act.PRESUME, "Ben"),
        ("{label} is all news to you, so I'll leave it.", Act.PRESUME, "Ben"),
    ],
)
def test_a_line_that_begins_with_the_name_of_what_somebody_knows_nothing_of_is_read(
    odd: Domain, line: str, act: Act, holder: str
) -> None:
    about = topic(odd, "knowledge")
    for name in about.names:
        said = fill(line, {"label": name, "who": "Ben"})
        (found,) = odd.reader(NAMES[:2]).read(3, "Anna", said)
        assert (found.act, found.holder, found.topic, found.content) == (act, holder, about.id, about.ignorance)


def test_who_is_to_hear_something_else_is_read_where_the_topic_is_not_named(odd: Domain) -> None:
    about = topic(odd, "belief")
    value = about.values[0]
    said = fill("{from} would only laugh, so there I'll fib: {short}.", {"from": "Cleo", "short": value.short})
    found = odd.reader(NAMES).read(3, "Anna", said)
    assert (Act.CONFIDE, about.id, value.clause, "Cleo") in [
        (one.act, one.topic, one.content, one.kept_from) for one in found
    ]
