"""Wrong options: other values of the same topic, each with the role that it plays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random

from dtomtrack.beliefs.question import OptionRole
from dtomtrack.beliefs.questions.spec import Option, as_option, at_turn
from dtomtrack.beliefs.scenario import Topic

__all__ = ["NotEnoughOptions", "turn_distractors", "value_distractors"]

_WANTED = 3
_RANKS = {
    OptionRole.ACTUAL_VALUE: 0,
    OptionRole.POST_VALUE: 1,
    OptionRole.PRE_VALUE: 2,
    OptionRole.OTHER_HOLDER: 3,
    OptionRole.HEARSAY: 3,
    OptionRole.PRESUMED: 3,
    OptionRole.MENTIONED: 3,
    OptionRole.ASKED_ABOUT: 4,
    OptionRole.PARTNER_VALUE: 4,
}


class NotEnoughOptions(Exception):
    """A topic has too few values for three wrong options."""


def value_distractors(
    topic: Topic,
    gold: str,
    roles: Mapping[str, OptionRole],
    elsewhere: Iterable[str],
    rng: Random,
    *,
    said_first: bool = True,
    offered: Collection[str] = (),
    left_out: Collection[str] = (),
) -> tuple[Option, ...]:
    """Three wrong options.

    Args:
        roles: contents that have a role: what is so comes first, whatever is asked; then, if ``said_first``, what the
            agent held, what others hold or told, and what was named otherwise.
        offered: values that come before all others; left_out: values that are no option.
        elsewhere: contents held about other topics of the same mental state, for topics with few values.

    Raises:
        NotEnoughOptions: even so there are fewer than three.
    """
    ranks = _RANKS if said_first else {OptionRole.ACTUAL_VALUE: 0}
    others = [value for value in topic.values if value != gold and value not in left_out]
    rng.shuffle(others)
    others.sort(key=lambda value: _rank(value, roles, ranks, offered))
    chosen = [Option(as_option(value), roles.get(value, OptionRole.NEVER_SAID)) for value in others[:_WANTED]]
    spare = [content for content in dict.fromkeys(elsewhere) if content not in topic.values]
    rng.shuffle(spare)
    chosen += [Option(as_option(content), OptionRole.OTHER_TOPIC) for content in spare[: _WANTED - len(chosen)]]
    return _three(chosen, topic)


def _rank(
    value: str, roles: Mapping[str, OptionRole], ranks: Mapping[OptionRole, int], offered: Collection[str]
) -> int:
    return -1 if value in offered else ranks.get(roles.get(value, OptionRole.NEVER_SAID), len(ranks))


def turn_distractors(
    topic: Topic,
    gold: int | None,
    preferred: Sequence[int],
    others: Sequence[int],
    rng: Random,
    *,
    or_none: bool = True,
) -> tuple[Option, ...]:
    """Three wrong answers to "at which turn": other turns, and that nothing changed.

    Args:
        preferred: turns at which the agent could have changed their mind, in their order; taken before ``others``.
        or_none: whether it is on offer that nothing changed, where that is wrong.

    Raises:
        NotEnoughOptions: the dialogue is too short.
    """
    turns = [turn for turn in preferred if turn != gold]
    spare = [turn for turn in others if turn != gold and turn not in turns]
    rng.shuffle(spare)
    wanted = _WANTED - (gold is not None and or_none)
    chosen = [Option(at_turn(turn), OptionRole.OTHER_TURN) for turn in (turns + spare)[:wanted]]
    if gold is not None and or_none:
        chosen.append(Option(at_turn(None), OptionRole.NO_CHANGE))
    return _three(chosen, topic)


def _three(chosen: list[Option], topic: Topic) -> tuple[Option, ...]:
    if len(chosen) < _WANTED:
        raise NotEnoughOptions(f"topic {topic.id!r} gives {len(chosen)} wrong options; {_WANTED} are needed")
    return tuple(chosen)
