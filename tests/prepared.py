"""What a process has done before commands are forked from it: what each of them would do again, and the same for all.

It has imported what commands import late, and compiled the pack that most of them play. All of that stands outside
garbage collection, which would write to every page of it and so copy it into each command.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import commands  # noqa: F401 - what is forked begins there

import dtomtrack
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import find_pack, load_pack

_LATE = (
    "aiohttp",
    "filelock",
    "jinja2",
    "langchain_core.tracers.stdout",
    "matplotlib.backends.backend_agg",
    "matplotlib.figure",
    "sklearn.feature_extraction.text",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "dtomtrack.api",
    "dtomtrack.graphs.persuading",
    "dtomtrack.graphs.recommending",
    "dtomtrack.scenarios.acting.model_actor",
    "dtomtrack.verifiers.judging.families",
)
_PACKAGES = ("audit", "cli", "evaluation", "export", "llm", "report", "suites")
"""Those of which everything is imported."""
_FOR_OTHERS = frozenset({"environment", "inspect_task", "inspect_tasks"})
"""Modules for programs that are no commands of ours, and take long to import."""


def _late_modules() -> Iterator[str]:
    home = Path(dtomtrack.__file__).parent
    for path in sorted(path for folder in _PACKAGES for path in (home / folder).rglob("*.py")):
        if path.stem not in _FOR_OTHERS:
            yield ".".join(("dtomtrack", *path.relative_to(home).with_suffix("").parts)).removesuffix(".__init__")


for _name in (*_LATE, *_late_modules()):
    # an extra may be missing
    with suppress(ImportError):
        import_module(_name)
Domain(load_pack(find_pack("restaurant"))).reader(("", ""))
gc.collect()
gc.freeze()
