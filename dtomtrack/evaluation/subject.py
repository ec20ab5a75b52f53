"""Subjects: who answers items; a language model, a baseline, a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypedDict, cast, get_args

from dtomtrack.errors import InputError
from dtomtrack.evaluation.benchmark import Benchmark, Rule, RuleMaker
from dtomtrack.evaluation.examples import MOST_SHOTS
from dtomtrack.evaluation.records import Answer, AnswerMode, AskConfig, PromptStyle, Template
from dtomtrack.evaluation.rules import COMMON_RULES, PREFIX
from dtomtrack.evaluation.templates import read_template
from dtomtrack.items.letters import MOST_OPTIONS, letters_of
from dtomtrack.items.presented import PresentedItem
from dtomtrack.llm.prompts import Prompt
from dtomtrack.options import MOST, check_range, did_you_mean
from dtomtrack.records import LARGEST_SEED
from dtomtrack.runs.names import folder_name

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel
    from dtomtrack.llm.options import AnyModel

__all__ = [
    "AskOptions",
    "AskSettings",
    "NamedSubject",
    "RuleSubject",
    "Subject",
    "ask_settings",
    "named_subject",
    "rules_of",
    "subject_folder",
]

_TOKENS: dict[PromptStyle, int] = {"zero-shot": 512, "cot": 2048}
"""Tokens of a reply, where nobody says otherwise."""
_DEFAULTS = AskConfig(subject="-", questions="-")
_RANGES: Mapping[str, tuple[float, float]] = {
    "permutations": (1, MOST_OPTIONS),
    "repeats": (1, 1000),
    "seed": (0, LARGEST_SEED),
    "temperature": (0.0, 2.0),
    "max_tokens": (1, 10**6),
    "limit": (1, MOST),
    "shots": (0, MOST_SHOTS),
    "sample": (1, MOST),
}
"""The least and the most that an option can be."""


class Subject(Protocol):
    """Who answers items."""

    async def answer(self, shown: PresentedItem) -> Answer:
        """The answer to an item as it is shown.

        Raises:
            ModelError: no answer can be had, now or ever.
        """
        ...


class RuleSubject:
    """A baseline."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    async def answer(self, shown: PresentedItem) -> Answer:
        """The rule's answer; it always has one."""
        chosen = self._rule(shown)
        return Answer(
            question_id=shown.item.id,
            dialogue_id=shown.item.cluster,
            rotation=shown.rotation,
            repeat=shown.repeat,
            shown="".join(sorted(shown.seen(chosen))),
            answer=letters_of(chosen),
            outcome="correct" if chosen == shown.item.gold else "wrong",
        )


def rules_of(benchmark: Benchmark) -> Mapping[str, RuleMaker]:
    """The baselines for a suite's items: the common ones and its own."""
    return {**COMMON_RULES, **benchmark.rules}


class _Plain(TypedDict, total=False):
    """The options that settings take as they are."""

    prompt: PromptStyle
    context: str
    mode: AnswerMode
    permutations: int
    repeats: int
    seed: int
    temperature: float
    max_tokens: int
    limit: int
    sample: int
    tell_size: bool
    shots: int
    debias: bool


class AskOptions(_Plain, total=False):
    """How subjects may be asked.

    Attributes:
        prompt: "zero-shot" for the letter at once, "cot" for reasoning first; "zero-shot" if not given.
        context: what is seen beside the question, one of the suite's conditions; the usual one if not given.
        mode: how the answer is given: "text", "json", the letters' "logprobs", or "each" for a call an option, which is
            right where yes is likelier than no; "text" if not given.
        permutations: with how many rotations of its options each item is asked, at most as many as it has; 1 if not
            given.
        repeats: how often each is sampled; 1 if not given.
        seed: of sampling; 0 if not given. temperature: 0 if not given.
        max_tokens: of a reply; 512 if not given, for "cot" 2,048.
        limit: only the items of the first so many dialogues.
        sample: only those of so many dialogues that are drawn by the seed; a larger draw holds a smaller one.
        types: only items of these types.
        tell_size: where several options may be right, say how many are; False if not given.
        shots: examples with their answers, from other dialogues, that are shown before each item; 0 if not given.
        template: a file with a prompt of your own, with {context}, {question} and {options}.
        debias: also figures with the bias for letters taken out, by the letters' probabilities (mode "logprobs") or by
            rotations (permutations); False if not given.
    """

    types: str | Sequence[str]
    template: str | PathLike[str]


@dataclass(frozen=True)
class AskSettings:
    """How subjects are asked; for baselines only the permutations count, and which items are asked."""

    prompt: PromptStyle = "zero-shot"
    context: str | None = None
    mode: AnswerMode = "text"
    permutations: int = 1
    repeats: int = 1
    seed: int = 0
    temperature: float = 0.0
    max_tokens: int | None = None
    limit: int | None = None
    sample: int | None = None
    types: Sequence[str] = ()
    tell_size: bool = False
    shots: int = 0
    template: Template | None = None
    debias: bool = False

    @property
    def of_baselines(self) -> AskSettings:
        """The part of them that baselines take; they are sampled by no seed, dialogues are."""
        return AskSettings(
            permutations=self.permutations,
            limit=self.limit,
            sample=self.sample,
            types=self.types,
            seed=0 if self.sample is None else self.seed,
        )


