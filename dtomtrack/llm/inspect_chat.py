"""A model of Inspect AI as a `dtomtrack.llm.chat.ChatModel`: retries, limits and costs are Inspect's."""

from __future__ import annotations

from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, GenerateConfig, Model

from dtomtrack.llm.chat import ChatReply, ChatRequest, Finish, Message, Usage
from dtomtrack.llm.completions import in_words, schema_in_words

__all__ = ["InspectChat"]

_FINISHES: dict[str, Finish] = {"max_tokens": "length", "model_length": "length", "content_filter": "filter"}


class InspectChat:
    """Asks Inspect's model; a schema is asked for in words, since not all of its providers keep to one."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The name that Inspect gives it."""
        return str(self._model)

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer to one request. What Inspect raises ends its sample."""
        asked = in_words(request if request.schema is None else schema_in_words(request))
        output = await self._model.generate(
            [_message(one) for one in asked.messages],
            config=GenerateConfig(
                max_tokens=asked.max_tokens, temperature=asked.temperature, top_p=asked.top_p, seed=asked.seed
            ),
        )
        usage = output.usage
        return ChatReply(
            output.completion,
            _FINISHES.get(output.stop_reason, "stop"),
            Usage(usage.input_tokens, usage.output_tokens) if usage else Usage(0, 0, estimated=True),
        )


def _message(message: Message) -> ChatMessageSystem | ChatMessageUser | ChatMessageAssistant:
    if message.role == "system":
        return ChatMessageSystem(content=message.content)
    if message.role == "assistant":
        return ChatMessageAssistant(content=message.content)
    return ChatMessageUser(content=message.content)
