"""What generated persuasion says in words that fit several answers: the conversation decides which, and always does."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import pytest

from dtomtrack.items.item import Item
from dtomtrack.runs.engines import choose_engine
from dtomtrack.runs.run import run
from dtomtrack.scenarios.persuasion.pack_files import expressions, find_goals
from dtomtrack.scenarios.persuasion.plan import ROUNDS, desire_of, plan_at
from dtomtrack.scenarios.persuasion.ways import ways_of
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.persuasivetom.suite import SUITE

N = 90
FORMS = expressions()
GOALS = list(find_goals("all").values())


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Item]]:
    """The questions of some conversations, by type."""
    folder = tmp_path_factory.mktemp("told") / "data"
    job = generating_suite("persuasivetom").job(GenerationRequest(domain="all", n=N))
    asyncio.run(run(job, choose_engine("local", 1), n=N, out=folder))
    found = defaultdict(list)
    for item in SUITE.items(folder):
        found[item.groups["type"]].append(item)
    return dict(found)


def gold(item: Item) -> str:
    (place,) = item.gold
    return item.options[place]


def line(item: Item, behind: int) -> str:
    assert item.context is not None
    return item.context.lines[-behind].text


def says(text: str, forms: Sequence[str]) -> bool:
    return any(way.lower().rstrip(".?!") in text.lower() for way in ways_of(tuple(forms)))


def test_that_all_is_as_before_or_the_opposite_is_said_of_each_desire(items: dict[str, list[Item]]) -> None:
    """Who hears one line alone can't tell; who remembers the answer before can."""
    relative = [one for one in items["desire_ee"] if says(line(one, 1), (*FORMS.unchanged, *FORMS.reversed))]
    unchanged = Counter(gold(one) for one in relative if says(line(one, 1), FORMS.unchanged))
    turned = Counter(gold(one) for one in relative if says(line(one, 1), FORMS.reversed))
    assert min(unchanged[one] for one in ("Yes", "No", "Neutral")) > N / 8
    assert set(turned) == {"Yes", "No"} and min(turned.values()) > N / 10
    assert len(relative) > 0.25 * len(items["desire_ee"])
    for one in relative:
        before = one.groups["before"]
        opposite = {"Yes": "No", "No": "Yes"}.get(before)
        assert gold(one) == (before if says(line(one, 1), FORMS.unchanged) else opposite)


def test_what_the_persuader_feels_of_an_answer_follows_from_the_answer(items: dict[str, list[Item]]) -> None:
    """The words leave open which of two it is, and both are offered beside two that the words don't tell."""
    told: dict[str, Counter[str]] = {one.name: Counter() for one in FORMS.feelings}
    for item in items["belief_ee"]:
        for one in FORMS.feelings:
            if says(line(item, 2), one.say):
                told[one.name][gold(item)] += 1
                assert {one.positive, one.negative} < set(item.options)
                assert gold(item) in {one.positive, one.negative}
    for counts in told.values():
        assert len(counts) == 2 and min(counts.values()) >= 4
    assert sum(map(Counter.total, told.values())) > 0.45 * len(items["belief_ee"])


def test_a_feeling_is_told_only_behind_a_yes_or_a_no() -> None:
    for plan in (plan_at(0, index, GOALS, FORMS) for index in range(N)):
        for number, own in enumerate(plan.rounds):
            before = desire_of(plan.rounds[number - 1].concerns) if number else None
            assert (own.feeling is None) == (before in {None, "Neutral"})
            if own.feeling is not None and before is not None:
                assert own.tone.word == own.feeling.word(before)


def test_what_somebody_leaves_aside_stands_among_the_options_too(items: dict[str, list[Item]]) -> None:
    """ "Don't tell me who else has done it, tell me what I'd get" holds the words of two answers."""
    clauses = {one.label: one.clause for one in FORMS.intentions if one.clause is not None}
    asked = [one for one in items["intention_ee"] if gold(one).lower() in clauses]
    both = 0
    for item in asked:
        named = {label for label, clause in clauses.items() if says(line(item, 1), (clause,))}
        if len(named) == 2:
            both += 1
            assert gold(item).lower() in named and named <= {text.lower() for text in item.options}
    assert both > 0.4 * len(asked)


