"""Subjects: who answers the questions of a dataset, and how each of them is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict, get_args

from dtomtrack.beliefs.question import LETTERS
from dtomtrack.errors import InputError
from dtomtrack.evaluation.records import AnswerMode, AskConfig, Context, PromptStyle
from dtomtrack.llm.spec import ModelSpec, named_model
from dtomtrack.runs.folder import folder_name
from dtomtrack.suites.dtom.baselines import BASELINES, PREFIX

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel
    from dtomtrack.llm.spec import AnyModel

__all__ = ["AskOptions", "AskSettings", "Subject", "ask_settings", "named_subject", "subject_folder"]

_TOKENS: dict[PromptStyle, int] = {"zero-shot": 512, "cot": 2048}
"""Of a reply, where nobody says otherwise."""
_DEFAULTS = AskConfig(subject="-", questions="-")


class AskOptions(TypedDict, total=False):
    """How subjects may be asked.

    Attributes:
        prompt: "zero-shot" for the letter at once, "cot" for reasoning first; "zero-shot" if not given.
        context: what is seen beside the question; "utterances" if not given.
        mode: how the answer is given: "text", "json", or the letters' "logprobs"; "text" if not given.
        permutations: with how many rotations of its options each question is asked, 1 to 4; 1 if not given.
        seed: of sampling; 0 if not given. temperature: 0 if not given.
        max_tokens: of a reply; 512 if not given, for "cot" 2,048.
        limit: only the questions of the first so many dialogues.
    """

    prompt: PromptStyle
    context: Context
    mode: AnswerMode
    permutations: int
    seed: int
    temperature: float
    max_tokens: int
    limit: int


@dataclass(frozen=True)
class AskSettings:
    """How subjects are asked; of baselines only permutations and limit count."""

    prompt: PromptStyle = "zero-shot"
    context: Context = "utterances"
    mode: AnswerMode = "text"
    permutations: int = 1
    seed: int = 0
    temperature: float = 0.0
    max_tokens: int | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Subject:
    """Who answers.

    Attributes:
        model: None for a baseline.
        address: of the model's server, where it has one.
    """

    label: str
    model: AnyModel | None = None
    address: str | None = None

    def config(self, asked: AskSettings, questions: str) -> AskConfig:
        """Everything that decides the answers.

        Args:
            questions: SHA-256 of the question file.
        """
        if self.model is None:
            asked = AskSettings(permutations=asked.permutations, limit=asked.limit)
        given = replace(asked, max_tokens=asked.max_tokens or _TOKENS[asked.prompt])
        return AskConfig(subject=self.label, address=self.address, questions=questions, **vars(given))


def named_subject(named: str | ChatModel, base_url: str | None = None) -> Subject:
    """A subject by name, or the caller's own model.

    Raises:
        ModelSpecError: there is none of this name.
        InputError: it names no subject.
    """
    if not isinstance(named, str):
        return Subject(named.name, named)
    if named.startswith(PREFIX):
        if named.removeprefix(PREFIX) not in BASELINES:
            raise InputError(f"model {named!r}: there is no such baseline; there are {', '.join(BASELINES)}")
        return Subject(named)
    model = named_model(named, base_url)
    if not isinstance(model, ModelSpec):
        raise InputError(f"model {named!r}: answers no questions; name a model as PROVIDER/NAME, or baseline/NAME")
    return Subject(model.label, model, model.base_url)


def ask_settings(options: AskOptions) -> AskSettings:
    """How subjects are asked, checked.

    Raises:
        InputError: an option is out of range, or two don't go together.
    """
    for name, choices in {"prompt": PromptStyle, "context": Context, "mode": AnswerMode}.items():
        allowed = get_args(choices)
        value = options.get(name, allowed[0])
        if value not in allowed:
            raise InputError(f"{name} is {value!r}; it has to be one of {', '.join(allowed)}")
    ranges = {"permutations": (1, len(LETTERS)), "temperature": (0.0, 2.0), "max_tokens": (1, 10**6)}
    ranges["limit"] = (1, 10**9)
    for name, (least, most) in ranges.items():
        number = options.get(name)
        if isinstance(number, int | float) and not least <= number <= most:
            raise InputError(f"{name.replace('_', '-')} is {number}; it has to be from {least:g} to {most:g}")
    if options.get("prompt") == "cot" and options.get("mode") == "logprobs":
        raise InputError("prompt cot asks for reasoning, mode logprobs for a letter and nothing else: choose one")
    return AskSettings(**options)


def subject_folder(config: AskConfig) -> str:
    """The name of the folder of an evaluation: the subject's, and what is asked otherwise than by default."""
    parts = [folder_name(config.subject)]
    parts += [part for part in (config.prompt, config.context, config.mode) if part not in _default_parts()]
    if config.permutations != _DEFAULTS.permutations:
        parts.append(f"x{config.permutations}")
    if config.seed != _DEFAULTS.seed:
        parts.append(f"seed{config.seed}")
    if config.temperature != _DEFAULTS.temperature:
        parts.append(f"t{config.temperature:g}")
    if config.max_tokens != _TOKENS[config.prompt]:
        parts.append(f"max{config.max_tokens}")
    return ".".join(parts)


def _default_parts() -> tuple[str, ...]:
    return _DEFAULTS.prompt, _DEFAULTS.context, _DEFAULTS.mode
