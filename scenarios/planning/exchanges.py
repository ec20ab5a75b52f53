"""Exchanges: a few turns that belong together, in which everybody who is there hears everything.

Each function puts its turns on the stage and says whether it could: False where who has to speak is away or there is
nobody to speak to, and then nothing has been put there.
"""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.markers import EXPLICIT, IMPLICIT, fits
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.scenario import Trigger
from dtomtrack.scenarios.planning.reasons import find_reason, put_reason
from dtomtrack.scenarios.planning.stage import Stage
from dtomtrack.scenarios.planning.steps import Kind, Step
from dtomtrack.scenarios.planning.trajectories import LONG
from dtomtrack.scenarios.script import Direction, Move

__all__ = [
    "STILL_FRESH",
    "address",
    "come_back_to",
    "fill_turn",
    "give_floor",
    "introduce",
    "muse",
    "recall",
    "resist",
    "revise",
    "slip",
    "update_direction",
]


def address(stage: Stage, name: str) -> str:
    """The name that somebody is addressed by, so that it is clear who is meant: none where only two take part."""
    return name if len(stage.names) > 2 else ""


def introduce(stage: Stage, step: Step) -> bool:
    """The holder says for the first time what they hold: asked, or with a word that leads over to it."""
    topic, holder = step.about, step.holder
    if stage.ledger.held(holder, topic.id):
        return True
    if stage.is_away(holder) or len(stage.present) < 2 or stage.left < 3:
        return False
    asking = [] if topic.partners_own else stage.partners(topic, holder)
    asker = stage.ready_to_speak(asking)
    if _may_ask_on(stage) and stage.last in asking:
        question = _question(stage, step)
        stage.add(question)
        stage.say(holder, *_answer(stage, step, question))
    elif asker and (stage.last == holder or stage.rng.random() < stage.difficulty.asked_share):
        question = _question(stage, step)
        stage.say(asker, question)
        stage.say(holder, *_answer(stage, step, question))
    elif stage.last != holder or give_floor(stage, holder):
        unknown = {"value": step.value} if step.value == topic.ignorance else {}
        lead = stage.direct(Move.LEAD, topic, holder, **unknown)
        stage.say(holder, lead, stage.direct(Move.VOICE, topic, holder, value=step.value))
    else:
        return False
    stage.express(holder, topic, step.value)
    return True


_GREETED = 2
"""The turn behind the greetings, in the last of which somebody may ask the first question."""
_FEW = 2
"""As much may be said in a turn that goes on with a question."""


def _may_ask_on(stage: Stage) -> bool:
    """Whether the last speaker may go on with a question: behind a greeting, or mostly behind a word of their own."""
    last = stage.turns[-1]
    if stage.now == _GREETED:
        return True
    voiced = last.hearers is None and last.directions[-1].move is Move.VOICE
    return voiced and len(last.directions) <= _FEW and stage.rng.random() < stage.difficulty.ask_on_share


def _question(stage: Stage, step: Step) -> Direction:
    """An open question, or now and then one that names two values, mostly with the answer among them."""
    topic, holder = step.about, step.holder
    to = address(stage, holder)
    if stage.rng.random() < stage.difficulty.quiz_share:
        others = stage.rng.sample([value for value in topic.clauses if value != step.value], 2)
        hit = step.value in topic.clauses and stage.rng.random() >= stage.difficulty.evasive_question_share
        named = stage.rng.sample([step.value, others[0]], 2) if hit else others
        return stage.direct(Move.ASK, topic, holder, named=tuple(named), to=to)
    return stage.direct(Move.WONDER, topic, holder, to=to)


def _answer(stage: Stage, step: Step, question: Direction) -> list[Direction]:
    """What the holder says to a question; first that it is neither, where it named two others."""
    topic, holder = step.about, step.holder
    missed = bool(question.named) and step.value in topic.clauses and step.value not in question.named
    neither = [stage.direct(Move.NEITHER, topic, holder)] if missed else []
    return [*neither, stage.direct(Move.VOICE, topic, holder, value=step.value)]


def revise(stage: Stage, step: Step) -> bool:
    """Somebody gives a reason, and the holder changes their mind before everybody who is there."""
    topic, holder = step.about, step.holder
    if stage.is_away(holder) or len(stage.present) < 2 or stage.left < 2:
        return False
    if not step.last_try and _leaves_behind(stage, step):
        return False
    if not stage.believable(holder, topic, stage.present, step.value):
        return False
    reasoned = give_reason(stage, step)
    if not reasoned and (topic.partners_own or not give_floor(stage, holder)):
        return False
    stage.say(holder, *changed(stage, step, stage.present))
    stage.express(holder, topic, step.value)
    return True


