"""Finished evaluations, read back: their answers added up anew, so that no stored figure has to be believed."""

from __future__ import annotations

import json
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.answer_folder import ANSWERS, METRICS, read_config
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.metrics import Taken, metrics
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics
from dtomtrack.runs.lines import read_lines

__all__ = ["read_metrics", "taken_before"]


def read_metrics(benchmark: Benchmark, folder: Path, path: Path) -> Metrics | None:
    """The metrics of the evaluation in a folder, from its answers; None if it is not finished.

    Args:
        folder: of the dataset.
        path: of the evaluation.

    Raises:
        DatasetError: a file is damaged, or an answer does not go with its item.
        InputError: an extra is missing.
    """
    config = read_config(path)
    taken = None if config is None else taken_before(path / METRICS, config)
    if config is None or taken is None:
        return None
    return metrics(benchmark, config, benchmark.items(folder, config.limit), read_lines(path / ANSWERS, Answer), taken)


def taken_before(path: Path, config: AskConfig) -> Taken | None:
    """What the calls of an evaluation took, as its metrics tell; None if it has none, or some of another asking.

    Raises:
        DatasetError: the file is damaged.
    """
    try:
        told = json.loads(path.read_bytes())
        asked = AskConfig.model_validate(told["config"])
        taken = Taken(int(told["calls"]), int(told["tokens"]), float(told["cost"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{path}: is damaged, or from another version of dtomtrack; move it away") from error
    return taken if asked == config else None
