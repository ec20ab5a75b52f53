"""Exporting a dataset to the form that another tool reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from dtomtrack.errors import InputError
from dtomtrack.evaluation.dataset import readable_dataset
from dtomtrack.export.exportable import Exportable, ExportSource
from dtomtrack.export.huggingface import write_huggingface
from dtomtrack.export.inspect_task import write_inspect
from dtomtrack.export.lm_eval_task import write_lm_eval
from dtomtrack.export.parquet import write_parquet_files
from dtomtrack.files import as_argument
from dtomtrack.runs.files import refuse_dead_link
from dtomtrack.runs.new_folder import new_folder
from dtomtrack.runs.parts import check_pyarrow

__all__ = ["FORMATS", "ExportFormat", "Exported", "write_export"]

ExportFormat = Literal["inspect", "lm-eval", "huggingface", "parquet"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)


@dataclass(frozen=True)
class _Form:
    """How an export is written, and used.

    Attributes:
        write: given the dataset, a draft folder to write to, and the folder that the draft will become.
        use: the command that uses it, with {out} for the folder and {name} for the task.
        parquet: whether it takes pyarrow.
    """

    write: Callable[[ExportSource, Path, Path], None]
    use: tuple[str, ...]
    parquet: bool = False


_FORMS: dict[ExportFormat, _Form] = {
    "inspect": _Form(
        write_inspect, ("inspect", "eval", "{out}/dtomtrack_task.py@dtomtrack", "--model", "PROVIDER/NAME")
    ),
    "lm-eval": _Form(
        write_lm_eval,
        ("lm_eval", "--model", "hf", "--model_args", "pretrained=NAME", "--tasks", "{name}", "--include_path", "{out}"),
    ),
    "huggingface": _Form(
        write_huggingface, ("hf", "upload", "--repo-type", "dataset", "OWNER/NAME", "{out}", "."), parquet=True
    ),
    "parquet": _Form(write_parquet_files, (), parquet=True),
}


@dataclass(frozen=True)
class Exported:
    """An export that is done.

    Attributes:
        use: the command that uses it, argument by argument; empty where any reader of the format will do.
    """

    path: Path
    use: tuple[str, ...]


def write_export(suite: Exportable, folder: Path, to: ExportFormat, out: Path | None = None) -> Exported:
    """Write a dataset in the form that another tool reads; the same dataset gives the same bytes.

    Args:
        suite: whose dataset it is.
        out: a new folder, or one that holds this very export; ``FOLDER/export/FORMAT`` if not given.

    Raises:
        InputError: there is no such format, or a package that it needs is missing.
        DatasetError: the folder is no finished dataset or is damaged, or ``out`` holds something else.
        WriteError: the export can't be written.
    """
    if not isinstance(to, str) or to not in _FORMS:
        raise InputError(f"there is no export to {to!r}; choose one of {', '.join(FORMATS)}")
    form, source = _FORMS[to], ExportSource(suite, folder)
    target = out if out is not None else source.folder / "export" / to
    if form.parquet:
        check_pyarrow(f"an export to {to}")
    refuse_dead_link(target)
    with readable_dataset(source.folder, suite), new_folder(target) as draft:
        form.write(source, draft, target.resolve())
    use = (part.replace("{name}", source.name).replace("{out}", as_argument(target)) for part in form.use)
    return Exported(target, tuple(use))
