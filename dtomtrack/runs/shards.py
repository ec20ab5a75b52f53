"""The shards of a run, as the run knows them: which are open, where they are, and that nothing of them is lost."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints, ValidationError

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.files import LONGEST_RECORD, text_of
from dtomtrack.records import Record, first_problem
from dtomtrack.runs.files import write_atomically
from dtomtrack.runs.messages import ShardName
from dtomtrack.runs.workplace import Workplace

__all__ = ["SHARDS", "Shards", "refuse_open_shards"]

SHARDS = "shards.json"
"""The file in the folder of a run that says which shards are open; there while any is."""


class _OpenShards(Record):
    """What that file holds.

    Attributes:
        run: a name that no other run has.
        machines: by shard, where it is. Both become names of files, so they are looked at closely.
    """

    run: Annotated[str, StringConstraints(pattern="^[0-9a-f]{24}$")]
    machines: Mapping[Annotated[str, StringConstraints(pattern="^[0-9]{1,6}-[0-9a-f]{8}$")], str]


class Shards:
    """The shards of a run that may hold replies which the run does not have.

    Args:
        folder: of the run.

    Attributes:
        run: the name of the run at the nodes.
        machines: where each shard is, by name.
    """

    def __init__(self, folder: Path) -> None:
        """Read which are open.

        Raises:
            DatasetError: the file that says so is damaged.
        """
        self._path = folder / SHARDS
        before = _read(self._path)
        self.run = before.run if before else secrets.token_hex(12)
        self.machines = dict(before.machines) if before else {}

    def new_name(self, number: int) -> ShardName:
        """A name that no shard had before."""
        return ShardName(self.run, f"{number}-{secrets.token_hex(4)}")

    def opened(self, name: ShardName, machine: str) -> None:
        """A worker is going to store replies.

        Raises:
            WriteError: that can't be written down.
        """
        self.machines[name.name] = machine
        self._write()

    def merged(self, name: ShardName) -> None:
        """The run has all that there is of a shard.

        Raises:
            WriteError: that can't be written down.
        """
        machine = self.machines.pop(name.name, None)
        if machine is None:
            return
        try:
            self._write()
        except WriteError:
            self.machines[name.name] = machine
            raise

    def _write(self) -> None:
        try:
            if self.machines:
                write_atomically(self._path, _OpenShards(run=self.run, machines=self.machines).model_dump_json())
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            raise WriteError(f"{self._path}: can't be written ({error.strerror}); what is done is safe") from error


def refuse_open_shards(place: Workplace) -> None:
    """See that no replies of a run are still at the nodes of a cluster, where only the engine ray finds them.

    Raises:
        DatasetError: there may be.
    """
    if place.journal is None:
        return
    path = place.journal.parent / SHARDS
    if path.exists():
        raise DatasetError(
            f"{path}: replies of this run are still at the nodes of a Ray cluster; go on with --engine ray, or delete "
            "this file to pay for them again"
        )


def _read(path: Path) -> _OpenShards | None:
    try:
        return _OpenShards.model_validate_json(text_of(path, "list of shards", DatasetError, LONGEST_RECORD))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise DatasetError(
            f"{path}: {first_problem(error)}; put the file back, or delete it to pay again for replies that are only "
            "at the nodes of the cluster"
        ) from error
