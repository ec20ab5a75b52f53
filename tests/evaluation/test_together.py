"""What has to be right together counts where all of it has an answer: with fewer rotations, failed calls, a stop."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig, Measure
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of
from dtomtrack.suites.dtom.suite import SUITE as DTOM
from dtomtrack.suites.persuasivetom.suite import SUITE as PERSUASION
from dtomtrack.suites.rectom.suite import SUITE as RECTOM

DIALOGUES = 20
SIZES = {"who_knows": 3, "actual": 4, "state": 4}


def asked_of_divergences() -> list[Item]:
    """One with three options and two with four about each divergence."""
    return [
        Item(
            f"{asks} {dialogue}",
            f"{dialogue}",
            "?",
            tuple("wxyz"[:size]),
            frozenset((0,)),
            groups={"type": "second_order", "asks": asks},
            joint={"divergence": f"{dialogue}"},
        )
        for dialogue in range(DIALOGUES)
        for asks, size in SIZES.items()
    ]


def answered(items: Iterable[Item], wrong: str, rotations: int = 4, failed: str = "") -> list[Answer]:
    """All answers: those to items whose id begins with a word are wrong, those of another failed."""
    return [
        answer(item, rotation, right=not item.id.startswith(wrong), failed=bool(failed) and item.id.startswith(failed))
        for item in items
        for rotation in range(min(rotations, len(item.options)))
    ]


def answer(item: Item, rotation: int, *, right: bool, failed: bool) -> Answer:
    asked = {"question_id": item.id, "dialogue_id": item.cluster, "rotation": rotation}
    if failed:
        return Answer.model_validate({**asked, "outcome": "error", "reason": "no reply"})
    chosen = min(item.gold) if right else len(item.options) - 1
    return Answer.model_validate({**asked, "answer": letter_of(chosen), "outcome": "correct" if right else "wrong"})


def divergence(answers: Iterable[Answer]) -> Measure:
    found = metrics(DTOM, AskConfig(subject="-", questions="-", permutations=4), asked_of_divergences(), answers)
    measure = found.measure("divergence")
    assert measure is not None
    return measure


def test_a_rotation_that_an_item_has_not_makes_its_divergence_no_easier() -> None:
    """Who knows nothing of who knows has no divergence right: not in the fourth rotation, which three options lack."""
    one = divergence(answered(asked_of_divergences(), wrong="who_knows"))
    assert (one.estimate.value, one.items) == (0.0, 3 * DIALOGUES)


@pytest.mark.parametrize("how", ["failed", "stopped"])
def test_an_item_without_an_answer_makes_its_divergence_no_easier(how: str) -> None:
    """In three dialogues the hard question has no answer; they are left out."""
    items = asked_of_divergences()
    answers = answered(items, wrong="who_knows", rotations=1)
    hard = [f"who_knows {dialogue}" for dialogue in range(3)]
    if how == "failed":
        given = [
            answer(next(item for item in items if item.id == one.question_id), 0, right=False, failed=True)
            if one.question_id in hard
            else one
            for one in answers
        ]
    else:
        given = [one for one in answers if one.question_id not in hard]
    one = divergence(given)
    assert (one.estimate.value, one.items) == (0.0, DIALOGUES - 3)


def test_a_part_that_is_not_asked_for_may_be_missing() -> None:
    """The recency gap goes by what was asked before and after, whether or not the question on when failed."""
    items = [
        Item(
            f"{kind} {number}",
            f"{number}",
            "?",
            ("a", "b"),
            frozenset((0,)),
            groups={"type": kind},
            joint={"update": f"{number}"},
        )
        for number in range(DIALOGUES)
        for kind in ("pre_update", "post_update", "update_detection")
    ]
    answers = answered(items, wrong="pre_update", rotations=1, failed="update_detection")
    found = metrics(DTOM, AskConfig(subject="-", questions="-"), items, answers)
    gap, trajectory = found.measure("gap"), found.measure("trajectory")
    assert gap is not None and (gap.estimate.value, gap.items) == (1.0, DIALOGUES)
    assert trajectory is not None and trajectory.items == 0


def test_a_dialogue_is_consistent_where_all_of_it_was_asked_under_a_rotation() -> None:
    items = [
        Item(
            f"{name} {dialogue}",
            f"{dialogue}",
            "?",
            tuple("wxyz"[:size]),
            frozenset((0,)),
            groups={"type": "intention_ee"},
        )
        for dialogue in range(DIALOGUES)
        for name, size in (("hard", 3), ("easy", 4))
    ]
    config = AskConfig(subject="-", questions="-", permutations=4)
    found = metrics(PERSUASION, config, items, answered(items, wrong="hard")).measure("consistency_intention_ee")
    assert found is not None and (found.estimate.value, found.items) == (0.0, 3 * DIALOGUES)
    assert found.reference is not None and found.reference.value == 0.25


def test_movies_asked_about_at_once_are_right_where_all_have_answers() -> None:
    items = [
        Item(
            f"{name} {dialogue}",
            f"{dialogue}",
            "?",
            ("yes", "no"),
            frozenset((0,)),
            groups={"type": "desire"},
            joint={"at_once": f"{dialogue}"},
            roles=("yes", "no"),
        )
        for dialogue in range(DIALOGUES)
        for name in ("hard", "easy", "easier")
    ]
    answers = [one for one in answered(items, wrong="hard", rotations=1) if one.question_id not in {"hard 0", "easy 1"}]
    found = metrics(RECTOM, AskConfig(subject="-", questions="-"), items, answers).measure("at_once_desire")
    assert found is not None and (found.estimate.value, found.items) == (0.0, DIALOGUES - 2)
