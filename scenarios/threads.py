"""Threads: what has to be said about one topic, and placing it on the turns of a dialogue."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from dtomtrack.beliefs.scenario import PlannedUpdate, Presumption, Scenario, Topic
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.script import Direction, Move, State

__all__ = ["CARRIES_ON", "FIRST_MAIN_TURN", "ROOMY", "Layout", "Thread", "persuader", "place", "thread_of"]

FIRST_MAIN_TURN = 2
"""The turns before it are for greetings."""
_WEIGHTY = frozenset({Move.VOICE, Move.UPDATE, Move.PRESUME, Move.REVEAL})
_QUESTIONS = frozenset({Move.ASK, Move.WONDER})
_LIGHT = _QUESTIONS | {Move.STAY}
CARRIES_ON = _WEIGHTY | _LIGHT
"""Moves that carry a topic on."""
_ONE_OF_THEM = {
    **{move: frozenset({move}) for move in (Move.UPDATE, Move.REVEAL, Move.PRESUME)},
    **dict.fromkeys(_QUESTIONS, _QUESTIONS),
}
"""By moves that come once a turn, those of which a turn has one."""


ROOMY = 2.0
"""The weight that a turn may take in which nothing is carried on."""
_MOST_WAYS = 100
"""Turns that are tried for first voices before a search is given up; five times what most take that find room."""


def persuader(scenario: Scenario, update: PlannedUpdate) -> str | None:
    """Name of the agent who gives the reason for an update: the last before it, of the others, whom the agent hears.

    None if there is none.
    """
    before = range(update.turn - 1, -1, -1)
    heard = (scenario.speaker(turn) for turn in before if scenario.hears(update.agent, turn))
    return next((name for name in heard if name != update.agent), None)


@dataclass(frozen=True)
class Change:
    """A planned change of mind, and what is said of it: the reason, and the change itself."""

    update: PlannedUpdate
    reason: Direction
    signal: Direction


@dataclass(frozen=True)
class Thread:
    """All that has to be said about what one person holds on a topic.

    Attributes:
        holder: their name; ``named`` is it again where others hold something on the topic, too, else empty.
        first: the content that is voiced first; ``voice`` voices it.
        asked: whether others may ask for it; ``openly``, whether they may without naming two values.
        contested_by: what somebody argues for in vain, if anybody does: what they presume later, where it stands.
    """

    topic: Topic
    holder: str
    changes: tuple[Change, ...]
    presumption: Presumption | None
    first: str
    voice: Direction
    contested_by: str | None
    asked: bool = True
    openly: bool = True

    @property
    def named(self) -> str:
        """The holder's name where it has to be given; empty where nobody else holds anything on the topic."""
        return self.holder if self.topic.co_holders else ""

    @property
    def corrected(self) -> bool:
        """Whether a presumption is objected to."""
        return self.presumption is not None and self.presumption.corrected


def thread_of(
    scenario: Scenario,
    topic: Topic,
    holder: str,
    difficulty: Difficulty,
    rng: Random,
    *,
    asked: bool = True,
    openly: bool = True,
) -> Thread:
    """The thread of what somebody holds on a topic; whether it is contested is drawn."""
    own = (one for one in scenario.updates if (one.topic, one.agent) == (topic.id, holder))
    updates = sorted(own, key=lambda one: one.turn)
    presumption = next((one for one in scenario.presumptions if (one.topic, one.about) == (topic.id, holder)), None)
    held = next(
        state.content
        for agent in scenario.agents
        if agent.name == holder
        for state in agent.initial_states
        if state.topic == topic.id
    )
    contested_by = presumption.presumed if presumption is not None and not presumption.corrected else None
    free = not updates and presumption is None and topic.mental_state in difficulty.contestable
    others = [value for value in topic.values if value not in {held, topic.ignorance}]
    if free and others and rng.random() < difficulty.contest_share:
        contested_by = rng.choice(others)
    named = holder if topic.co_holders else ""
    changes = tuple(_change(update, updates, named) for update in updates)
    voice = Direction(Move.VOICE, topic.id, held, holder=named)
    return Thread(topic, holder, changes, presumption, held, voice, contested_by, asked, openly)


