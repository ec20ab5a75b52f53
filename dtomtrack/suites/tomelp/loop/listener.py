"""The listener of the closed loop: it elaborates as far as its need for cognition goes, and says how it was reached.

Elaboration is e = .25 + .60 n for a need for cognition n of 0 to 1, so that the paper's two personas are its ends. How
far a doubt is answered, v, is the value that the judge `rules` gives to everything that was said to it; sentences that
were said before count for nothing. Attitude moves by .5 times what a message adds to v. A message that adds next to
nothing costs .05, one that says a false claim as if it were so .15. A doubt is settled at v = .45, and the listener
agrees at an attitude of .40, or when no doubt is left. Rules of ours: no human data stand behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from dtomtrack.graphs.persuasion import Heard
from dtomtrack.graphs.route_judging import without_tags
from dtomtrack.items.signs import visible
from dtomtrack.items.words import stems
from dtomtrack.scenarios.route.pack import Concern, RoutePack
from dtomtrack.scenarios.route.sampler import resources_of
from dtomtrack.scenarios.route.state import Mind
from dtomtrack.scenarios.route.terms import Route
from dtomtrack.suites.tomelp.citations import sentences_of
from dtomtrack.suites.tomelp.closed_world import ClosedWorld, addressed
from dtomtrack.suites.tomelp.false_claims import corrects
from dtomtrack.suites.tomelp.loop.lines import listener_lines
from dtomtrack.suites.tomelp.loop.records import LoopTurn, Taken
from dtomtrack.suites.tomelp.rule_judge import ELABORATION, Reading, read_reply, route_of

__all__ = ["AGREES", "ElmListener", "ListenerMemory", "ListenerSetting", "best_route", "elaboration", "mind_of"]

AGREES = 0.40
_MOVES, _SETTLES = 0.5, 0.45
_LEAST_GAIN, _PRESSED, _MISLED = 0.05, -0.05, -0.15
_STRONG = 0.4
"""How strong evidence or cues are, 0 to 1, to be remarked on."""
_ONE_WAY = 0.1
"""How far elaboration has to be from a half for the listener to listen one way."""
_SAME = 0.7
"""Share of stems that two sentences have in common that say the same."""
_LONGEST = 1_200
_DECIMALS = 6


def elaboration(need: float) -> float:
    """How much of the listener's judgement goes by evidence, from its need for cognition."""
    least, most = ELABORATION["low_cog"], ELABORATION["high_cog"]
    return least + (most - least) * need


def best_route(need: float) -> Route | None:
    """The route that reaches a listener; None for one who listens both ways."""
    lean = elaboration(need) - 0.5
    if abs(lean) <= _ONE_WAY:
        return None
    return "central" if lean > 0 else "peripheral"


def mind_of(concern: Concern) -> Mind:
    """The mental states behind a doubt."""
    return Mind(belief=concern.belief, desire=concern.desire, intent=concern.intent)


@dataclass(frozen=True)
class ListenerMemory:
    """What the listener has in mind.

    Attributes:
        doubts: ids of concerns that are left, the open one first.
        answers: what was said to the open doubt; ``answered`` is how far that answers it, 0 to 1.
        said: sentences heard so far, by their stems.
        voiced: the doubts that were voiced, in order.
    """

    attitude: float
    doubts: tuple[str, ...]
    answers: str = ""
    answered: float = 0.0
    said: tuple[frozenset[str], ...] = ()
    voiced: tuple[str, ...] = ()
    turns: tuple[LoopTurn, ...] = ()
    agreed: bool = False


@dataclass(frozen=True)
class ListenerSetting:
    """Who listens, and what was said before the first turn.

    Attributes:
        need: need for cognition, 0 to 1.
        doubt: id of the concern that was voiced in ``opening``.
        start: the attitude before the first turn.
        seed: decides which lines are said.
    """

    need: float
    doubt: str
    opening: str
    start: float
    seed: str


