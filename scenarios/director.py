"""The director: lays out a scenario over the turns of a dialogue.

What is planned (updates at fixed turns, presumptions, topics that only come up) becomes stage directions for each
turn: a state is voiced before it changes, another agent gives the reason a turn or more before the change, each reacts
to the turn before. Placement (`dtomtrack.scenarios.threads`) searches the few free choices in random order; the random
generator is the scenario's own, so that the result is a function of seed, slot and attempt.
"""

from __future__ import annotations

from collections.abc import Container
from random import Random

from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.errors import PlanError
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.script import Direction, Move, Script, State
from dtomtrack.scenarios.threads import CARRIES_ON, FIRST_MAIN_TURN, ROOMY, Layout, place, thread_of

__all__ = ["direct"]


def direct(
    scenario: Scenario,
    turns: int,
    rng: Random,
    difficulty: Difficulty,
    unasked: Container[str] = (),
    quizzed: Container[str] = (),
) -> Script:
    """Stage directions for each of ``turns`` turns.

    Args:
        unasked: topics that nobody is asked about: their holders come to them themselves.
        quizzed: topics for which there is no open question, so that each question names two values.

    Raises:
        PlanError: the updates of the scenario leave no room for what has to come before them.
    """
    speakers = [scenario.speaker(turn) for turn in range(turns)]
    hearers = [frozenset(name for name in scenario.names if scenario.hears(name, turn)) for turn in range(turns)]
    for _ in range(difficulty.script_draws):
        threads = [
            thread_of(
                scenario, topic, holder, difficulty, rng, asked=topic.id not in unasked, openly=topic.id not in quizzed
            )
            for topic in scenario.topics
            for holder in topic.holders
        ]
        threads.sort(key=lambda thread: not thread.changes)
        for _ in range(difficulty.script_tries):
            layout = Layout(speakers, difficulty, hearers)
            if place(threads, layout, rng):
                return _finish(layout, rng)
    planned = ", ".join(f"{update.topic!r} at turn {update.turn}" for update in scenario.updates) or "no updates"
    raise PlanError(
        f"no room in {turns} turns for {len(scenario.topics)} topics with {planned}: each change needs a turn of "
        "its agent before it to voice the old state and a turn of the partner between to give the reason"
    )


_ORDER = {
    move: position
    for position, moves in enumerate(
        (
            (Move.GREET,),
            (Move.CONCEDE, Move.RELENT, Move.ACCEPT, Move.ANSWER_SMALL_TALK, Move.LET_STAND),
            (Move.ACKNOWLEDGE, Move.PONDER, Move.STAY),
            (Move.OPEN, Move.REPLY),
            (Move.UPDATE,),
            (Move.CORRECT, Move.NEITHER, Move.LEAD, Move.VOICE),
            (Move.PRESUME, Move.REVEAL),
            (Move.ASIDE, Move.SMALL_TALK),
            (Move.ASK, Move.WONDER, Move.INVITE),
            (Move.CLOSE,),
        )
    )
    for move in moves
}


def _finish(layout: Layout, rng: Random) -> Script:
    # who later takes it for something else has not taken it in
    misheard = {one.state for here in layout.placed.values() for one in here if one.move is Move.LET_STAND}
    for turn in range(1, layout.turns):
        _react(layout, turn, misheard, rng)
    _frame(layout, rng)
    return tuple(_in_order(layout, turn) for turn in range(layout.turns))


_SPEAKS_FOR_ITSELF = frozenset({Move.CORRECT, Move.LET_STAND, Move.PONDER, Move.STAY})
"""Reactions beside which another, to another topic, would be taken for part of them."""


def _react(layout: Layout, turn: int, misheard: set[State], rng: Random) -> None:
    """One reaction to the turn before, the one that is due most.

    Args:
        misheard: states that nobody says they took in.
    """
    here, speakers = layout.placed[turn], layout.speakers
    alone = speakers[turn] == speakers[turn - 1] or not layout.answers(turn)
    if alone or any(direction.move in _SPEAKS_FOR_ITSELF for direction in here):
        return
    on_the_table = {direction.state for direction in here if direction.move in CARRIES_ON}
    before = layout.placed[turn - 1]
    corrected = {direction.state for direction in before if direction.move is Move.CORRECT}
    answered = turn > 1 and speakers[turn] == speakers[turn - 2]
    moves = [(_reaction(one, on_the_table | misheard, corrected, layout.difficulty, rng), one) for one in before]
    reactions = [
        Direction(move, to.topic, holder=to.holder)
        for move, to in moves
        if move is not None and (answered or move not in _ANSWERED)
    ]
    reactions.sort(key=lambda reaction: _ORDER[reaction.move])
    here[:0] = reactions[:1]


_ANSWERED = frozenset({Move.CONCEDE, Move.RELENT})
"""Reactions of one who was answered, not of anybody else who was there."""


