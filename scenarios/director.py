"""The director: lays out a scenario over the turns of a dialogue.

What is planned (updates at fixed turns, presumptions, topics that only come up) becomes stage directions for each
turn: a state is voiced before it changes, the partner gives the reason a turn or more before the change, each reacts
to what the other just did. Placement is a random search over the few free choices; the random generator is the
scenario's own, so that the result is a function of seed, slot and attempt.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from random import Random

from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Presumption, Scenario, Topic
from dtomtrack.errors import PlanError
from dtomtrack.scenarios.stage import Direction, Move, Script

__all__ = ["direct"]

_FIRST_MAIN_TURN = 2
_TRIES = 60
_SPARSE_DRAWS, _SPARSE_TRIES = 5, 30
"""In a sparse script, what is optional (to contest a state) may take the room of what has to be said."""
_WEIGHT = {Move.VOICE: 1.0, Move.UPDATE: 1.0, Move.PRESUME: 1.0, Move.REVEAL: 1.0, Move.ASK: 0.5, Move.STAY: 0.5}
_FULL = 2.0
_NEARLY_FULL = 1.0
"""How much a turn holds; the last turn, the one that an aside may join, and each turn of a sparse script less."""
_ONCE_A_TURN = frozenset({Move.UPDATE, Move.REVEAL, Move.ASK, Move.PRESUME})
_CONTESTED = frozenset({MentalState.INTENTION, MentalState.DESIRE})
"""States that one can keep in the face of a good reason; to keep a belief or feeling against the facts would be odd."""


def direct(scenario: Scenario, turns: int, rng: Random, *, sparse: bool = False) -> Script:
    """Stage directions for each of ``turns`` turns; a ``sparse`` script asks for one weighty thing a turn at most.

    Raises:
        PlanError: the updates of the scenario leave no room for what has to come before them.
    """
    for _ in range(_SPARSE_DRAWS if sparse else 1):
        threads = [_thread(scenario, topic, rng) for topic in scenario.topics]
        threads.sort(key=lambda thread: not thread.updates)
        for _ in range(_SPARSE_TRIES if sparse else _TRIES):
            stage = _Stage(scenario, turns, sparse)
            if all(_place_somewhere(thread, stage, rng) for thread in threads):
                return _finish(stage, rng)
    planned = ", ".join(f"{update.topic!r} at turn {update.turn}" for update in scenario.updates) or "no updates"
    raise PlanError(
        f"no room in {turns} turns for {len(scenario.topics)} topics with {planned}: each change needs a turn of "
        "its agent before it to voice the old state and a turn of the partner between to give the reason"
    )


@dataclass(frozen=True)
class _Thread:
    """What has to be said about one topic."""

    topic: Topic
    updates: tuple[PlannedUpdate, ...]
    presumption: Presumption | None
    first: str
    contested_by: str | None


def _thread(scenario: Scenario, topic: Topic, rng: Random) -> _Thread:
    updates = tuple(
        sorted((update for update in scenario.updates if update.topic == topic.id), key=lambda update: update.turn)
    )
    presumption = next((one for one in scenario.presumptions if one.topic == topic.id), None)
    held = next(
        state.content
        for agent in scenario.agents
        if agent.name == topic.holder
        for state in agent.initial_states
        if state.topic == topic.id
    )
    contested_by = None
    if not updates and presumption is None and topic.mental_state in _CONTESTED and rng.random() < 0.6:
        contested_by = rng.choice([value for value in topic.values if value != held])
    return _Thread(topic, updates, presumption, held, contested_by)


@dataclass
class _Stage:
    """Directions placed so far."""

    scenario: Scenario
    turns: int
    sparse: bool
    placed: dict[int, list[Direction]] = field(default_factory=lambda: defaultdict(list))

    def turns_of(self, agent: str, first: int, last: int) -> list[int]:
        others_turn = self.scenario.speaker(first) != agent
        return list(range(first + others_turn, last + 1, len(self.scenario.agents)))

    def load(self, turn: int) -> float:
        return sum(_WEIGHT.get(direction.move, 0.0) for direction in self.placed[turn])

    def room(self, turn: int) -> float:
        """What a turn may still take of what carries nothing on."""
        load = self.load(turn)
        return 0.0 if self.sparse and load else _FULL - load

    def sizes(self) -> list[int]:
        return [len(self.placed[turn]) for turn in range(self.turns)]

    def cut(self, sizes: list[int]) -> None:
        for turn, size in enumerate(sizes):
            del self.placed[turn][size:]

    def put(self, turn: int, direction: Direction) -> bool:
        there = self.placed[turn]
        if direction.move in _ONCE_A_TURN and any(other.move is direction.move for other in there):
            return False
        full = _NEARLY_FULL if self.sparse or turn == self.turns - 1 else _FULL
        if self.load(turn) + _WEIGHT.get(direction.move, 0.0) > full:
            return False
        there.append(direction)
        return True


def _place_somewhere(thread: _Thread, stage: _Stage, rng: Random) -> bool:
    """Place a thread with its first voice at any turn that works."""
    corrected = thread.presumption is not None and thread.presumption.corrected
    first = _FIRST_MAIN_TURN + (1 if corrected and not stage.sparse else 0)
    options = stage.turns_of(thread.topic.holder, first, _last_voice(thread, stage))
    rng.shuffle(options)
    for voiced in options:
        before = stage.sizes()
        if _place(thread, voiced, stage, rng):
            return True
        stage.cut(before)
    return False


def _place(thread: _Thread, voiced: int, stage: _Stage, rng: Random) -> bool:
    topic = thread.topic
    partner = stage.scenario.partner(topic.holder)
    presumed = thread.presumption
    corrected = presumed is not None and presumed.corrected
    if not stage.put(voiced, Direction(Move.VOICE, topic.id, thread.first)):
        return False
    if presumed is not None and not _place_presumption(presumed, voiced, stage, rng):
        return False
    if not corrected and not _place_question(thread, voiced, stage, rng):
        return False
    if thread.contested_by and not _place_contest(thread, thread.contested_by, voiced, stage):
        return False
    since = voiced
    for update in thread.updates:
        returns = any(later.new == update.old for later in thread.updates if later.turn > update.turn)
        if not _place_update(update, since, partner, stage, rng, argue_against=not returns):
            return False
        since = update.turn
    return True


def _last_voice(thread: _Thread, stage: _Stage) -> int:
    """The last turn at which a state can be voiced, so that what has to follow still does before the farewells."""
    if thread.updates:
        return thread.updates[0].turn - 2
    if thread.contested_by:
        return stage.turns - 5
    if thread.presumption is not None:
        return stage.turns - (3 if thread.presumption.corrected else 5)
    return stage.turns - 2


def _place_presumption(presumed: Presumption, voiced: int, stage: _Stage, rng: Random) -> bool:
    direction = Direction(Move.PRESUME, presumed.topic, presumed.presumed)
    if presumed.corrected:
        stage.placed[voiced].append(Direction(Move.CORRECT, presumed.topic))
        return stage.put(voiced - 1, direction)
    options = stage.turns_of(presumed.agent, voiced + 3, stage.turns - 2)
    rng.shuffle(options)
    at = next((turn for turn in options if stage.put(turn, direction)), None)
    if at is not None:
        stage.placed[at + 1].append(Direction(Move.LET_STAND, presumed.topic))
    return at is not None


def _place_question(thread: _Thread, voiced: int, stage: _Stage, rng: Random) -> bool:
    """A question before the first answer: needed where nothing else brings up a second value, welcome elsewhere."""
    needed = not thread.updates and thread.contested_by is None and thread.presumption is None
    if not needed and rng.random() < 0.5:
        return True
    others = [value for value in thread.topic.values if value != thread.first]
    leaves_out = len(others) > 1 and rng.random() < 0.5
    named = rng.sample(others, 2) if leaves_out else [thread.first, rng.choice(others)]
    rng.shuffle(named)
    asked = stage.put(voiced - 1, Direction(Move.ASK, thread.topic.id, named=(named[0], named[1])))
    if asked and thread.first not in named:
        stage.placed[voiced].append(Direction(Move.NEITHER, thread.topic.id))
    return asked or not needed


def _place_contest(thread: _Thread, proposed: str, voiced: int, stage: _Stage) -> bool:
    reveal = Direction(Move.REVEAL, thread.topic.id, proposed, old=thread.first)
    return stage.put(voiced + 1, reveal) and stage.put(voiced + 2, Direction(Move.STAY, thread.topic.id))


def _place_update(
    update: PlannedUpdate, since: int, partner: str, stage: _Stage, rng: Random, *, argue_against: bool
) -> bool:
    told = update.turn - 1
    if told - 2 > since and rng.random() < 0.15:
        told -= 2
    against = update.old if argue_against else ""
    reveal = Direction(Move.REVEAL, update.topic, update.new, old=against, trigger=update.trigger)
    change = Direction(Move.UPDATE, update.topic, update.new, old=update.old, marker=update.marker)
    if told <= since or update.turn >= stage.turns or stage.scenario.speaker(told) != partner:
        return False
    if told < update.turn - 1:
        stage.placed[told + 1].append(Direction(Move.PONDER, update.topic))
    return stage.put(told, reveal) and stage.put(update.turn, change)


_ORDER = {
    move: position
    for position, moves in enumerate(
        (
            (Move.GREET,),
            (Move.CONCEDE, Move.RELENT, Move.ACCEPT, Move.ANSWER_SMALL_TALK, Move.LET_STAND),
            (Move.ACKNOWLEDGE, Move.PONDER, Move.STAY),
            (Move.OPEN, Move.REPLY),
            (Move.UPDATE,),
            (Move.CORRECT, Move.NEITHER, Move.VOICE),
            (Move.PRESUME, Move.REVEAL),
            (Move.ASIDE, Move.SMALL_TALK),
            (Move.ASK, Move.INVITE),
            (Move.CLOSE,),
        )
    )
    for move in moves
}


def _finish(stage: _Stage, rng: Random) -> Script:
    for turn in range(1, stage.turns):
        _react(stage, turn, rng)
    _frame(stage, rng)
    return tuple(_in_order(stage, turn) for turn in range(stage.turns))


_SPEAKS_FOR_ITSELF = frozenset({Move.CORRECT, Move.LET_STAND, Move.PONDER, Move.STAY})
"""Reactions beside which another, to another topic, would be taken for part of them."""


def _react(stage: _Stage, turn: int, rng: Random) -> None:
    here = stage.placed[turn]
    before = stage.placed[turn - 1]
    if any(direction.move in _SPEAKS_FOR_ITSELF for direction in here):
        return
    on_the_table = {direction.topic for direction in here if direction.move in _WEIGHT}
    corrections = {direction.topic for direction in before if direction.move is Move.CORRECT}
    reactions: list[Direction] = []
    for direction in before:
        if direction.move is Move.VOICE and direction.topic in corrections:
            reactions.append(Direction(Move.CONCEDE, direction.topic))
        elif direction.move is Move.STAY:
            reactions.append(Direction(Move.RELENT, direction.topic))
        elif direction.move is Move.UPDATE and rng.random() < 0.9:
            reactions.append(Direction(Move.ACCEPT, direction.topic))
        elif direction.move is Move.VOICE and direction.topic not in on_the_table and rng.random() < 0.8:
            reactions.append(Direction(Move.ACKNOWLEDGE, direction.topic))
    reactions.sort(key=lambda reaction: _ORDER[reaction.move])
    here[:0] = reactions[:1]


def _frame(stage: _Stage, rng: Random) -> None:
    """Greeting, story, asides and farewell."""
    last = stage.turns - 1
    stage.placed[0] += [Direction(Move.GREET), Direction(Move.OPEN)]
    stage.placed[1] += [Direction(Move.GREET), Direction(Move.REPLY)]
    if _does(stage, _FIRST_MAIN_TURN, Move.VOICE) and not _does(stage, 1, Move.ASK):
        stage.placed[1].append(Direction(Move.INVITE))
    small_talk_at = -2
    for turn in range(_FIRST_MAIN_TURN, last - 1):
        room = stage.room(turn)
        if turn == small_talk_at + 1:
            stage.placed[turn].append(Direction(Move.ANSWER_SMALL_TALK))
        elif room >= _FULL and turn > _FIRST_MAIN_TURN and turn < last - 2 and rng.random() < 0.5:
            stage.placed[turn].append(Direction(Move.SMALL_TALK))
            small_talk_at = turn
        elif room >= _FULL or (room >= _NEARLY_FULL and rng.random() < 0.45):
            stage.placed[turn].append(Direction(Move.ASIDE))
    if not _does(stage, last - 1, Move.REVEAL, Move.ASK, Move.PRESUME):
        stage.placed[last - 1].append(Direction(Move.CLOSE))
    stage.placed[last].append(Direction(Move.CLOSE))


def _does(stage: _Stage, turn: int, *moves: Move) -> bool:
    return any(direction.move in moves for direction in stage.placed[turn])


def _in_order(stage: _Stage, turn: int) -> tuple[Direction, ...]:
    """Reactions first, what answers the turn before next, what the other has to answer last."""
    before = {direction.topic for direction in stage.placed[turn - 1]} if turn else set()

    def rank(direction: Direction) -> tuple[int, bool, str, int]:
        return _ORDER[direction.move], direction.topic not in before, direction.topic, _WITHIN.get(direction.move, 1)

    here = sorted(stage.placed[turn], key=rank)
    if corrected := {direction.topic for direction in here if direction.move is Move.CORRECT}:
        here.sort(key=lambda direction: direction.topic not in corrected)
    invited = bool(turn) and _does(stage, turn - 1, Move.INVITE)
    talked_about = set(before)
    ordered: list[Direction] = []
    for direction in here:
        away = direction.topic not in talked_about or (
            direction.move is Move.REVEAL
            and any(other.move in _OWN and other.topic != direction.topic for other in ordered)
        )
        shifts = direction.move in _MAY_SHIFT and away and not (invited and not ordered)
        ordered.append(replace(direction, shifts=True) if shifts else direction)
        talked_about.add(direction.topic)
    return tuple(ordered)


_WITHIN = {Move.CORRECT: 0, Move.NEITHER: 0}
"""What comes before the voice of the same topic."""
_MAY_SHIFT = frozenset({Move.VOICE, Move.REVEAL, Move.UPDATE})
"""Moves that say what they are about if the turn before was about something else; a presumption is made in passing."""
_OWN = frozenset({Move.VOICE, Move.UPDATE})
"""Moves about oneself, after which a reason meant for the other has to say what it is about."""
