"""Language models as actors: one call a turn for strong models, a call a thought and one for the line for weak ones.

An actor is given what its character may know: its own part and what it heard. What it writes is read, matched
to the values of topics, and checked by rules (`dtomtrack.verifiers.turns`) before anybody hears it; what fails is
asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal
from weakref import WeakKeyDictionary

from dtomtrack.beliefs.dialogue import Expression, InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import parse_thoughts
from dtomtrack.beliefs.matching import StateMatcher, ThoughtGuidedReader
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.transcript_text import and_list
from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatReply, ChatRequest, Message
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.structured import read_record, schema_of
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.acting.direction_text import DirectionText, manner
from dtomtrack.scenarios.acting.turn_format import TurnOutput, TurnWords, read_text_turn, spoken, thought_words
from dtomtrack.scenarios.script import Move
from dtomtrack.verifiers.knowledge import knows_too_much
from dtomtrack.verifiers.turns import TurnRules

__all__ = ["ActorSettings", "ActorStyle", "ModelActor", "TurnFormat"]

ActorStyle = Literal["one-call", "two-call"]
TurnFormat = Literal["json", "text"]

_PACKAGE = "dtomtrack.scenarios.acting"
_TURN_TOKENS = 400
_THOUGHT_TOKENS = 60
_LINE_TOKENS = 120
_SHOWN_PROBLEMS = 3
_LINES_FOR_WEAK = 6
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_MOST_SENTENCES = 3
_WARMER = 0.15
"""How much the temperature rises with each try of a weak model, which does not understand what was wrong."""


@dataclass(frozen=True)
class ActorSettings:
    """How turns are asked for.

    Attributes:
        style: "one-call" asks for thought and utterance together, "two-call" for one thing at a time, with the
            beginning of each written for the model.
        turn_format: of a turn in one call.
        retries: how often a turn is asked for again.
    """

    style: ActorStyle = "one-call"
    turn_format: TurnFormat = "json"
    retries: int = 3
    temperature: float = 0.7
    seed: int = 0


class ModelActor:
    """Plays any character of any domain."""

    def __init__(self, model: ChatModel, settings: ActorSettings) -> None:
        self._model = model
        self._settings = settings
        self._parts: WeakKeyDictionary[Character, _Part] = WeakKeyDictionary()
        self.name = model.name

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        """The character's turn, after what it has heard.

        Raises:
            ReplyError: no try gave a turn that passes the rules.
            ModelError: no answer can be had.
        """
        asked = _Turn(self._model, self._settings, self._part(character), character, turn, heard)
        problems: list[str] = []
        overreaching = 0
        for number in range(self._settings.retries + 1):
            try:
                words = await asked.ask(number, problems)
            except ReplyError as error:
                problems = [str(error)]
                continue
            performance = asked.performance(words)
            problems = asked.problems(words, performance)
            if not problems:
                return replace(performance, overreaching=overreaching) if overreaching else performance
            overreaching += asked.overreaches(performance)
        raise ReplyError(f"turn {turn} of {character.name}: {problems[0]}")

    def _part(self, character: Character) -> _Part:
        part = self._parts.get(character)
        if part is None:
            part = self._parts[character] = _Part(character)
        return part


class _Part:
    """All that stays the same over the turns of a character.

    It holds no reference to the character itself, which is to go when its dialogue is over.
    """

    def __init__(self, character: Character) -> None:
        self.others = [other.name for other in character.others]
        self.matcher = StateMatcher(character.topics.values())
        self.text = DirectionText(character)
        self.rules = TurnRules(self.matcher, character.name, self.others)
        self.system = _system(character)


def _system(character: Character) -> str:
    private = character.agent.private_info or ("nothing in particular",)
    return prompt(_PACKAGE, "actor").fill(
        name=character.name,
        role=character.agent.role,
        partner=character.company,
        partner_role=" and ".join(other.known_as for other in character.others),
        context=character.context,
        goal=character.agent.goal,
        manner=manner(character.agent.personality),
        private_info="\n".join(f"- {as_data(one)}" for one in private),
    )


class _Turn:
    """One turn, from its directions to what is said."""

    def __init__(
        self,
        model: ChatModel,
        settings: ActorSettings,
        part: _Part,
        character: Character,
        index: int,
        heard: Sequence[Heard],
    ) -> None:
        self._model = model
        self._settings = settings
        self._part = part
        self._character = character
        self._heard = heard
        self._index = index
        self._directions = character.directions[index]
        self._wanted = part.text.thoughts(self._directions, self._topics_heard())
        self._sentences = part.text.sentences(self._directions, last=character.speaks_last(index))
        later = [one for turn, there in character.directions.items() if turn > index for one in there]
        self._required = part.text.requirements(self._directions, index, character.name, later, self._sentences)
        self._last = ""
        self._temperature = settings.temperature

    def _topics_heard(self) -> list[tuple[str, str]]:
        """(holder, topic) of others' states of which they named a value since the character last spoke."""
        granted = {one.topic for one in self._directions if one.move in {Move.PRESUME, Move.ACT}}
        fresh = list(takewhile(lambda line: line.speaker != self._character.name, reversed(self._heard)))
        return [
            (holder, topic.id)
            for topic in self._character.topics.values()
            for holder in topic.holders
            if topic.id not in granted
            and holder != self._character.name
            and any(self._part.matcher.named(topic.id, line.text) for line in fresh if line.speaker == holder)
        ]

    async def ask(self, number: int, problems: Sequence[str]) -> TurnWords:
        """The model's words, at this try.

        Raises:
            ReplyError: it has not the form of a turn.
        """
        if self._settings.style == "one-call":
            return await self._in_one_call(number, problems)
        self._temperature = min(1.0, self._settings.temperature + _WARMER * number)
        return await self._bit_by_bit(number)

    def performance(self, words: TurnWords) -> Performance:
        """The turn, with its thoughts as values of topics where they express one."""
        found = parse_thoughts(words.thought, self._character.name, self._part.others)
        thoughts = tuple(self._matched(one) for one in found)
        turn = Turn(
            index=self._index,
            speaker=self._character.name,
            inner_speech=thoughts,
            utterance=words.utterance,
            audience=self._character.audience(self._index),
        )
        reader = ThoughtGuidedReader({self._index: turn}, tuple(self._character.topics.values()))
        readings = reader.read(self._index, self._character.name, words.utterance)
        return Performance(f"({words.thought})", words.utterance, thoughts, _said(thoughts, readings))

    def _matched(self, thought: InnerSpeech) -> InnerSpeech:
        holder = thought.about or self._character.name
        match = self._part.matcher.thought(holder, thought.mental_state, thought.content)
        return thought if match is None else thought.model_copy(update={"topic": match[0], "content": match[1]})

    def problems(self, words: TurnWords, performance: Performance) -> list[str]:
        """All that the rules find wrong."""
        thoughts = performance.thoughts or ()
        transcript = [(line.speaker, line.text) for line in self._heard if line.speaker]
        return self._part.rules.problems(words.thought, thoughts, words.utterance, self._required, transcript)

    def overreaches(self, performance: Performance) -> bool:
        """Whether a thought knows what the character can't know."""
        heard = [(line.speaker, line.text) for line in self._heard if line.speaker]
        granted = (*self._required.presumed, *self._required.told)
        return any(knows_too_much(performance.thoughts or (), heard, self._part.matcher, granted))

    async def _send(
        self,
        number: int,
        part: str,
        messages: tuple[Message, ...],
        max_tokens: int,
        *,
        in_json: bool = False,
        continues: bool = False,
    ) -> ChatReply:
        call = CallKey(attempt_unit(*self._character.attempt), f"turn {self._index}{part}", number)
        return await self._model.chat(
            ChatRequest(
                call=call,
                messages=messages,
                max_tokens=max_tokens,
                temperature=self._temperature,
                seed=call.seed(self._settings.seed),
                schema=schema_of(TurnOutput) if in_json else None,
                continues=continues,
            )
        )

    def _conversation(self, lines: int | None = None) -> str:
        if not self._heard:
            return "(nothing yet: you speak first)"
        shown = self._heard[-lines:] if lines else self._heard
        return "\n".join(map(_line, shown))

    def _hearers(self) -> str:
        """Whom the turn is for, where that is not everybody who takes part."""
        if not self._character.audience(self._index):
            return ""
        names = and_list(self._character.hearers(self._index))
        if self._index in self._character.read_at:
            return f"You don't say this turn aloud: you write it as a note, for {names} alone.\n"
        return f"What you say now, {names} can hear, and nobody else.\n"

    # -- one call for thought and utterance --------------------------------------------------------------------------

    async def _in_one_call(self, number: int, problems: Sequence[str]) -> TurnWords:
        in_json = self._settings.turn_format == "json"
        form = prompt(_PACKAGE, f"form_{self._settings.turn_format}")
        asked = prompt(_PACKAGE, "turn").fill(
            conversation=self._conversation(),
            hearers=self._hearers(),
            directions="\n".join(f"- {sentence}" for sentence in self._sentences),
            partner=self._character.company,
            thoughts="\n".join(f"- {wanted.words()}" for wanted in self._wanted),
            form=form.fill() if in_json else form.fill(name=self._character.name),
        )
        messages = [Message("system", self._part.system), Message("user", asked)]
        if problems:
            wrong = prompt(_PACKAGE, "again").fill(problems="; ".join(problems[:_SHOWN_PROBLEMS]))
            messages += [Message("assistant", self._last or "(nothing)"), Message("user", wrong)]
        begun = "" if in_json else f"{self._character.name}: ({self._wanted[0].prefix}"
        if begun:
            messages.append(Message("assistant", begun))
        reply = await self._send(number, "", tuple(messages), _TURN_TOKENS, in_json=in_json, continues=bool(begun))
        self._last = (begun + reply.text)[:2_000]
        if not in_json:
            _check(reply)
            return read_text_turn(reply.text, self._character.name, begun)
        draft = read_record(reply, TurnOutput)
        return TurnWords(thought_words(draft.thought), spoken(draft.utterance))

    # -- one thing at a time -----------------------------------------------------------------------------------------

    async def _bit_by_bit(self, number: int) -> TurnWords:
        thoughts = [await self._one_thought(number, position) for position in range(len(self._wanted))]
        thought = " ".join(thoughts)
        return TurnWords(thought_words(thought), await self._one_line(number, thought))

    async def _one_thought(self, number: int, position: int) -> str:
        wanted = self._wanted[position]
        asked = prompt(_PACKAGE, "weak_thought").fill(
            conversation=self._conversation(_LINES_FOR_WEAK),
            name=self._character.name,
            direction=f"Think this: {wanted.words()}",
        )
        rest = await self._continued(number, f" thought {position}", asked, wanted.prefix, _THOUGHT_TOKENS)
        sentence = _SENTENCE_END.split(rest, maxsplit=1)[0].strip(" \"'()").rstrip(".!? ")
        return f"{wanted.prefix} {sentence}."

    async def _one_line(self, number: int, thought: str) -> str:
        asked = prompt(_PACKAGE, "weak_utterance").fill(
            conversation=self._conversation(_LINES_FOR_WEAK),
            name=self._character.name,
            partner=self._character.company,
            thought=as_data(thought),
            direction=self._hearers() + " ".join(self._main_sentences()),
        )
        begun = self._part.text.beginning(self._directions)
        rest = await self._continued(number, " line", asked, begun, _LINE_TOKENS)
        first = rest.strip().split("\n", 1)[0]
        sentences = _SENTENCE_END.split(first)[:_MOST_SENTENCES]
        return spoken(f"{begun} {' '.join(sentences)}".strip().strip('"'))

    def _main_sentences(self) -> list[str]:
        """The weightiest direction of the turn, with what belongs to it: a weak model follows one, not three."""
        both = zip(self._directions, self._sentences, strict=True)
        return [sentence for direction, sentence in both if direction.move in _WEIGHTY] or self._sentences[-1:]

    async def _continued(self, number: int, part: str, asked: str, begun: str, max_tokens: int) -> str:
        messages = [Message("system", self._part.system), Message("user", asked)]
        if begun:
            messages.append(Message("assistant", begun))
        reply = await self._send(number, part, tuple(messages), max_tokens, continues=bool(begun))
        if reply.finish in {"filter", "refusal"}:
            _check(reply)
        return _whole_sentences(reply.text) if reply.finish == "length" else reply.text


