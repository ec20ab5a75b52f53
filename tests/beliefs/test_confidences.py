"""What is said in confidence, and what is said of two who hold the same topic."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.matching import ThoughtfulListener
from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.beliefs.transcript import HeardTurn
from dtomtrack.verifiers.overheard import untruths

CARD, CASH, TRANSFER = "pay by card", "pay in cash", "pay by bank transfer"
BILL = Topic(
    id="bill", label="the bill", mental_state=MentalState.INTENTION, holder="Ada", values=(CARD, CASH, TRANSFER)
)
OF_CLEO = Topic(
    id="sky", label="the sky", mental_state=MentalState.BELIEF, holder="Cleo", values=("it will rain", "it stays dry")
)
SHARED = BILL.model_copy(update={"co_holders": ("Ben",)})
OWN = thought(MentalState.INTENTION, CARD, "bill")
OF_BEN = second_order("Ben", MentalState.INTENTION, CARD, "bill")


@pytest.mark.parametrize(
    ("utterance", "confided"),
    [
        ("I will pay by card. We can order when Cleo is back.", []),
        ("I will pay by card. I'll tell Cleo as soon as she is back.", []),
        ("Cleo wanted us to pay in cash, and I will pay by card.", []),
        ("I will pay by card. Cleo will hear from me that I pay in cash.", [("Cleo", "bill", CASH)]),
        ("I will pay by card. Don't tell Cleo.", [("Cleo", "", "")]),
        ("Between us, I will pay by card. Cleo mustn't know.", [("Cleo", "", "")]),
        ("Between us, I will pay by card.", []),
    ],
)
def test_a_confidence_is_what_is_kept_from_somebody(utterance: str, confided: list[tuple[str, str, str]]) -> None:
    heard = ThoughtfulListener([BILL, OF_CLEO]).hear(5, "Ada", utterance, (OWN,), ("Ada", "Ben"))
    assert [(one.kept_from, one.topic, one.content) for one in heard if one.act is Act.CONFIDE] == confided


@pytest.mark.parametrize(("said_later", "is_untrue"), [(CARD, False), (CASH, True)])
def test_who_tells_the_truth_after_all_says_no_untruth(said_later: str, *, is_untrue: bool) -> None:
    listener = ThoughtfulListener([BILL, OF_CLEO])
    confided = listener.hear(0, "Ada", "I will pay by card. Not a word to Cleo.", (OWN,), ("Ada", "Ben"))
    later = thought(MentalState.INTENTION, said_later, "bill")
    told = listener.hear(1, "Ada", f"I will {said_later}.", (later,), ("Ada", "Cleo"))
    turns = [HeardTurn(0, "Ada", frozenset(("Ada", "Ben"))), HeardTurn(1, "Ada", frozenset(("Ada", "Cleo")))]
    assert bool(untruths([*confided, *told], turns)) == is_untrue


@pytest.mark.parametrize(
    ("utterance", "read"),
    [
        ("Cleo, Ben will pay by card.", [(Act.TELL, "Ben")]),
        ("I heard that Ben will pay by card.", [(Act.TELL, "Ben")]),
        ("I will pay by card.", [(Act.STATE, "Ada")]),
        ("Ben and I will pay by card.", [(Act.STATE, "Ada")]),
        ("Ben will pay by card. And I pay by card, too.", [(Act.STATE, "Ada"), (Act.TELL, "Ben")]),
    ],
)
def test_what_is_said_of_who_holds_it_too_is_not_ones_own(utterance: str, read: list[tuple[Act, str]]) -> None:
    heard = ThoughtfulListener([SHARED]).hear(5, "Ada", utterance, (OF_BEN, OWN), ())
    assert [(one.act, one.holder) for one in heard] == read
