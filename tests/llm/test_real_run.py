"""A dialogue and a verification by a real small model: every part is at work, whatever becomes of the prose."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from dtomtrack import agenerate
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.suites.dtom.verdict_line import VerdictLine
from dtomtrack.suites.dtom.verification import VerifyRequest, verify_folder

pytest_plugins = ["llama_models"]


async def test_a_real_model_plays_until_it_succeeds_or_is_told_why_not(llama_server: str, tmp_path: Path) -> None:
    """The style for models of its size; in others: benchmarks/small_model_yield.py."""
    manifest = await agenerate(
        "restaurant",
        n=1,
        out=tmp_path / "out",
        turns=6,
        max_attempts=1,
        actor_model="llamacpp/smollm2",
        base_url=llama_server,
        actor_style="two-call",
        turn_retries=0,
    )
    replies = (
        sqlite3.connect(tmp_path / "out" / "journal.sqlite").execute("select purpose, text from replies").fetchall()
    )
    assert manifest.calls == len(replies) > 0
    assert manifest.tokens > 0
    assert all(text for _, text in replies)
    rejected = list(read_lines(tmp_path / "out" / "rejected.jsonl", Rejection))
    assert manifest.counts.dialogues + manifest.counts.unfilled == 1
    if manifest.counts.unfilled:
        assert rejected[0].stage in {"role_play", "update_verification", "question_verification"}
        assert rejected[0].detail


async def test_a_real_model_verifies(llama_server: str, tmp_path: Path) -> None:
    one_question = Difficulty(turns=6, question_types=("update_detection",))
    await agenerate("restaurant", n=1, out=tmp_path / "out", difficulty=one_question)
    request = VerifyRequest(
        tmp_path / "out", parse_spec("llamacpp/smollm2", llama_server), ClientSettings(concurrency=2), limit=1
    )
    tally = await verify_folder(request)
    assert tally.path is not None
    lines = list(read_lines(tally.path, VerdictLine))
    assert [line.kind for line in lines[:2]] == ["dialogue", "question"]
    assert all(line.outcome != "error" for line in lines if line.criterion != "validation")
    assert any(line.grade is not None for line in lines)
    again = await verify_folder(request)
    assert again.usage.replayed == tally.usage.calls == again.usage.calls
    assert list(read_lines(tally.path, VerdictLine)) == lines
