"""Language models: one protocol, transports behind it, wrappers around it, one journal."""

from dtomtrack.llm.chat import CallKey, ChatModel, ChatReply, ChatRequest, Message, Usage

__all__ = ["CallKey", "ChatModel", "ChatReply", "ChatRequest", "Message", "Usage"]
