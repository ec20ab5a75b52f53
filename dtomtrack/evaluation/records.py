"""Answers to items, and what they add up to: the files of ``eval/SUBJECT/``."""

from __future__ import annotations

from math import fsum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dtomtrack.items.letters import MOST_OPTIONS
from dtomtrack.records import Count, Record, Share, Text

__all__ = [
    "Answer",
    "AnswerMode",
    "AskConfig",
    "CalibrationBin",
    "CalibrationFigures",
    "Curve",
    "CurveLine",
    "DebiasMethod",
    "Debiased",
    "Group",
    "Interval",
    "Letters",
    "Measure",
    "Metrics",
    "Outcome",
    "ParserName",
    "PromptStyle",
    "Template",
]

Outcome = Literal["correct", "wrong", "unparsed", "error"]
"""An answer that can't be read is no wrong answer, and a call that failed is neither."""
PromptStyle = Literal["zero-shot", "cot"]
AnswerMode = Literal["text", "json", "logprobs", "each"]
"""How an answer is given; with "each", every option is asked about alone, and the probability of yes is taken."""
ParserName = Literal["dtomtrack", "published"]
DebiasMethod = Literal["probabilities", "rotations"]
Letters = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,26}$")]
"""One letter, or of an item with several right options those that are chosen, in order: "AC"."""


class Template(Record):
    """A prompt with placeholders, by a name that is another for another text."""

    name: Text
    text: Text


class AskConfig(Record):
    """How a subject is asked: everything that decides its answers.

    Attributes:
        subject: "baseline/recency", or a model by name.
        address: of its server, where it has one.
        context: what is seen beside the question: one of the suite's conditions.
        permutations: with how many rotations of its options each item is asked; of an item with fewer, all it has.
        repeats: how often each is sampled.
        tell_size: where several options may be right, say how many are.
        shots: examples of other dialogues, with their answers, that are shown before each item.
        questions: SHA-256 of the question file, so that answers to other questions are told apart.
        limit: only the items of the first so many clusters; None for all.
        types: only items of these types; all where there are none.
        template: a prompt of the user's own, in place of that of ``prompt``.
        debias: whether figures with the bias for letters taken out are wanted, too; answers don't depend on it.
        sample_seed: clusters are taken in an order that is drawn by this seed; None for that of the file.
        parser: who reads the replies: dtomtrack, or the script that was published with the benchmark.
    """

    subject: Text
    address: Text | None = None
    prompt: PromptStyle = "zero-shot"
    context: Text = "utterances"
    mode: AnswerMode = "text"
    permutations: Annotated[int, Field(ge=1, le=MOST_OPTIONS)] = 1
    repeats: Annotated[int, Field(ge=1, le=1000)] = 1
    seed: int = 0
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.0
    max_tokens: Annotated[int, Field(ge=1)] = 512
    tell_size: Annotated[bool, Field(exclude_if=lambda told: not told)] = False
    shots: Annotated[int, Field(ge=0, exclude_if=lambda number: not number)] = 0
    questions: Text
    limit: Annotated[int, Field(ge=1)] | None = None
    types: Annotated[tuple[Text, ...], Field(exclude_if=lambda types: not types)] = ()
    sample_seed: Annotated[int | None, Field(exclude_if=lambda seed: seed is None)] = None
    template: Annotated[Template | None, Field(exclude_if=lambda template: template is None)] = None
    debias: Annotated[bool, Field(exclude_if=lambda wanted: not wanted)] = False
    parser: Annotated[ParserName, Field(exclude_if=lambda name: name == "dtomtrack")] = "dtomtrack"


class Answer(Record):
    """One answer: one line of ``answers.jsonl``.

    Attributes:
        dialogue_id: the item's cluster.
        rotation: by how many positions the options were rotated when they were shown.
        repeat: the number of the sample.
        reply: what the subject answered, whole; empty where the answer comes from a baseline.
        shown: the letters that were read from it, as the subject saw the options.
        answer: the same options' letters in the item.
        finish: why the reply ended; a filter's doing is an error, a refusal is unparsed.
        reason: for an error, what failed.
        probabilities: by letter as shown, where the server gave them; with mode "each" that of yes to each.
    """

    question_id: Text
    dialogue_id: Text
    rotation: Annotated[int, Field(ge=0, lt=MOST_OPTIONS)] = 0
    repeat: Count = 0
    reply: str = ""
    finish: Literal["stop", "length", "filter", "refusal"] = "stop"
    shown: Letters | None = None
    answer: Letters | None = None
    outcome: Outcome
    reason: str | None = None
    probabilities: dict[Letters, float] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.answer is None) != (self.outcome in {"unparsed", "error"}):
            raise ValueError("an answer that was read is right or wrong, one that was not is unparsed or an error")
        if self.answer is not None and list(self.answer) != sorted(set(self.answer)):
            raise ValueError(f"the letters of the answer {self.answer} have to stand in order, each once")
        return self


class Interval(Record):
    """An estimate with its 95 % interval; None where there is nothing to estimate from."""

    value: float | None
    low: float | None
    high: float | None


