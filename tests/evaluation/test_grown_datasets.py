"""A dataset that grows after it was evaluated."""

from __future__ import annotations

from pathlib import Path

import pytest
from loopback import Loopback, completion

from dtomtrack import evaluate, generate
from dtomtrack.errors import DatasetError


def test_what_the_error_says_asks_for_new_replies_alone(tmp_path: Path) -> None:
    data, evaluation = tmp_path / "data", tmp_path / "data" / "eval" / "vllm_x"
    generate("restaurant", n=2, out=data)
    with Loopback(lambda request: completion("A")) as server:

        def ask() -> int:
            return evaluate(data, "vllm/x", base_url=server.base_url)[0].answers

        before = ask()
        generate("restaurant", n=3, out=data)
        with pytest.raises(DatasetError, match=r"Move config\.json, answers\.jsonl and metrics\.json out of there"):
            ask()
        for name in ("config.json", "answers.jsonl", "metrics.json"):
            (evaluation / name).rename(tmp_path / name)
        after = ask()
        assert before < after == server.count