def test_what_stands_against_something_is_no_reason(items: dict[str, list[Item]]) -> None:
    """ "I won't do it: all the same, the little ones need me" gives as a reason what goes against the refusal."""
    recalls = "|".join(re.escape(one.rstrip(",")) for one in FORMS.recalls)
    said = {line(one, 1) for one in items["desire_ee"]}
    assert not [text for text in said if re.search(rf"[;:] (?:{recalls}),|, (?:and|so) (?:{recalls}),", text, re.I)]
    assert sum(bool(re.search(rf"(?:^|[.!?\N{{EN DASH}}] )(?:{recalls}),", text, re.I)) for text in said) > N / 3


EXCUSED = re.compile(r"\b(?:sorry|afraid|rather not|have to say no|can't do it|couldn't do it|not this time)\b", re.I)
LUKEWARM = re.compile(r"\b(?:inclined|prepared|willing|why not|as good as|nearly|more or less)\b", re.I)


def test_a_refusal_is_blunt_and_a_yes_is_warm() -> None:
    """Who says "I'd rather not, sorry" may well be grateful, and who is "inclined to say yes" may be suspicious."""
    assert not [way for way in ways_of(FORMS.desires["No"]) if EXCUSED.search(way)]
    assert not [way for way in ways_of(FORMS.desires["Yes"]) if LUKEWARM.search(way)]


SUSPECTING = re.compile(r"\b(?:behind (?:it|this|all)|curtain|sleeve|keeping back|not telling|whole story)\b", re.I)


def test_no_words_of_an_attitude_tell_one_of_the_two_alone() -> None:
    """ "Let me look behind the curtain there" is suspicious, also of who says yes."""
    said = [way for one in FORMS.attitudes for way in ways_of(one.say)]
    assert not [way for way in said if SUSPECTING.search(way)]


def test_attitudes_that_one_might_take_for_each_other_are_not_offered_together(items: dict[str, list[Item]]) -> None:
    near = [{"annoyed", "suspicious"}, {"touched", "impressed"}, {"shocked", "offended"}, {"annoyed", "offended"}]
    near += [{"grateful", "touched"}, {"disappointed", "annoyed"}, {"mocking", "annoyed"}, {"curious"}]
    assert not [item.id for item in items["belief_er"] for pair in near if pair <= set(item.options)]


def test_who_cries_is_not_asked_to_be_glad_or_thankful(items: dict[str, list[Item]]) -> None:
    """ "You see tears in my eyes now", behind a yes: overjoyed and grateful were both offered."""
    assert not [item.id for item in items["belief_ee"] if {"overjoyed", "grateful"} <= set(item.options)]
    assert not [way for one in FORMS.attitudes for way in ways_of(one.say) if way.startswith("To hear ")]


DEFERRING = re.compile(
    r"\b(?:what if|later|another (?:chance|time)|second chance|next (?:year|season|time)|so soon|be now|aside)\b", re.I
)
HASTY = re.compile(r"\b(?:won't (?:wait|keep)|hardly any|not long|less time|isn't wise|a pity)\b", re.I)


def test_who_asks_for_the_time_puts_nothing_off_and_is_answered_without_haste() -> None:
    """ "What if I wait till the spring?" may well mean to put off the talk, and "That won't keep" is impatient."""
    asking = FORMS.asking("scarcity")
    assert not [way for way in ways_of((*asking.say, *asking.say_with_yes)) if DEFERRING.search(way)]
    assert not [way for way in ways_of(asking.taken_up) if HASTY.search(way)]


def test_no_attitude_is_asked_about_that_the_answer_does_not_bear_out(items: dict[str, list[Item]]) -> None:
    """Neither beside a joke, which amuses whoever makes it, nor where the answer says only that it is as before."""
    jokes = next(one for one in FORMS.intentions if one.label == "lighten the mood").say
    for item in items["belief_er"]:
        own = next(one for one in FORMS.attitudes if gold(item) in {one.positive, one.negative})
        assert own.name not in {"nerve", "speechless"} or not says(line(item, 1), jokes)
        assert not says(line(item, 1), (*FORMS.unchanged, *FORMS.reversed))
    assert len(items["belief_er"]) > 2 * N


def test_options_are_the_rounds_that_what_is_left_aside_comes_from() -> None:
    for plan in (plan_at(0, index, GOALS, FORMS) for index in range(N)):
        for number in range(ROUNDS):
            assert plan.offered(number)[0] == number and len(set(plan.offered(number))) == 4
            left = plan.left_aside(number)
            assert left is None or left in [plan.rounds[place].intention for place in plan.offered(number)[1:]]
