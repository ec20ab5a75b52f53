"""Questions and answers made to measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.beliefs.question import LETTERS, Factors, Letter, OptionRole, Question, QuestionType
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig, Measure, Metrics
from dtomtrack.suites.dtom.items import item_of
from dtomtrack.suites.dtom.suite import SUITE

ASKED = AskConfig(subject="some/model", questions="a digest")
_ROLES = {
    QuestionType.PRE_UPDATE: OptionRole.POST_VALUE,
    QuestionType.POST_UPDATE: OptionRole.PRE_VALUE,
    QuestionType.UPDATE_DETECTION: OptionRole.NO_CHANGE,
}


def a_question(
    kind: QuestionType = QuestionType.TEMPORAL,
    dialogue: int = 0,
    number: int = 0,
    *,
    turn: int | None = 5,
    topic: str = "party_size",
    state: MentalState = MentalState.BELIEF,
    order: int = 1,
    wrong: Sequence[OptionRole] | None = None,
    factors: Factors | None = None,
) -> Question:
    """A question whose right option is A; option B has a role that goes with the type."""
    first = _ROLES.get(kind, OptionRole.PARTNER_VALUE)
    roles = (OptionRole.GOLD, *(wrong or (first, OptionRole.NEVER_SAID, OptionRole.NEVER_SAID)))
    return Question(
        id=f"d{dialogue}-q{number}",
        dialogue_id=f"d{dialogue}",
        slot=dialogue,
        generator="scripted",
        type=kind,
        mental_state=state,
        order=order,
        agent="Maya",
        about="Omar" if order > 1 else None,
        topic=topic,
        turn=turn,
        question="What did Maya believe?",
        options={letter: f"Option {letter}" for letter in LETTERS},
        answer="A",
        option_roles=dict(zip(LETTERS, roles, strict=True)),
        evidence=(1,),
        factors=factors or Factors(asks="state", updates=1, changes=1, lag=4),
    )


def an_answer(question: Question, said: Letter | str, rotation: int = 0) -> Answer:
    """An answer: a letter of the question, or "unparsed", or "error"."""
    fields = {"question_id": question.id, "dialogue_id": question.dialogue_id, "rotation": rotation}
    if said not in LETTERS:
        return Answer.model_validate(fields | {"outcome": said, "reason": "no reply" if said == "error" else None})
    shown = LETTERS[(LETTERS.index(said) + rotation) % len(LETTERS)]
    outcome = "correct" if said == question.answer else "wrong"
    return Answer.model_validate(fields | {"answer": said, "shown": shown, "outcome": outcome})


def sum_of(questions: Iterable[Question], answers: Iterable[Answer], config: AskConfig = ASKED) -> Metrics:
    """What answers to questions add up to."""
    return metrics(SUITE, config, map(item_of, questions), answers)


def measured(result: Metrics, name: str) -> Measure:
    """A further figure that has to be there."""
    found = result.measure(name)
    assert found is not None, name
    return found


def about_an_update(dialogue: int, turn: int = 5) -> tuple[Question, Question, Question]:
    """Before, after and when, of one update."""
    before, after, when = (
        a_question(kind, dialogue, 10 * turn + number, turn=turn)
        for number, kind in enumerate(
            (QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE, QuestionType.UPDATE_DETECTION)
        )
    )
    return before, after, when
