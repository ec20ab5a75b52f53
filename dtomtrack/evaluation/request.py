"""The request for an evaluation: which dataset, with which subjects, and how they are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack, cast

from dtomtrack.errors import InputError
from dtomtrack.evaluation.answer_folder import EVALUATIONS, read_config
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.records import AskConfig
from dtomtrack.evaluation.subject import (
    AskOptions,
    AskSettings,
    NamedSubject,
    ask_settings,
    named_subject,
    subject_folder,
)
from dtomtrack.llm.options import ClientOptions, client_settings
from dtomtrack.llm.server_slots import following_slots
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import check_one_provider
from dtomtrack.options import check_options, path_of
from dtomtrack.runs.engines import Engine, choose_engine
from dtomtrack.runs.engines.local import LocalEngine
from dtomtrack.runs.files import refuse_dead_link
from dtomtrack.runs.folder import MANIFEST
from dtomtrack.runs.names import digested_folder_name, folder_of

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel

__all__ = ["EvaluateOptions", "EvaluateRequest", "request_evaluation"]

_CLIENT = ClientSettings()
_FOR_MODELS = ("base_url", "engine", "ray_address", "workers")


class EvaluateOptions(AskOptions, ClientOptions, total=False):
    """How an evaluation may be made: `AskOptions` and `ClientOptions`, and where the models are.

    Attributes:
        base_url: points providers that have a server elsewhere.
        out: the folder that answers and metrics go to, each subject's in one of its own; ``eval`` in the dataset's if
            not given.
        engine: who asks: "local" for this process, "processes" for others on this machine, "ray" for a Ray cluster; if
            not given, "ray" where there is a ``ray_address``, "processes" where ``workers`` is more than 1.
        ray_address: of the cluster, "auto" or "HOST:PORT"; if not given, what RAY_ADDRESS says, or this machine alone.
        workers: processes that ask; 1 if not given, with "processes" or "ray" a core each.
    """

    base_url: str
    out: str | PathLike[str] | None
    engine: Literal["local", "processes", "ray"]
    ray_address: str
    workers: int


@dataclass(frozen=True)
class EvaluateRequest:
    """Which dataset is to be evaluated, of which suite, with which subjects, how, and where their answers go.

    Attributes:
        out: the folder of the subjects' folders; None for that in the dataset's.
        engine: asks; None leaves it to how much there is to ask.
    """

    benchmark: Benchmark
    folder: Path
    subjects: tuple[NamedSubject, ...]
    asked: AskSettings = field(default_factory=AskSettings)
    client: ClientSettings = field(default_factory=ClientSettings)
    out: Path | None = None
    engine: Engine | None = field(default_factory=LocalEngine)

    @property
    def evaluations(self) -> Path:
        """The folder of the subjects' folders."""
        return self.folder / EVALUATIONS if self.out is None else self.out

    def place_of(self, config: AskConfig) -> Path:
        """The folder of a subject that is asked so.

        Raises:
            DatasetError: the configuration that is there is damaged.
        """
        usual = self.benchmark.conditions[0]
        return folder_of(
            config.subject,
            self.evaluations / subject_folder(config, usual),
            self.evaluations / subject_folder(config, usual, digested_folder_name),
            _owner,
        )


def request_evaluation(
    benchmark: Benchmark,
    folder: str | PathLike[str],
    subjects: str | ChatModel | Iterable[str | ChatModel],
    **options: Unpack[EvaluateOptions],
) -> EvaluateRequest:
    """A request from what a user gives.

    Raises:
        InputError: a subject can't be used as it is named, or an option is out of range.
    """
    check_options(options, EvaluateOptions)
    several = isinstance(subjects, Iterable) and not isinstance(subjects, str | bytes)
    given = list(cast("Iterable[str | ChatModel]", subjects if several else [subjects]))
    if not given:
        raise InputError("no model is given; name at least one")
    named = tuple(named_subject(one, benchmark, options.get("base_url")) for one in given)
    labels = Counter(subject.label for subject in named)
    twice = next((label for label, count in labels.items() if count > 1), None)
    if twice is not None:
        raise InputError(f"the model {twice} is given twice")
    check_one_provider([one.model for one in named], options.get("base_url"), "evaluate them one after the other")
    if options.get("debias") and all(one.model is None for one in named):
        # before what it needs is said, which baselines don't take either
        raise InputError(_idle(["debias"]))
    asked = ask_settings(cast("AskOptions", _among(AskOptions, options)), benchmark.conditions)
    client = following_slots(client_settings(options), [one.model for one in named])
    out = None if (place := options.get("out")) is None else path_of("out", place)
    engine = choose_engine(options.get("engine"), options.get("workers"), options.get("ray_address"))
    request = EvaluateRequest(benchmark, Path(folder), named, asked, client, out, engine)
    # a dataset that is a file is told as that when it is read
    if not request.folder.is_file():
        _refuse_file(request.evaluations)
        _refuse_dataset(request)
    _refuse_idle(request, [name for name in _FOR_MODELS if options.get(name) is not None])
    return request


def _owner(evaluation: Path) -> str | None:
    config = read_config(evaluation)
    return None if config is None else config.subject


def _refuse_file(out: Path) -> None:
    """Refuse a place for answers where no folder can be."""
    refuse_dead_link(out)
    there = next((one for one in (out, *out.parents) if one.exists()), None)
    if there is not None and not there.is_dir():
        raise InputError(f"{there}: is a file, so answers can't go to {out}; name a folder")


def _refuse_dataset(request: EvaluateRequest) -> None:
    """Refuse a dataset's own folder for answers: folders of subjects would lie among its files."""
    out = request.evaluations
    data = (out / MANIFEST).exists() and any((out / name).exists() for name in request.benchmark.files)
    if data or out.resolve() == request.folder.resolve():
        place = request.folder / EVALUATIONS
        raise InputError(f"{out}: is a dataset; leave --out out for {place}, or name a folder of its own")


def _refuse_idle(request: EvaluateRequest, given: Sequence[str]) -> None:
    """Refuse options on models where all subjects are baselines: they were meant otherwise.

    Args:
        given: of those that say where models are, and who asks them.
    """
    if any(subject.model is not None for subject in request.subjects):
        return
    usual = request.asked.of_baselines
    if request.asked.context == request.benchmark.conditions[0]:
        usual = replace(usual, context=request.asked.context)
    idle = list(given)
    idle += [one.name for one in fields(usual) if getattr(request.asked, one.name) != getattr(usual, one.name)]
    idle += [one.name for one in fields(_CLIENT) if getattr(request.client, one.name) != getattr(_CLIENT, one.name)]
    if idle:
        raise InputError(_idle(idle))


def _idle(names: Sequence[str]) -> str:
    named = ", ".join(name.replace("_", "-") for name in names)
    return f"{named}: baselines take no such option; leave it out, or name a model, too"


def _among(kind: type, options: EvaluateOptions) -> dict[str, object]:
    return {name: value for name, value in options.items() if name in kind.__annotations__}
