"""What an earlier report left beside its page: figures of subjects that are no more would be taken for this page's."""

from __future__ import annotations

import re
from collections.abc import Container
from html import unescape
from pathlib import Path

__all__ = ["remove_old"]

_BESIDE = re.compile(rb'<meta name="beside" content="([^"]*)">')
"""Where a page names the files that go with it."""
_HEAD = 1 << 16
"""Bytes in which that stands."""
_PLAIN = re.compile(r"[\w-][\w.-]*\.(?:svg|png|csv|tex|md)")


def remove_old(page: Path, kept: Container[str]) -> None:
    """Remove what goes with an earlier page and not with the next; what the page doesn't name is somebody's.

    Args:
        kept: names of the files that go with the next one.

    Raises:
        OSError: one can't be removed.
    """
    for name in filter(_PLAIN.fullmatch, _beside(page)):
        file = page.with_name(name)
        if name not in kept and file.is_file() and not file.is_symlink():
            file.unlink()


def _beside(page: Path) -> list[str]:
    """The names of the files that go with a page; none where there is no page."""
    if not page.is_file():
        return []
    with page.open("rb") as file:
        found = _BESIDE.search(file.read(_HEAD))
    return unescape(found[1].decode("utf-8", "replace")).split() if found else []
