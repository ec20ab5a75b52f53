"""What `dtomtrack` offers is there, and what the examples show works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from commands import script

import dtomtrack

ELSEWHERE = {"learn_to_persuade"}
"""Tests of their own run these and read what they print."""
EXAMPLES = [one for one in sorted((Path(__file__).parents[2] / "examples").glob("*.py")) if one.stem not in ELSEWHERE]


def test_every_public_name_can_be_imported() -> None:
    assert dtomtrack.__all__ == sorted(dtomtrack.__all__)
    for name in dtomtrack.__all__:
        assert getattr(dtomtrack, name).__doc__


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        getattr(dtomtrack, "nothing")  # noqa: B009


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(example: Path, tmp_path: Path) -> None:
    done = script(example, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert list(tmp_path.iterdir()) == []


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3


def test_a_clone_in_which_nothing_is_installed_editably_has_all_packages(tmp_path: Path) -> None:
    """Python that starts at its root finds the folder before what is installed."""
    root = str(Path(__file__).parents[2])
    code = (
        "import sys; sys.meta_path = [one for one in sys.meta_path if 'editable' not in repr(one)];"
        f"sys.path.insert(0, {root!r}); import dtomtrack.graphs.roleplay, dtomtrack.scenarios.sampler as one;"
        "import dtomtrack.verifiers.review; print(one.__file__)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(root)
