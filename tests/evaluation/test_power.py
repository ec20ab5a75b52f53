"""Which differences a dataset can tell, said beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from dtomtrack.evaluation.power import detectable
from dtomtrack.evaluation.statistics import difference, share_against
from dtomtrack.items.item import Item


def items(sizes: Sequence[int], options: int = 4) -> list[Item]:
    texts = tuple(f"option {number}" for number in range(options))
    return [
        Item(id=f"d{dialogue}-q{number}", cluster=f"d{dialogue}", question="?", options=texts, gold=frozenset({0}))
        for dialogue, size in enumerate(sizes)
        for number in range(size)
    ]


def least_of(sizes: Sequence[int], options: int = 4) -> tuple[float, float]:
    """The difference and the accuracy above chance that are found."""
    found = detectable(items(sizes, options))
    assert found is not None and found.difference is not None and found.above_chance is not None
    return found.difference, found.above_chance


def test_more_items_tell_smaller_differences_and_more_dialogues_tell_more_than_longer_ones() -> None:
    least = {
        name: least_of(sizes)[0]
        for name, sizes in {
            "few": [10] * 20,
            "many": [10] * 80,
            "long": [40] * 20,
            "short": [1] * 800,
        }.items()
    }
    assert least["few"] > least["long"] > least["many"] > least["short"]
    assert least["few"] == pytest.approx(2 * least["many"], rel=0.05)


def test_chance_comes_from_the_items() -> None:
    found = detectable(items([5] * 40, options=10))
    assert found is not None
    assert (found.items, found.clusters) == (200, 40)
    assert found.chance == pytest.approx(0.1)
    assert least_of([5] * 40, options=10)[1] < least_of([5] * 40, options=2)[1]


def test_one_dialogue_tells_nothing() -> None:
    assert detectable(items([50])) is None
    assert detectable([]) is None


@pytest.mark.parametrize(("sizes", "options"), [([6] * 2, 4), ([1] * 3, 2), ([6] * 5, 2)])
def test_what_a_perfect_subject_does_not_show_is_not_promised(sizes: Sequence[int], options: int) -> None:
    asked = items(sizes, options)
    found, numbers = detectable(asked), [int(item.cluster.removeprefix("d")) for item in asked]
    p_value = share_against([(number, True) for number in numbers], [1 / options] * len(asked))[1]
    assert found is not None and p_value is not None
    assert (found.above_chance is None) == (p_value >= 0.05)


def test_two_subjects_differ_by_no_more_than_the_items_on_which_one_alone_is_right() -> None:
    least = {count: detectable(items([6] * count)) for count in (2, 4, 40)}
    assert [one and one.difference is None for one in least.values()] == [True, True, False]


def test_few_dialogues_need_more_than_their_number_says() -> None:
    (_, few), (_, many) = least_of([2] * 20), least_of([2] * 2000)
    assert few > 10.5 * many


def test_a_difference_of_that_size_is_found_four_times_in_five() -> None:
    """Independent items: a difference so large, of subjects that differ on three items in ten."""
    size, times, rng = 400, 300, Random(11)
    least, _ = least_of([1] * size)
    better, worse = (0.3 + least) / 2, (0.3 - least) / 2
    seen = 0
    for _ in range(times):
        drawn = [rng.random() for _ in range(size)]
        pairs = [(number, better <= one < better + worse, one < better) for number, one in enumerate(drawn)]
        p_value = difference(pairs).p_value
        seen += p_value is not None and p_value < 0.05
    assert 0.72 < seen / times < 0.88


def test_an_accuracy_so_far_above_chance_is_found_four_times_in_five() -> None:
    size, times, rng = 300, 300, Random(12)
    _, least = least_of([1] * size)
    seen = 0
    for _ in range(times):
        right = [(number, rng.random() < 0.25 + least) for number in range(size)]
        p_value = share_against(right, [0.25] * size)[1]
        seen += p_value is not None and p_value < 0.05
    assert 0.72 < seen / times < 0.88
