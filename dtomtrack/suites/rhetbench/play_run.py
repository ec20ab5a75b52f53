"""A run: subjects play the episodes of a plan, each into a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.graphs.persuasion import Persuader
from dtomtrack.llm.clients import Clients, ClientSettings
from dtomtrack.llm.journal import JOURNAL, Journal
from dtomtrack.llm.spec import ModelSpec, parse_spec
from dtomtrack.runs.in_order import in_order
from dtomtrack.runs.lines import digest
from dtomtrack.runs.names import folder_name
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.episode import Episode, EpisodeConfig
from dtomtrack.suites.rhetbench.episode_folder import EpisodeFolder, PlayManifest
from dtomtrack.suites.rhetbench.exploits import ExploitPersuader, exploit_names
from dtomtrack.suites.rhetbench.metrics import PersuasionMetrics, measure
from dtomtrack.suites.rhetbench.model_persuader import ModelPersuader, Talking
from dtomtrack.suites.rhetbench.persuaders import ScriptedPersuader
from dtomtrack.suites.rhetbench.planning import PlayConfig, episode_config
from dtomtrack.suites.rhetbench.playing import play_episode
from dtomtrack.suites.rhetbench.policies import policy_names
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.version import VERSION

__all__ = ["HUMAN", "PlayRequest", "Seat", "run_play"]

HUMAN = "human"
_SCRIPTED: Mapping[str, Callable[[], list[str]]] = {"policy": policy_names, "exploit": exploit_names}
_DIGITS = 16

Seat = Callable[[int, PersuasionPack, EpisodeConfig], Persuader]
"""Gives the persuader of an episode."""


@dataclass(frozen=True)
class PlayRequest:
    """What is to be played.

    Attributes:
        subjects: policy/NAME, exploit/NAME, a language model, or human.
        human: who persuades where a person does.
    """

    out: Path
    subjects: tuple[str, ...]
    packs: Sequence[PersuasionPack]
    play: PlayConfig
    talking: Talking = field(default_factory=Talking)
    client: ClientSettings = field(default_factory=ClientSettings)
    base_url: str | None = None
    human: Persuader | None = None

    def check(self) -> None:
        """Make sure that all of it can be played, before anything is.

        Raises:
            InputError: it can't.
        """
        self.play.check()
        load_rules(self.play.rules)
        if not self.packs:
            raise InputError("no scenario is given; core is the 23 of the suite")
        twice = next((one for one in self.subjects if self.subjects.count(one) > 1), None)
        if twice is not None:
            raise InputError(f"{twice} is given twice")
        for one in self.subjects:
            self.spec(one)

    def spec(self, subject: str) -> ModelSpec | None:
        """The language model of this name; None for what is scripted, or a person.

        Raises:
            InputError: there is no such policy, or no such provider.
        """
        kind, _, name = subject.partition("/")
        if subject == HUMAN:
            return None
        if kind not in _SCRIPTED:
            return parse_spec(subject, self.base_url)
        known = _SCRIPTED[kind]()
        if name not in known:
            raise InputError(f"no {kind} {name[:80]!r}; there are {', '.join(known)}")
        return None

    def manifest(self, subject: str) -> PlayManifest:
        """What the folder of a subject says of its run."""
        return PlayManifest(
            version=VERSION,
            subject=subject,
            play=self.play,
            scenarios={pack.id: digest(pack)[:_DIGITS] for pack in self.packs},
            talking=None if self.spec(subject) is None else self.talking,
        )


async def run_play(
    request: PlayRequest, report: Callable[[str, int, int], None] | None = None
) -> tuple[PersuasionMetrics, ...]:
    """The metrics of each subject, one after another, going on where an earlier run of the same request stopped.

    Args:
        report: called with subject, episodes done and episodes wanted after each episode.

    Raises:
        InputError: something can't be played, or a folder holds another run.
        ModelError: a model gives no answer, or the budget is spent; the same call goes on.
    """
    # imported late, and before anything is asked: a missing extra must not be found out when all is paid for
    from dtomtrack.evaluation.statistics import check_packages

    check_packages()
    request.check()
    return tuple([await _play_subject(request, subject, report) for subject in request.subjects])


async def _play_subject(
    request: PlayRequest, subject: str, report: Callable[[str, int, int], None] | None
) -> PersuasionMetrics:
    wanted = len(request.packs) * request.play.samples
    with EpisodeFolder(request.out / folder_name(subject), request.manifest(subject)) as folder:
        async with aclosing(_episodes(request, subject, folder, wanted)) as episodes:
            async for episode in episodes:
                folder.append(episode)
                if report is not None:
                    report(subject, folder.done, wanted)
        metrics = measure(subject, folder.episodes())
        folder.finish(metrics)
    return metrics


async def _episodes(
    request: PlayRequest, subject: str, folder: EpisodeFolder, wanted: int
) -> AsyncGenerator[Episode, None]:
    """What is still to be played, in order."""
    left = range(folder.done, wanted)
    spec = request.spec(subject)
    if spec is None:
        at_once = 1 if subject == HUMAN else request.client.concurrency
        async with aclosing(_played(request, subject, _unasked(request, subject), left, at_once)) as played:
            async for episode in played:
                yield episode
        return
    async with Clients(request.client, Journal(folder.path / JOURNAL, first=left.start)) as clients:
        model = await clients.open(spec)

        def seat(index: int, pack: PersuasionPack, config: EpisodeConfig) -> Persuader:
            return ModelPersuader(model, request.talking, config.turns, (index, config.sample), request.play.seed)

        async with aclosing(_played(request, subject, seat, left, request.client.concurrency)) as played:
            async for episode in played:
                yield episode


def _unasked(request: PlayRequest, subject: str) -> Seat:
    def seat(index: int, pack: PersuasionPack, config: EpisodeConfig) -> Persuader:
        if subject == HUMAN:
            if request.human is None:
                raise InputError("nobody is there to persuade")
            return request.human
        kind, _, name = subject.partition("/")
        return ExploitPersuader(name, pack) if kind == "exploit" else ScriptedPersuader(name, pack, config)

    return seat


async def _played(
    request: PlayRequest, subject: str, seat: Seat, left: range, at_once: int
) -> AsyncGenerator[Episode, None]:
    async def one(index: int) -> Episode:
        pack, config = episode_config(request.play, request.packs, index)
        return await play_episode(seat(index, pack, config), subject, pack, config, index)

    async with aclosing(in_order(one, left, at_once)) as episodes:
        async for episode in episodes:
            yield episode