class Group(Record):
    """Accuracy over a group of answers, errors left out.

    Attributes:
        items: answers in the group, errors left out: correct + wrong + unparsed.
        dialogues: clusters that they are from.
        accuracy: correct / items, with an interval clustered by dialogue.
        unparsed: share of the items that could not be read (they count as not right).
        errors: answers that failed, which count nowhere else.
        chance: the mean, over the items, of what guessing gets.
        best_constant: what the best fixed answer gets: always the same position, or the same set of them.
    """

    name: str
    items: Count
    dialogues: Count
    correct: Count
    accuracy: Interval
    unparsed: Share
    errors: Count
    chance: Share = 0.25
    best_constant: Share | None = None


class CurveLine(Record):
    """A line of a curve: the groups that are its points, in order. ``name`` is empty where it is the only line."""

    name: str
    points: tuple[Group, ...]


class Curve(Record):
    """Accuracy along the groups of one grouping, with a line for each group of another.

    Attributes:
        along: the grouping whose groups are the points ("lag").
        by: the grouping whose groups are the lines ("revisions"); empty where there is one line.
    """

    name: Text
    along: Text
    by: str = ""
    lines: tuple[CurveLine, ...]


class Measure(Record):
    """A figure beside the accuracies: one of those that every suite has, or of a suite's own.

    Attributes:
        name: within metrics and tables ("gap").
        label: in words ("Recency gap").
        unit: "share" (0 to 1), or "difference" of two shares (-1 to 1).
        estimate: the figure.
        items: what it is taken over; ``dialogues``: clusters that they are from.
        over: what these items are, in words ("wrong answers"), where they are not all answers.
        count: how many of them count, where it is a share.
        reference: what to hold it against: chance, or what independent errors would give.
        reference_label: what the reference is, in words.
        p_value: of the estimate against the reference, or against 0 where there is none.
        parts: figures that it is made from, by name in words ("before": 0.28).
    """

    name: Text
    label: Text
    unit: Literal["share", "difference"] = "share"
    estimate: Interval
    items: Count
    over: str = ""
    dialogues: Count | None = None
    count: Count | None = None
    reference: Interval | None = None
    reference_label: str = ""
    p_value: float | None = None
    parts: dict[str, float | None] = Field(default_factory=dict)


class CalibrationBin(Record):
    """Answers of about the same confidence: how many there are, how sure they were, and how many were right."""

    low: Share
    high: Share
    items: Count
    confidence: float
    accuracy: float


class CalibrationFigures(Record):
    """How far a subject's probabilities are to be believed.

    Attributes:
        ece: expected calibration error, over bins of equal width (Guo et al., 2017).
        brier: mean over items of the squared distance between probabilities and gold, 0 to 2 (Brier, 1950).
    """

    items: Count
    ece: float
    brier: float
    bins: tuple[CalibrationBin, ...]


class Debiased(Record):
    """Figures with a subject's bias for letters taken out, as those of `Metrics` are named.

    Attributes:
        method: by the letters' probabilities, or by the rotations under which each item was asked.
    """

    method: DebiasMethod
    answers: Count
    micro: Group
    macro: Interval
    types: tuple[Group, ...] = ()
    further: tuple[Measure, ...] = ()


class Metrics(Record):
    """``metrics.json``: what the answers of one subject add up to.

    Attributes:
        suite: whose items they are.
        micro: over all answers. macro: the mean over question types, each alike.
        groups: by what is grouped ("type", ...), the groups.
        curves: accuracies along a grouping, those that the suite asks for and that there are groups for.
        further: the figures beside the accuracies.
        roles: by question type, how often options of each role were chosen.
        letters: how often each letter was chosen as shown, and how often it was right, of the answers that could be
            read.
        calibration: where there are probabilities.
        debiased: the figures without the bias for letters, where they are asked for.
        edited: files of the dataset that were edited since it was made.
        missing: answers that are still to come, where the evaluation was stopped.
    """

    suite: Text = "dtom"
    config: AskConfig
    edited: tuple[str, ...] = ()
    missing: Annotated[Count, Field(exclude_if=lambda count: not count)] = 0
    questions: Count
    answers: Count
    outcomes: dict[Outcome, int]
    micro: Group
    macro: Interval
    groups: dict[str, tuple[Group, ...]]
    curves: tuple[Curve, ...] = ()
    further: tuple[Measure, ...] = ()
    roles: dict[str, dict[str, int]] = Field(default_factory=dict)
    letters: dict[Letters, tuple[int, int]] = Field(default_factory=dict)
    calibration: CalibrationFigures | None = None
    debiased: Annotated[Debiased | None, Field(exclude_if=lambda found: found is None)] = None
    calls: Count = 0
    tokens: Count = 0
    cost: float = 0.0

    @property
    def macro_chance(self) -> float | None:
        """What guessing gets of the macro mean: the mean of the types' chances; None where no type has answers."""
        chances = [group.chance for group in self.groups.get("type", ()) if group.items]
        return round(fsum(chances) / len(chances), 6) if chances else None

    def measure(self, name: str) -> Measure | None:
        """The further figure of this name, if there is one."""
        return next((one for one in self.further if one.name == name), None)

    def curve(self, name: str) -> Curve | None:
        """The curve of this name, if there is one."""
        return next((one for one in self.curves if one.name == name), None)