def _change(update: PlannedUpdate, updates: Sequence[PlannedUpdate], named: str) -> Change:
    """Nobody argues against what a mind comes back to."""
    returns = any(later.new == update.old for later in updates if later.turn > update.turn)
    against = "" if returns else update.old
    return Change(
        update,
        Direction(Move.REVEAL, update.topic, update.new, old=against, trigger=update.trigger, holder=named, to=named),
        Direction(Move.UPDATE, update.topic, update.new, old=update.old, marker=update.marker or "", holder=named),
    )


@dataclass
class Layout:
    """Directions placed so far.

    Attributes:
        speakers: name of the agent who speaks, by turn.
        hearers: those who hear what is said, by turn, each turn's speaker among them.
        turns: how many turns there are.
    """

    speakers: Sequence[str]
    difficulty: Difficulty
    hearers: Sequence[frozenset[str]]
    turns: int = field(init=False)
    placed: dict[int, list[Direction]] = field(init=False)

    def __post_init__(self) -> None:
        light = dict.fromkeys(_LIGHT, self.difficulty.light_move_weight)
        self._weight = {**dict.fromkeys(_WEIGHTY, 1.0), **light}
        self._full = float(self.difficulty.weighty_moves_a_turn)
        self.turns = len(self.speakers)
        self.placed = {turn: [] for turn in range(self.turns)}
        self._turns_of: dict[str, list[int]] = {}
        for turn, speaker in enumerate(self.speakers):
            self._turns_of.setdefault(speaker, []).append(turn)
        self._order: list[int] = []
        """The turns at which something was placed, in that order."""

    def turns_of(self, agent: str, first: int, last: int) -> list[int]:
        """The turns of an agent from ``first`` to ``last``."""
        own = self._turns_of.get(agent, [])
        return own[bisect_left(own, first) : bisect_right(own, last)]

    def answers(self, turn: int) -> bool:
        """Whether a turn may answer the one before: either speaker hears the other."""
        return self.speakers[turn] in self.hearers[turn - 1] and self.speakers[turn - 1] in self.hearers[turn]

    def heard_by(self, agent: str, turns: Sequence[int]) -> list[int]:
        """Of these turns, those that an agent hears."""
        return [turn for turn in turns if agent in self.hearers[turn]]

    def load(self, turn: int) -> float:
        """The weight of what a turn holds."""
        load = 0.0
        for direction in self.placed[turn]:
            load += self._weight.get(direction.move, 0.0)
        return load

    def room(self, turn: int) -> float:
        """The weight that a turn may still take of what carries nothing on."""
        load = self.load(turn)
        return 0.0 if self.difficulty.one_thing_a_turn and load else ROOMY - load

    def mark(self) -> int:
        """How much is placed, to come back to with `cut`."""
        return len(self._order)

    def cut(self, mark: int) -> None:
        """Take away what was placed since."""
        for turn in reversed(self._order[mark:]):
            self.placed[turn].pop()
        del self._order[mark:]

    def add(self, turn: int, direction: Direction) -> None:
        """Place a direction, whatever the turn holds."""
        self.placed[turn].append(direction)
        self._order.append(turn)

    def takes(self, turn: int, move: Move) -> bool:
        """Whether there is room for a move at a turn."""
        load, one_of_them = 0.0, _ONE_OF_THEM.get(move, ())
        for direction in self.placed[turn]:
            if direction.move in one_of_them:
                return False
            load += self._weight.get(direction.move, 0.0)
        return load + self._weight.get(move, 0.0) <= (1.0 if turn == self.turns - 1 else self._full)

    def put(self, turn: int, direction: Direction) -> bool:
        """Place a direction where there is room for it."""
        fits = self.takes(turn, direction.move)
        if fits:
            self.add(turn, direction)
        return fits

    def may_ask(self, turn: int) -> bool:
        """Whether a turn may end with a question: if there is room, or nothing else in it has to be answered."""
        full = self.difficulty.one_thing_a_turn or self.does(turn, *_QUESTIONS, Move.PRESUME)
        return self.takes(turn, Move.WONDER) or not full

    def turn_of(self, direction: Direction) -> int:
        """The turn at which a direction is placed."""
        return next(turn for turn, placed in self.placed.items() if direction in placed)

    def does(self, turn: int, *moves: Move) -> bool:
        """Whether a turn holds one of these moves."""
        return any(direction.move in moves for direction in self.placed[turn])


