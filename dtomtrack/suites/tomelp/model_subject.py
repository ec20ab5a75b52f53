"""A language model as persuader: it infers, chooses and writes (a `dtomtrack.graphs.route_state.Subject`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from dtomtrack.errors import ReplyError
from dtomtrack.graphs.route_state import Lines, Minds, Options, ShownQuestion, ShownResources, Task, Unusable, Written
from dtomtrack.items.letters import letter_of, position_of
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import prompt
from dtomtrack.llm.structured import ask_for
from dtomtrack.records import Record, Text
from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.scenarios.route.state import MIND_FIELDS, KnownMind, Mind
from dtomtrack.scenarios.route.terms import Persona, Route
from dtomtrack.suites.tomelp.asking import Asking
from dtomtrack.suites.tomelp.wording import PACKAGE, dialogue_text, name_in, persona_text, quoted, route_text

__all__ = ["ModelSubject", "read_letters", "read_strategy"]

R = TypeVar("R", bound=Record)

_LONGEST_REPLY = 10_000
"""Characters of a turn: 120 words have some eight hundred."""
_NEAR, _APART = 90.0, 10.0
"""How like a strategy a text has to be (0 to 100) to stand for it, and how much more than any other."""


_Phrase = Annotated[Text, Field(max_length=200)]
"""Bounded in the schema, too: a small model that begins to repeat itself comes to an end."""


class _Inferred(Record):
    belief: _Phrase
    desire: _Phrase
    intent: _Phrase

    def mind(self) -> Mind:
        return Mind(belief=self.belief, desire=self.desire, intent=self.intent)


class _States(Record):
    persuader: _Inferred
    persuadee: _Inferred


class _Strategy(Record):
    selected_strategy: str


class _Letters(Record):
    letters: Annotated[tuple[Annotated[str, Field(max_length=40)], ...], Field(max_length=40)]


class _Turn(Record):
    outline: tuple[str, ...] | str = ()
    reply_text: Text


class ModelSubject:
    """A model at one dialogue state.

    Args:
        unit: what its calls are known by.
    """

    def __init__(self, model: ChatModel, asking: Asking, unit: str, seed: int) -> None:
        self._model = model
        self._asking = asking
        self._unit = unit
        self._seed = seed

    async def infer(self, lines: Lines, persona: Persona, *, elsewhere: bool = False) -> Minds | Unusable:
        """The mental states of both."""
        asked = prompt(PACKAGE, "infer").fill(
            dialogue=dialogue_text(lines),
            persona=persona_text(persona),
            persuader=name_in(lines, "persuader"),
            persuadee=name_in(lines, "persuadee"),
        )
        found = await self._ask(f"infer {'elsewhere ' if elsewhere else ''}{persona}", asked, _States, 0.0)
        if isinstance(found, Unusable):
            return found
        return {"persuader": found.persuader.mind(), "persuadee": found.persuadee.mind()}

    async def place(self, minds: Minds, persona: Persona, questions: Sequence[ShownQuestion]) -> Options | Unusable:
        """The options that come nearest to what it inferred."""
        asked = prompt(PACKAGE, "place").fill(
            minds="\n".join(f"The {role}:\n{_fields(mind)}" for role, mind in minds.items()),
            questions="\n".join(_question(number, one) for number, one in enumerate(questions, 1)),
            count=str(len(questions)),
        )
        found = await self._ask(f"place {persona}", asked, _Letters, 0.0)
        if isinstance(found, Unusable):
            return found
        return read_letters(found.letters, questions)

    async def choose(self, lines: Lines, persona: Persona, route: Route, options: Sequence[str]) -> str | Unusable:
        """A strategy."""
        asked = prompt(PACKAGE, "choose").fill(
            dialogue=dialogue_text(lines),
            persona=persona_text(persona),
            persuader=name_in(lines, "persuader"),
            persuadee=name_in(lines, "persuadee"),
            route=route_text(route),
            options="\n".join(f"- {quoted(one)}" for one in options),
        )
        found = await self._ask(f"choose {persona} {route}", asked, _Strategy, 0.0)
        return found if isinstance(found, Unusable) else read_strategy(found.selected_strategy, options)

    async def write(self, task: Task) -> Written | Unusable:
        """The next turn."""
        found = await self._ask(f"write {task.cell}", self._writing(task), _Turn, self._asking.temperature)
        if isinstance(found, Unusable):
            return found
        if len(found.reply_text) > _LONGEST_REPLY:
            return Unusable(f"reply_text has {len(found.reply_text):,} characters")
        outline = found.outline if isinstance(found.outline, str) else "\n".join(found.outline)
        return Written(found.reply_text, outline[:_LONGEST_REPLY])

    def _writing(self, task: Task) -> str:
        lines, route = task.lines, task.cell.route
        return prompt(PACKAGE, "write").fill(
            dialogue=dialogue_text(lines),
            persona=persona_text(task.cell.persona),
            persuader=name_in(lines, "persuader"),
            persuadee=name_in(lines, "persuadee"),
            mind=_mind(task),
            route=route_text(route),
            resources=_resources(task.resources, route),
            disturbance=_disturbance(task),
            tailor=_part("tailor") if task.mind is not None else "",
            tags=prompt(PACKAGE, f"tags_{route}").fill(),
        )

    async def _ask(self, purpose: str, text: str, record: type[R], temperature: float) -> R | Unusable:
        call = CallKey(self._unit, purpose)
        request = ChatRequest.asking(call, text, self._seed, self._asking.max_tokens, temperature=temperature)
        try:
            return await ask_for(self._model, request, record)
        except ReplyError as error:
            return Unusable(str(error))


def _disturbance(task: Task) -> str:
    kind = task.cell.disturbance
    if kind in {"clean", "redraw"}:
        return ""
    text = task.noise if kind == "noise" else shared().disturbances[kind]
    warning = prompt(PACKAGE, f"warn_{kind}").fill() if task.warned else ""
    return f"\n\n{prompt(PACKAGE, f'disturb_{kind}').fill(text=quoted(text), warning=warning).strip()}"


def _mind(task: Task) -> str:
    if task.mind is None:
        return ""
    mind = prompt(PACKAGE, "mind").fill(persuadee=name_in(task.lines, "persuadee"), fields=_fields(task.mind))
    return f"\n{mind}\n"


def _fields(mind: KnownMind) -> str:
    """The states that are known, a line each."""
    told = {field: getattr(mind, field) for field in MIND_FIELDS}
    return "\n".join(f"- {field}: {quoted(text)}" for field, text in told.items() if text is not None)


def _question(number: int, one: ShownQuestion) -> str:
    options = "\n".join(f"{letter_of(place)}. {quoted(text)}" for place, text in enumerate(one.options))
    return f"{number}. The {one.role}'s {one.field}: {quoted(one.question)}\n{options}\n"


def _part(name: str) -> str:
    return f"\n\n{prompt(PACKAGE, name).fill()}\n"


def _resources(resources: ShownResources, route: Route) -> str:
    if route == "central":
        return "\n".join(f"[{name}] {quoted(text)}" for name, text in resources.dossier.items())
    return "\n".join(f"{kind}: {'; '.join(map(quoted, phrases))}" for kind, phrases in resources.cues.items())


_LETTER = re.compile(r"[\W_]*([A-Z])[\W_]*", re.ASCII)
_WORD = re.compile(r"\w+")


def read_letters(letters: Sequence[str], questions: Sequence[ShownQuestion]) -> Options | Unusable:
    """The options that letters name, in the order of the questions; None where a letter is none of a question's."""
    if len(letters) != len(questions):
        return Unusable(f"there are {len(letters)} letters for {len(questions)} questions")
    return [_option(letter, len(one.options)) for letter, one in zip(letters, questions, strict=True)]


def _option(letter: str, options: int) -> int | None:
    found = _LETTER.fullmatch(letter.upper())
    position = None if found is None else position_of(found[1])
    return position if position is not None and position < options else None


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def read_strategy(text: str, options: Sequence[str]) -> str | Unusable:
    """The strategy that a text names: the same, but for case and punctuation if need be, or clearly nearer than any."""
    from rapidfuzz import fuzz

    if text.strip() in options:
        return text.strip()
    wanted = _plain(text)
    same = [option for option in options if _plain(option) == wanted]
    if len(same) == 1:
        return same[0]
    likeness = sorted(((fuzz.ratio(wanted, _plain(option)), option) for option in options), reverse=True)
    (best, option), (second, _) = likeness[:2]
    if best >= _NEAR and best - second >= _APART:
        return option
    return Unusable("the strategy named is none of the four")
