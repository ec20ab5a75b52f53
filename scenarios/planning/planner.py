"""The planner: lays out who says what to whom over a whole dialogue, by search.

A schedule is drawn (`dtomtrack.scenarios.planning.schedule`) and played forward, turn by turn: what is due next and can
be played is; what cannot waits. Who is away, who has heard what and whose picture is wrong is known at each turn, so
that nothing planned contradicts it, and the time that it takes grows with the number of turns alone. If a schedule does
not come out, another is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import inf
from random import Random

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN
from dtomtrack.errors import PlanError
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.planning import acting_on, apart, exchanges, hearsay, mentions
from dtomtrack.scenarios.planning.schedule import OF_A_CHANGE, Schedule, Spread, draw_schedule
from dtomtrack.scenarios.planning.stage import Stage
from dtomtrack.scenarios.planning.steps import Kind, Step
from dtomtrack.scenarios.planning.trajectories import LONG, SHORT, Trajectory
from dtomtrack.scenarios.script import Move

__all__ = ["play_schedule", "search"]

_PLAYS: dict[Kind, Callable[[Stage, Step], bool]] = {
    Kind.INTRODUCE: exchanges.introduce,
    Kind.RESIST: exchanges.resist,
    Kind.RECALL: exchanges.recall,
    Kind.MUSE: exchanges.muse,
    Kind.SLIP: exchanges.slip,
    Kind.PRESUME: acting_on.presume,
    Kind.MISATTRIBUTE: acting_on.misattribute,
    Kind.JOIN: apart.join,
    Kind.COME_BACK: apart.come_back,
    Kind.ACT: acting_on.act,
    Kind.READ: apart.read,
    Kind.TELL: hearsay.tell,
    Kind.MISLEAD: apart.mislead,
}
_REVISES: dict[Way | None, Callable[[Stage, Step], bool]] = {
    None: exchanges.revise,
    Way.ABSENCE: apart.revise_unheard,
    Way.ASIDE: apart.confide,
    Way.UNTRUTH: apart.confide,
    Way.NOTE: apart.note,
}
_PATIENCE = 6
"""Turns that a change waits for who is to be left behind by it, before it comes without."""
_TURNS_A_STEP, _FULL = 2.4, 0.95
"""Turns that a step takes, and the share of those that are left from which on steps come early."""
_SETTLED = 3
"""Turns for which nobody takes back what they have said, if there is room for that."""
_GAPS, _LONGEST_GAP = 3, 10
"""The part of the turns there are for a change for which somebody stays with what they hold, and the most turns."""
_CLOSING, _MOST_BEHIND = 2, 2
"""Turns of farewells, and the most turns behind all that was planned; so changes don't pile up at one turn."""
_IDLE = 2
"""Turns without a word on anything behind which what is next comes at once."""
_MAY_COME_EARLY = frozenset(
    {Kind.RESIST, Kind.RECALL, Kind.MUSE, Kind.SLIP, Kind.PRESUME, Kind.ACT, Kind.TELL, Kind.COME_BACK}
)
_ROOM_FOR_AN_UNTRUTH = 8
"""Turns before the end at which an untruth is told that was announced: it may take three, what goes on as many."""
_FOLLOWS = frozenset({Kind.ACT, Kind.COME_BACK, Kind.READ, Kind.JOIN, Kind.TELL})
_OF_STRANDS = frozenset({Kind.INTRODUCE, Kind.REVISE})
_PUTS_RIGHT = frozenset({Kind.READ, Kind.TELL})
_PRESUMES = frozenset({Kind.PRESUME, Kind.MISATTRIBUTE})
_HEAD_START = 15.0
_CROWDED, _MANY = 3, 40
"""Turns left for each change to come, and each first word, from which down these come sooner than what else there is to
say; and the turns that a dialogue has to have for that, as in fewer it would tell at which of them minds change."""
_STRICT_TRIES, _MOST_TRIES, _MOST_TRIES_OF_SHORT = 3, 8, 16
"""Schedules that are tried before one change more may lack room, and before other minds are drawn: more for a short
dialogue, or it would tell who began it in which order the turns of those come whose minds change."""
_WRONG_OF_NOTHING = 1000
"""Weighs more than any number of changes: somebody took wrongly what is never said, or nobody took anything wrongly."""
_ROOM_TO_PART = 8
"""Turns from which on a dialogue has to have a picture that is wrong and can be asked about."""
_INVITED = 0.5
"""The share of short dialogues that the second side begins, with an invitation: were it always the same side, a topic
would tell at which turns its holder speaks."""
_MOST_MISSING = 0.07
"""The share of changes for which a long dialogue may lack room."""