@dataclass(frozen=True)
class NamedSubject:
    """A subject by name.

    Attributes:
        model: None for a baseline.
        address: of the model's server, where it has one.
    """

    label: str
    model: AnyModel | None = None
    address: str | None = None

    def config(self, asked: AskSettings, questions: str, conditions: tuple[str, ...]) -> AskConfig:
        """Everything that decides the answers.

        Args:
            questions: SHA-256 of the question file.
            conditions: the suite's, the usual one first.
        """
        drawn = {} if asked.sample is None else {"limit": asked.sample, "sample_seed": asked.seed}
        given = asked if self.model is not None else replace(asked.of_baselines, seed=0)
        settings = {
            **{name: value for name, value in vars(given).items() if name != "sample"},
            "max_tokens": given.max_tokens or _TOKENS[given.prompt],
            "context": given.context or conditions[0],
            **drawn,
        }
        return AskConfig(subject=self.label, address=self.address, questions=questions, **settings)


def named_subject(named: str | ChatModel, benchmark: Benchmark, base_url: str | None = None) -> NamedSubject:
    """A subject by name, or the caller's own model.

    Raises:
        ModelSpecError: there is none of this name.
        InputError: it names no subject.
    """
    if not isinstance(named, str):
        # imported late: names of baselines don't need it
        from dtomtrack.llm.own_model import check_own_model

        check_own_model(named)
        return NamedSubject(named.name, named)
    if named.startswith(PREFIX):
        known = rules_of(benchmark)
        if (rule := named.removeprefix(PREFIX)) not in known:
            raise InputError(f"model {named!r}: there is no such baseline; {did_you_mean(rule, list(known))}")
        return NamedSubject(named)
    # imported late: baselines don't need it
    from dtomtrack.llm.options import named_model
    from dtomtrack.llm.spec import PROVIDERS, ModelSpec

    if named.partition("/")[0] not in PROVIDERS:
        raise InputError(
            f"model {named!r}: write PROVIDER/NAME, with one of {', '.join(PROVIDERS)}, or {PREFIX}NAME, with one of "
            f"{', '.join(rules_of(benchmark))}"
        )
    model = named_model(named, base_url)
    if not isinstance(model, ModelSpec):
        raise InputError(f"model {named!r}: answers no questions; name a model as PROVIDER/NAME, or baseline/NAME")
    return NamedSubject(model.label, model, model.base_url)


def ask_settings(options: AskOptions, conditions: tuple[str, ...]) -> AskSettings:
    """How subjects are asked, checked.

    Raises:
        InputError: an option is out of range, or two don't go together.
    """
    choices = {"prompt": get_args(PromptStyle), "context": conditions, "mode": get_args(AnswerMode)}
    for name, allowed in choices.items():
        value = options.get(name, allowed[0])
        if value not in allowed:
            raise InputError(f"{name} is {value!r}; it has to be one of {', '.join(allowed)}")
    for name, (least, most) in _RANGES.items():
        number = options.get(name)
        if isinstance(number, int | float):
            check_range(name.replace("_", "-"), number, least, most)
    _check_together(options)
    types = options.get("types", ())
    chosen = tuple(dict.fromkeys((types,) if isinstance(types, str) else types))
    template = options.get("template")
    read = None if template is None else read_template(Path(template), options.get("mode", "text"))
    if read is not None and options.get("tell_size") and "how_many" not in Prompt(read.text).placeholders:
        raise InputError(f"{template}: has no {{how_many}}, where tell-size would say how many are right; put it in")
    plain = {name: value for name, value in options.items() if name not in {"types", "template"}}
    return AskSettings(**cast("_Plain", plain), types=chosen, template=read)


def _check_together(options: AskOptions) -> None:
    mode = options.get("mode")
    if options.get("limit") is not None and options.get("sample") is not None:
        raise InputError("limit takes the first dialogues, sample draws some: choose one")
    if options.get("debias") and mode != "logprobs" and options.get("permutations", 1) < 2:
        raise InputError(
            "debias needs the letters' probabilities (mode logprobs), or options that are rotated (permutations 4, say)"
        )
    if options.get("prompt") == "cot" and mode in {"logprobs", "each"}:
        raise InputError(f"prompt cot asks for reasoning, mode {mode} for a letter and nothing else: choose one")
    if options.get("prompt") == "cot" and options.get("shots"):
        raise InputError("prompt cot asks for reasoning, and examples have answers alone: leave --shots or cot out")
    if options.get("tell_size") and mode == "each":
        raise InputError("mode each asks about every option alone, and tell-size says how many are right: choose one")


def subject_folder(config: AskConfig, usual: str, named: Callable[[str], str] = folder_name) -> str:
    """The name of the folder of an evaluation: the subject's, and what is asked otherwise than by default.

    Args:
        usual: the suite's usual condition.
        named: makes the subject a name of a folder.
    """
    parts = [named(config.subject)]
    parts += [config.prompt] if config.prompt != _DEFAULTS.prompt else []
    parts += [config.context] if config.context != usual else []
    parts += [config.mode] if config.mode != _DEFAULTS.mode else []
    parts += ["told-size"] if config.tell_size else []
    parts += [f"shots{config.shots}"] if config.shots else []
    parts += [config.template.name] if config.template is not None else []
    parts += [folder_name("+".join(config.types))] if config.types else []
    parts += [f"sample{config.sample_seed or ''}"] if config.sample_seed is not None else []
    counted = {"x": config.permutations, "repeats": config.repeats}
    parts += [f"{name}{count}" for name, count in counted.items() if count > 1]
    parts += [f"seed{config.seed}"] if config.seed != _DEFAULTS.seed else []
    parts += [f"t{config.temperature:g}"] if config.temperature != _DEFAULTS.temperature else []
    parts += [f"max{config.max_tokens}"] if config.max_tokens != _TOKENS[config.prompt] else []
    return ".".join(parts)
