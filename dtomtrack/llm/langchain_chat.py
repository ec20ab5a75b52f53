"""The transport: any chat model that LangChain has an integration for.

What only some of them can do (JSON Schema, log-probabilities, going on from a partial reply) is asked for in words.
Their exceptions differ from package to package: they are told apart by what they carry, and never get past.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pydantic import SecretStr, ValidationError

from dtomtrack.errors import ModelError, ModelSpecError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Message, Usage
from dtomtrack.llm.completions import from_body, in_words, schema_in_words
from dtomtrack.llm.failures import ContentFilterError, TransientError, failure, shown
from dtomtrack.llm.spec import ModelSpec, Secret
from dtomtrack.llm.waiting import Alarms, TimeLimit

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

__all__ = ["LangChainModel", "as_body"]

_LIMITS = ("max_tokens", "max_output_tokens", "num_predict", "max_new_tokens")
"""The names that integrations have for the most tokens of a reply."""
_SEEDS = ("seed", "random_seed")
_FINISHES = ("finish_reason", "stop_reason", "stopReason", "done_reason")
_FILTERED = frozenset(
    {
        *("safety", "prohibited_content", "blocklist", "recitation", "spii", "model_armor"),
        *("guardrail_intervened", "content_filtered", "error_toxic"),
    }
)
"""What Google's models, and those of Bedrock and Cohere, say of a reply that a filter kept back."""
_UNBLOCKED = frozenset({"", "0", "block_reason_unspecified"})
"""What Google says of a prompt that no filter kept back."""
_KEY = "the environment variable of its key"
_OWN_CLIENT = "http_async_client"
"""Field of the integrations that go through httpx and take a client of one's own."""
_NOBODY = frozenset({"ConnectionRefusedError", "ConnectError", "ClientConnectorError", "EndpointConnectionError"})


class LangChainModel:
    """A model of LangChain, named ``langchain/PROVIDER:MODEL``; use it as an async context manager.

    Its key comes from the environment variable that its integration reads.

    Args:
        timeout: seconds that one call may take.
    """

    def __init__(self, spec: ModelSpec, timeout: float = 300.0) -> None:
        """Find the integration.

        Raises:
            ModelSpecError: LangChain or the integration is not installed, there is no such provider, or no key.
        """
        self._spec = spec
        self._timeout = timeout
        self._late = Alarms(timeout)
        self._model = _found(spec)
        self._client: httpx.AsyncClient | None = getattr(self._model, _OWN_CLIENT, None)
        self._secrets = [Secret(value) for value in _secrets_of(self._model)]

    @property
    def name(self) -> str:
        """Provider and name."""
        return self._spec.label

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def chat(self, request: ChatRequest) -> ChatReply:
        """One request.

        Raises:
            TransientError: see `dtomtrack.llm.failures`.
            ModelError: another try won't help.
        """
        messages = [(message.role, message.content) for message in _all_in_words(request).messages]
        wrong: ModelError | None = None
        try:
            with TimeLimit(self._late):
                message = await _set(self._model, request).ainvoke(messages)
        except TimeoutError:
            wrong = TransientError(f"{self.name} gave no answer within {self._timeout:g} s")
        except Exception as error:
            # Every integration raises exceptions of its own, which share no base.
            wrong = self._failure(error)
        if isinstance(wrong, ContentFilterError):
            return ChatReply("", "filter", Usage(0, 0))
        if wrong is not None:
            # Raised here, where it drags no exception along that may show the key.
            raise wrong
        return from_body(as_body(message), request)

    def _failure(self, error: Exception) -> ModelError:
        said = str(error)
        for secret in self._secrets:
            said = secret.hide_in(said)
        status = _status(error)
        if status is not None:
            return failure(self.name, "its provider", _KEY, status, _headers(error), said)
        causes = _causes(error)
        if any("Timeout" in cause or "Connect" in cause or "Protocol" in cause for cause in causes):
            nobody = not _NOBODY.isdisjoint(causes)
            told = f"{self.name}: its provider can't be reached ({type(error).__name__})"
            return TransientError(told, nobody_there=nobody)
        if isinstance(error, (ValueError, TypeError, LookupError)):
            return TransientError(f"{self.name}: its provider's answer can't be read ({type(error).__name__})")
        return ModelError(f"{self.name}: {type(error).__name__} ({shown(said)})")


