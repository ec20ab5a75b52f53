"""What an earlier report left beside its page: figures of subjects that are no more would be taken for this page's."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from html import unescape
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.parts import run_digest

__all__ = ["beside_page", "dataset_mark", "refuse_foreign", "refuse_other_dataset", "remove_old"]

_BESIDE = re.compile(rb'<meta name="beside" content="([^"]*)">')
"""Where a page names the files that go with it."""
_ABOUT = re.compile(rb'<meta name="dataset" content="([0-9a-f]*)">')
"""Where it says which dataset it is about."""
_HEAD = 1 << 16
"""Bytes in which that stands."""
_PLAIN = re.compile(r"[\w-][\w.-]*\.(?:svg|png|csv|tex|md)")


def beside_page(page: Path) -> list[str]:
    """The names of the files that a page says go with it; none where there is no page.

    Raises:
        OSError: it can't be read.
    """
    if not page.is_file():
        return []
    found = _BESIDE.search(_head(page))
    names = unescape(found[1].decode("utf-8", "replace")).split() if found else []
    return [name for name in names if _PLAIN.fullmatch(name)]


def dataset_mark(manifest: Manifest) -> str:
    """What a dataset is told from others by, in a page that is handed on: a digest of how it was made."""
    return run_digest(manifest.suite, manifest.dtomtrack_version, manifest.config)[:16]


def refuse_other_dataset(page: Path, mark: str) -> None:
    """See that a report doesn't take the place of that on another dataset.

    Args:
        page: where the page is to be.
        mark: of the dataset that it is to be about.

    Raises:
        InputError: there is a page about another dataset.
    """
    try:
        found = _ABOUT.search(_head(page)) if page.is_file() else None
    except OSError:
        # whatever it is: it is told when the page is written
        return
    if found is not None and found[1].decode() != mark:
        raise InputError(f"{page}: is about another dataset; remove it, or choose another --out")


def refuse_foreign(page: Path, beside: Iterable[str]) -> None:
    """See that a report replaces nothing but an earlier report.

    Args:
        page: where the page is to be.
        beside: names of the files that are to go with it.

    Raises:
        InputError: a file of its name is no page of a report, or one beside it goes with none.
        OSError: the page can't be read.
    """
    head = _head(page) if page.exists() else b""
    # pages of earlier versions name nothing that goes with them
    names_files = _BESIDE.search(head) is not None
    if page.exists() and not names_files and b"dtomtrack" not in head.lower():
        raise InputError(f"{page}: is no report of dtomtrack; it stays as it is; choose another --out")
    if page.exists() and not names_files:
        return
    ours = beside_page(page)
    for file in (page.parent / name for name in beside if name not in ours):
        if file.exists() or file.is_symlink():
            raise InputError(f"{file}: goes with no report of dtomtrack; it stays as it is; choose another --out")


def _head(page: Path) -> bytes:
    with page.open("rb") as file:
        return file.read(_HEAD)


def remove_old(folder: Path, old: Iterable[str], *, kept: Container[str]) -> None:
    """Remove what went with an earlier page and not with the next; what no page named is somebody's.

    Args:
        old: names of the files that went with the earlier page.
        kept: names of those that go with the next one.

    Raises:
        OSError: one can't be removed.
    """
    for file in (folder / name for name in old if name not in kept):
        if file.is_file() and not file.is_symlink():
            file.unlink()
