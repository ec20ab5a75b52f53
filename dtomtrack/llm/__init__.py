"""Language models: one protocol, transports behind it, wrappers around it, one journal."""

from dtomtrack.llm.chat import Call, ChatModel, ChatReply, ChatRequest, Message, Usage

__all__ = ["Call", "ChatModel", "ChatReply", "ChatRequest", "Message", "Usage"]