def _leaves_behind(stage: Stage, step: Step) -> bool:
    """Whether somebody who knows how it stood would miss the change."""
    ledger, topic = stage.ledger, step.about.id
    return any(ledger.picture(name, step.holder, topic) for name in stage.names if stage.is_away(name))


def give_reason(stage: Stage, step: Step) -> bool:
    """A turn with the reason for a change; False if it has none, or nobody can give it now."""
    topic, holder = step.about, step.holder
    if step.own_reason or stage.left < 2:
        return False
    argues = stage.rng.random() < stage.difficulty.against_share
    reason = find_reason(stage, topic, holder, [step.value], step.old if argues else "", stage.partners(topic, holder))
    if reason is None:
        return False
    put_reason(stage, topic, holder, reason, step.trigger, to=_meant(stage, holder))
    return True


def _meant(stage: Stage, holder: str) -> str:
    """The name by which it is clear who is meant: now and then none, where they have just spoken."""
    return "" if stage.last == holder and stage.rng.random() < _CLEAR_SHARE else address(stage, holder)


_CLEAR_SHARE = 0.6


def changed(stage: Stage, step: Step, hearers: Sequence[str]) -> list[Direction]:
    """The change itself, before these; where nobody has just given a reason, with a word that leads to it."""
    before = stage.turns[-1].directions if stage.turns else []
    reasoned = any(one.move is Move.REVEAL and one.topic == step.about.id for one in before)
    update = update_direction(stage, step, hearers, reasoned=reasoned)
    if reasoned:
        return [update]
    topic = step.about
    clear = _is_clear(stage, step, update, before)
    return [stage.direct(Move.OWN_REASON, topic, step.holder, named=() if clear else _NAMED), update]


def _is_clear(stage: Stage, step: Step, update: Direction, before: Sequence[Direction]) -> bool:
    """Whether a change says by itself what it is about; in a note, only by what it gives up: nothing goes before it."""
    topic = step.about
    felt = topic.state is MentalState.EMOTION
    if step.way is Way.NOTE:
        return update.marker in _NAMES_OLD and not felt
    # what one has found out says of itself that it was looked for
    return (
        topic.state is MentalState.KNOWLEDGE
        or bool(update.marker and not felt)
        or any(one.topic == topic.id for one in before)
    )


_NAMED = ("topic",)
"""That a word on what a change is about goes before it: without a marker its line alone may not say so, nor does
that of a feeling ("it makes me furious") among several, marked or not."""


_NEEDS_REASON = frozenset({"now_that", "in_that_case"})
_NEEDS_NEARNESS = frozenset({"a_minute_ago"})


def update_direction(stage: Stage, step: Step, hearers: Sequence[str], *, reasoned: bool) -> Direction:
    """The direction of a change, whose marker fits what has been said, and to whom."""
    marker = step.marker
    if marker in _NEEDS_REASON and not reasoned:
        marker = "second_thought"
    if marker in _NEEDS_NEARNESS and _said_long_ago(stage, step):
        marker = stage.rng.choice([one for one in _NAMES_OLD_LONG_AFTER if fits(one, step.about.state)])
    if marker in _TAKES_BACK and step.way is Way.UNTRUTH:
        marker = "you_know_what"
    ignorant = step.old == step.about.ignorance
    if marker in _NAMES_OLD and (ignorant or not _heard_it(stage, step, hearers)):
        marker = stage.rng.choice(_FITS_ANYWHERE)
    if ignorant and (marker in _REVISES or (marker in _CORRECTS and step.way is not Way.NOTE)):
        marker = "now_that" if reasoned else "hold_on"
    if marker in _SPOKEN | _TAKES_BACK and step.way is Way.NOTE:
        written = [one for one in _WRITTEN if fits(one, step.about.state) and not (ignorant and one in _REVISES)]
        marker = stage.rng.choice(written)
    return stage.direct(
        Move.UPDATE,
        step.about,
        step.holder,
        value=step.value,
        old=step.old,
        marker=marker,
        trigger=_trigger(stage, step),
    )


def _trigger(stage: Stage, step: Step) -> Trigger:
    """What brought a change about: that of the last reason given for it; with none, it is something new to them."""
    given = [
        one.trigger
        for turn in stage.turns
        for one in turn.directions
        if one.move is Move.REVEAL and (one.topic, one.value) == (step.about.id, step.value)
    ]
    return (given[-1] if given else None) or Trigger.NEW_INFORMATION


