"""A loopback "model" that reads well: it judges by what stands in the prompt, with the rules in place of a mind."""

from __future__ import annotations

import json
import math
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from loopback import Answer, Loopback, Request, completion

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.reading import read_all
from dtomtrack.llm.openai_chat import OpenAIChat
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.overheard import OverheardMinds
from dtomtrack.verifiers.overhearer import Overhearer

__all__ = ["CompetentReader", "asked", "judging", "letter", "states", "weighed"]

_OPTION = re.compile(r"^([A-Z]): (.+)$", re.MULTILINE)
_LISTED = re.compile(r"^- (\".*\")$", re.MULTILINE)
_SAID = re.compile(r"^Turn (\d+), (\"(?:[^\"\\]|\\.)*\"): (\".*\")$", re.MULTILINE)
_QUESTION = re.compile(r"^A question about it: (\".*\")$", re.MULTILINE)
_RIGHT = re.compile(r"^The answer that counts as right: (\".*\")$", re.MULTILINE)


def asked(request: Request) -> str:
    """The prompt of a request."""
    (message,) = request["messages"]
    return str(message["content"])


def letter(text: str) -> Answer:
    """A reply without probabilities."""
    return completion(text)


def weighed(probabilities: Mapping[str, float], text: str | None = None) -> Answer:
    """A reply with probabilities; its text is the most probable letter, or another."""
    best = max(probabilities, key=lambda token: probabilities[token])
    likely = [{"token": token, "logprob": math.log(share)} for token, share in probabilities.items()]
    place = {"token": best, "logprob": math.log(probabilities[best]), "top_logprobs": likely}
    return completion(text or best, logprobs={"content": [place]})


def states(prompt: str) -> dict[str, str]:
    """By letter, the options of a prompt as they stand there."""
    return dict(_OPTION.findall(prompt))


@asynccontextmanager
async def judging(answer: Callable[[Request], Answer], **thresholds: float) -> AsyncIterator[tuple[Judge, Loopback]]:
    """A judge whose model is a server that answers so."""
    with Loopback(answer) as server:
        async with OpenAIChat(ModelSpec("vllm", "judge", server.base_url)) as model:
            yield Judge(model, seed=0, **thresholds), server


@dataclass(frozen=True)
class _Known:
    question: Question
    dialogue: Dialogue
    domain: Domain


class CompetentReader:
    """Knows what each question means, and what forms of words mean; all else it reads in the prompt."""

    def __init__(self, domain: Domain, slots: Iterable[SlotResult]) -> None:
        self._known: dict[tuple[frozenset[str], str], _Known] = {}
        for slot in slots:
            assert slot.dialogue is not None
            names = frozenset(agent.name for agent in slot.dialogue.scenario.agents)
            for question in slot.questions:
                assert (names, question.question) not in self._known
                self._known[names, question.question] = _Known(question, slot.dialogue, domain)

    def __call__(self, request: Request) -> Answer:
        prompt = asked(request)
        return letter(self._state(prompt) if "may think" in prompt else self._grade(prompt))

    def _state(self, prompt: str) -> str:
        thoughts = _LISTED.findall(prompt)
        options = states(prompt)
        neither = next(one for one, text in options.items() if not text.startswith('"'))
        return next((one for one, text in options.items() if text in thoughts), neither)

    def _grade(self, prompt: str) -> str:
        expected = self._expected(prompt)
        right = _RIGHT.search(prompt)
        others = [json.loads(text).strip(".") for text in _LISTED.findall(prompt)]
        if right is None:
            return "E" if others.count(expected or "") == 1 else "A"
        return "E" if json.loads(right[1]) == expected and expected not in others else "A"

    def _expected(self, prompt: str) -> str | None:
        conversation = prompt.partition("\n\nA question")[0]
        said = [(json.loads(speaker), json.loads(text)) for _, speaker, text in _SAID.findall(conversation)]
        question = _QUESTION.search(prompt)
        assert question is not None
        known = self._known[frozenset(speaker for speaker, _ in said), json.loads(question[1])]
        agents = [agent.name for agent in known.dialogue.scenario.agents]
        answer = Overhearer(OverheardMinds(read_all(known.domain.reader(agents), said))).answer(known.question)
        return None if answer is None else answer.text
