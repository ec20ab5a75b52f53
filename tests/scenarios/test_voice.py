"""A model's reply as a line of a conversation: nothing of it is lost that was said, and no thought is heard."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.scenarios.voice import SpeechSettings, Voice


@dataclass
class Saying:
    """A model that answers this."""

    text: str
    name: str = "saying"

    async def chat(self, request: ChatRequest) -> ChatReply:
        del request
        return ChatReply(self.text, "stop", Usage(1, 1))


async def line(text: str) -> str:
    """What Ben hears when the model of Ann answers so."""
    voice = Voice(Saying(text), "dtomtrack.scenarios.persuasion", ("Ann", "Ben"), SpeechSettings("test"))
    values = dict.fromkeys(("name", "partner", "context", "target", "strategy", "tone", "opening", "taking_up"), "")
    return await voice.line("persuader", [], values)


@pytest.mark.parametrize(
    ("reply", "heard"),
    [
        ("I will *not* do it, Ben.", "I will not do it, Ben."),
        ("I will **really** not do it, and that is _final_.", "I will really not do it, and that is final."),
        ("*Never*, Ben.", "Never, Ben."),
        ('Ann: "*smiles* Good to see you. (pauses) Shall we?"', "Good to see you. Shall we?"),
        ("See you then. *waves*", "See you then."),
        ("(I must hide my price.) Hello there.", "Hello there."),
    ],
)
async def test_emphasis_is_said_and_stage_directions_are_not(reply: str, heard: str) -> None:
    assert await line(reply) == heard


@pytest.mark.parametrize(
    "reply",
    [
        "(I must (really) hide that I lied) Hello there.",
        "(I must hide my price. Hello",
        "（secret thought）hello",  # noqa: RUF001
        "I'd give (nearly) all of it.",
        "Hello. *Really* Ann thinks so.",
        "<think>I must hide it. Hello",
    ],
)
async def test_what_may_be_a_thought_or_said_is_refused(reply: str) -> None:
    with pytest.raises(ReplyError, match="holds a"):
        await line(reply)
