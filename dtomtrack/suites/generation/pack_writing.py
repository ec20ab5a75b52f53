"""A pack that a language model writes from a brief, as a file to read and change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import yaml

from dtomtrack.errors import InputError, ReplyError, WriteError
from dtomtrack.llm.chat import ChatModel
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.journal import Journal
from dtomtrack.llm.options import AnyModel
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.records import Record
from dtomtrack.scenarios.persuasion.pack_writer import write_goal
from dtomtrack.scenarios.recommendation.pack_writer import write_catalogue

__all__ = ["check_order", "save_pack", "written_pack"]

_WRITERS: Mapping[str, Callable[[ChatModel, str, str, int], Awaitable[Record]]] = {
    "persuasivetom": write_goal,
    "rectom": write_catalogue,
}


def check_order(file: Path, suite: str, brief: str) -> None:
    """See that a pack can be written.

    Raises:
        InputError: no packs of this suite are written, the file is there or its folder is not, or the brief is empty.
    """
    if suite not in _WRITERS:
        raise InputError(f"suite {suite!r}: packs are written for {' and '.join(_WRITERS)}")
    if not brief.strip():
        raise InputError("the brief is empty; say in a few words what the pack is to be about")
    if file.exists():
        raise InputError(f"{file}: is there already; choose another name")
    if not file.parent.is_dir():
        raise InputError(f"{file.parent}: is no folder; make it first")


async def written_pack(
    file: Path, suite: str, brief: str, model: AnyModel, settings: ClientSettings, seed: int = 0
) -> Record:
    """The pack of a suite, named as the file is to be; replies are kept beside that, and none is asked for twice.

    Raises:
        ReplyError: what the model writes can't be used.
        ModelError: no answer can be had; the same call goes on.
    """
    journal = Journal(file.with_name(f"{file.name}.journal.sqlite"), fresh=settings.fresh_journal)
    async with Clients(settings, journal) as clients:
        try:
            return await _WRITERS[suite](await clients.open(model), file.stem, brief, seed)
        except ReplyError as error:
            raise ReplyError(f"{error}; another --seed has another one written") from None


def save_pack(file: Path, pack: Record, model: str) -> None:
    """Write a pack, with who wrote it in the first line.

    Raises:
        WriteError: the file can't be written.
    """
    text = yaml.safe_dump(pack.model_dump(mode="json"), sort_keys=False, allow_unicode=True, width=120)
    try:
        file.write_text(f"# Written by {model}; nobody has checked it.\n{text}", encoding="utf-8", newline="\n")
    except OSError as error:
        raise WriteError(f"{file}: can't be written ({error.strerror}); choose another FILE") from error
