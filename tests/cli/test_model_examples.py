"""The examples with language models run, against a server that does what they ask for."""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from commands import script
from loopback import Loopback
from whole_company import do_all

EXAMPLES = Path(__file__).parents[2] / "examples" / "models"


def run(example: str, tmp_path: Path, *arguments: str) -> CompletedProcess[str]:
    return script(EXAMPLES / example, tmp_path, *arguments, env={**os.environ, "OPENAI_API_KEY": "sk-example"})


@pytest.mark.parametrize("example", ["openai_model.py", "vllm_model.py", "ollama_model.py"])
def test_an_example_with_a_server_makes_dialogues(example: str, tmp_path: Path) -> None:
    with Loopback(do_all) as server:
        done = run(example, tmp_path, server.base_url)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 dialogues, ")


def test_the_langchain_example_makes_dialogues(tmp_path: Path) -> None:
    with Loopback(do_all) as server:
        done = run("langchain_model.py", tmp_path, "openai:some-model", server.base_url)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 dialogues, ")


def test_the_gguf_example_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    (tmp_path / "text.gguf").write_text("no model")
    done = run("gguf_model.py", tmp_path, "text.gguf")
    assert done.returncode == 1
    assert "text.gguf" in done.stderr.strip().split("\n")[-1]


def test_every_example_is_run_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == {
        "gguf_model.py",
        "langchain_model.py",
        "ollama_model.py",
        "openai_model.py",
        "vllm_model.py",
    }