def search(
    pack: DomainPack,
    sides: Mapping[str, str],
    trajectories: list[Trajectory],
    turns: int,
    difficulty: Difficulty,
    spread: Spread,
    shape: Callable[[], Random],
    rng: Random,
) -> Stage:
    """A dialogue of these trajectories in which every mind changes as often as it should.

    Args:
        spread: keeps shares even over a dataset.
        shape: makes the generator that the slots of a block have in common.

    Raises:
        PlanError: none was found.
    """
    best: tuple[int, Stage] | None = None
    changes = sum(one.revisions for one in trajectories)
    allowed = round(changes * _MOST_MISSING)
    is_short = turns <= SHORT
    invited = is_short and rng.random() < _INVITED
    for number in range(_MOST_TRIES_OF_SHORT if is_short else _MOST_TRIES):
        late = _late(list(sides), difficulty, spread, shape())
        schedule = draw_schedule(trajectories, late, turns, difficulty, spread, shape(), rng)
        stage = Stage(pack, sides, turns, difficulty, rng, away=late)
        missing = play_schedule(stage, schedule, invited=invited)
        if best is None or missing < best[0]:
            best = (missing, stage)
        if missing <= allowed + (number >= _STRICT_TRIES):
            return stage
    if best is None or best[0] > allowed + 1:
        raise PlanError(f"no room in {turns} turns for {len(trajectories)} states that change {changes} times in all")
    return best[1]


def _late(names: list[str], difficulty: Difficulty, spread: Spread, shape: Random) -> list[str]:
    """Who comes late: now and then somebody behind the first two."""
    if len(names) < 3 or not difficulty.apart.get(Way.LATE_JOINER) or spread.late >= difficulty.late_share:
        return []
    return [shape.choice(names[2:])]


def play_schedule(stage: Stage, schedule: Schedule, *, invited: bool) -> int:
    """Play a schedule as far as it goes; gives how much found no room: changes, first voices, minds that come apart.

    Nor may an untruth be announced that is never told.

    Args:
        invited: whether the second side has the first word, and invites the first to say what they come for.
    """
    strands = stage.strands = [list(strand) for strand in schedule.strands]
    stage.planned += schedule.loose
    stage.begin({(first.holder, first.about.id): first.value for first, *_ in strands})
    _open(stage, strands, invited=invited)
    closing = stage.rng.randint(0, _MOST_BEHIND) if stage.whole > SHORT else 0
    stage.length -= closing
    while stage.left > 0 and _next(stage, strands):
        pass
    stage.length += closing
    _close(stage)
    unsaid = any(not stage.ledger.held(one.holder, one.topic.id) for one in stage.apart)
    together = stage.length >= _ROOM_TO_PART and not any(map(stage.is_asked_about, stage.apart))
    untold = len(stage.untruths_to_come)
    return sum(map(len, strands)) + (unsaid + together + untold) * _WRONG_OF_NOTHING


def _open(stage: Stage, strands: list[list[Step]], *, invited: bool) -> None:
    """Greetings; who is invited may begin with a question, as who welcomes somebody may."""
    first, second = stage.names[:2]
    if not invited:
        stage.say(first, stage.direct(Move.GREET), stage.direct(Move.OPEN))
        stage.say(second, stage.direct(Move.GREET), stage.direct(Move.REPLY))
        return
    stage.say(second, stage.direct(Move.GREET), stage.direct(Move.INVITE))
    stage.say(first, stage.direct(Move.GREET), stage.direct(Move.OPEN))
    soonest = min(strands, key=lambda strand: strand[0].due)
    asked = first in stage.partners(soonest[0].about, soonest[0].holder) and not _waits(stage, soonest[0])
    if asked and not _is_presumed(stage, soonest[0]) and _play(stage, soonest[0]):
        del soonest[0]
    else:
        stage.say(second, stage.direct(Move.REPLY))


