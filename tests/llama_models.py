"""A real model for the tests: behind a llama.cpp server on loopback, and in this process.

A plugin of pytest: a module that wants these fixtures says ``pytest_plugins = ["llama_models"]``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from llama_server import CALLS_AT_ONCE, CONTEXT, THREADS, running_llama, smollm

from dtomtrack.llm.gguf import GgufModel
from dtomtrack.llm.openai_chat import OpenAIChat
from dtomtrack.llm.spec import ModelSpec


@pytest.fixture(scope="session")
def llama_server() -> Iterator[str]:
    """Base URL of a llama.cpp server with SmolLM2-135M-Instruct."""
    with running_llama() as base_url:
        yield base_url


@pytest_asyncio.fixture
async def server_model(llama_server: str) -> AsyncIterator[OpenAIChat]:
    """The model behind the server."""
    async with OpenAIChat(ModelSpec("llamacpp", "smollm2", llama_server)) as model:
        yield model


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def gguf_model() -> AsyncIterator[GgufModel]:
    """The same model in this process."""
    spec = ModelSpec("gguf", str(smollm()))
    async with GgufModel(spec, calls_at_once=CALLS_AT_ONCE, context=CONTEXT, threads=THREADS) as model:
        yield model