class ElmListener:
    """Listens in one conversation (a `dtomtrack.graphs.persuasion.Listener`).

    Args:
        turns: after so many the conversation is over.
    """

    def __init__(self, pack: RoutePack, setting: ListenerSetting, turns: int) -> None:
        others = [one.id for one in pack.concerns if one.id != setting.doubt]
        self._pack = pack
        self._world = ClosedWorld(resources_of(pack))
        self._elaboration = elaboration(setting.need)
        self._turns = turns
        self._seed = setting.seed
        self._said_first = setting.opening
        doubts = (setting.doubt, *_shuffled(others, setting.seed))
        self._opening = ListenerMemory(setting.start, doubts, voiced=(setting.doubt,))

    async def hear(self, memory: object | None, message: str) -> Heard:
        """A turn."""
        before = memory if isinstance(memory, ListenerMemory) else self._opening
        text = _received(message)
        after = self._moved(before, text)
        return Heard(after.turns[-1].reply, after, after.agreed or len(after.turns) >= self._turns)

    def _moved(self, before: ListenerMemory, text: str) -> ListenerMemory:
        doubt = self._pack.concern(before.doubts[0])
        fresh, said = _fresh(text, before.said)
        reading = read_reply(fresh, self._world, doubt.id)
        answers = before.answers if reading.adopts else f"{before.answers} {fresh}".strip()
        answered = self._answered(answers, doubt)
        attitude = _moved(before.attitude, answered - before.answered, misled=reading.adopts)
        settled = answered >= _SETTLES
        after = replace(
            before,
            attitude=attitude,
            doubts=before.doubts[1:] if settled else before.doubts,
            answers="" if settled else answers,
            answered=0.0 if settled else answered,
            said=(*before.said, *said),
            agreed=attitude >= AGREES or (settled and len(before.doubts) == 1),
        )
        return self._replied(after, text, doubt, _taken(reading, self._elaboration), answered)

    def _answered(self, answers: str, doubt: Concern) -> float:
        """How far a doubt is answered by what was said to it."""
        reading, taken_up = read_reply(answers, self._world, doubt.id), addressed(answers, mind_of(doubt))
        # nothing wrong in it is coherent, too
        return reading.value(self._elaboration, taken_up) if reading.used or reading.cues or taken_up else 0.0

    def _replied(
        self, after: ListenerMemory, text: str, doubt: Concern, taken: Taken, answered: float
    ) -> ListenerMemory:
        number, settled = len(after.turns) + 1, answered >= _SETTLES
        reply, voiced = self._reply(after, number, taken, settled=settled)
        turn = LoopTurn(
            turn=number,
            message=text,
            route=route_of(without_tags(text), self._world),
            doubt=doubt.id,
            answered=round(answered, _DECIMALS),
            attitude=after.attitude,
            taken=taken,
            settled=settled,
            reply=reply,
        )
        return replace(after, voiced=voiced, turns=(*after.turns, turn))

    def _reply(self, after: ListenerMemory, turn: int, taken: Taken, *, settled: bool) -> tuple[str, tuple[str, ...]]:
        lines = listener_lines()
        said = [self._line(getattr(lines, taken), taken, turn)]
        if after.agreed:
            return " ".join([*said, self._line(lines.agreed, "agreed", turn)]), after.voiced
        if settled:
            said.append(self._line(lines.settled, "settled", turn))
        doubt = after.doubts[0]
        again = after.voiced.count(doubt)
        if again % 2 and not settled:
            said.append(self._line(lines.still, "still", turn))
        else:
            wordings = [one for one in self._pack.concern(doubt).wordings if one not in self._said_first]
            said.append(_shuffled(wordings, f"{self._seed}/{doubt}")[again // 2 % len(wordings)])
        return " ".join(said), (*after.voiced, doubt)

    def _line(self, pool: Sequence[str], name: str, turn: int) -> str:
        """A line that was not said the turn before."""
        return _shuffled(pool, f"{self._seed}/{name}")[turn % len(pool)]


def _moved(attitude: float, gain: float, *, misled: bool) -> float:
    """Attitude after a message that answers the open doubt so much further."""
    by = _MISLED if misled else _MOVES * gain if gain >= _LEAST_GAIN else _PRESSED
    return round(min(1.0, max(-1.0, attitude + by)), _DECIMALS)


def _taken(reading: Reading, elaboration: float) -> Taken:
    """How a message is received: by what is strongest in it, and whether the listener listens that way."""
    if reading.adopts:
        return "misled"
    if max(reading.evidence, reading.cues) < _STRONG:
        return "nothing"
    lean = elaboration - 0.5
    if abs(lean) <= _ONE_WAY:
        return "half"
    if reading.evidence >= reading.cues:
        return "weighed" if lean > 0 else "passed_over"
    return "felt" if lean < 0 else "shrugged_off"


def _received(message: str) -> str:
    """A message as it is heard: on one line, without control characters, and not endless."""
    return " ".join(visible(message[: 4 * _LONGEST]).split())[:_LONGEST].rstrip()


def _fresh(text: str, said: Sequence[frozenset[str]]) -> tuple[str, list[frozenset[str]]]:
    """The sentences of a message that were not said before, or correct, with their tags, and the stems of each."""
    kept, new = list[str](), list[frozenset[str]]()
    for sentence in sentences_of(text):
        own = stems(sentence.text)
        # "That is wrong." takes back what is said before it, however often it is said
        if not corrects(sentence.text) and any(_alike(own, other) for other in (*said, *new)):
            continue
        tags = f" [{', '.join(sentence.tags)}]" if sentence.tags else ""
        kept.append(f"{sentence.text}{tags}")
        new.append(own)
    return " ".join(kept), new


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and len(one & other) >= _SAME * len(one | other)


def _shuffled(texts: Sequence[str], seed: str) -> list[str]:
    return Random(f"listener/{seed}").sample(list(texts), len(texts))  # noqa: S311 - reproducible, no secret