def _next(stage: Stage, strands: list[list[Step]]) -> bool:
    """Play one step, or pass the time for a turn."""
    now = stage.now
    soon = now + _ahead(stage, strands)
    is_idle = stage.idle >= _IDLE
    due = _due(stage, strands, soon)
    early = _early(stage, strands, soon) if is_idle else []
    for step, of in chain(due, early):
        if step.kind is Kind.INTRODUCE and _presumed_first(stage, step):
            return True
        if _play(stage, step):
            of.remove(step)
            mentions.add(stage)
            return True
        if stage.now != now:
            # somebody left for what then found no words
            return True
    return mentions.pass_turn(stage) or (is_idle and exchanges.come_back_to(stage)) or exchanges.fill_turn(stage)


def _due(stage: Stage, strands: list[list[Step]], soon: float) -> Iterator[tuple[Step, list[Step]]]:
    """Steps that are due, or soon will be, and nothing makes wait."""
    now = stage.now
    coming = [(strand[0], strand) for strand in strands if strand and strand[0].due <= soon]
    coming += [(step, stage.planned) for step in stage.planned if step.due <= now or _is_pressing(stage, step)]
    coming.sort(key=lambda one: _urgency(stage, one[0]))
    for step, of in coming:
        if not (_comes_before_its_act(stage, step) if of is stage.planned else _waits(stage, step)):
            yield step, of


def _early(stage: Stage, strands: list[list[Step]], soon: float) -> list[tuple[Step, list[Step]]]:
    """Steps that are not due yet, and may come now rather than that nobody talks of anything."""
    coming = [(strand[0], strand) for strand in strands if strand and strand[0].due > soon]
    coming = [one for one in coming if not _waits(stage, one[0])]
    coming += [(step, stage.planned) for step in stage.planned if step.due > stage.now and step.kind in _MAY_COME_EARLY]
    return sorted(coming, key=lambda one: one[0].due)


def _comes_before_its_act(stage: Stage, step: Step) -> bool:
    """Whether it would put somebody right who is still to act on what they wrongly take for so."""
    if step.kind not in _PUTS_RIGHT or step.garbled or stage.whole <= SHORT:
        return False
    if stage.now > step.due + _PATIENCE or stage.left < stage.last_turns:
        return False
    who = step.who if step.kind is Kind.READ else step.to
    acts = (one for one in stage.planned if one.kind is Kind.ACT)
    return any(one.who == who and one.state == step.state for one in acts)


def _is_pressing(stage: Stage, step: Step) -> bool:
    """Whether there is only just room left for what was announced."""
    return step.kind is Kind.MISLEAD and stage.left < _ROOM_FOR_AN_UNTRUTH


def _ahead(stage: Stage, strands: list[list[Step]]) -> float:
    """How much too early a step may come: the fuller what is left of the dialogue, the earlier."""
    still = sum(map(len, strands)) * _TURNS_A_STEP + len(stage.planned)
    return stage.difficulty.ahead_turns if still < stage.left * _FULL else stage.length


def _is_presumed(stage: Stage, step: Step) -> bool:
    """Whether somebody is to presume something of what a step says."""
    return any(one.kind in _PRESUMES and one.state == step.state for one in stage.planned)


def _presumed_first(stage: Stage, step: Step) -> bool:
    """Play what somebody is to presume before the holder has said how it is, if anything."""
    presumed = [one for one in stage.planned if one.kind in _PRESUMES]
    for one in sorted(presumed, key=lambda one: one.kind is Kind.PRESUME):
        if one.state == step.state and _play(stage, one):
            stage.planned.remove(one)
            return True
    return False


