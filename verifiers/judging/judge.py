"""A language model as verifier, behind the rules (paper, "Quality Filtering").

updates      a scan of every turn, one short question at a time, aligned with the schedule ("Update Verification")
question     correctness, soundness and quality, each a grade that has to reach a threshold ("QA Verification")
answerable   whether an answer to the question can be read at all ("Sample Validation")
item         the last two in a row

What the model says is only ever read as a letter; whatever the text that it judges tells it to do, there is nothing
else that it could do.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from dtomtrack.beliefs.dialogue import Dialogue, Turn
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.items.replies import read_answers
from dtomtrack.llm import CallKey, ChatModel, ChatReply, ChatRequest
from dtomtrack.llm.prompts import prompt
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.verifiers.alignment import align
from dtomtrack.verifiers.judging.one_letter import GRADES, LETTER_TOKENS, chosen_letter, expected_grade, withheld
from dtomtrack.verifiers.judging.quotation import lettered, listed, quoted, quoted_turns
from dtomtrack.verifiers.judging.update_scan import changes, probes
from dtomtrack.verifiers.updates import verdict_on
from dtomtrack.verifiers.verdicts import Criterion, Verdict

__all__ = ["THRESHOLD", "Judge"]

THRESHOLD = 0.6
"""A grade that a question has to reach: somewhat above the middle, where a model ends that can't tell."""

_ANSWER_TOKENS = 512
_PACKAGE = "dtomtrack.verifiers.judging"
_JUST_THESE = "the model does not find that just the labelled options can be told to be right"
_REASONS: dict[Criterion, str] = {
    "correctness": "the model does not find that the labelled answer follows",
    "soundness": "the model does not find that exactly one option can be told to be right",
    "quality": "the model does not find the wrong options plausible yet clearly wrong",
}


@dataclass(frozen=True)
class _Grade:
    """A grade of one criterion, and why a question fails that gets a low one; where it is None, why there is none."""

    criterion: Criterion
    grade: float | None
    reason: str


