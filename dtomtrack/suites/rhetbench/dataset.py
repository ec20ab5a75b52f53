"""Episodes become a dataset: what was said, and questions to a spectator, with golds from the tracker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from dtomtrack.errors import WriteError
from dtomtrack.items.item import Item
from dtomtrack.runs.files import write_atomically
from dtomtrack.runs.folder import MANIFEST
from dtomtrack.runs.locks import writing
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.scenarios.persuasion_npc.briefing import briefing_of
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.items.records import CONTEXTS, FORMAT_VERSION, ITEMS
from dtomtrack.suites.items.writing import WrittenItems, write_items
from dtomtrack.suites.rhetbench.card import card
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.played import SUITE_NAME, PlayedSubject, played_subjects
from dtomtrack.suites.rhetbench.replies import stable_number
from dtomtrack.suites.rhetbench.spectator import Spectator
from dtomtrack.suites.rhetbench.tracked import TrackedEpisode
from dtomtrack.version import VERSION

__all__ = ["CARD", "item_name", "write_questions"]

CARD = "README.md"


def write_questions(out: Path, packs: Sequence[PersuasionPack], play: PlayConfig, command: str = "") -> Manifest:
    """Make a dataset of the folder of a run, from the episodes of all who have finished; nobody else does meanwhile.

    The same episodes give the same bytes, but for the manifest. Who is stopped while files are put in place leaves a
    dataset that is not finished; the same again makes it whole.

    Raises:
        DatasetError: an episode is damaged, or another run is making a dataset of the folder.
        WriteError: it can't be written.
    """
    try:
        with writing(out):
            return _written(out, packs, play, command)
    except OSError as error:
        raise WriteError(f"{error.filename or out}: can't be written ({error.strerror}); try the same again") from error


def _written(out: Path, packs: Sequence[PersuasionPack], play: PlayConfig, command: str) -> Manifest:
    subjects = [one for one in played_subjects(out) if one.finished]
    by_id = {pack.id: pack for pack in packs}

    def items() -> Iterator[Item]:
        told: set[int] = set()
        for subject in subjects:
            yield from _items(subject, by_id, play, told)

    with TemporaryDirectory(dir=out, prefix=".questions-") as draft:
        written = write_items(Path(draft), items)
        manifest = _manifest(subjects, play, written, command)
        # until all files are of the same episodes nobody reads them
        _write_manifest(out, manifest.model_copy(update={"status": "running", "finished": None}))
        for name in (CONTEXTS, ITEMS):
            (Path(draft) / name).replace(out / name)
    write_atomically(out / CARD, card(manifest))
    _write_manifest(out, manifest)
    return manifest


def item_name(subject: PlayedSubject, index: int) -> str:
    """The name of an episode in the ids of its questions."""
    return f"{subject.folder.name}-{index}"


def _items(
    subject: PlayedSubject, packs: Mapping[str, PersuasionPack], play: PlayConfig, told: set[int]
) -> Iterator[Item]:
    """Questions about the episodes of a subject; what was played word for word before is not asked about again.

    Nor is the same asked twice of two episodes that began word for word alike.
    """
    spectator = Spectator()
    for episode in subject.episodes():
        config = episode.config
        spoken = stable_number(config.seed, config.scenario, *(turn.message for turn in episode.turns))
        if spoken not in told:
            told.add(spoken)
            tracked = TrackedEpisode.of(episode, briefing_of(packs[config.scenario], play.cue))
            for item in spectator.items(tracked, item_name(subject, episode.index)):
                lines = () if item.context is None else item.context.lines
                asked = stable_number(config.seed, config.scenario, item.question, *lines)
                if asked not in told:
                    told.add(asked)
                    yield item


def _write_manifest(out: Path, manifest: Manifest) -> None:
    write_atomically(out / MANIFEST, manifest.model_dump_json(indent=2) + "\n")


def _manifest(subjects: Sequence[PlayedSubject], play: PlayConfig, written: WrittenItems, command: str) -> Manifest:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    episodes = sum(one.episodes_played for one in subjects)
    names = [one.subject for one in subjects]
    return Manifest(
        format_version=FORMAT_VERSION,
        dtomtrack_version=VERSION,
        suite=SUITE_NAME,
        status="complete",
        command=command,
        config={
            "subjects": list(names),
            "play": play.model_dump(mode="json"),
            "scenarios": dict(subjects[0].config.scenarios) if subjects else {},
        },
        n=episodes,
        counts=Counts(
            dialogues=written.contexts,
            questions=written.items,
            totals={"episodes": episodes, "clusters": len(written.clusters)},
            groups={name: dict(sorted(groups.items())) for name, groups in written.groups.items()},
        ),
        models={"character": "rules", "classifier": play.classifier, "gold": "tracker"},
        sessions=1,
        started=now,
        finished=now,
        seconds=0.0,
    )