def _reaction(
    one: Direction, on_the_table: set[State], corrected: set[State], difficulty: Difficulty, rng: Random
) -> Move | None:
    """The move with which somebody reacts to one thing, if they do."""
    if one.move is Move.VOICE and one.state in corrected:
        return Move.CONCEDE
    if one.move is Move.STAY:
        return Move.RELENT
    if one.move is Move.UPDATE:
        return Move.ACCEPT if rng.random() < difficulty.acceptance_share else None
    if one.move is Move.VOICE and one.state not in on_the_table:
        return Move.ACKNOWLEDGE if rng.random() < difficulty.acknowledgement_share else None
    return None


def _frame(layout: Layout, rng: Random) -> None:
    """Greeting, story, asides and farewell."""
    last = layout.turns - 1
    for position, turn in enumerate(_first_turns(layout)):
        layout.placed[turn] += [Direction(Move.GREET)]
        if position < FIRST_MAIN_TURN:
            layout.placed[turn] += [Direction(Move.REPLY if position else Move.OPEN)]
    if layout.does(FIRST_MAIN_TURN, Move.VOICE) and not layout.does(1, Move.ASK, Move.WONDER):
        layout.placed[1].append(Direction(Move.INVITE))
    _pass_the_time(layout, rng)
    if not layout.does(last - 1, Move.REVEAL, Move.ASK, Move.WONDER, Move.PRESUME):
        layout.placed[last - 1].append(Direction(Move.CLOSE))
    layout.placed[last].append(Direction(Move.CLOSE))


def _first_turns(layout: Layout) -> list[int]:
    """The first turn of each agent who speaks."""
    return [layout.speakers.index(name) for name in dict.fromkeys(layout.speakers)]


def _pass_the_time(layout: Layout, rng: Random) -> None:
    """Small talk and asides where a turn has room for them."""
    last, difficulty = layout.turns - 1, layout.difficulty
    small_talk_at = -2
    for turn in range(FIRST_MAIN_TURN, last - 1):
        room = layout.room(turn)
        talks = FIRST_MAIN_TURN < turn < last - 2
        if turn == small_talk_at + 1:
            # behind an answer to something else nobody comes back to what was said before
            layout.placed[turn] = [one for one in layout.placed[turn] if one.move is not Move.ACKNOWLEDGE]
            layout.placed[turn].append(Direction(Move.ANSWER_SMALL_TALK))
        elif talks and _may_talk(layout, turn) and rng.random() < difficulty.small_talk_share:
            layout.placed[turn].append(Direction(Move.SMALL_TALK))
            small_talk_at = turn
        elif room >= ROOMY or (room >= 0.5 and rng.random() < difficulty.aside_share):
            layout.placed[turn].append(Direction(Move.ASIDE))


def _may_talk(layout: Layout, turn: int) -> bool:
    """Whether somebody may end a turn with small talk: there is room, no other answer is due, and it is heard."""
    is_free = layout.room(turn) >= ROOMY / 2 and not layout.does(turn, *_CALLS_FOR_WORDS)
    return is_free and layout.answers(turn + 1)


_CALLS_FOR_WORDS = (Move.ASK, Move.WONDER, Move.REVEAL, Move.PRESUME, Move.CORRECT, Move.STAY, Move.UPDATE)
"""Moves to which the other has something to say at once."""


def _in_order(layout: Layout, turn: int) -> tuple[Direction, ...]:
    """Reactions first, what answers the turn before next, what the other has to answer last."""
    before = {direction.topic for direction in layout.placed[turn - 1]} if turn else set()

    def rank(direction: Direction) -> tuple[int, bool, str, int]:
        return _ORDER[direction.move], direction.topic not in before, direction.topic, _WITHIN.get(direction.move, 1)

    here = sorted(layout.placed[turn], key=rank)
    if corrected := {direction.topic for direction in here if direction.move is Move.CORRECT}:
        here.sort(key=lambda direction: direction.topic not in corrected)
    invited = bool(turn) and layout.does(turn - 1, Move.INVITE)
    talked_about = set(before)
    ordered: list[Direction] = []
    for direction in here:
        moves = {other.move for other in ordered if other.topic != direction.topic}
        away = direction.topic not in talked_about or not moves.isdisjoint(_LEADS_AWAY.get(direction.move, ()))
        shifts = direction.move in _MAY_SHIFT and away and not (invited and not ordered)
        ordered.append(direction._replace(shifts=True) if shifts else direction)
        talked_about.add(direction.topic)
    return tuple(ordered)


_WITHIN = {Move.CORRECT: 0, Move.NEITHER: 0, Move.LEAD: 0}
"""Moves that come before the voice of the same topic."""
_MAY_SHIFT = frozenset({Move.VOICE, Move.REVEAL, Move.UPDATE, Move.STAY, Move.PONDER})
"""Moves that say what they are about if the turn before was about something else; a presumption is made in passing."""
_OWN = frozenset({Move.VOICE, Move.UPDATE})
"""Moves about oneself, after which a reason meant for the other has to say what it is about."""
_LEADS_AWAY = {Move.REVEAL: _OWN, Move.STAY: _OWN, Move.PONDER: _OWN}
"""By moves that have to say what they are about behind others on something else in the same turn, those others."""