_WEIGHTY = frozenset(
    {
        Move.VOICE,
        Move.UPDATE,
        Move.RESTATE,
        Move.MISLEAD,
        Move.PRESUME,
        Move.ACT,
        Move.TELL,
        Move.REVEAL,
        Move.ASK,
        Move.WONDER,
        Move.CORRECT,
        Move.STAY,
    }
)


def _line(line: Heard) -> str:
    """A line as the character heard, read or saw it."""
    if not line.speaker:
        return f"[{line.text}]"
    to = f" ({'in a note ' if line.note else ''}to {and_list(line.to)})" if line.to else ""
    return f"{line.turn}. {line.speaker}{to}: {as_data(line.text)}"


def _said(thoughts: Sequence[InnerSpeech], readings: Sequence[Reading]) -> tuple[Expression, ...] | None:
    """The states that the words express, by what is read in them; None if they are just those that are thought."""
    said = tuple(
        Expression(
            topic=one.topic,
            content=one.content,
            about=None if one.act is Act.STATE else one.holder,
            presumed=one.act is Act.PRESUME,
        )
        for one in readings
        if one.act in {Act.STATE, Act.PRESUME, Act.TELL}
    )
    own = tuple(
        Expression(topic=one.topic, content=one.content) for one in thoughts if one.order == 1 and one.topic is not None
    )
    return None if said == own else said


def _whole_sentences(text: str) -> str:
    """A reply that was cut, without the sentence in the middle of which that happened.

    Raises:
        ReplyError: nothing is left of it.
    """
    end = max(text.rfind(mark) for mark in ".!?\n")
    if end < 0:
        raise ReplyError("the reply is longer than it may be and was cut")
    return text[: end + 1]


def _check(reply: ChatReply) -> None:
    if reply.finish == "refusal":
        raise ReplyError("the model refused")
    if reply.finish == "filter":
        raise ReplyError("the provider's content filter cut the reply")
    if reply.finish == "length":
        raise ReplyError("the reply is longer than it may be and was cut")
