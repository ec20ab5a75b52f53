"""Scripted persuaders: what they choose follows from what they heard, and from nothing else."""

from __future__ import annotations

from random import Random

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.rhetbench.npc import Mind, opening_state
from dtomtrack.suites.rhetbench.policies import Exchange, Sight, make_policy
from dtomtrack.suites.rhetbench.rules import load_rules

MIND = Mind(-0.5, 0.28, -0.95, 0.08, dict.fromkeys(APPEALS, 0.2))


def chosen(policy: str, *heard: Exchange) -> ArgumentClass:
    """What a policy says next."""
    choose = make_policy(policy, load_rules(), Random(0))
    return choose(heard, Sight(MIND, opening_state(MIND)))


def test_the_adaptive_policy_uses_a_class_twice_in_an_episode_and_not_twice_in_a_row() -> None:
    logical, emotional = (Exchange(one, Tone.POSITIVE) for one in APPEALS[:2])
    others = [Exchange(one, Tone.NEUTRAL) for one in APPEALS[1:]]
    assert chosen("adaptive", logical) is ArgumentClass.LOGICAL
    assert chosen("adaptive", logical, logical) is ArgumentClass.EMOTIONAL
    assert chosen("adaptive", logical, logical, emotional) is ArgumentClass.EMOTIONAL
    assert chosen("adaptive", logical, *others) is ArgumentClass.LOGICAL
    assert chosen("adaptive", logical, *others, logical) is ArgumentClass.EMOTIONAL


def test_first_positive_stays_for_as_long_as_it_is_welcome() -> None:
    logical, emotional = ArgumentClass.LOGICAL, ArgumentClass.EMOTIONAL
    welcome = [Exchange(logical, Tone.NEUTRAL), Exchange(emotional, Tone.POSITIVE)]
    assert chosen("first-positive", *welcome) is emotional
    assert chosen("first-positive", *welcome, Exchange(emotional, Tone.RESISTANT)) is ArgumentClass.SOCIAL_PROOF


def test_who_has_not_heard_of_its_last_message_yet_goes_by_the_one_before() -> None:
    logical, emotional = ArgumentClass.LOGICAL, ArgumentClass.EMOTIONAL
    waiting = Exchange(emotional, None)
    assert chosen("first-positive", Exchange(logical, None)) is emotional
    for policy in ("first-positive", "win-stay", "adaptive"):
        assert chosen(policy, Exchange(logical, Tone.POSITIVE), waiting) is logical
    assert chosen("first-positive", Exchange(logical, Tone.RESISTANT), waiting) is ArgumentClass.SOCIAL_PROOF
    tried = [Exchange(one, Tone.RESISTANT) for one in APPEALS[1:]]
    assert chosen("first-positive", Exchange(logical, Tone.NEUTRAL), *tried, Exchange(emotional, None)) is logical