_SPOKEN = frozenset({"wait", "hold_on", "you_know_what", "in_that_case", "now_that", "a_minute_ago"})
_TAKES_BACK = frozenset({"take_back"})
"""Beside the announcement of an untruth, it could be that which is taken back; in a note nothing goes before "that"."""
_WRITTEN = tuple(one.id for one in IMPLICIT if one.id not in _SPOKEN | _TAKES_BACK)
"""Nobody writes down that they hesitate."""
_REVISES = frozenset({"take_back", "second_thought", "come_to_think", "just_realized"})
"""Nobody takes back that they knew nothing, or finds in themselves what they have just been told."""
_CORRECTS = frozenset({"actually"})
"""Nor does anybody correct aloud that they knew nothing; written, it may correct what the reader thinks."""
_NAMES_OLD = frozenset(one.id for one in EXPLICIT)
_NAMES_OLD_LONG_AFTER = tuple(one.id for one in EXPLICIT if one.id not in _NEEDS_NEARNESS)
_FITS_ANYWHERE = tuple(one.id for one in IMPLICIT if one.id not in _NEEDS_REASON | {"take_back"})


def _heard_it(stage: Stage, step: Step, hearers: Sequence[str]) -> bool:
    """Whether some of these have heard what is given up, and none of them something else, such as an untruth."""
    pictures = [stage.ledger.picture(name, step.holder, step.about.id) for name in hearers if name != step.holder]
    known = [one.value for one in pictures if one is not None]
    return bool(known) and all(value == step.old for value in known)


def _said_long_ago(stage: Stage, step: Step) -> bool:
    said = [
        at
        for at, turn in enumerate(stage.turns)
        if turn.speaker == step.holder
        and any(one.topic == step.about.id and one.move in {Move.VOICE, Move.UPDATE} for one in turn.directions)
    ]
    return not said or stage.now - said[-1] > 5


def resist(stage: Stage, step: Step) -> bool:
    """Somebody gives a reason, and the holder stays with what they hold; with a marker, that is a decoy."""
    topic, holder = step.about, step.holder
    held = stage.ledger.held(holder, topic.id)
    if topic.partners_own or topic.state is MentalState.KNOWLEDGE:
        return True
    if not held or stage.is_away(holder) or stage.left < 3:
        return False
    values = [one for one in topic.clauses if one != held]
    values.sort(key=lambda one: -stage.fresh_reasons(topic, one))
    if stage.fresh_reasons(topic, values[0]) <= 0:
        return True
    tellers = [one for one in stage.partners(topic, holder) if _knows(stage, one, step)]
    # nothing is said against what is held: who is told that a place is shut would hardly stay with going there
    reason = find_reason(stage, topic, holder, values, "", tellers)
    if reason is None:
        return all(stage.has_turned_enough(name, topic) for name in stage.partners(topic, holder))
    put_reason(stage, topic, holder, reason, step.trigger, to=_meant(stage, holder))
    sure = stage.believable(holder, topic, stage.present) and not any(stage.ledger.mistaken(holder, topic.id))
    if step.marker and sure:
        stage.say(holder, _restated(stage, step, held, reason.value))
        stage.express(holder, topic, held)
    else:
        stage.say(holder, stage.direct(Move.STAY, topic, holder, value=held))
    return True


def _restated(stage: Stage, step: Step, held: str, argued: str = "") -> Direction:
    """That it is as it was, behind the marker of a step or another like it that fits what was said before.

    Args:
        argued: what somebody has just given a reason for; empty for nothing.
    """
    marker = "" if held == step.about.ignorance else step.marker
    if marker in _TURNS_DOWN and step.about.state is MentalState.EMOTION:
        # nobody gives up a feeling that they never had
        marker = "a_minute_ago"
    if marker in _NEEDS_NEARNESS and _said_long_ago(stage, step):
        marker = "second_thought"
    if marker in _NEEDS_REASON | _TAKES_BACK | _TURNS_DOWN and not argued:
        marker = "just_realized"
    old = argued if marker in _TURNS_DOWN else held
    return stage.direct(Move.RESTATE, step.about, step.holder, value=held, old=old, marker=marker)


_TURNS_DOWN = frozenset({"not_after_all"})
"""Markers that can name what was argued for, and is not taken up."""


def _knows(stage: Stage, name: str, step: Step) -> bool:
    return stage.ledger.knows(name, step.holder, step.about.id)


def recall(stage: Stage, step: Step) -> bool:
    """Somebody who knows asks how it stands, and the holder says that it stands; nothing to do where nobody asks."""
    return step.about.partners_own or _ask_again(stage, step)


def _ask_again(stage: Stage, step: Step) -> bool:
    topic, holder = step.about, step.holder
    held = stage.ledger.held(holder, topic.id)
    if not held or stage.is_away(holder) or stage.left < 3 or any(stage.ledger.mistaken(holder, topic.id)):
        return False
    if stage.said_since(holder, topic) <= STILL_FRESH or not stage.believable(holder, topic, stage.present):
        return False
    asker = stage.ready_to_speak([one for one in stage.partners(topic, holder) if _knows(stage, one, step)])
    if not asker:
        return False
    quietly = len(stage.present) > 2 and stage.rng.random() < _ASKED_QUIETLY
    question = stage.direct(Move.WONDER, topic, holder, to=address(stage, holder), named=("again",))
    stage.say(asker, question, hearers=[holder] if quietly else None)
    stage.say(holder, _restated(stage, step, held), hearers=[asker] if quietly else None)
    stage.express(holder, topic, held, Way.ASIDE)
    return True