def place(threads: Sequence[Thread], layout: Layout, rng: Random) -> bool:
    """Place threads in this order, each with its first voice at a turn that leaves room for those behind it.

    A search with backtracking, so that what has no room is known soon; of very many ways not all are tried. Questions
    come last, so that they take no room from what has to be said.
    """
    if not _place(threads, layout, rng, iter(range(_MOST_WAYS))):
        return False
    for thread in threads:
        if not thread.corrected:
            _bring_up(thread, layout.turn_of(thread.voice), layout, rng)
    return True


def _place(threads: Sequence[Thread], layout: Layout, rng: Random, ways: Iterator[int]) -> bool:
    if not threads:
        return True
    thread = threads[0]
    presumed_before = thread.corrected and not layout.difficulty.one_thing_a_turn
    first = FIRST_MAIN_TURN + presumed_before
    options = layout.turns_of(thread.holder, first, _last_voice(thread, layout))
    rng.shuffle(options)
    for voiced in options:
        if next(ways, None) is None:
            return False
        before = layout.mark()
        if _place_at(thread, voiced, layout, rng) and _place(threads[1:], layout, rng, ways):
            return True
        layout.cut(before)
    return False


def _last_voice(thread: Thread, layout: Layout) -> int:
    """The last turn at which a state can be voiced, so that what has to follow still does before the farewells."""
    if thread.changes:
        return thread.changes[0].update.turn - 2
    if thread.contested_by:
        return layout.turns - 5
    return layout.turns - (3 if thread.corrected else 2)


def _place_at(thread: Thread, voiced: int, layout: Layout, rng: Random) -> bool:
    presumed = thread.presumption
    if not layout.put(voiced, thread.voice):
        return False
    if presumed is not None and not _place_presumption(presumed, thread.named, voiced, layout, rng):
        return False
    if thread.contested_by and not _place_contest(thread, thread.contested_by, voiced, layout):
        return False
    since = voiced
    for change in thread.changes:
        if not _place_change(change, since, layout, rng):
            return False
        since = change.update.turn
    return True


def _place_presumption(presumed: Presumption, named: str, voiced: int, layout: Layout, rng: Random) -> bool:
    """A presumption that is objected to comes right before the truth is said.

    Another comes well after it, from somebody who has argued for it meanwhile and takes their reason to have told.
    """
    direction = Direction(Move.PRESUME, presumed.topic, presumed.presumed, holder=named, to=named)
    speakers = layout.speakers
    if presumed.corrected:
        layout.add(voiced, Direction(Move.CORRECT, presumed.topic, holder=named))
        return speakers[voiced - 1] == presumed.agent and layout.answers(voiced) and layout.put(voiced - 1, direction)
    own = layout.turns_of(presumed.agent, voiced + 3, layout.turns - 2)
    options = [turn for turn in own if speakers[turn + 1] == presumed.about and layout.answers(turn + 1)]
    rng.shuffle(options)
    at = next((turn for turn in options if layout.put(turn, direction)), None)
    if at is not None:
        layout.add(at + 1, Direction(Move.LET_STAND, presumed.topic, holder=named))
    return at is not None


def _bring_up(thread: Thread, voiced: int, layout: Layout, rng: Random) -> None:
    """See that the first voice of a topic comes of something: of a question, else of a word that leads over to it."""
    topic, difficulty = thread.topic, layout.difficulty
    asked = thread.asked and rng.random() < difficulty.question_share and layout.answers(voiced)
    if not asked or layout.speakers[voiced - 1] == thread.holder or not layout.may_ask(voiced - 1):
        layout.add(voiced, Direction(Move.LEAD, topic.id, holder=thread.named))
    elif (thread.openly and rng.random() >= _quizzed(thread, difficulty.quiz_share)) or not _values_to_name(thread):
        layout.add(voiced - 1, Direction(Move.WONDER, topic.id, holder=thread.named, to=thread.named))
    else:
        _place_quiz(thread, voiced, layout, rng)


