"""The character's mind against sequences that are known to four places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.errors import InputError
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.rhetbench.npc import Drift, Mind, TurnOutcome, delta_of, opening_state, step
from dtomtrack.suites.rhetbench.rules import ABLATIONS, load_rules, rule_names

PUBLISHED = load_rules("published")
OURS = load_rules("dtomtrack")
LOGICAL, EMOTIONAL, ANECDOTE = ArgumentClass.LOGICAL, ArgumentClass.EMOTIONAL, ArgumentClass.ANECDOTE
AUTHORITY, SOCIAL_PROOF = ArgumentClass.AUTHORITY, ArgumentClass.SOCIAL_PROOF


def mind(start: float, penalty: float, profile: dict[ArgumentClass, float], **more: float) -> Mind:
    """A character who is never won over and never leaves, unless told so."""
    return Mind(start, more.get("threshold", 0.99), more.get("walk_out", -0.99), penalty, profile)


def play(rules_name: str, character: Mind, classes: list[ArgumentClass]) -> list[TurnOutcome]:
    rules, state, outcomes = load_rules(rules_name), opening_state(character), []
    for heard in classes:
        outcomes.append(step(rules, character, state, heard))
        state = outcomes[-1].state
    return outcomes


def test_one_class_five_times() -> None:
    outcomes = play("published", mind(-0.5, 0.08, {LOGICAL: 0.205}), [LOGICAL] * 5)
    assert [one.delta for one in outcomes] == pytest.approx([0.2050, 0.1968, 0.1890, 0.1816, 0.1702], abs=1e-4)
    assert [one.state.agreement for one in outcomes] == pytest.approx(
        [-0.2950, -0.0982, 0.0907, 0.2723, 0.4425], abs=1e-4
    )
    assert [one.state.rapport for one in outcomes] == pytest.approx([0.0615, 0.1294, 0.2044, 0.2872, 0.3765], abs=1e-4)


def test_hostile_classes_then_the_right_one() -> None:
    profile = {LOGICAL: 0.23, AUTHORITY: -0.06, SOCIAL_PROOF: -0.05}
    classes = [AUTHORITY, AUTHORITY, SOCIAL_PROOF, LOGICAL, LOGICAL, LOGICAL]
    outcomes = play("published", mind(-0.7, 0.09, profile), classes)
    assert [one.delta for one in outcomes] == pytest.approx(
        [-0.0600, -0.0600, -0.0479, 0.2127, 0.1993, 0.1860], abs=1e-4
    )
    assert [one.state.agreement for one in outcomes] == pytest.approx(
        [-0.7600, -0.8200, -0.8679, -0.6552, -0.4559, -0.2700], abs=1e-4
    )
    assert [one.state.rapport for one in outcomes] == pytest.approx(
        [-0.0540, -0.1404, -0.2507, -0.1869, -0.1182, -0.0444], abs=1.01e-4
    )


def test_weak_classes_then_the_strong_one() -> None:
    profile = {LOGICAL: 0.03, EMOTIONAL: 0.03, ANECDOTE: 0.32}
    classes = [LOGICAL, LOGICAL, EMOTIONAL, EMOTIONAL, *[ANECDOTE] * 4]
    outcomes = play("published", mind(-0.7, 0.08, profile), classes)
    assert [one.delta for one in outcomes] == pytest.approx(
        [0.0300, -0.0424, 0.0299, -0.0426, 0.3093, 0.2995, 0.2904, 0.2819], abs=1e-4
    )
    assert outcomes[-1].state.agreement == pytest.approx(0.4559, abs=1e-4)
    assert outcomes[-1].state.rapport == pytest.approx(0.3941, abs=1e-4)


def test_tone_tells_how_far_agreement_moved() -> None:
    character = mind(-0.5, 0.1, {LOGICAL: 0.08, EMOTIONAL: 0.0801, ANECDOTE: 0.0})
    tones = {heard: step(OURS, character, opening_state(character), heard).tone for heard in character.profile}
    assert tones == {LOGICAL: Tone.NEUTRAL, EMOTIONAL: Tone.POSITIVE, ANECDOTE: Tone.RESISTANT}


def test_a_hostile_class_is_not_made_worse_by_trust_under_our_rules() -> None:
    character = mind(-0.7, 0.09, {LOGICAL: 0.3, AUTHORITY: -0.03})
    trusted = play("dtomtrack", character, [LOGICAL, LOGICAL])[-1].state
    assert trusted.rapport > 0
    assert delta_of(OURS, character, trusted, AUTHORITY) == pytest.approx(-0.03)
    assert delta_of(PUBLISHED, character, trusted, AUTHORITY) < -0.03


def test_the_question_comes_once_and_half_way() -> None:
    character = mind(-0.5, 0.0, {LOGICAL: 0.2}, threshold=0.3)
    outcomes = play("dtomtrack", character, [LOGICAL] * 3)
    assert [one.pivots for one in outcomes] == [False, True, False]
    assert outcomes[1].state.asked == outcomes[2].state.asked == 2


def test_no_question_comes_with_a_win() -> None:
    character = mind(-0.2, 0.0, {LOGICAL: 0.9}, threshold=0.3)
    outcome = play("dtomtrack", character, [LOGICAL])[0]
    assert outcome.won
    assert not outcome.pivots


def test_an_answer_to_the_question_pays_under_our_rules_only() -> None:
    character = mind(-0.5, 0.0, {LOGICAL: 0.2}, threshold=0.3)
    state = opening_state(character)
    assert step(OURS, character, state, LOGICAL, answers=True).delta == pytest.approx(0.25)
    assert step(PUBLISHED, character, state, LOGICAL, answers=True).delta == pytest.approx(0.20)


def test_the_published_question_is_measured_from_the_bottom() -> None:
    easy = mind(-0.25, 0.06, {LOGICAL: 0.02}, threshold=0.25)
    assert step(PUBLISHED, easy, opening_state(easy), LOGICAL).pivots
    assert not step(OURS, easy, opening_state(easy), LOGICAL).pivots


def test_a_character_leaves_at_its_own_level() -> None:
    character = mind(-0.55, 0.11, {LOGICAL: 0.23, AUTHORITY: -0.25}, walk_out=-0.6)
    outcome = play("dtomtrack", character, [AUTHORITY])[0]
    assert outcome.walked_out
    assert outcome.over


def test_from_the_hidden_turn_on_something_else_works() -> None:
    drift = Drift(3, {LOGICAL: 0.01, EMOTIONAL: 0.3})
    character = Mind(-0.5, 0.9, -0.95, 0.0, {LOGICAL: 0.3, EMOTIONAL: 0.01}, drift=drift)
    tones = [one.tone for one in play("dtomtrack", character, [LOGICAL] * 4)]
    assert tones == [Tone.POSITIVE, Tone.POSITIVE, Tone.NEUTRAL, Tone.NEUTRAL]
    assert [character.best_at(turn) for turn in (2, 3)] == [LOGICAL, EMOTIONAL]


@given(st.lists(st.sampled_from(list(ArgumentClass)), max_size=40), st.sampled_from(rule_names()))
def test_agreement_and_rapport_stay_within_their_bounds(classes: list[ArgumentClass], rules_name: str) -> None:
    profile = dict(zip(APPEALS, (0.3, 0.1, -0.06, 0.0, 0.02, -0.2), strict=True))
    for outcome in play(rules_name, mind(-0.5, 0.3, profile), classes):
        assert -1 <= outcome.state.agreement <= 1
        assert -0.8 <= outcome.state.rapport <= 0.8
        assert outcome.delta >= -0.06


def test_rules_that_do_not_exist_are_one_sentence() -> None:
    with pytest.raises(InputError, match="no rules 'mine'; there are dtomtrack, published"):
        load_rules("mine")


def test_rules_can_be_had_without_one_of_their_parts() -> None:
    character = mind(-0.5, 0.1, {LOGICAL: 0.2, EMOTIONAL: 0.05})
    whole = play("dtomtrack", character, [LOGICAL] * 6)[-1].delta
    without = {part: play(f"dtomtrack-no-{part}", character, [LOGICAL] * 6)[-1].delta for part in ABLATIONS}
    assert without["penalty"] > whole
    assert without["fatigue"] > whole
    assert without["rapport"] < whole
    assert without["pivot"] == without["openers"] == whole
    assert load_rules("dtomtrack-no-pivot").pivot.answered == 1.0


def test_parts_that_there_are_not_are_told() -> None:
    with pytest.raises(InputError, match="dtomtrack can be had without rapport, fatigue, penalty, pivot, openers"):
        load_rules("dtomtrack-no-memory")
