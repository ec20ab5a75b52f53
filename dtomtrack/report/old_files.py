"""What an earlier report left beside its page: figures of subjects that are no more would be taken for this page's."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from html import unescape
from pathlib import Path

__all__ = ["beside_page", "is_foreign", "remove_old"]

_BESIDE = re.compile(rb'<meta name="beside" content="([^"]*)">')
"""Where a page names the files that go with it."""
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
    with page.open("rb") as file:
        found = _BESIDE.search(file.read(_HEAD))
    names = unescape(found[1].decode("utf-8", "replace")).split() if found else []
    return [name for name in names if _PLAIN.fullmatch(name)]


def is_foreign(page: Path) -> bool:
    """Whether a file of the page's name is somebody's, and no page of a report.

    Raises:
        OSError: it can't be read.
    """
    if not page.exists():
        return False
    with page.open("rb") as file:
        head = file.read(_HEAD)
    # pages of earlier versions name nothing that goes with them
    return _BESIDE.search(head) is None and b"dtomtrack" not in head.lower()


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
