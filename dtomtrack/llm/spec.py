"""How models are named: ``provider/name``, with the address and the key that belong to a provider."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from dtomtrack.errors import ModelSpecError

__all__ = [
    "PROVIDERS",
    "Dialect",
    "ModelSpec",
    "Provider",
    "Secret",
    "check_one_provider",
    "is_plain_address",
    "key_of",
    "parse_spec",
]


class Dialect(StrEnum):
    """The variant of the OpenAI chat-completions API that a server speaks."""

    OPENAI = "openai"
    """JSON Schema, log-probabilities, ``max_completion_tokens``."""
    COMPATIBLE = "compatible"
    """JSON Schema, log-probabilities, ``max_tokens``."""
    VLLM = "vllm"
    """As COMPATIBLE, and goes on from a partial assistant message if told to."""
    LLAMA_CPP = "llama.cpp"
    """As COMPATIBLE, goes on from a partial assistant message, and takes grammars."""


@dataclass(frozen=True)
class Provider:
    """Where the models of a provider are.

    Attributes:
        base_url: None where there is no server.
        key_name: environment variable of the key, where there is one.
        free: whether calls cost no money.
    """

    dialect: Dialect
    base_url: str | None = None
    key_name: str | None = None
    needs_key: bool = False
    free: bool = False


PROVIDERS = {
    "openai": Provider(Dialect.OPENAI, "https://api.openai.com/v1", "OPENAI_API_KEY", needs_key=True),
    "openrouter": Provider(Dialect.COMPATIBLE, "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", needs_key=True),
    "vllm": Provider(Dialect.VLLM, "http://localhost:8000/v1", "VLLM_API_KEY", free=True),
    "ollama": Provider(Dialect.COMPATIBLE, "http://localhost:11434/v1", "OLLAMA_API_KEY", free=True),
    "llamacpp": Provider(Dialect.LLAMA_CPP, "http://localhost:8080/v1", "LLAMACPP_API_KEY", free=True),
    "gguf": Provider(Dialect.LLAMA_CPP, free=True),
    "langchain": Provider(Dialect.COMPATIBLE),
}


@dataclass(frozen=True)
class ModelSpec:
    """A model by name.

    Attributes:
        name: what the provider calls it; for ``gguf`` the path of a file.
        base_url: where its server is, without a slash at the end; None where there is no server.
    """

    provider: str
    name: str
    base_url: str | None = None

    @property
    def label(self) -> str:
        """The name that users give it."""
        return f"{self.provider}/{self.name}"

    @property
    def dialect(self) -> Dialect:
        """How its server is spoken to; an address of one's own need not know OpenAI's newest fields."""
        own = PROVIDERS[self.provider]
        moved = self.base_url != own.base_url
        return Dialect.COMPATIBLE if own.dialect is Dialect.OPENAI and moved else own.dialect


def parse_spec(text: str, base_url: str | None = None) -> ModelSpec:
    """A model from ``provider/name``.

    Args:
        base_url: points a provider that has a server elsewhere.

    Raises:
        ModelSpecError: no such provider, no name, or an address that is none.
    """
    provider, _, name = text.strip().partition("/")
    if provider not in PROVIDERS or not name:
        known = ", ".join(f"{one}/..." for one in PROVIDERS)
        raise ModelSpecError(f"model {text!r}: write PROVIDER/NAME, with one of {known}")
    address = base_url or PROVIDERS[provider].base_url
    if address is None or provider == "gguf":
        return ModelSpec(provider, name)
    return ModelSpec(provider, name, _checked_address(address))


def check_one_provider(models: Iterable[object], base_url: str | None, instead: str) -> None:
    """See that one address, and with it a key, is not meant for models of several providers.

    Args:
        models: those among them that go by name count.
        base_url: given for all of them.
        instead: what to do where it is, in words.

    Raises:
        ModelSpecError: it is.
    """
    own = {one.provider for one in models if isinstance(one, ModelSpec) and one.provider != "gguf"}
    if base_url and len(own) > 1:
        raise ModelSpecError(f"--base-url is one address for {' and '.join(sorted(own))}: {instead}")


def _checked_address(address: str) -> str:
    address = address.rstrip("/")
    if not is_plain_address(address):
        raise ModelSpecError("--base-url has to be an http or https address without a user or password or query in it")
    return address


def is_plain_address(address: str) -> bool:
    """Whether this is an http or https address that may be shown: without a user, a password or a query in it."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
        usable = usable and address.isprintable() and " " not in address
        (parts.hostname or "").encode("idna")
    except ValueError:
        return False
    return usable and not (parts.username or parts.password or parts.query or parts.fragment)


class Secret:
    """An API key that no ``repr``, log or message shows."""

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret('***')"

    def reveal(self) -> str:
        """The key itself."""
        return self._value

    def hide_in(self, text: str) -> str:
        """A text by others with the key taken out."""
        return text.replace(self._value, "***")


def key_of(spec: ModelSpec) -> Secret | None:
    """The key of a model's provider, from the environment alone; None where none is set and none is needed.

    Raises:
        ModelSpecError: the provider needs a key and there is none.
    """
    provider = PROVIDERS[spec.provider]
    key = (os.environ.get(provider.key_name) or "").strip() if provider.key_name else ""
    if key:
        if not key.isascii() or not key.isprintable():
            raise ModelSpecError(f"{provider.key_name} holds characters that no key has; set it again")
        return Secret(key)
    if provider.needs_key and spec.base_url == provider.base_url:
        raise ModelSpecError(f"{spec.label} needs a key: set the environment variable {provider.key_name}")
    return None