def _waits(stage: Stage, step: Step) -> bool:
    """Whether somebody is still to act on what this step would put right, or it was only just said how it is."""
    if step.kind is Kind.REVISE and (stage.is_to_be_untrue(step.holder, step.about) or _is_too_soon(stage, step)):
        return True
    if stage.now > step.due + _PATIENCE or stage.left < stage.last_turns:
        return False
    if step.kind is Kind.INTRODUCE:
        return _is_to_be_mixed_up(stage, step)
    if step.kind is Kind.REVISE and stage.said_since(step.holder, step.about) < _SETTLED:
        return True
    return any(
        one.until is None and one.believed and not one.shown_at and (one.holder, one.topic.id) == step.state
        for one in stage.apart
    )


def _is_to_be_mixed_up(stage: Stage, step: Step) -> bool:
    """Whether somebody is to take another's for it, which they have only just heard."""
    mixed_up = (one for one in stage.planned if one.kind is Kind.MISATTRIBUTE)
    return any(
        stage.said_since(one.to, step.about) <= acting_on.mixed_up_after(stage)
        for one in mixed_up
        if one.state == step.state
    )


def _is_too_soon(stage: Stage, step: Step) -> bool:
    """Whether the holder has only just come to hold what they would give up, or in a long dialogue has just said it.

    The more changes there are, the sooner they may come.
    """
    if stage.whole <= SHORT:
        return False
    gap = min(_LONGEST_GAP, stage.length // (_GAPS * max(1, stage.difficulty.revisions[1])))
    just_said = stage.whole >= LONG and stage.said_since(step.holder, step.about) < gap // 2
    return just_said or stage.held_since(step.holder, step.about) < max(_SETTLED, gap)


def _urgency(stage: Stage, step: Step) -> float:
    """What follows on what has been said goes before what is new, and what was announced before both.

    In a dialogue of medium length there are few who can be told something garbled: it goes before they act on what they
    missed, for which they would be put right. Where turns run short, changes and first words come as soon as what
    follows on them.
    """
    if step.kind is Kind.MISLEAD:
        return -inf
    if step.kind is Kind.TELL and step.garbled and SHORT < stage.whole < LONG:
        return step.due - 2 * _HEAD_START
    goes_first = step.kind in _FOLLOWS or (step.kind in _OF_STRANDS and _is_crowded(stage))
    return step.due - (_HEAD_START if goes_first else 0)


def _is_crowded(stage: Stage) -> bool:
    """Whether turns run short, in a dialogue of many."""
    return stage.whole >= _MANY and sum(map(len, stage.strands)) * _CROWDED >= stage.left


def _play(stage: Stage, step: Step) -> bool:
    if step.kind is not Kind.REVISE:
        return _PLAYS[step.kind](stage, step)
    if stage.now < FIRST_UPDATE_TURN - 1:
        return False
    if _REVISES[step.way](stage, step):
        return True
    late = stage.now > step.due + _PATIENCE or stage.left < stage.last_turns
    if late and step.way is not None:
        ways = _in_turn_of_weight(stage, [way for way in OF_A_CHANGE if way is not step.way])
        if any(_REVISES[way](stage, replace(step, way=way)) for way in ways):
            return True
    return late and exchanges.revise(stage, replace(step, way=None, last_try=late))


def _in_turn_of_weight(stage: Stage, ways: Sequence[Way]) -> list[Way]:
    """Ways that the difficulty has, in an order in which those of greater weight mostly come first."""
    weights = {way: stage.difficulty.apart.get(way, 0.0) for way in ways}
    drawn = {way: stage.rng.random() ** (1 / weight) for way, weight in weights.items() if weight}
    return sorted(drawn, key=lambda way: -drawn[way])


def _close(stage: Stage) -> None:
    """Farewells: turns of their own, where there is room, else behind what is said last."""
    while stage.left > _CLOSING and exchanges.fill_turn(stage):
        pass
    while stage.left > 0:
        speaker = stage.ready_to_speak(stage.present)
        stage.say(speaker, stage.direct(Move.CLOSE, value=stage.sides[speaker]))
        if stage.left == 0:
            return
    if not any(one.move is Move.CLOSE for one in stage.turns[-1].directions):
        stage.add(stage.direct(Move.CLOSE, value=stage.sides[stage.last]))
