"""One turn that a language model is asked for: what it is to bring, what was heard, and what is wrong with it.

In which pieces it is asked for is up to the style: `one_call` and `two_call`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from dtomtrack.beliefs.dialogue import Expression, InnerSpeech
from dtomtrack.beliefs.inner_speech import ThoughtReader, thought
from dtomtrack.beliefs.matching import listener_of
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.transcript_text import and_list
from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatReply, ChatRequest, Message
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.structured import schema_of
from dtomtrack.records import Record
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.acting.direction_text import DirectionText, ThoughtWanted, manner
from dtomtrack.scenarios.acting.states_heard import states_heard
from dtomtrack.scenarios.acting.turn_format import TurnWords
from dtomtrack.scenarios.script import Direction, Move
from dtomtrack.verifiers.knowledge import knows_too_much
from dtomtrack.verifiers.turns import TurnRules

__all__ = ["PROMPTS", "ActorSettings", "ActorStyle", "AskedTurn", "Part", "TurnFormat"]

ActorStyle = Literal["one-call", "two-call", "free"]
TurnFormat = Literal["json", "text"]
PROMPTS = "dtomtrack.scenarios.acting"
"""The package of the prompts."""

P = TypeVar("P")
_WARMER, _WARMEST = 0.15, 1.2
"""How much the temperature rises with each try, and how far: asked alike, a model answers alike."""


@dataclass(frozen=True)
class ActorSettings:
    """How turns are asked for.

    Attributes:
        style: "one-call" asks for thought and utterance together, "two-call" for one thing at a time, with the
            beginning of each written for the model and thoughts that are laid down put in place by the program; "free"
            as "one-call", but with goal, private information and initial states, and a direction where a mind changes
            alone.
        turn_format: of a turn in one call.
        retries: how often a piece of a turn is asked for again.
    """

    style: ActorStyle = "one-call"
    turn_format: TurnFormat = "json"
    retries: int = 3
    temperature: float = 0.7
    seed: int = 0


class Part:
    """All that stays the same over the turns of a character.

    It holds no reference to the character itself, which is to go when its dialogue is over.
    """

    def __init__(self, character: Character, style: ActorStyle) -> None:
        self.others = [other.name for other in character.others]
        self.listener = listener_of(character.topics.values())
        self.matcher = self.listener.matcher
        self.reader = ThoughtReader(character.name, self.others, self.matcher.thought)
        self.text = DirectionText(character)
        self.revealed = self.text.revealed(character.directions)
        self.rules = TurnRules(self.matcher, character.name, self.others)
        self.system = _free_system(character) if style == "free" else _system(character)


def _system(character: Character) -> str:
    return prompt(PROMPTS, "actor").fill(**_portrait(character))


def _free_system(character: Character) -> str:
    states = [thought(one.mental_state, one.content).text for one in character.agent.initial_states]
    held = "\n".join(f"- {as_data(state)}" for state in states) or "- nothing in particular"
    return prompt(PROMPTS, "actor_free").fill(states=held, **_portrait(character))


def _portrait(character: Character) -> dict[str, str]:
    private = character.agent.private_info or ("nothing in particular",)
    return {
        "name": character.name,
        "role": character.agent.role,
        "partner": character.company,
        "partner_role": " and ".join(other.known_as for other in character.others),
        "context": character.context,
        "goal": character.agent.goal,
        "manner": manner(character.agent.personality),
        "private_info": "\n".join(f"- {as_data(one)}" for one in private),
    }


class AskedTurn:
    """One turn, from its directions to what is said.

    Attributes:
        free: whether only changes of mind are directed.
        wanted: the thoughts to have; none where they are free.
        sentences: the stage directions in words.
        overreaching: how often a thought was asked for again because it knew what the character can't know.
    """

    def __init__(
        self,
        model: ChatModel,
        settings: ActorSettings,
        part: Part,
        character: Character,
        index: int,
        heard: Sequence[Heard],
    ) -> None:
        self._model = model
        self._heard = heard
        said = sorted((line for line in heard if line.speaker), key=lambda line: line.turn)
        self._transcript = [(line.speaker, line.text) for line in said]
        self._read: dict[str, tuple[InnerSpeech, ...]] = {}
        self.settings = settings
        self.part = part
        self.character = character
        self.index = index
        self.free = settings.style == "free"
        self.directions = tuple(filter(self._is_given, character.directions[index]))
        self.wanted = [] if self.free and not self.directions else self._wanted()
        self.sentences = part.text.sentences(self.directions, last=character.speaks_last(index))
        reserved = [] if self.free else [fact for turn, fact in part.revealed if turn > index]
        held = part.text.held_before(index, character.directions)
        self.required = part.text.requirements(self.directions, index, character.name, reserved, self.sentences, held)
        self.overreaching = 0

    def _is_given(self, direction: Direction) -> bool:
        return not self.free or direction.move is Move.UPDATE

    def _wanted(self) -> list[ThoughtWanted]:
        granted = {one.topic for one in self.directions if one.move in _GRANTED}
        heard = [] if self.free else states_heard(self.character, self._heard, self.part.matcher, granted)
        return self.part.text.thoughts(self.directions, heard)

    # -- what came out -----------------------------------------------------------------------------------------------

    def performance(self, words: TurnWords) -> Performance:
        """The turn, with its thoughts as values of topics where they express one."""
        thoughts = self.thoughts_in(words.thought)
        said = _said(thoughts, self._heard_as(words.utterance, thoughts))
        return Performance(f"({words.thought})", words.utterance, thoughts, said, self.overreaching)

    def thoughts_in(self, thought: str) -> tuple[InnerSpeech, ...]:
        """The thoughts in a text, as values of topics where they express one."""
        read = self._read.get(thought)
        if read is None:
            read = self._read[thought] = self.part.reader.thoughts(thought)
        return read

    def thought_problems(self, thought: str) -> list[str]:
        """All that the rules find wrong with all that is thought."""
        thoughts = self.thoughts_in(thought)
        problems = self.part.rules.thought_problems(thoughts, self.required, self._transcript)
        if problems:
            granted = (*self.required.presumed, *self.required.told)
            self.overreaching += any(
                knows_too_much(self.character.name, thoughts, self._transcript, self.part.matcher, granted)
            )
        return problems

    def line_problems(self, thought: str, line: str) -> list[str]:
        """All that the rules find wrong with what is said."""
        thoughts = self.thoughts_in(thought)
        found = self.part.rules.line_problems(thought, line, self.required, self._transcript, thoughts)
        return found or list(self._not_told(line, thoughts))

    def _not_told(self, line: str, thoughts: Sequence[InnerSpeech]) -> Iterator[str]:
        """What is to be said of a third and would not be heard as said of them."""
        wanted = self.part.text.told_of(self.directions)
        if not wanted:
            return
        readings = self._heard_as(line, thoughts)
        heard = {(one.holder, one.topic, one.content) for one in readings if one.act in _OF_OTHERS}
        for holder, topic, value in wanted:
            if (holder, topic, value) not in heard:
                yield f"it does not say of {holder}, by name and as of somebody else, that it is so: {value}"

    def _heard_as(self, line: str, thoughts: Sequence[InnerSpeech]) -> list[Reading]:
        """What those who hear a line hear."""
        audience = self.character.audience(self.index)
        return self.part.listener.hear(self.index, self.character.name, line, thoughts, audience)

    # -- asking ------------------------------------------------------------------------------------------------------

    async def tried(self, ask: Callable[[int], Coroutine[None, None, P]], problems: Callable[[P], Sequence[str]]) -> P:
        """A piece of the turn, asked for until nothing is wrong with it.

        Args:
            ask: gives the piece at a try, counted from 0.

        Raises:
            ReplyError: no try gave a piece that passes the rules.
        """
        wrong = ""
        for number in range(self.settings.retries + 1):
            try:
                piece = await ask(number)
            except ReplyError as error:
                wrong = str(error)
                continue
            found = problems(piece)
            if not found:
                return piece
            wrong = found[0]
        raise self.given_up(wrong)

    def given_up(self, problem: str) -> ReplyError:
        """The error of a turn that no try brought about."""
        return ReplyError(f"turn {self.index} of {self.character.name}: {problem}")

    async def send(
        self,
        number: int,
        piece: str,
        asked: str,
        max_tokens: int,
        *,
        begun: str = "",
        form: type[Record] | None = None,
    ) -> ChatReply:
        """The reply to a prompt, at this try; each try is warmer than the one before.

        Args:
            piece: which piece of the turn it is, for the journal; empty for the whole.
            begun: how the reply begins.
            form: the JSON that it is to be in.
        """
        call = CallKey(attempt_unit(*self.character.attempt), f"turn {self.index}{piece}", number)
        begins = (Message("assistant", begun),) if begun else ()
        coolest = self.settings.temperature
        return await self._model.chat(
            ChatRequest(
                call=call,
                messages=(Message("system", self.part.system), Message("user", asked), *begins),
                max_tokens=max_tokens,
                temperature=min(max(coolest, _WARMEST), coolest + _WARMER * number),
                seed=call.seed(self.settings.seed),
                schema=None if form is None else schema_of(form),
                continues=bool(begun),
            )
        )

    def conversation(self, lines: int | None = None) -> str:
        """What the character has heard, or the last lines of it, as a prompt shows it."""
        if not self._heard:
            return "(nothing yet: you speak first)"
        shown = self._heard[-lines:] if lines else self._heard
        return "\n".join(map(_line, shown))

    def hearers(self) -> str:
        """Whom the turn is for, where that is not everybody who takes part."""
        if not self.character.audience(self.index):
            return ""
        names = and_list(self.character.hearers(self.index))
        if self.index in self.character.read_at:
            return f"The words of this turn are a note that you write, for {names} alone.\n"
        return f"What you say now, {names} can hear, and nobody else.\n"


def _line(line: Heard) -> str:
    """A line as the character heard, read or saw it; turns are counted from 1, as wherever a prompt names one."""
    if not line.speaker:
        return f"[{line.text}]"
    to = f" ({'in a note ' if line.note else ''}to {and_list(line.to)})" if line.to else ""
    return f"{line.turn + 1}. {line.speaker}{to}: {as_data(line.text)}"


def _said(thoughts: Sequence[InnerSpeech], readings: Sequence[Reading]) -> tuple[Expression, ...] | None:
    """The states that the words express, by what is read in them; None if they are just those that are thought."""
    said = [
        (one.topic, one.content, None if one.act is Act.STATE else one.holder, one.act is Act.PRESUME)
        for one in readings
        if one.act in _EXPRESSED
    ]
    own = [(one.topic, one.content, None, False) for one in thoughts if one.order == 1 and one.topic is not None]
    if said == own:
        return None
    return tuple(
        Expression(topic=topic, content=content, about=about, presumed=presumed)
        for topic, content, about, presumed in said
    )


_OF_OTHERS = frozenset({Act.PRESUME, Act.TELL})
_EXPRESSED = _OF_OTHERS | {Act.STATE}
_GRANTED = frozenset({Move.PRESUME, Move.ACT, Move.TELL})
"""Moves that lay down what is thought of another, whatever was heard."""
