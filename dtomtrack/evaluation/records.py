"""Answers to questions, and what they add up to: the files of ``eval/SUBJECT/``."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dtomtrack.beliefs.question import LETTERS, Letter
from dtomtrack.records import Count, Record, Share, Text

__all__ = [
    "Answer",
    "AnswerMode",
    "AskConfig",
    "Context",
    "Gap",
    "Group",
    "Interval",
    "Intrusion",
    "Metrics",
    "Outcome",
    "PromptStyle",
    "Trajectory",
]

Outcome = Literal["correct", "wrong", "unparsed", "error"]
"""An answer that can't be read is no wrong answer, and a call that failed is neither."""
PromptStyle = Literal["zero-shot", "cot"]
Context = Literal["none", "utterances", "own-thoughts", "thoughts", "tracker"]
"""What a subject sees beside the question: nothing; what was said; that and the inner speech of the agent whose state
is asked about; that and the inner speech of both; or the tracker's records as text."""
AnswerMode = Literal["text", "json", "logprobs"]


class AskConfig(Record):
    """How a subject is asked: everything that decides its answers.

    Attributes:
        subject: "baseline/recency", or a model by name.
        address: of its server, where it has one.
        permutations: with how many rotations of its options each question is asked.
        questions: SHA-256 of the question file, so that answers to other questions are told apart.
        limit: only the questions of the first so many dialogues; None for all.
    """

    subject: Text
    address: Text | None = None
    prompt: PromptStyle = "zero-shot"
    context: Context = "utterances"
    mode: AnswerMode = "text"
    permutations: Annotated[int, Field(ge=1, le=len(LETTERS))] = 1
    seed: int = 0
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.0
    max_tokens: Annotated[int, Field(ge=1)] = 512
    questions: Text
    limit: Annotated[int, Field(ge=1)] | None = None


class Answer(Record):
    """One answer: one line of ``answers.jsonl``.

    Attributes:
        rotation: by how many places the options were rotated: option i of the question (0 for A) is shown under letter
            i + rotation, counted round.
        reply: what the subject answered, whole; empty where the answer comes from a baseline.
        shown: the letter that was read from it, as the subject saw the options.
        answer: the same option's letter in the question.
        finish: why the reply ended; a filter's doing is an error, a refusal is unparsed.
        reason: for an error, what failed.
        probabilities: by letter as shown, where the server gave them.
    """

    question_id: Text
    dialogue_id: Text
    rotation: Annotated[int, Field(ge=0, lt=len(LETTERS))] = 0
    reply: str = ""
    finish: Literal["stop", "length", "filter", "refusal"] = "stop"
    shown: Letter | None = None
    answer: Letter | None = None
    outcome: Outcome
    reason: str | None = None
    probabilities: dict[Letter, float] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.answer is None) != (self.outcome in {"unparsed", "error"}):
            raise ValueError("an answer that was read is right or wrong, one that was not is unparsed or an error")
        if self.shown is not None and self.answer is not None:
            place = (LETTERS.index(self.answer) + self.rotation) % len(LETTERS)
            if LETTERS[place] != self.shown:
                raise ValueError(f"option {self.answer} rotated by {self.rotation} is not shown as {self.shown}")
        return self


class Interval(Record):
    """A share or difference of shares with its 95 % interval; None where there is nothing to estimate from."""

    value: float | None
    low: float | None
    high: float | None


class Group(Record):
    """Accuracy over a group of answers, errors left out.

    Attributes:
        items: answers in the group, errors left out: correct + wrong + unparsed.
        accuracy: correct / items, with an interval clustered by dialogue.
        unparsed: share of the items that could not be read (they count as not right).
        errors: answers that failed, which count nowhere else.
    """

    name: str
    items: Count
    dialogues: Count
    correct: Count
    accuracy: Interval
    unparsed: Share
    errors: Count
    chance: Share = 0.25


class Gap(Record):
    """Recency: accuracy after an update minus accuracy before it, on pairs of questions about the same update."""

    pairs: Count
    dialogues: Count
    before: float | None
    after: float | None
    gap: Interval
    p_value: float | None


class Intrusion(Record):
    """Of the wrong answers about before an update, the share that chose the value after it, beside chance.

    ``chance`` is the mean, over those answers, of the share of the wrong options that are a value after it: one third
    where one of three is.
    """

    wrong: Count
    intrusions: Count
    rate: Interval
    chance: float | None
    p_value: float | None


class Trajectory(Record):
    """Updates of which before, after and when are all answered right, beside what independent errors would give."""

    updates: Count
    whole: Count
    rate: Interval
    independent: float | None


class Metrics(Record):
    """``metrics.json``: what the answers of one subject add up to.

    Attributes:
        micro: over all answers. macro: the mean over question types, each alike.
        groups: by what is grouped ("type", "mental_state", "marker", "trigger", "updates", "lag", "order"), the groups.
        roles: by question type, how often options of each role were chosen.
        balanced: with several permutations, the share of questions answered right under all of them.
    """

    config: AskConfig
    questions: Count
    answers: Count
    outcomes: dict[Outcome, int]
    micro: Group
    macro: Interval
    groups: dict[str, tuple[Group, ...]]
    gap: Gap
    intrusion: Intrusion
    trajectory: Trajectory
    roles: dict[str, dict[str, int]]
    balanced: Interval | None = None
    calls: Count = 0
    tokens: Count = 0
    cost: float = 0.0
