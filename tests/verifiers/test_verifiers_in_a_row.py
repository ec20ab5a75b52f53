"""Verifiers in a row: another one is a class of its own, named among those of a run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.scenarios.domain import Domain
from dtomtrack.verifiers.review import RULES
from dtomtrack.verifiers.verdicts import ACCEPTED, Verdict
from dtomtrack.verifiers.verifier import ReviewedAttempt, Verifier

GIVEN: Attempt = {"domains": ["restaurant"], "seed": 0, "index": 0, "attempt": 0, "length": 10}


class NothingOfType:
    """Does not like questions of some types."""

    name = "taste"

    def __init__(self, *types: QuestionType) -> None:
        self._types = types

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt without those questions."""
        dislike = Verdict("reject", "quality", "not to my taste", grade=0.1)
        verdicts = [(one, dislike if one.type in self._types else ACCEPTED) for one in attempt.questions]
        return attempt.with_verdicts(self.name, verdicts)


class NoLongTalks:
    """Rejects dialogues of more than so many turns."""

    name = "length"

    def __init__(self, most: int) -> None:
        self._most = most

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt, if it is short."""
        if attempt.dialogue is None or len(attempt.dialogue.turns) <= self._most:
            return attempt
        return attempt.without_dialogue(self.name, Verdict("reject", reason="too long"), f"more than {self._most}")


class Counting:
    """Counts what comes by."""

    name = "count"

    def __init__(self) -> None:
        self.seen: list[int] = []

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The same attempt."""
        self.seen.append(len(attempt.questions))
        return attempt


async def verified(domain: Domain, verifiers: Sequence[Verifier]) -> ReviewedAttempt:
    return await play(RoleplayContext({"restaurant": domain}, verifiers=tuple(verifiers)), GIVEN)


async def test_the_rules_are_the_verifiers_of_every_run(restaurant: Domain) -> None:
    assert [one.name for one in RULES] == ["update_verification", "claim_verification", "question_verification"]
    usual = await play(RoleplayContext({"restaurant": restaurant}), GIVEN)
    assert usual == await verified(restaurant, RULES)
    assert usual.questions


async def test_a_verifier_of_ones_own_rejects_questions_under_its_name(restaurant: Domain) -> None:
    usual = await verified(restaurant, RULES)
    reviewed = await verified(restaurant, [*RULES, NothingOfType(QuestionType.TEMPORAL)])
    kept = tuple(one for one in usual.questions if one.type is not QuestionType.TEMPORAL)
    assert reviewed.dialogue == usual.dialogue
    assert reviewed.questions == kept != usual.questions
    (stage,) = {one.stage for one in reviewed.rejections}
    assert stage == "taste"
    assert {(one.reason, one.detail, one.grade) for one in reviewed.rejections} == {("not to my taste", "quality", 0.1)}


async def test_a_verifier_of_ones_own_rejects_dialogues_under_its_name(restaurant: Domain) -> None:
    reviewed = await verified(restaurant, [NoLongTalks(9), *RULES])
    assert (reviewed.dialogue, reviewed.questions) == (None, ())
    (rejection,) = reviewed.rejections
    assert (rejection.stage, rejection.reason, rejection.detail) == ("length", "too long", "more than 9")
    assert len(rejection.turns) == 10


async def test_a_dialogue_without_a_question_goes_and_is_verified_no_more(restaurant: Domain) -> None:
    behind = Counting()
    reviewed = await verified(restaurant, [NothingOfType(*QuestionType), behind])
    assert reviewed.dialogue is None
    assert reviewed.rejections[-1].stage == "question_verification"
    assert reviewed.rejections[-1].reason == "no question is left"
    assert behind.seen == []


async def test_verifiers_see_what_those_before_them_left(restaurant: Domain) -> None:
    before, behind = Counting(), Counting()
    await verified(restaurant, [before, NothingOfType(QuestionType.TEMPORAL), behind])
    assert before.seen[0] > behind.seen[0] > 0


async def test_an_error_is_no_rejection(restaurant: Domain) -> None:
    reviewed = await verified(restaurant, RULES)
    failed = reviewed.without_dialogue("judge", Verdict("error", reason="no answer"))
    assert [one.verdict for one in failed.rejections] == ["error"]
    assert failed.without_dialogue("judge", Verdict("reject")) == failed


@pytest.mark.parametrize("outcome", ["reject", "error"])
def test_only_an_accepted_item_is_kept(outcome: str) -> None:
    assert ACCEPTED.kept
    assert not Verdict(outcome).kept  # type: ignore[arg-type]
