"""How models are named, where they are, and where their keys come from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.errors import ModelSpecError
from dtomtrack.llm.spec import PROVIDERS, Dialect, Secret, key_of, parse_spec


@pytest.mark.parametrize(
    ("text", "provider", "name", "base_url"),
    [
        ("openai/gpt-4o-mini", "openai", "gpt-4o-mini", "https://api.openai.com/v1"),
        ("openrouter/meta-llama/llama-3-8b", "openrouter", "meta-llama/llama-3-8b", "https://openrouter.ai/api/v1"),
        (" ollama/llama3:8b ", "ollama", "llama3:8b", "http://localhost:11434/v1"),
        ("vllm/Qwen/Qwen2.5-7B", "vllm", "Qwen/Qwen2.5-7B", "http://localhost:8000/v1"),
        ("llamacpp/any", "llamacpp", "any", "http://localhost:8080/v1"),
        ("gguf//models/a b.gguf", "gguf", "/models/a b.gguf", None),
        ("langchain/openai:gpt-4o", "langchain", "openai:gpt-4o", None),
    ],
)
def test_a_model_is_its_provider_and_its_name(text: str, provider: str, name: str, base_url: str | None) -> None:
    spec = parse_spec(text)
    assert (spec.provider, spec.name, spec.base_url) == (provider, name, base_url)
    assert spec.label == text.strip()


@pytest.mark.parametrize("text", ["", "openai", "openai/", "/gpt", "OpenAI/gpt", "azure/gpt", "../x", "own/x"])
def test_what_names_no_model_is_told_with_what_does(text: str) -> None:
    with pytest.raises(ModelSpecError, match=r"write PROVIDER/NAME, with one of openai/\.\.\., ") as caught:
        parse_spec(text)
    assert all(f"{provider}/..." in str(caught.value) for provider in PROVIDERS)


def test_an_address_points_a_provider_elsewhere() -> None:
    spec = parse_spec("openai/x", "http://127.0.0.1:9/v1/")
    assert spec.base_url == "http://127.0.0.1:9/v1"
    assert spec.dialect is Dialect.COMPATIBLE
    assert parse_spec("openai/x").dialect is Dialect.OPENAI
    assert parse_spec("vllm/x", "https://gpu.example/v1").dialect is Dialect.VLLM
    assert parse_spec("gguf/x.gguf", "http://127.0.0.1:9/v1").base_url is None


@given(st.text(max_size=30))
def test_no_text_is_a_crash(text: str) -> None:
    for spec, address in ((text, None), (f"openai/{text}", None), ("openai/x", text), ("openai/x", f"http://{text}")):
        try:
            parsed = parse_spec(spec, address)
        except ModelSpecError as error:
            assert "\n" not in str(error)
        else:
            assert parsed.base_url is None or parsed.base_url.startswith(("http://", "https://"))


def test_the_key_is_the_providers_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " sk-1\n")
    monkeypatch.setenv("VLLM_API_KEY", "sk-2")
    monkeypatch.delenv("OLLAMA_API_KEY", raising=False)
    keys = {name: key_of(parse_spec(f"{name}/x")) for name in ("openai", "vllm", "ollama", "gguf")}
    assert {name: key and key.reveal() for name, key in keys.items()} == {
        "openai": "sk-1",
        "vllm": "sk-2",
        "ollama": None,
        "gguf": None,
    }


@pytest.mark.parametrize(("provider", "name"), [("openai", "OPENAI_API_KEY"), ("openrouter", "OPENROUTER_API_KEY")])
def test_a_key_that_is_missing_is_named(provider: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "  ")
    with pytest.raises(ModelSpecError, match=f"{provider}/x needs a key: set the environment variable {name}"):
        key_of(parse_spec(f"{provider}/x"))
    assert key_of(parse_spec(f"{provider}/x", "http://127.0.0.1:9/v1")) is None


def test_a_secret_shows_itself_to_nobody_who_does_not_ask() -> None:
    secret = Secret("sk-123")
    assert "sk-123" not in f"{secret} {secret!r} {[secret]} {str(secret)!r}"
    assert secret.hide_in("no sk-123, not sk-123") == "no ***, not ***"
