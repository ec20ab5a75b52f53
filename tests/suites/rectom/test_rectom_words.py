"""The words of generated recommendations: who speaks like a person, and says nothing that can't be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.recommendation.clauses import Clause, ClauseReader, LinePlan, worded
from dtomtrack.scenarios.recommendation.director import planned_session
from dtomtrack.scenarios.recommendation.pack import builtin_packs, forms, load_pack

FORMS = forms()


def sessions(count: int) -> Iterator[list[tuple[LinePlan, str]]]:
    """Dialogues, line by line with the words of each."""
    for number in range(count):
        pack = load_pack(builtin_packs()[number % len(builtin_packs())])
        plan, fresh = planned_session(pack, Random(number), 32), FreshChoice(Random(number))
        yield [(line, worded(pack, FORMS, line, fresh)) for line in plan.lines]


def test_nobody_makes_the_same_remark_twice_in_a_dialogue() -> None:
    remarks = {role: known["OTH"] for role, known in (("recommender", FORMS.recommender), ("seeker", FORMS.seeker))}
    made = Counter[str]()
    for dialogue in sessions(60):
        said = Counter(one for line, text in dialogue for one in remarks[line.role] if one in text)
        assert max(said.values(), default=0) <= 1
        made.update(said)
    assert max(made.values()) < 0.04 * made.total()


POLITE = re.compile(r"\b(?:thank|thanks|hello|hi|hey|good (?:day|morning|evening)|goodbye|bye)\b", re.IGNORECASE)
ASKING = re.compile(r"^(?:Give|Find|Name|Show|Get|Tell|Please)\b|\?$")


def test_what_greets_or_thanks_is_small_talk_and_details_ask_for_nothing() -> None:
    """ "Thanks for telling me" was a response and no thanks by its gold, beside the option "Greets, thanks, ..."."""
    said = [
        (label, form)
        for forms_of in (FORMS.recommender, FORMS.seeker)
        for label, own in forms_of.items()
        for form in own
    ]
    assert not [form for label, form in said if label != "OTH" and POLITE.search(form)]
    assert not [form for label, form in said if label == "PRO" and ASKING.search(form)]


STIFF = re.compile(r"\b(?:I am|I will|I would|I have not|It is|do not|is not|Let us)\b")


def test_people_speak_as_they_do() -> None:
    """ "It is settled then, I am going to read it" was said in every dialogue."""
    every: list[Sequence[str]] = [*FORMS.recommender.values(), *FORMS.seeker.values(), *FORMS.liking.values()]
    every += [*FORMS.reasons.values(), *FORMS.wished.values(), *FORMS.opinions.values(), *FORMS.named.values()]
    said = [form for one in (*every, FORMS.dislikes, FORMS.told, FORMS.admitted) for form in one]
    assert not [form for form in said if STIFF.search(form)]


@pytest.mark.parametrize("name", builtin_packs())
def test_no_quality_shuts_out_that_somebody_knows_the_thing(name: str) -> None:
    """Nobody has read a brand-new book "some time ago"."""
    qualities = {quality for values in load_pack(name).qualities.values() for quality in values}
    assert not qualities & {"new", "brand-new", "upcoming", "unreleased", "planned", "forthcoming"}


LIVED = re.compile(r"\b(?:liked|enjoyed|left me|did nothing|memories|was|wasn't|couldn't)\b")


def test_who_does_not_know_a_thing_says_how_it_sounds() -> None:
    heard_of = (*FORMS.liking["sounds good"], *FORMS.liking["sounds bad"])
    assert not [form for form in heard_of if LIVED.search(form)]
    heard = 0
    for dialogue in sessions(40):
        for line, text in dialogue:
            if line.role == "seeker" and "NRE" in line.labels and "SEE" not in line.labels:
                heard += 1
                told = next(one for one in line.clauses if one.label == "NRE")
                known = FORMS.liking["liked" if told.liked else "disliked"]
                lived = [form for form in known if LIVED.search(form)]
                named = any(one.label == "PRO" and one.seen for one in line.clauses)
                assert named or not [form for form in lived if form in text]
    assert heard > 40


def test_what_goes_on_behind_a_colon_keeps_the_speaker() -> None:
    pack = load_pack("films")
    line = LinePlan("recommender", (Clause("REC-S", pack.catalogue[0].title, "funny"),))
    for seed in range(30):
        text = worded(pack, FORMS, line, FreshChoice(Random(seed)))
        assert not re.search(r"\bi\b", text)
        assert ClauseReader(pack, FORMS).read("recommender", text) == line.clauses
