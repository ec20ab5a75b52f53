"""Tools that read exports, started as their users start them, on this machine alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loopback import Loopback

from dtomtrack.export.exporting import Exported

__all__ = ["BIN", "as_lines", "inspect_eval", "inspect_log", "lines", "lm_eval", "loaded", "offline", "run_tool"]

BIN = Path(sys.executable).parent
_NOWHERE = "http://127.0.0.1:9"
"""A proxy that is not there: whoever tries to reach the network fails."""
_READ_LOG = """
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
(found,) = list_eval_logs(sys.argv[1])
log = read_eval_log(found)
(score,) = log.results.scores
print(json.dumps({
    "status": log.status,
    "metrics": {name: metric.value for name, metric in score.metrics.items()},
    "values": {sample.id: sample.scores[score.name].value for sample in log.samples},
    "answers": {sample.id: sample.scores[score.name].answer for sample in log.samples},
    "choices": {sample.id: sample.choices for sample in log.samples},
    "task": log.eval.task,
}))
"""
_LOAD = """
import json, sys
from datasets import load_dataset
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCard

folder = sys.argv[1]
card = DatasetCard.load(folder + "/README.md")
names = list(MetadataConfigs.from_dataset_card_data(card.data))
rows = {name: load_dataset(folder, name, split="test").to_list() for name in names}
default = load_dataset(folder, split="test")
print(json.dumps({
    "rows": rows,
    "default": default.num_rows,
    "configs": names,
    "tags": card.data.get("tags"),
}))
"""


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def offline(home: Path, **more: str) -> dict[str, str]:
    """The environment of a tool that may reach this machine alone."""
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), _NOWHERE)
    local = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    hub = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}
    return {**os.environ, **proxies, **local, **hub, "HF_HOME": str(home / "hf"), **more}


def run_tool(command: list[str], cwd: Path, environment: Mapping[str, str]) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run(
        command, cwd=cwd, env=dict(environment), capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def inspect_eval(exported: Exported, server: Loopback, home: Path) -> dict[str, Any]:
    """The log of the export's own command with a model that is this server."""
    key = {"LOOPBACK_API_KEY": "none", "LOOPBACK_BASE_URL": server.base_url}
    command = [*exported.use[:-1], "openai-api/loopback/model", "--display", "plain", "--log-dir", "logs"]
    run_tool([str(BIN / command[0]), *command[1:]], home, offline(home, **key))
    return inspect_log(home)


def inspect_log(home: Path) -> dict[str, Any]:
    """What the one log of a folder's ``logs`` says: scores, answers, and what was offered, by sample."""
    log: dict[str, Any] = json.loads(run_tool([sys.executable, "-c", _READ_LOG, "logs"], home, offline(home)))
    return log


def loaded(folder: Path, home: Path) -> dict[str, Any]:
    """A dataset folder as `datasets` loads it: rows by configuration, and what its card says."""
    found: dict[str, Any] = json.loads(run_tool([sys.executable, "-c", _LOAD, str(folder)], home, offline(home)))
    return found


def as_lines(loaded: Any, line: Any) -> Any:
    """What was loaded without the columns in which the line has nothing: a table has a column for each."""
    if isinstance(loaded, dict) and isinstance(line, dict):
        kept = {name for name, value in loaded.items() if value is not None or name in line}
        return {name: as_lines(value, line.get(name)) for name, value in loaded.items() if name in kept}
    if isinstance(loaded, list) and isinstance(line, list) and len(loaded) == len(line):
        return [as_lines(value, written) for value, written in zip(loaded, line, strict=True)]
    return loaded


def lm_eval(task: str, out: Path, home: Path, *model: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The harness's results by task, and its samples; its dummy model answers unless another is named."""
    command = [*(model or ("--model", "dummy")), "--tasks", task, "--include_path", str(out)]
    command += ["--log_samples", "--output_path", "results"]
    run_tool([str(BIN / "lm_eval"), *command], home, offline(home, OPENAI_API_KEY="none"))
    (results,) = (home / "results").rglob("results_*.json")
    samples = [sample for path in (home / "results").rglob("samples_*.jsonl") for sample in lines(path)]
    return json.loads(results.read_text(encoding="utf-8"))["results"], samples
