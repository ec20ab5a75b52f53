"""Model actors among several: they are asked with what their character heard, and told who hears them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from dtomtrack.beliefs.scenario_parts import Topic
from dtomtrack.errors import ReplyError
from dtomtrack.graphs.next_turn import Parts
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.asked_turn import AskedTurn, Part
from dtomtrack.scenarios.acting.character import Character, Heard, characters
from dtomtrack.scenarios.acting.direction_text import DirectionText
from dtomtrack.scenarios.acting.model_actor import ActorSettings, ActorStyle, ModelActor
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Move


@dataclass
class Silent:
    """Answers nothing that can be used, and keeps what it was asked."""

    name: str = "silent"
    asked: list[str] = field(default_factory=list)

    async def chat(self, request: ChatRequest) -> ChatReply:
        self.asked.append("\n".join(message.content for message in request.messages))
        return ChatReply("", "stop", Usage(0, 0))


@pytest.fixture(scope="module")
def planned() -> DirectedScenario:
    """A dialogue in which somebody writes a note."""
    pack, difficulty = Domain(load_pack(find_pack("team"))).pack, preset("hard")
    sampled = (sample_scenario(pack, slot_at(0, at, ["team"]), 0, difficulty.turns, difficulty) for at in range(9))
    return next(one for one in sampled if any(step.move is Move.WRITE for turn in one.script for step in turn))


@pytest.mark.parametrize("style", ["one-call", "two-call"])
async def test_an_actor_is_asked_for_every_kind_of_turn(planned: DirectedScenario, style: ActorStyle) -> None:
    moves = {one.move for turn in planned.script for one in turn}
    assert {Move.TELL, Move.ACT, Move.WONDER} & moves
    own = characters(planned, (0, 0), lambda turn: slot_at(0, 0, ["team"]).random(0, "turn", turn))
    parts, said = Parts(planned.scenario, own), list[Heard]()
    for turn in range(len(planned.script)):
        model, now = Silent(), parts.next_turn(said)
        with pytest.raises(ReplyError):
            await ModelActor(model, ActorSettings(style=style, retries=0)).play(now.part, turn, now.heard)
        unheard = {line.turn for line in said} - {line.turn for line in now.heard}
        assert not any(f"SAID-{at}." in asked for asked in model.asked for at in unheard)
        if style == "one-call" and now.part.audience(turn):
            assert all(name in model.asked[0].split("It is your turn.")[1] for name in now.part.hearers(turn))
        said.append(Heard(turn, now.part.name, f"SAID-{turn}."))


@pytest.mark.parametrize("domain", ["team", "restaurant"])
def test_every_direction_among_several_has_words_for_a_model(domain: str) -> None:
    pack, difficulty = Domain(load_pack(find_pack(domain))).pack, preset("group")
    for index in range(12):
        planned = sample_scenario(pack, slot_at(0, index, [domain]), 0, difficulty.turns, difficulty)
        for one in characters(planned, (index, 0), lambda turn: slot_at(0, 0, [domain]).random(0, "turn", turn)):
            text = DirectionText(one)
            assert all(all(text.sentences(directions)) for directions in one.directions.values())


def test_a_note_is_not_asked_for_as_speech_and_turns_are_counted_alike(planned: DirectedScenario) -> None:
    own = characters(planned, (0, 0), lambda turn: slot_at(0, 0, ["team"]).random(0, "turn", turn))
    parts, said, notes = Parts(planned.scenario, own), list[Heard](), 0
    for turn in range(len(planned.script)):
        now = parts.next_turn(said)
        asked = AskedTurn(Silent(), ActorSettings(), Part(now.part, "one-call"), now.part, turn, now.heard)
        if turn in now.part.read_at:
            notes += 1
            assert "aloud" not in " ".join((asked.hearers(), *asked.sentences))
        numbers = [int(line.partition(".")[0]) for line in asked.conversation().split("\n") if line[:1].isdigit()]
        assert numbers == [line.turn + 1 for line in now.heard if line.speaker]
        said.append(Heard(turn, now.part.name, f"SAID-{turn}."))
    assert notes


def _about_what_is_shared(planned: DirectedScenario) -> tuple[Topic, Character, int]:
    """A topic of several holders, its first holder, and a later turn of theirs that is about something else."""
    shared = next(topic for topic in planned.scenario.topics if topic.co_holders)
    own = characters(planned, (0, 0), lambda turn: slot_at(0, 0, ["team"]).random(0, "turn", turn))
    character = next(one for one in own if one.name == shared.holders[0])
    turn = next(
        at
        for at, directions in enumerate(planned.script)
        if at > 4
        and planned.scenario.speaker(at) == character.name
        and all(one.topic != shared.id for one in directions)
    )
    return shared, character, turn


@pytest.mark.parametrize("spoken_between", [False, True])
def test_a_note_that_is_read_late_takes_nothing_back(planned: DirectedScenario, *, spoken_between: bool) -> None:
    shared, character, turn = _about_what_is_shared(planned)
    listener, speaker = shared.holders[:2]
    before, after = (f"I'd say that {value}." for value in shared.values[:2])
    between = [Heard(turn - 2, listener, "I see.")] if spoken_between else []
    heard = [Heard(turn - 3, speaker, after), *between, Heard(turn - 4, speaker, before, note=True)]
    asked = AskedTurn(Silent(), ActorSettings(), Part(character, "one-call"), character, turn, heard)
    of_speaker = [one for one in asked.wanted if speaker in str(one)]
    assert not any(shared.values[0] in str(one) for one in of_speaker)
    assert any(shared.values[1] in str(one) for one in of_speaker) != spoken_between
    laid_down = " ".join(one.sentence for one in asked.wanted)
    assert not any(problem.startswith("nothing that was heard") for problem in asked.thought_problems(laid_down))


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("I'd say that {value}.", True),
        ("Would you say that {value}?", False),
        ("{other}, for one, holds that {value}.", False),
    ],
)
def test_what_is_asked_or_said_of_others_is_no_state_of_the_speaker(
    planned: DirectedScenario, said: str, *, heard: bool
) -> None:
    shared, character, turn = _about_what_is_shared(planned)
    listener, speaker = shared.holders[:2]
    line = Heard(turn - 1, speaker, said.format(value=shared.values[0], other=listener))
    asked = AskedTurn(Silent(), ActorSettings(), Part(character, "one-call"), character, turn, [line])
    wanted = [one for one in asked.wanted if speaker in str(one) and shared.values[0] in str(one)]
    assert bool(wanted) == heard


@pytest.mark.parametrize(
    ("line", "is_heard"),
    [
        ("By the way, {holder} holds that {value}.", True),
        ("I hear that {holder}, by now, holds that {value}.", True),
        ("It is clear that {value}.", False),
    ],
)
def test_what_is_to_be_told_of_a_third_is_heard_as_told_of_them(line: str, *, is_heard: bool) -> None:
    found = []
    for holder, value, asked in _tellings():
        laid_down = " ".join(wanted.sentence for wanted in asked.wanted)
        wrong = asked.line_problems(laid_down, line.format(holder=holder, value=value))
        found.append(any("as of somebody else" in problem for problem in wrong))
    assert found == [not is_heard] * len(found)
    assert len(found) > 3


def _tellings() -> Iterator[tuple[str, str, AskedTurn]]:
    """Turns that say of somebody what they hold, with who that is and what."""
    pack, difficulty = Domain(load_pack(find_pack("team"))).pack, preset("group")
    for index in range(80):
        planned = sample_scenario(pack, slot_at(0, index, ["team"]), 0, difficulty.turns, difficulty)
        own = characters(planned, (index, 0), lambda turn: slot_at(0, 0, ["team"]).random(0, "turn", turn))
        speakers = {one.name: one for one in own}
        for turn, directions in enumerate(planned.script):
            told = [one for one in directions if one.move in {Move.TELL, Move.ACT}]
            speaker = speakers[planned.scenario.speaker(turn)]
            for one in told:
                holder = one.holder or planned.scenario.topic(one.topic).holder
                asked = AskedTurn(Silent(), ActorSettings(), Part(speaker, "one-call"), speaker, turn, [])
                yield holder, one.value, asked
