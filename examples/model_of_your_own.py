"""A model of your own: anything with a name and a method ``chat`` can write, play or verify.

    python examples/model_of_your_own.py

Here it is a verifier that needs no network: it takes no question whose answer has a comma in it, and all others.
"""

from __future__ import annotations

import asyncio

from dtomtrack import dialogues
from dtomtrack.llm import ChatReply, ChatRequest, Usage


class NoCommas:
    """Asked for a letter it gives the last one, the best grade, unless the answer it is shown has a comma."""

    name = "own/no-commas"

    async def chat(self, request: ChatRequest) -> ChatReply:
        """One reply: here a letter, the last of which is the best grade."""
        asked = request.messages[-1].content
        if "thinks now:" in asked:
            letter = state_shown(asked)
        elif request.choices:
            answer = asked.partition("The answer that counts as right:")[2].partition("\n")[0]
            letter = request.choices[0 if "," in answer else -1]
        else:
            letter = "A"
        return ChatReply(letter, "stop", Usage(prompt_tokens=len(asked) // 4, completion_tokens=1))


def state_shown(asked: str) -> str:
    """Which of the lettered states is thought; each stands in quotation marks."""
    states, _, thought = asked.partition("thinks now:")
    lettered = [line.split(": ", 1) for line in states.split("\n") if line[1:3] == ": "]
    return next((letter for letter, state in lettered if state.strip('"') in thought), lettered[-1][0])


async def main() -> None:
    async for generated in dialogues("restaurant", n=3, verifier_model=NoCommas()):
        print(f"{generated.dialogue.id}: {len(generated.questions)} questions kept")


if __name__ == "__main__":
    asyncio.run(main())
