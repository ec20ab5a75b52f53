"""A model in this process: what can be wrong with its file, and that it keeps quiet and out of the way."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from llama_server import CONTEXT, THREADS, smollm

from dtomtrack.errors import ModelError, ModelSpecError
from dtomtrack.llm.chat import CallKey, ChatRequest, Message
from dtomtrack.llm.failures import TransientError
from dtomtrack.llm.gguf import GgufModel
from dtomtrack.llm.spec import ModelSpec

pytest_plugins = ["llama_models"]

STORY = ChatRequest(CallKey("slot 0", "test"), (Message("user", "Tell me a story."),), max_tokens=16)


def gguf(path: Path) -> ModelSpec:
    return ModelSpec("gguf", str(path))


def said_once(caught: pytest.ExceptionInfo[ModelSpecError], path: Path) -> bool:
    return str(caught.value).startswith(f"gguf/{path}") and "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    with pytest.raises(ModelSpecError, match="no such file") as caught:
        GgufModel(gguf(path))
    assert said_once(caught, path)


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelSpecError, match="can't be read") as caught:
        GgufModel(gguf(tmp_path))
    assert said_once(caught, tmp_path)


@pytest.mark.parametrize("content", [b"", b"GG", b"PK\x03\x04 weights", b"gguf but in words"])
def test_a_file_that_is_no_gguf(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelSpecError, match="no GGUF file") as caught:
        GgufModel(gguf(path))
    assert said_once(caught, path)


async def test_a_file_that_was_not_downloaded_whole(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    with smollm().open("rb") as whole:
        path.write_bytes(whole.read(3_000_000))
    with pytest.raises(ModelSpecError, match=r"llama\.cpp can't load it") as caught:
        async with GgufModel(gguf(path)):
            pass
    assert said_once(caught, path)


def test_a_missing_extra_names_the_line_that_mends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelSpecError, match=r"pip install 'dtomtrack\[local\]'"):
        GgufModel(gguf(smollm()))


async def test_it_is_named_by_its_path(gguf_model: GgufModel) -> None:
    assert gguf_model.name == f"gguf/{smollm()}"


async def test_the_event_loop_stays_free(gguf_model: GgufModel) -> None:
    turns = 0
    answer = asyncio.create_task(gguf_model.chat(STORY))
    while not answer.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert answer.result().text
    assert turns > 5


async def test_a_cancelled_call_leaves_the_model_usable(gguf_model: GgufModel) -> None:
    answers = [asyncio.create_task(gguf_model.chat(STORY)) for _ in range(4)]
    await answers[0]
    for answer in answers[1:]:
        answer.cancel()
    await asyncio.gather(*answers, return_exceptions=True)
    assert (await gguf_model.chat(STORY)).text == answers[0].result().text


async def test_a_prompt_that_no_file_can_hold_is_refused_for_good(gguf_model: GgufModel) -> None:
    with pytest.raises(ModelError) as caught:
        await gguf_model.chat(replace(STORY, messages=(Message("user", "half a \ud83d"),)))
    assert not isinstance(caught.value, TransientError)


async def test_llama_cpp_writes_nothing_to_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    async with GgufModel(gguf(smollm()), calls_at_once=1, context=CONTEXT, threads=THREADS) as model:
        await model.chat(STORY)
    assert capfd.readouterr() == ("", "")


async def test_a_closed_model_answers_nothing() -> None:
    async with GgufModel(gguf(smollm()), calls_at_once=1, context=CONTEXT, threads=THREADS) as model:
        pass
    with pytest.raises(RuntimeError):
        await model.chat(STORY)
