"""The dataset folder as a run writes it, and as a run that was killed goes on in it.

What the slots bring is kept by a `SlotStore`: as JSON lines, or in parts as Parquet. Either records what is done in
``progress.jsonl``, so that whoever only stops needs nothing of this.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.records import Record
from dtomtrack.runs.files import refuse_dead_link, refuse_links, write_atomically
from dtomtrack.runs.folder import MANIFEST, PROGRESS, outputs
from dtomtrack.runs.line_store import LineStore
from dtomtrack.runs.locks import writing
from dtomtrack.runs.manifest import Counts, DataFormat, Manifest
from dtomtrack.runs.new_folder import new_folder
from dtomtrack.runs.part_store import PartStore
from dtomtrack.runs.parts import run_digest
from dtomtrack.runs.same_run import attempts_before, same_run
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.slot_store import SlotStore

__all__ = ["RunFolder"]


class RunFolder:
    """A folder that a run appends to; use it as a context manager.

    Attributes:
        previous: the manifest that the folder had, if it is not new.
        held: how many slots it had; more than are done where slots that stayed empty get more attempts.
        data_format: how its data files are written.
    """

    def __init__(
        self,
        path: Path,
        suite: str,
        config: Record,
        files: Sequence[str],
        version: str,
        records: Mapping[str, type[Record]] | None = None,
    ) -> None:
        """Open a folder, new or one that holds the same run.

        Args:
            files: names of the data files, as JSON lines.
            records: of their lines, where they are written as Parquet; None for JSON lines.

        Raises:
            DatasetError: the folder holds something else, is damaged, or another process writes it.
            WriteError: it can't be written.
        """
        self.path = path
        self.data_format: DataFormat = "jsonl" if records is None else "parquet"
        refuse_dead_link(path)
        refuse_links(outputs(path))
        there = partial(same_run, path, suite, config, files, version, self.data_format)
        # before anything is made; what counts is what is there once nobody else can write it
        there()
        self.held = 0
        self._exits = ExitStack()
        self._made: list[Path] = []
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._exits.enter_context(writing(path))
            self.previous = there()
            self._made = [path / name for name in (PROGRESS, *files) if not (path / name).exists()]
            self._attempts_before = attempts_before(self.previous, config) if self.previous else None
            if records is None:
                self._store: SlotStore = LineStore(path, files)
            else:
                run = run_digest(suite, version, config.model_dump(mode="json"))
                self._store = PartStore(path, {name: records[name] for name in files}, run)
            self._exits.callback(self._store.close)
            self._find_slots()
        except OSError as error:
            self._leave_untouched()
            raise WriteError(f"{path}: can't be written ({error.strerror}); choose another --out") from error
        except DatasetError:
            self._leave_untouched()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self._exits.close()
        else:
            self._leave_untouched()

    def append(self, slot: SlotLines) -> None:
        """Write the next slot.

        Raises:
            WriteError: the disk is full or the like; the slots that are saved are safe.
        """
        if slot.index != self.done:
            raise ValueError(f"slot {slot.index} can't be written before slot {self.done}")
        with self._writing("; try the same again"):
            self._store.append(slot)

    def flush(self) -> None:
        """Write the slots that wait for others to be written together with.

        Raises:
            WriteError: the disk is full or the like; the slots that are saved are safe.
        """
        with self._writing("; try the same again"):
            self._store.flush()

    @property
    def done(self) -> int:
        """How many slots are done; the next slot to write."""
        return self._store.done

    @property
    def counts(self) -> Counts:
        """Sums over the slots that are done."""
        return self._store.counts

    @property
    def saved(self) -> Counts:
        """Sums over the slots that a kill can't take."""
        return self._store.saved

    @property
    def gets_more_attempts(self) -> bool:
        """Whether its slots had fewer attempts until now."""
        return self._attempts_before is not None

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each data file, as far as it is saved."""
        return dict(self._store.digests)

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest, once the slots that it counts are on the disk."""
        with self._writing():
            self._store.sync()
        self.write_text(MANIFEST, manifest.model_dump_json(indent=2) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Replace a small file of the folder in one step."""
        with self._writing(place=self.path / name):
            write_atomically(self.path / name, text)

    def prepare(self) -> None:
        """Get ready to append: cut off what is behind the last slot that is done.

        That is what a killed run left; with more attempts, the first slot that stayed empty and all after it, of which
        a copy is kept. The manifest is the first to tell of fewer slots, so that none are missed after a kill.
        """
        if self.gets_more_attempts and self.held > self.done and not self._copy.exists():
            with new_folder(self._copy) as draft:
                for name in (*self._store.names, MANIFEST):
                    copy = shutil.copytree if (self.path / name).is_dir() else shutil.copyfile
                    copy(self.path / name, draft / name)
        self._made = []
        with self._writing():
            self._store.take_up()
        if self.previous is not None and self.previous.counts != self.saved:
            fewer = {"status": "running", "counts": self.saved, "files": self.digests, "finished": None}
            self.write_manifest(self.previous.model_copy(update=fewer))
        with self._writing():
            self._store.cut()

    def _leave_untouched(self) -> None:
        """Close it; files that were made only to be opened go again, if the run is refused before it gets ready."""
        for file in self._made:
            with suppress(OSError):
                if not file.stat().st_size:
                    file.unlink()
        self._exits.close()

    def _find_slots(self) -> None:
        found = self._store.read(to_first_empty=self.gets_more_attempts)
        counted = _slots_of(self.previous.counts) if self.previous else 0
        if counted > found and not self._copy.exists():
            raise DatasetError(
                f"{self.path / self._store.torn}: was edited, damaged or cut: of the {counted} slots that {MANIFEST} "
                f"tells of, only {found} are as they were written; put it back as it was or choose another --out"
            )
        self.held = max(found, counted)

    @property
    def _copy(self) -> Path:
        """The folder that gets a copy of what was made with fewer attempts."""
        return self.path / f"with-{self._attempts_before}-attempts"

    @contextmanager
    def _writing(self, advice: str = "", place: Path | None = None) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            safe = f"{_slots_of(self.saved)} slots are safe{advice}"
            raise WriteError(f"{place or self.path}: can't be written ({error.strerror}); {safe}") from error


def _slots_of(counts: Counts) -> int:
    return counts.dialogues + counts.unfilled