def _quizzed(thread: Thread, share: float) -> float:
    """How likely a question names two values: more so where nothing else brings up another than the answer."""
    others = thread.changes or thread.contested_by or thread.presumption
    return min(1.0, share * (_BESIDE_OTHERS if others else _ALONE))


_BESIDE_OTHERS, _ALONE = 0.5, 2.0


def _values_to_name(thread: Thread) -> list[str]:
    """The values that a question may name beside what is so; empty where there are too few for one that names two."""
    topic = thread.topic
    others = [value for value in topic.values if value not in {thread.first, topic.ignorance}]
    return [] if thread.first == topic.ignorance and len(others) < 2 else others


def _place_quiz(thread: Thread, voiced: int, layout: Layout, rng: Random) -> None:
    """A question that names two values, mostly with the answer among them."""
    topic = thread.topic
    others = _values_to_name(thread)
    evasive = len(others) > 1 and rng.random() < layout.difficulty.evasive_question_share
    ignorant = thread.first == topic.ignorance
    named = rng.sample(others, 2) if evasive or ignorant else [thread.first, rng.choice(others)]
    rng.shuffle(named)
    question = Direction(Move.ASK, topic.id, named=(named[0], named[1]), holder=thread.named, to=thread.named)
    layout.add(voiced - 1, question)
    if evasive and not ignorant:
        layout.add(voiced, Direction(Move.NEITHER, topic.id, holder=thread.named))


def _place_contest(thread: Thread, proposed: str, voiced: int, layout: Layout) -> bool:
    """Whoever speaks next argues against what was voiced; the holder stays with it, or leaves it open for now."""
    holder, named = thread.holder, thread.named
    answers = layout.turns_of(holder, voiced + 2, layout.turns - 1)
    argues = layout.speakers[voiced + 1]
    answers = [turn for turn in answers if layout.answers(turn)]
    if not layout.answers(voiced + 1) or holder not in layout.hearers[voiced + 1]:
        return False
    if not answers or argues == holder or (thread.presumption and argues != thread.presumption.agent):
        return False
    reveal = Direction(Move.REVEAL, thread.topic.id, proposed, old=thread.first, holder=named, to=named)
    if not layout.put(voiced + 1, reveal):
        return False
    if thread.presumption is None:
        return layout.put(answers[0], Direction(Move.STAY, thread.topic.id, thread.first, holder=named))
    layout.add(answers[0], Direction(Move.PONDER, thread.topic.id, holder=named))
    return True


def _place_change(change: Change, since: int, layout: Layout, rng: Random) -> bool:
    """The reason at a turn before the change, and the change at its own."""
    update = change.update
    if update.turn >= layout.turns:
        return False
    heard = layout.heard_by(update.agent, range(since + 1, update.turn))
    between = [layout.speakers[turn] for turn in heard]
    other = next((name for name in reversed(between) if name != update.agent), None)
    if other is None:
        return False
    tellings = [turn for turn in heard if layout.speakers[turn] == other]
    told = tellings[-1]
    if len(tellings) > 1 and rng.random() < layout.difficulty.early_reason_share:
        told = tellings[-2]
        later = layout.turns_of(update.agent, told + 1, update.turn - 1)
        pondered = [turn for turn in later if layout.answers(turn)]
        if pondered:
            layout.add(pondered[0], Direction(Move.PONDER, update.topic, holder=change.signal.holder))
    argued = _argued_otherwise(update, change.reason.state, layout, layout.turns_of(other, 0, told - 1))
    reason = change.reason._replace(named=argued) if argued else change.reason
    if other not in layout.hearers[since]:
        # who has not heard what is given up does not argue against it
        reason = reason._replace(old="")
    return layout.put(told, reason) and layout.put(update.turn, change.signal)


def _argued_otherwise(update: PlannedUpdate, state: State, layout: Layout, turns: Sequence[int]) -> tuple[str, ...]:
    """What was argued for at these turns, if that is something else than what an update comes to."""
    here = (one for turn in turns for one in layout.placed[turn])
    argued = [one.value for one in here if one.move is Move.REVEAL and one.state == state]
    return tuple(argued[-1:]) if argued and argued[-1] != update.new else ()
