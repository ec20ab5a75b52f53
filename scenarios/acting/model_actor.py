"""Language models as actors: one call a turn for strong models, a call a thought and one for the line for weak ones.

An actor is given what its character may know: its own part and what was said aloud. What it writes is read, matched
to the values of topics, and checked by rules (`dtomtrack.verifiers.turns`) before anybody hears it; what fails is
asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.inner_speech import parse_thoughts
from dtomtrack.beliefs.matching import StateMatcher
from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatReply, ChatRequest, Message
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.structured import read_record, schema_of
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.scenarios.acting.character import Character, Performance
from dtomtrack.scenarios.acting.stage_words import StageWords, manner
from dtomtrack.scenarios.acting.turn_format import TurnDraft, TurnWords, read_text_turn, spoken, thought_words
from dtomtrack.scenarios.stage import Move
from dtomtrack.verifiers.turns import Demands, TurnRules

__all__ = ["ActorSettings", "ActorStyle", "ModelActor", "TurnFormat"]

ActorStyle = Literal["one-call", "two-call"]
TurnFormat = Literal["json", "text"]
Line = tuple[str, str]

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
        self.name = model.name

    async def play(self, character: Character, transcript: Sequence[Line]) -> Performance:
        """The character's next turn.

        Raises:
            ReplyError: no try gave a turn that passes the rules.
            ModelError: no answer can be had.
        """
        turn = _Turn(self._model, self._settings, character, transcript)
        problems: list[str] = []
        for number in range(self._settings.retries + 1):
            try:
                words = await turn.ask(number, problems)
            except ReplyError as error:
                problems = [str(error)]
                continue
            performance = turn.performance(words)
            problems = turn.problems(words, performance)
            if not problems:
                return performance
        raise ReplyError(f"turn {len(transcript)} of {character.name}: {problems[0]}")


class _Turn:
    """One turn, from its directions to what is said."""

    def __init__(
        self, model: ChatModel, settings: ActorSettings, character: Character, transcript: Sequence[Line]
    ) -> None:
        self._model = model
        self._settings = settings
        self._character = character
        self._transcript = transcript
        self._index = len(transcript)
        self._directions = character.directions[self._index]
        self._matcher = StateMatcher(character.topics.values())
        self._words = StageWords(character.partner, character.topics, character.reasons, character.agent.goal)
        self._wanted = self._words.thoughts(self._directions, self._heard())
        self._sentences = self._words.sentences(self._directions, last=character.speaks_last(self._index))
        later = [one for turn, there in character.directions.items() if turn > self._index for one in there]
        self._demands: Demands = self._words.demands(
            self._directions, self._index, character.name, later, self._sentences
        )
        self._last = ""
        self._temperature = settings.temperature

    def _heard(self) -> list[str]:
        """Topics of the partner's of which the last thing said names a value."""
        if not self._transcript:
            return []
        named = {direction.topic for direction in self._directions if direction.move is Move.PRESUME}
        said = self._transcript[-1][1]
        return [
            topic.id
            for topic in self._character.topics.values()
            if topic.holder == self._character.partner
            and topic.id not in named
            and self._matcher.named(topic.id, said) is not None
        ]

    async def ask(self, number: int, problems: Sequence[str]) -> TurnWords:
        """What the model writes, at this try.

        Raises:
            ReplyError: it has not the form of a turn.
        """
        if self._settings.style == "one-call":
            return await self._in_one_call(number, problems)
        self._temperature = min(1.0, self._settings.temperature + _WARMER * number)
        return await self._bit_by_bit(number)

    def performance(self, words: TurnWords) -> Performance:
        """The turn, with its thoughts as values of topics where they express one."""
        found = parse_thoughts(words.thought, self._character.name, [self._character.partner])
        thoughts = tuple(self._matched(one) for one in found)
        return Performance(f"({words.thought})", words.utterance, thoughts)

    def _matched(self, thought: InnerSpeech) -> InnerSpeech:
        holder = thought.about or self._character.name
        match = self._matcher.thought(holder, thought.mental_state, thought.content)
        return thought if match is None else thought.model_copy(update={"topic": match[0], "content": match[1]})

    def problems(self, words: TurnWords, performance: Performance) -> list[str]:
        """What the rules find wrong."""
        rules = TurnRules(self._matcher, self._character.name, self._character.partner)
        thoughts = performance.thoughts or ()
        return rules.problems(words.thought, thoughts, words.utterance, self._demands, self._transcript)

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
                schema=schema_of(TurnDraft) if in_json else None,
                continues=continues,
            )
        )

    def _system(self) -> str:
        character = self._character
        private = character.agent.private_info or ("nothing in particular",)
        return prompt(_PACKAGE, "actor").fill(
            name=character.name,
            role=character.agent.role,
            partner=character.partner,
            partner_role=character.partner_role,
            context=character.context,
            goal=character.agent.goal,
            manner=manner(character.agent.personality),
            private_info="\n".join(f"- {as_data(one)}" for one in private),
        )

    def _conversation(self, lines: int | None = None) -> str:
        if not self._transcript:
            return "(nothing yet: you speak first)"
        first = max(0, self._index - lines) if lines else 0
        shown = list(enumerate(self._transcript))[first:]
        return "\n".join(f"{index}. {speaker}: {as_data(said)}" for index, (speaker, said) in shown)

    # -- one call for thought and utterance --------------------------------------------------------------------------

    async def _in_one_call(self, number: int, problems: Sequence[str]) -> TurnWords:
        in_json = self._settings.turn_format == "json"
        form = prompt(_PACKAGE, f"form_{self._settings.turn_format}")
        asked = prompt(_PACKAGE, "turn").fill(
            conversation=self._conversation(),
            directions="\n".join(f"- {sentence}" for sentence in self._sentences),
            partner=self._character.partner,
            thoughts="\n".join(f"- {wanted.words()}" for wanted in self._wanted),
            form=form.fill() if in_json else form.fill(name=self._character.name),
        )
        messages = [Message("system", self._system()), Message("user", asked)]
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
        draft = read_record(reply, TurnDraft)
        return TurnWords(thought_words(draft.thought), spoken(draft.utterance))

    # -- one thing at a time -----------------------------------------------------------------------------------------

    async def _bit_by_bit(self, number: int) -> TurnWords:
        thoughts = [await self._one_thought(number, place) for place in range(len(self._wanted))]
        thought = " ".join(thoughts)
        return TurnWords(thought_words(thought), await self._one_line(number, thought))

    async def _one_thought(self, number: int, place: int) -> str:
        wanted = self._wanted[place]
        asked = prompt(_PACKAGE, "weak_thought").fill(
            conversation=self._conversation(_LINES_FOR_WEAK),
            name=self._character.name,
            direction=f"Think this: {wanted.words()}",
        )
        rest = await self._continued(number, f" thought {place}", asked, wanted.prefix, _THOUGHT_TOKENS)
        sentence = _SENTENCE_END.split(rest, maxsplit=1)[0].strip(" \"'()").rstrip(".!? ")
        return f"{wanted.prefix} {sentence}."

    async def _one_line(self, number: int, thought: str) -> str:
        asked = prompt(_PACKAGE, "weak_utterance").fill(
            conversation=self._conversation(_LINES_FOR_WEAK),
            name=self._character.name,
            partner=self._character.partner,
            thought=as_data(thought),
            direction=" ".join(self._main_sentences()),
        )
        begun = self._words.beginning(self._directions)
        rest = await self._continued(number, " line", asked, begun, _LINE_TOKENS)
        first = rest.strip().split("\n", 1)[0]
        sentences = _SENTENCE_END.split(first)[:_MOST_SENTENCES]
        return spoken(f"{begun} {' '.join(sentences)}".strip().strip('"'))

    def _main_sentences(self) -> list[str]:
        """The weightiest direction of the turn, with what belongs to it: a weak model follows one, not three."""
        both = zip(self._directions, self._sentences, strict=True)
        return [sentence for direction, sentence in both if direction.move in _WEIGHTY] or self._sentences[-1:]

    async def _continued(self, number: int, part: str, asked: str, begun: str, max_tokens: int) -> str:
        messages = [Message("system", self._system()), Message("user", asked)]
        if begun:
            messages.append(Message("assistant", begun))
        reply = await self._send(number, part, tuple(messages), max_tokens, continues=bool(begun))
        if reply.finish in {"filter", "refusal"}:
            _check(reply)
        return _whole_sentences(reply.text) if reply.finish == "length" else reply.text


_WEIGHTY = frozenset({Move.VOICE, Move.UPDATE, Move.PRESUME, Move.REVEAL, Move.ASK, Move.CORRECT, Move.STAY})


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
