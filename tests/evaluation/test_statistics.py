"""Intervals know that the questions of one dialogue are not independent, and are honest where there is little.

statsmodels, which takes two seconds to import, is imported where it is compared with.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from interval_coverage import PAPER, STEEP, Planted, coverage, dialogues_of
from scipy.stats import t as student

from dtomtrack.evaluation.products import product_of_shares
from dtomtrack.evaluation.records import Interval
from dtomtrack.evaluation.statistics import (
    difference,
    exact_mcnemar,
    holm,
    macro_share,
    mean,
    rounded,
    share,
    share_against,
)
from dtomtrack.items.item import Item
from dtomtrack.suites.dtom.items import DialogueContext, item_of
from dtomtrack.suites.dtom.slot_result import SlotResult


def items_in(slot: SlotResult) -> Iterator[Item]:
    """The items of a slot, with their dialogue."""
    assert slot.dialogue is not None
    for question in slot.questions:
        yield item_of(question, DialogueContext(slot.dialogue, question, {}))


Answers = list[tuple[int, bool]]
ANSWERS = st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=120)
PAIRS = st.lists(st.tuples(st.integers(0, 20), st.booleans(), st.booleans()), min_size=1, max_size=120)


def bounds(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def width(interval: Interval) -> float:
    low, high = bounds(interval)
    return high - low


def moody(dialogues: int, each: int, seed: int) -> Answers:
    """Answers of dialogues in which either nearly all is right or little is."""
    rng = Random(seed)
    return [
        (number, rng.random() < likely)
        for number, likely in enumerate(rng.choice((0.2, 0.9)) for _ in range(dialogues))
        for _ in range(each)
    ]


# -- shares ----------------------------------------------------------------------------------------------------------


def test_answers_of_dialogues_of_their_own_have_wilsons_interval() -> None:
    from statsmodels.stats.proportion import proportion_confint

    answers = [(number, number % 5 == 0) for number in range(400)]
    low, high = proportion_confint(80, 400, method="wilson")
    assert bounds(share(answers)) == pytest.approx((low, high), abs=0.0005)


def test_clustered_answers_have_the_cluster_robust_standard_error() -> None:
    import statsmodels.api as sm

    answers = moody(200, 10, seed=1)
    right = np.array([float(one) for _, one in answers])
    groups = np.array([dialogue for dialogue, _ in answers])
    fitted = sm.OLS(right, np.ones_like(right)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    reach = float(student.ppf(0.975, 199) * fitted.bse[0])
    assert share(answers).value == pytest.approx(right.mean(), abs=1e-6)
    assert width(share(answers)) / 2 == pytest.approx(reach, rel=0.02)


def test_an_interval_is_wider_where_dialogues_differ() -> None:
    answers = moody(60, 10, seed=2)
    shuffled = [(number % 60, right) for number, (_, right) in enumerate(sorted(answers, key=lambda one: one[1]))]
    assert share(shuffled).value == share(answers).value
    assert width(share(answers)) > 2 * width(share(shuffled))


@given(st.lists(st.tuples(st.integers(0, 11), st.booleans()), min_size=60, max_size=120))
def test_asking_the_same_twice_does_not_look_like_knowing_more(answers: Answers) -> None:
    shares = {number: mean([right for one, right in answers if one == number]) for number, _ in answers}
    assume(len(shares) >= 10)
    assume(len(set(shares.values())) > 1)
    once, twice = share(answers), share([*answers, *answers])
    assert bounds(twice) == pytest.approx(bounds(once), abs=2e-6)


@given(ANSWERS)
def test_an_interval_holds_its_value_and_stays_within_nought_and_one(answers: Answers) -> None:
    interval = share(answers)
    value = rounded(sum(right for _, right in answers) / len(answers))
    assert value is not None
    assert interval.value == value
    if len({dialogue for dialogue, _ in answers}) > 1:
        low, high = bounds(interval)
        assert 0 <= low <= value <= high <= 1
        assert low < high


@given(ANSWERS)
def test_right_and_wrong_are_mirrors(answers: Answers) -> None:
    right, wrong = share(answers), share([(dialogue, not one) for dialogue, one in answers])
    assume(right.low is not None)
    low, high = bounds(right)
    assert bounds(wrong) == pytest.approx((1 - high, 1 - low), abs=2e-6)


@given(ANSWERS, st.randoms(use_true_random=False))
def test_the_order_of_answers_does_not_matter(answers: Answers, rng: Random) -> None:
    shuffled = rng.sample(answers, len(answers))
    assert share(shuffled).model_dump_json() == share(answers).model_dump_json()


@pytest.mark.parametrize("right", [True, False])
def test_where_all_answers_are_alike_the_interval_goes_by_the_number_of_dialogues(right: bool) -> None:
    few = share([(number % 5, right) for number in range(500)])
    many = share([(number, right) for number in range(500)])
    assert few.value == many.value == float(right)
    assert width(few) > 0.4
    assert 0 < width(many) < 0.01


@pytest.mark.parametrize("each", [2, 3, 7, 11, 49])
def test_dialogues_that_do_not_differ_at_all_are_not_believed(each: int) -> None:
    from statsmodels.stats.proportion import proportion_confint

    answers = [(dialogue, number == 0) for dialogue in range(30) for number in range(each)]
    low, high = proportion_confint(30, 30 * each, method="wilson")
    assert high - low < width(share(answers)) < 1.1 * (high - low)
    pairs = [(dialogue, number == 0, number == 1) for dialogue in range(30) for number in range(each)]
    assert width(difference(pairs).difference) > high - low


def test_one_dialogue_gives_no_interval_and_no_answer_gives_nothing() -> None:
    assert share([(0, True), (0, False)]) == Interval(value=0.5, low=None, high=None)
    assert share([]) == Interval(value=None, low=None, high=None)


def test_a_dialogue_that_outweighs_the_rest_makes_the_interval_wider() -> None:
    even = [(number % 10, number % 3 == 0) for number in range(300)]
    uneven = [(number % 10 if number < 30 else 0, right) for number, (_, right) in enumerate(even)]
    assert width(share(uneven)) > 3 * width(share(even))


def test_a_macro_share_counts_each_group_alike() -> None:
    much, little = moody(40, 20, seed=3), [(number, False) for number in range(40)]
    macro = macro_share([much, little, []])
    assert macro.value == pytest.approx((share(much).value or 0) / 2, abs=1e-6)
    assert width(macro) == pytest.approx(width(share(much)) / 2, rel=0.1)
    assert macro_share([]) == Interval(value=None, low=None, high=None)
    assert macro_share([much]).model_dump() == share(much).model_dump()


# -- against chance --------------------------------------------------------------------------------------------------


@given(ANSWERS, st.sampled_from([0.1, 1 / 3, 0.6]))
def test_a_share_differs_from_chance_where_its_interval_leaves_it_out(answers: Answers, chance: float) -> None:
    interval, p_value = share_against(answers, [chance] * len(answers))
    assume(interval.low is not None)
    assert p_value is not None
    assume(abs(p_value - 0.05) > 1e-4)
    low, high = bounds(interval)
    assert (p_value < 0.05) == (not low <= chance <= high)


def test_what_is_always_so_is_no_test() -> None:
    answers = [(number, True) for number in range(20)]
    assert share_against(answers, [1.0] * 20)[1] is None
    assert share_against([], []) == (Interval(value=None, low=None, high=None), None)


# -- differences -----------------------------------------------------------------------------------------------------


@given(PAIRS)
def test_a_difference_turns_its_sign_with_its_sides(pairs: list[tuple[int, bool, bool]]) -> None:
    one = difference(pairs)
    other = difference([(dialogue, second, first) for dialogue, first, second in pairs])
    assert (one.first, one.second, one.p_value) == (other.second, other.first, other.p_value)
    if one.difference.low is not None:
        low, high = bounds(one.difference)
        assert bounds(other.difference) == pytest.approx((-high, -low), abs=2e-6)


@given(PAIRS)
def test_a_difference_is_told_from_nought_where_its_interval_leaves_it_out(
    pairs: list[tuple[int, bool, bool]],
) -> None:
    result = difference(pairs)
    assume(result.p_value is not None)
    assert result.p_value is not None
    assume(abs(result.p_value - 0.05) > 1e-4)
    low, high = bounds(result.difference)
    assert -1 <= low <= (result.difference.value or 0.0) <= high <= 1
    assert (result.p_value < 0.05) == (not low <= 0 <= high)


def test_pairs_that_never_differ_still_leave_doubt() -> None:
    result = difference([(number, True, True) for number in range(50)])
    assert (result.difference.value, result.p_value) == (0.0, 1.0)
    low, high = bounds(result.difference)
    assert low == -high < 0


def test_without_pairs_there_is_no_difference() -> None:
    result = difference([])
    assert (result.pairs, result.first, result.second, result.p_value) == (0, None, None, None)
    assert difference([(0, True, False)]).difference == Interval(value=-1.0, low=None, high=None)


def test_mcnemar_counts_as_the_binomial_does() -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    assert exact_mcnemar(1, 9) == pytest.approx(22 / 1024, abs=1e-6)
    assert exact_mcnemar(9, 1) == exact_mcnemar(1, 9)
    assert exact_mcnemar(0, 0) == exact_mcnemar(3, 3) == 1.0
    for table in [(0, 7), (12, 30), (2, 400)]:
        (first, second), whole = table, [[0, table[0]], [table[1], 0]]
        assert exact_mcnemar(first, second) == pytest.approx(mcnemar(whole, exact=True).pvalue, rel=1e-5)


def test_rounding_leaves_no_minus_nought() -> None:
    assert math.copysign(1, rounded(-1e-9) or 0.0) == 1
    assert rounded(None) is None


# -- planted answers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planted", [PAPER, STEEP], ids=["paper", "steep"])
def test_intervals_hold_the_truth_and_effects_are_found(planted: Planted, slots: dict[str, list[SlotResult]]) -> None:
    """The whole table, 1,000 times: benchmarks/interval_coverage.py."""
    dialogues = dialogues_of(item for own in slots.values() for slot in own for item in items_in(slot))
    found = coverage(dialogues, planted, times=150, drawn=30, seed=1)
    whole = {"micro", "macro", "gap", "intrusion", "trajectory", "independence", "comparison"}
    assert whole | {"type pre_update"} <= found.keys()
    for name, one in found.items():
        # so many draws tell 95 % from 84 %, for as many figures as there are here
        assert one.held >= 0.84, name
    for name in whole:
        # wrong answers where several wrong options were said are a handful in a sample: its mean is 0.02 off by chance
        one = found[name]
        assert one.error < 0.03, name
        assert one.mean == pytest.approx(one.truth, abs=max(0.02, 3 * one.error)), name


# -- products --------------------------------------------------------------------------------------------------------

GROUPS = st.lists(st.tuples(st.integers(0, 20), st.tuples(*[st.booleans()] * 3)), min_size=1, max_size=80)


def parted(groups: Iterable[tuple[int, Sequence[bool]]]) -> list[tuple[int, dict[str, bool]]]:
    """The same with names for what holds."""
    return [(dialogue, dict(zip("xyz", held, strict=True))) for dialogue, held in groups]


@given(GROUPS)
def test_a_product_is_that_of_the_shares_and_its_interval_holds_it(groups: list[tuple[int, tuple[bool, ...]]]) -> None:
    product = product_of_shares(parted(groups))
    shares = [mean([held[place] for _, held in groups]) or 0.0 for place in range(3)]
    assert product.value == pytest.approx(math.prod(shares), abs=1e-6)
    if len({dialogue for dialogue, _ in groups}) > 1:
        low, high = bounds(product)
        assert 0 <= low <= (product.value or 0.0) <= high <= 1


@given(ANSWERS)
def test_the_product_of_one_share_is_the_share(answers: Answers) -> None:
    assert product_of_shares((dialogue, {"": right}) for dialogue, right in answers) == share(answers)


def test_the_interval_of_a_product_is_that_of_the_delta_method() -> None:
    rng = Random(9)
    groups = [(number, [rng.random() < likely for likely in (0.5, 0.7, 0.9)]) for number in range(500)]
    shares = [mean([held[place] for _, held in groups]) or 0.0 for place in range(3)]
    relative = sum((1 - one) / one / len(groups) for one in shares)
    reach = 1.965 * math.prod(shares) * math.sqrt(relative)
    assert width(product_of_shares(parted(groups))) / 2 == pytest.approx(reach, rel=0.12)


def test_groups_may_have_parts_of_their_own() -> None:
    """Half of them have two parts and half three: each product counts as often as there are such groups."""
    rng = Random(11)
    likely = {"actual": 0.9, "ascribed": 0.6, "who knows": 0.4}
    groups = [
        (number, {part: rng.random() < share for part, share in likely.items() if part != "who knows" or number % 2})
        for number in range(4_000)
    ]
    product = product_of_shares(groups)
    low, high = bounds(product)
    assert low < (0.9 * 0.6 + 0.9 * 0.6 * 0.4) / 2 < high
    assert high - low < 0.03
    whole = share((number, all(held.values())) for number, held in groups)
    assert whole.value == pytest.approx(product.value, abs=0.02)


def test_of_no_groups_there_is_no_product() -> None:
    assert product_of_shares([]) == Interval(value=None, low=None, high=None)


# -- p values --------------------------------------------------------------------------------------------------------


def test_p_values_are_never_nought() -> None:
    sure = [(number, True) for number in range(20_000)]
    _, p_value = share_against(sure, [0.01] * len(sure))
    assert p_value is not None
    assert 0 < p_value < 1e-200
    assert exact_mcnemar(0, 5_000) > 0
    pairs = difference([(number, False, number % 50 > 0) for number in range(3_000)])
    assert pairs.p_value is not None
    assert 0 < pairs.p_value < 1e-100


def test_p_values_keep_their_digits_where_they_are_small() -> None:
    _, p_value = share_against([(number, number % 3 > 0) for number in range(300)], [0.5] * 300)
    assert p_value is not None
    assert p_value < 1e-6
    assert float(f"{p_value:.5g}") != 0.0
    assert len(f"{p_value:e}".partition("e")[0].replace(".", "").rstrip("0")) > 3


def test_holm_corrects_the_smallest_most() -> None:
    from statsmodels.stats.multitest import multipletests

    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    rng = Random(4)
    drawn = [rng.random() ** 3 for _ in range(20)]
    assert holm(drawn) == pytest.approx(list(multipletests(drawn, method="holm")[1]), rel=1e-5)
    assert holm([]) == []


# -- packages --------------------------------------------------------------------------------------------------------


def test_a_missing_extra_is_one_sentence() -> None:
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "from dtomtrack.errors import InputError\n"
        "from dtomtrack.evaluation.statistics import check_packages\n"
        "try:\n    check_packages()\nexcept InputError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "evaluating needs an extra: pip install 'dtomtrack[evaluate]'\n"


def test_what_is_heavy_is_imported_where_it_is_used() -> None:
    code = (
        "import sys, dtomtrack.evaluation.comparison, dtomtrack.evaluation.metrics, dtomtrack.evaluation.tables\n"
        "print(sorted({'scipy', 'statsmodels', 'pandas', 'pyarrow', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_an_evaluation_loads_neither_the_page_nor_what_imports() -> None:
    """They take a tenth of a second, which a small evaluation waits for."""
    code = (
        "import sys\nfrom dtomtrack import evaluate\n"
        "import dtomtrack.suites.rectom.suite\n"
        "late = {'dtomtrack.report.writing', 'dtomtrack.report.page', 'dtomtrack.suites.items.importing'}\n"
        "print(sorted(late & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
