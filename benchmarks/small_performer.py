"""A stand-in for a small model (1 to 3 B): it plays its part as `performer.py` does, and errs as small models do.

Each kind of error comes at a rate of its own, drawn from a hash of the request, so that the same request always gets
the same reply. Two rates are as measured with Qwen2.5-Coder-1.5B-Instruct (Q4, llama.cpp), before the program put
thoughts in place: of its tries at voicing a state 31 % passed the rules, of those at a change of mind 67 %. The others
are assumed, and stand in `Rates` to be changed. Nothing that it says is ever passed off as a model's.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from loopback import Answer, Request, completion
from performer import asked_for
from small_performer_lines import Part, good_line, parts_of, wrong_line

__all__ = ["NO_ERRORS", "Rates", "SmallPerformer"]

_BEGIN = "Begin your reply with exactly these words and go on from there: "
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_SPOKEN = re.compile(r'^\d+\. [^"\n]*: ("(?:[^"\\]|\\.)*")$', re.MULTILINE)
_LAPSES = ("it depends on the day", "that is how it goes", "one will have to see", "it is a nice day for it")
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True)
class Rates:
    """How often each thing goes wrong at one try.

    Attributes:
        lost: a thought that was to be copied says something else.
        aloud: a state is voiced in the very words of the thought.
        unsaid: a line says nothing of what it is to say.
        repeated: a line is one that was said before.
        negated, one_word, narrated, third_person: a line denies what it is to say; has one word of it; is told as in
            a novel, with the closing quotation mark; speaks of the speaker by name, as of somebody else.
        asked: what is to be taken for granted is asked; ``asked_begun``, where the statement was begun.
        nothing_asked: a question is none.
        broken: a reply in JSON that is none.
        copied: a reply that is shown in the prompt comes again as it is.
        stubborn: at temperature 0.7 the same prompt brings the same error again; it falls to none at 1.3.
    """

    lost: float = 0.31
    aloud: float = 0.58
    unsaid: float = 0.13
    repeated: float = 0.05
    negated: float = 0.03
    one_word: float = 0.03
    narrated: float = 0.04
    third_person: float = 0.03
    asked: float = 0.5
    asked_begun: float = 0.1
    nothing_asked: float = 0.2
    broken: float = 0.05
    copied: float = 0.8
    stubborn: float = 0.6


NO_ERRORS = Rates(*[0.0] * 14)


@dataclass
class SmallPerformer:
    """Answers requests of actors; ``errors`` has the kind of error by line, to see which lines were kept."""

    rates: Rates = field(default_factory=Rates)
    errors: dict[str, str] = field(default_factory=dict)
    tokens: int = 0

    def answer(self, request: Request) -> Answer:
        """The reply to a request."""
        text = self.text(request)
        prompt = sum(len(message["content"]) for message in request["messages"])
        self.tokens += (prompt + len(text)) // _CHARACTERS_A_TOKEN
        return completion(text)

    def text(self, request: Request) -> str:
        """What the reply says; where its beginning is asked for in words, with that beginning."""
        *before, last = request["messages"]
        asked, _, begun = last["content"].partition(_BEGIN)
        if begun:
            said = json.loads(begun)
            messages = [*before, {**last, "content": asked.rstrip()}, {"role": "assistant", "content": said}]
            return f"{said} {self._reply(request, messages).lstrip()}"
        return self._reply(request, [*before, last])

    def _reply(self, request: Request, messages: Sequence[Mapping[str, str]]) -> str:
        temperature = float(request.get("temperature", 0.0))
        own = [one["content"] for one in messages[:-1] if one["role"] == "assistant"]
        draws = _Draws(self.rates, [one["content"] for one in messages], request.get("seed"), temperature)
        if own and draws.happens("copied"):
            return own[-1]
        asked = next(one["content"] for one in messages if one["role"] == "user")
        begun = messages[-1]["content"] if messages[-1]["role"] == "assistant" else ""
        if "Stage directions" in asked:
            return self._turn(asked, begun, draws)
        if "you think: one to three sentences" in asked:
            return self._free_turn(messages[0]["content"], asked, begun, draws)
        if "Think this: " in asked:
            return _rest_of_thought(_quotes(asked.partition("Think this: ")[2])[0], begun, asked, draws)
        return self._line(asked, begun, draws)

    def _turn(self, asked: str, begun: str, draws: _Draws) -> str:
        conversation, _, rest = asked.partition("It is your turn.")
        directions, _, thoughts = rest.partition("Before you speak you think.")
        wanted = [_quotes(line)[0] for line in thoughts.split("\n") if line.startswith("- ")]
        thought = " ".join(_thought(one, conversation, draws) for one in wanted)
        own = _names(asked)
        utterance = self._said(parts_of(directions), own, conversation, thought, "", draws)
        return _in_form(thought, utterance, rest, begun, draws)

    def _free_turn(self, system: str, asked: str, begun: str, draws: _Draws) -> str:
        """A turn in which nothing is directed but a change of mind: the next state that was not said yet is voiced."""
        conversation, _, rest = asked.partition("It is your turn")
        names = _names(asked)
        wanted = [_quotes(line)[0] for line in rest.split("\n") if line.startswith("This turn it has to hold")]
        if wanted:
            parts = parts_of(rest.partition("In this turn: ")[2].partition("\n")[0])
        else:
            held = [json.loads(line[2:]) for line in system.partition("begins:\n")[2].split("\n") if line[:3] == '- "']
            wanted = _unsaid(held, _heard(conversation))
            parts = [Part("voice", (one,)) for one in wanted] or [Part("chat")]
        thought = " ".join(_thought(one, conversation, draws) for one in wanted or ["I want to see this settled"])
        utterance = self._said(parts, names, conversation, thought, "", draws)
        return _in_form(thought, utterance, rest, begun, draws)

    def _line(self, asked: str, begun: str, draws: _Draws) -> str:
        conversation, _, rest = asked.rpartition("You are ")
        shown, _, directions = rest.partition("You think: ")[2].partition("\n")
        thought = json.loads(shown) if shown.startswith('"') else shown
        return self._said(parts_of(directions), _names(asked), conversation, thought, begun, draws)

    def _said(
        self, parts: Sequence[Part], names: tuple[str, str], conversation: str, thought: str, begun: str, draws: _Draws
    ) -> str:
        """A line, with at most one thing wrong with it."""
        weighty = next((one for one in parts if one.kind in _WEIGHTY), parts[-1] if parts else Part("chat"))
        error = draws.error(_errors_of(weighty, begun))
        good = " ".join(good_line(one, names[1], begun if one is weighty else "", draws.fresh) for one in parts)
        if error is None:
            return good
        line = wrong_line(error, weighty, names, thought, _heard(conversation), begun, good, draws.fresh)
        if error != "repeated":
            self.errors[line] = error
        return line


_WEIGHTY = ("voice", "update", "presume", "ask", "reveal")


def _errors_of(part: Part, begun: str) -> tuple[str, ...]:
    """The kinds of error that a line of this kind may have, each in the name of its rate."""
    stated = ("negated", "one_word", "narrated", "third_person")
    match part.kind:
        case "voice":
            return "aloud", "unsaid", "repeated", *stated
        case "update":
            return stated
        case "presume":
            return "asked_begun" if begun else "asked", "unsaid", *stated
        case "ask":
            return "nothing_asked", "repeated", "narrated"
        case "reveal":
            return "unsaid", "narrated"
        case _:
            return "repeated", "narrated"


@dataclass
class _Draws:
    """Random numbers of a request: fresh ones, and those that the prompt alone decides."""

    rates: Rates
    contents: Sequence[str]
    seed: int | None
    temperature: float

    def __post_init__(self) -> None:
        whole = json.dumps([*self.contents, self.seed, self.temperature])
        self.fresh = Random(hashlib.sha256(whole.encode()).hexdigest())
        self._prompt = Random(hashlib.sha256(self.contents[1].encode()).hexdigest())
        warm = (1.3 - self.temperature) / 0.6
        self._stubborn = self.fresh.random() < self.rates.stubborn * min(1.0, max(0.0, warm))
        self.pick: Callable[[], float] = self._prompt.random if self._stubborn else self.fresh.random

    def happens(self, rate: str) -> bool:
        """Whether a thing goes wrong."""
        return self.pick() < float(getattr(self.rates, rate))

    def error(self, kinds: Sequence[str]) -> str | None:
        """The first kind of error that happens, if one does."""
        return next((kind for kind in kinds if self.happens(kind)), None)


def _thought(wanted: str, conversation: str, draws: _Draws) -> str:
    prefix = wanted.removesuffix(" ...")
    if wanted.endswith("..."):
        return f"{prefix} {_of_what_was_said(conversation)}."
    if not draws.happens("lost"):
        return f"{wanted}."
    known = ("I believe that", "I will", "I want", "I feel", "I know")
    start = next((one for one in known if wanted.startswith(one)), " ".join(wanted.split()[:5]))
    return f"{start} {draws.fresh.choice(_LAPSES)}."


def _rest_of_thought(wanted: str, begun: str, asked: str, draws: _Draws) -> str:
    if draws.happens("lost"):
        return f" {draws.fresh.choice(_LAPSES)}."
    return _thought(wanted, asked, _Draws(NO_ERRORS, draws.contents, draws.seed, 0.0)).removeprefix(begun)


def _of_what_was_said(conversation: str) -> str:
    said = _heard(conversation)
    return said[-1].rstrip(".?!") if said else "to see all of this settled"


def _in_form(thought: str, utterance: str, asked: str, begun: str, draws: _Draws) -> str:
    """A turn in the form that a prompt asks for, behind what was begun."""
    if "in one line of this form" in asked:
        if begun.endswith(') "'):
            return f'{utterance}"'
        return f"({thought}) {json.dumps(utterance)}".removeprefix(begun.partition(": ")[2])
    whole = json.dumps(asked_for({"thought": thought, "utterance": utterance}, asked))
    return whole[:-2] if draws.happens("broken") else whole


_AT_ONCE = 2
"""States that are voiced in one turn where nothing is directed."""


def _unsaid(held: Sequence[str], heard: Sequence[str]) -> list[str]:
    contents = {one: one.partition(" that ")[2] or one.split(" ", 2)[2] for one in held if len(one.split()) > 2}
    return [one for one, content in contents.items() if not any(content in line for line in heard)][:_AT_ONCE]


def _heard(conversation: str) -> list[str]:
    return [json.loads(line) for line in _SPOKEN.findall(conversation)]


def _names(asked: str) -> tuple[str, str]:
    """The speaker and the partner, as far as the prompt names them: in one call, only the partner."""
    two = re.search(r"You are (?P<own>[^,.\n]+), talking to (?P<other>[^.\n]+)\.", asked)
    if two:
        return two["own"], two["other"]
    other = re.search(r"(?:Your thought|sentences), which (?P<other>.+?) never hears", asked)
    return "", other["other"] if other else ""


def _quotes(text: str) -> list[str]:
    return [json.loads(quote) for quote in _QUOTED.findall(text)]