class Judge:
    """Verifies what other models made, or calibrates itself on what is known to be good or broken.

    Every method takes the ``slot`` and ``attempt`` of the dialogue and a ``purpose``: together with the item they name
    the calls, so an item that is judged twice in an attempt needs two purposes.

    Args:
        seed: of the run.
        correctness: the grade, from 0 to 1, that a question has to reach; ``soundness`` and ``quality`` likewise.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        seed: int,
        correctness: float = THRESHOLD,
        soundness: float = THRESHOLD,
        quality: float = THRESHOLD,
    ) -> None:
        self._model = model
        self._seed = seed
        self._thresholds: dict[Criterion, float] = {
            "correctness": correctness,
            "soundness": soundness,
            "quality": quality,
        }

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def updates(
        self, scenario: Scenario, turns: Sequence[Turn], slot: int, attempt: int, *, purpose: str = "verify"
    ) -> Verdict:
        """Whether all planned changes of mind happen in what is thought, with an F1 above one half.

        Raises:
            ModelError: no answer can be had.
        """
        shown: dict[tuple[str, str], list[tuple[Turn, str | None]]] = {}
        for probe in probes(scenario, turns):
            letter = probe.settled
            if letter is None:
                call = CallKey(
                    attempt_unit(slot, attempt), f"{purpose} update {probe.topic.id} turn {probe.turn.index}"
                )
                reply = await self._one_letter(call, probe.prompt(), tuple(probe.states))
                letter = chosen_letter(reply, probe.options)
                if letter is None:
                    return Verdict("error", reason=withheld(reply) or "no letter can be read")
            shown.setdefault((probe.topic.id, probe.holder), []).append((probe.turn, probe.states[letter]))
        found = [
            one
            for topic in scenario.topics
            for holder in topic.holders
            for one in changes(topic, holder, shown.get((topic.id, holder), ()))
        ]
        return verdict_on(align(sorted(found, key=lambda one: one.turn), scenario.updates))

    async def item(self, dialogue: Dialogue, question: Question, *, purpose: str = "verify") -> Verdict:
        """Whether a question passes: `question`, and then `answerable`.

        Raises:
            ModelError: no answer can be had.
        """
        verdict = await self.question(dialogue, question, purpose=purpose)
        if verdict.outcome != "accept":
            return verdict
        readable = await self.answerable(dialogue, question, purpose=purpose)
        return verdict if readable.outcome == "accept" else readable

    async def question(self, dialogue: Dialogue, question: Question, *, purpose: str = "verify") -> Verdict:
        """Whether a question is correct, sound and good; the first criterion that it fails decides.

        Raises:
            ModelError: no answer can be had.
        """
        grades: list[float] = []
        async for one in self._graded(dialogue, question, purpose):
            failed = self._failed(one)
            if failed is not None:
                return failed
            grades.append(one.grade or 0.0)
        return Verdict("accept", grade=min(grades))

    async def grades(
        self, dialogue: Dialogue, question: Question, *, purpose: str = "verify"
    ) -> tuple[Verdict, dict[Criterion, float]]:
        """The verdict on a question as `question` gives it, and the grades of all criteria that could be graded.

        After one that can't be, no other is asked for.

        Raises:
            ModelError: no answer can be had.
        """
        verdict, found = None, dict[Criterion, float]()
        async for one in self._graded(dialogue, question, purpose):
            verdict = verdict or self._failed(one)
            if one.grade is None:
                break
            found[one.criterion] = one.grade
        return verdict or Verdict("accept", grade=min(found.values())), found

    async def _graded(self, dialogue: Dialogue, question: Question, purpose: str) -> AsyncIterator[_Grade]:
        for criterion, text in _criteria(dialogue, question):
            call = _call(dialogue, f"{purpose} question {question.id} {criterion}")
            reply = await self._one_letter(call, text, tuple(GRADES))
            grade = expected_grade(reply)
            missing = withheld(reply) or "no grade can be read"
            yield _Grade(criterion, grade, missing if grade is None else _reason(criterion, question))

    def _failed(self, one: _Grade) -> Verdict | None:
        """The verdict of a grade that decides against a question."""
        if one.grade is None:
            return Verdict("error", one.criterion, one.reason)
        if one.grade < self._thresholds[one.criterion]:
            return Verdict("reject", one.criterion, one.reason, one.grade)
        return None

    async def answerable(self, dialogue: Dialogue, question: Question, *, purpose: str = "verify") -> Verdict:
        """Whether the model's answer in free text, right or wrong, can be read as one of the options.

        Raises:
            ModelError: no answer can be had.
        """
        options = dict[str, str](question.options.items())
        asked = prompt(_PACKAGE, _wording("validation", question)).fill(
            question=quoted(question.question),
            options=lettered({letter: quoted(text) for letter, text in options.items()}),
        )
        call = _call(dialogue, f"{purpose} question {question.id} validation")
        reply = await self._ask(call, f"{_conversation(dialogue)}\n\n{asked}", _ANSWER_TOKENS)
        if not withheld(reply) and read_answers(reply.text, options, question.select) is not None:
            return Verdict("accept")
        if reply.finish != "stop":
            return Verdict("error", "validation", withheld(reply) or "the reply was cut before an answer")
        return Verdict("reject", "validation", "no option can be read from the model's answer")

    async def _one_letter(self, call: CallKey, text: str, choices: tuple[str, ...]) -> ChatReply:
        return await self._ask(call, text, LETTER_TOKENS, choices)

    async def _ask(self, call: CallKey, text: str, max_tokens: int, choices: tuple[str, ...] = ()) -> ChatReply:
        return await self._model.chat(ChatRequest.asking(call, text, self._seed, max_tokens, choices=choices))


def _call(dialogue: Dialogue, purpose: str) -> CallKey:
    return CallKey(attempt_unit(dialogue.slot, dialogue.provenance.attempt), purpose)


def _reason(criterion: Criterion, question: Question) -> str:
    """Why a question fails a criterion."""
    return _JUST_THESE if (criterion, question.select) == ("soundness", "any") else _REASONS[criterion]


def _wording(name: str, question: Question) -> str:
    """The prompt of this name, or its form for questions of which any number of options may be right."""
    return f"{name}_any" if question.select == "any" else name


def _criteria(dialogue: Dialogue, question: Question) -> Iterator[tuple[Criterion, str]]:
    """One prompt a criterion, the cheapest way for a server that caches prefixes: the conversation first.

    Where all options are right, there are no wrong ones to be judged by their quality.
    """
    conversation = _conversation(dialogue)
    asked = {"question": quoted(question.question), "grades": lettered(GRADES)}
    several = question.select == "any"
    right = [question.options[letter] for letter in question.answer]
    others = [text for letter, text in question.options.items() if letter not in question.answer]
    evidence = quoted_turns(dialogue.turns, dialogue.scenario, question.evidence)
    gold = listed(right) if several else quoted(question.gold)
    parts: dict[Criterion, dict[str, str]] = {
        "correctness": {"answer": gold, "evidence": evidence},
        "soundness": {"options": listed(question.options.values())} | ({"answer": gold} if several else {}),
    }
    if others:
        parts["quality"] = {"answer": gold, "others": listed(others)}
    for criterion, part in parts.items():
        yield criterion, f"{conversation}\n\n{prompt(_PACKAGE, _wording(criterion, question)).fill(**asked, **part)}"


def _conversation(dialogue: Dialogue) -> str:
    """The beginning of all prompts about a dialogue's questions.

    Answers rest on what is said and on who is there, so these are shown, and no thoughts.
    """
    return prompt(_PACKAGE, "conversation").fill(conversation=quoted_turns(dialogue.turns, dialogue.scenario))
