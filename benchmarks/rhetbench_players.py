"""Models that persuade, each in a way of its own, as a server on loopback would have them.

They go by the request alone, as models do; the one that wins quickly knows the characters' minds by heart. Tokens are
counted as no table of dtomtrack's counts them: one for 3.5 characters, and 7 for each message.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from loopback import Answer, Request

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.suites.rhetbench.classifier import classify
from dtomtrack.suites.rhetbench.episode import MindRecord
from dtomtrack.suites.rhetbench.npc import opening_state, step
from dtomtrack.suites.rhetbench.persuaders import scripted_lines
from dtomtrack.suites.rhetbench.policies import Exchange, Sight, make_policy
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.suites.rhetbench.tone_reader import reader_without

__all__ = ["PLAYERS", "answer_of"]

_CHARACTERS_A_TOKEN = 3.5
_MESSAGE = 7
_RULES = load_rules("dtomtrack")

Player = Callable[[Request], str]


def _history(request: Request) -> list[Exchange]:
    """The classes that it has said so far, and the tones that it has heard."""
    messages = request["messages"][2:]
    said = [classify(one["content"]).argument for one in messages if one["role"] == "assistant"]
    heard = [reader_without("").read(one["content"]) for one in messages if one["role"] == "user"]
    return [Exchange(*one) for one in zip(said, heard, strict=True)]


def _line(chosen: ArgumentClass, request: Request) -> str:
    lines = scripted_lines()[chosen]
    return lines[len(request["messages"]) // 2 % len(lines)]


def _repeats(request: Request) -> str:
    """The same words until the character has had enough."""
    return "I'm here to help you with this, and I would like to know how you feel about the plan as it stands."


def _chance(request: Request) -> str:
    rng = Random(json.dumps(request["messages"]))
    return _line(rng.choice(APPEALS), request)


def _adapts(request: Request) -> str:
    choose = make_policy("adaptive", _RULES, Random(0))
    mind = _minds()[next(iter(_minds()))]
    return _line(choose(_history(request), Sight(mind.mind(), opening_state(mind.mind()))), request)


def _wins(request: Request) -> str:
    """The class that moves this character most, in every turn."""
    mind = _pack_of(request).mind()
    state = opening_state(mind)
    for one in _history(request):
        state = step(_RULES, mind, state, one.said).state
    return _line(make_policy("oracle", _RULES, Random(0))([], Sight(mind, state)), request)


def _rambles(request: Request) -> str:
    """Never gets to a point, and never to an end before the server ends it."""
    return "and so it went on, as things will, " * 500


def _pack_of(request: Request) -> MindRecord:
    """The mind of the character that the instructions are about."""
    told = request["messages"][0]["content"]
    return next(mind for opening, mind in _minds().items() if all(part in told for part in opening))


@cache
def _minds() -> Mapping[tuple[str, ...], MindRecord]:
    return {_known_by(pack): MindRecord(**pack.mind.model_dump()) for pack in builtin_packs()}


def _known_by(pack: PersuasionPack) -> tuple[str, ...]:
    return pack.name, pack.role, pack.position


PLAYERS: Mapping[str, Player] = {
    "repeats itself": _repeats,
    "chance": _chance,
    "adapts": _adapts,
    "wins at once": _wins,
    "rambles": _rambles,
}


def answer_of(player: Player) -> Callable[[Request], Answer]:
    """The server's answers."""

    def answer(request: Request) -> Answer:
        most = request.get("max_completion_tokens") or request["max_tokens"]
        whole = player(request)
        text = whole[: int(most * _CHARACTERS_A_TOKEN)]
        finish = "stop" if text == whole else "length"
        prompts = [one["content"] for one in request["messages"]]
        usage = {"prompt_tokens": _tokens(prompts), "completion_tokens": min(most, _tokens([text]) - _MESSAGE)}
        body = {
            "model": "loopback",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
            "usage": usage,
        }
        return Answer(json.dumps(body).encode(), headers={"Content-Type": "application/json"})

    return answer


def _tokens(texts: Sequence[str]) -> int:
    return sum(int(len(text) / _CHARACTERS_A_TOKEN) + 1 + _MESSAGE for text in texts)