_ASKED_QUIETLY = 0.5
"""The share of questions asked again that only who is asked hears, as only they hear the answer: not all that is
whispered is untrue."""


def muse(stage: Stage, step: Step) -> bool:
    """The holder comes back of themselves to what they hold, as people do to change their minds or to tell an untruth.

    Aloud they have been thinking of it, and it is as it was; or they say it to one person alone; or write it.
    """
    topic, holder = step.about, step.holder
    held = stage.ledger.held(holder, topic.id)
    if topic.partners_own or not stage.pack.lines.turned_over or held == topic.ignorance:
        return True
    if not held or stage.left < 3 or any(stage.ledger.mistaken(holder, topic.id)):
        return False
    if stage.said_since(holder, topic) <= STILL_FRESH or not stage.believable(holder, topic, stage.present):
        return False
    knowing = [name for name in stage.others(holder) if stage.ledger.knows(name, holder, topic.id)]
    if not knowing or not give_floor(stage, holder):
        return False
    to = stage.rng.choice(knowing)
    thought = stage.direct(Move.OWN_REASON, topic, holder, named=_NAMED)
    drawn = stage.rng.random() if len(stage.present) > 2 and not step.marker else 1.0
    if drawn < _QUIETLY:
        said = stage.direct(Move.LEAD, topic, holder, value=held), stage.direct(Move.VOICE, topic, holder, value=held)
        stage.say(holder, *said, hearers=[to])
    elif drawn < _QUIETLY + _IN_WRITING:
        opening = stage.direct(Move.WRITE, topic, holder, to=to)
        stage.say(holder, opening, thought, _restated(stage, step, held), hearers=[to], read_at={to: stage.now})
    else:
        stage.say(holder, thought, _restated(stage, step, held))
    stage.express(holder, topic, held, Way.ASIDE)
    return True


_QUIETLY, _IN_WRITING = 0.45, 0.3
"""Of what somebody comes back to without a marker, where more than two are there: what they say to one alone, and what
they write."""
STILL_FRESH = 3
"""Turns within which nobody comes back of themselves to what they said, nor is asked again."""


def slip(stage: Stage, step: Step) -> bool:
    """Somebody corrects themselves on something that is not talked about: a decoy."""
    if not stage.pack.lines.slip.get(step.marker):
        return True
    if stage.left < 3 or stage.is_away(step.holder) or stage.last == step.holder:
        return False
    stage.say(step.holder, stage.direct(Move.SLIP, marker=step.marker))
    return True


def come_back_to(stage: Stage) -> bool:
    """Pass the time with what was talked of longest ago: somebody asks again how it stands; False if nobody can."""
    if stage.whole < LONG:
        return False
    states = sorted(stage.ledger.states(), key=lambda state: -stage.said_since(state[0], stage.pack.topic(state[1])))
    steps = (Step(Kind.RECALL, stage.now, holder, stage.pack.topic(topic)) for holder, topic in states)
    return any(
        _ask_again(stage, step)
        for step in steps
        if not step.about.partners_own and stage.said_since(step.holder, step.about) > _OF_LATE
    )


_OF_LATE = 20
"""Turns for which what was said is too fresh for that."""


def give_floor(stage: Stage, name: str) -> bool:
    """See that somebody can speak next: if they spoke last, another passes the time for a turn."""
    if stage.last != name:
        return not stage.is_away(name)
    if stage.left < 4:
        return False
    return fill_turn(stage, but=name)


_ENOUGH = 2
"""Turns that small talk takes."""


def fill_turn(stage: Stage, but: str = "") -> bool:
    """Small talk, an aside on the story, or a sentence by which a personality shows."""
    speaker = stage.ready_to_speak([name for name in stage.present if name != but])
    if not speaker:
        return False
    pool = stage.pack.talks
    talk = not but and stage.idle < _ENOUGH + 1 and stage.left > _ENOUGH + 2 and stage.used(Move.SMALL_TALK) < len(pool)
    if talk and stage.rng.random() < stage.difficulty.small_talk_share:
        answers = stage.last if stage.last in stage.others(speaker) else stage.ready_to_speak(stage.others(speaker))
        stage.say(speaker, stage.direct(Move.SMALL_TALK))
        stage.say(answers, stage.direct(Move.ANSWER_SMALL_TALK, to=speaker))
        return True
    stage.say(speaker, stage.direct(Move.ASIDE, value=stage.sides[speaker]))
    return True