def _found(spec: ModelSpec) -> BaseChatModel:
    try:
        from langchain.chat_models import init_chat_model
    except ImportError:
        raise ModelSpecError(f"{spec.label} needs an extra: pip install 'dtomtrack[langchain]'") from None
    options: dict[str, Any] = {"cache": False}
    if spec.base_url is not None:
        options["base_url"] = spec.base_url
    wrong = None
    try:
        model: BaseChatModel = init_chat_model(spec.name, **options)
        more = _more_options(model)
        return init_chat_model(spec.name, **options, **more) if more else model
    except Exception as error:
        # As above: what a missing package, a wrong name or a missing key raises is each integration's own.
        wrong = ModelSpecError(f"{spec.label}: {_why_not(error)}")
    raise wrong


def _more_options(model: BaseChatModel) -> dict[str, Any]:
    """Parameters for those integrations alone that know them."""
    options: dict[str, Any] = {}
    fields = type(model).model_fields
    if "max_retries" in fields:
        options["max_retries"] = 0
    if _OWN_CLIENT in fields:
        import httpx

        # LangChain's own is shared by the whole process, and fails in its second event loop.
        options[_OWN_CLIENT] = httpx.AsyncClient(limits=httpx.Limits(max_connections=None))
    return options


def _why_not(error: Exception) -> str:
    if isinstance(error, ValidationError):
        # its text shows what it was given, keys among it
        said = "; ".join(one["msg"] for one in error.errors(include_url=False, include_input=False))
    elif isinstance(error, ValueError):
        said = "LangChain knows no such provider; write langchain/PROVIDER:MODEL, such as langchain/anthropic:NAME"
    else:
        said = str(error)
    return shown(said) or type(error).__name__


def _secrets_of(model: BaseChatModel) -> Iterator[str]:
    for field in type(model).model_fields:
        value = getattr(model, field, None)
        if isinstance(value, SecretStr) and value.get_secret_value():
            yield value.get_secret_value()


def _all_in_words(request: ChatRequest) -> ChatRequest:
    asked = in_words(request)
    if asked.schema is not None:
        asked = schema_in_words(asked)
    if asked.choices:
        *before, last = asked.messages
        letter = f"{last.content}\n\nAnswer with one of {', '.join(asked.choices)} and nothing else."
        asked = replace(asked, messages=(*before, Message(last.role, letter)))
    return asked


def _set(model: BaseChatModel, request: ChatRequest) -> BaseChatModel:
    """The model with a request's settings, as far as its integration knows them; connections are shared."""
    fields = type(model).model_fields
    wanted: list[tuple[tuple[str, ...], float | int | None]] = [
        (("temperature",), request.temperature),
        (("top_p",), request.top_p if request.top_p < 1.0 else None),
        (_LIMITS, request.max_tokens),
        (_SEEDS, request.seed),
    ]
    settings: dict[str, float | int] = {}
    for names, value in wanted:
        known = next((name for name in names if name in fields), None)
        if known is not None and value is not None:
            settings[known] = value
    return model.model_copy(update=settings)


def as_body(message: AIMessage) -> dict[str, Any]:
    """A message of LangChain as the body of a chat completion."""
    told = message.response_metadata
    finish = str(next((told[name] for name in _FINISHES if told.get(name)), "stop")).lower()
    filtered = finish in _FILTERED or _is_blocked(told.get("prompt_feedback"))
    usage = message.usage_metadata
    return {
        "choices": [
            {
                "message": {"content": str(message.text), "refusal": message.additional_kwargs.get("refusal")},
                "finish_reason": "content_filter" if filtered else finish,
            }
        ],
        "usage": usage and {"prompt_tokens": usage["input_tokens"], "completion_tokens": usage["output_tokens"]},
    }


def _is_blocked(feedback: object) -> bool:
    """Whether a filter kept a prompt back, by what Google says of it."""
    reason = feedback.get("block_reason") if isinstance(feedback, Mapping) else None
    return str(reason or "").lower() not in _UNBLOCKED


def _status(error: Exception) -> int | None:
    """The HTTP status that an exception carries: in itself (OpenAI, Google), or in its answer (httpx, botocore)."""
    response = getattr(error, "response", None)
    of_botocore = response.get("ResponseMetadata", {}) if isinstance(response, Mapping) else {}
    found = (
        getattr(error, "status_code", None),
        getattr(response, "status_code", None),
        of_botocore.get("HTTPStatusCode"),
        getattr(error, "code", None),
    )
    return next((status for status in found if isinstance(status, int) and 400 <= status < 600), None)


def _headers(error: Exception) -> Mapping[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if isinstance(headers, Mapping) else {}


def _causes(error: BaseException) -> set[str]:
    """Names of the kinds of an exception and of what led to it."""
    names: set[str] = set()
    cause: BaseException | None = error
    while cause is not None:
        names.update(kind.__name__ for kind in type(cause).__mro__)
        cause = cause.__cause__ or cause.__context__
    return names
