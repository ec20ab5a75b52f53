"""The notebook runs from its first cell to its last, and prints what is stored in it."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first_hour.ipynb"


def test_the_notebook_prints_what_is_stored(tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    stored = texts(notebook)
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert any(stored)
    assert texts(notebook) == stored
    assert any("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """All that each cell prints, in order; a kernel sends it in as many pieces as it likes."""
    return ["".join(map(printed, cell.get("outputs", []))) for cell in notebook.cells]


def printed(output: nbformat.NotebookNode) -> str:
    stdout = output.output_type == "stream" and output.name == "stdout"
    return str(output.text) if stdout else ""
