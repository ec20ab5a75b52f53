"""Dials set over a preset, and whether what they ask for can be had: said before anything is made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set

from pydantic import ValidationError

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.question import QuestionType
from dtomtrack.errors import InputError
from dtomtrack.options import did_you_mean
from dtomtrack.records import Record, in_figures
from dtomtrack.scenarios.difficulty import MOST_TURNS, PRESETS, Difficulty
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.room_rules import check_room, shown_range
from dtomtrack.scenarios.way_rules import check_ways
from dtomtrack.validation import in_words

__all__ = ["check_difficulty", "checked", "difficulty_of"]

LEAST_TURNS = 6
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_OF_KEY = "[key]"
"""What pydantic calls the name of a field that is at fault itself."""
_TWO = 2
_MAY_BE_EMPTY = frozenset({"contestable"})
_NONE = "none"
"""What names no way of coming apart, as the table of dials has it."""
_NUMBERS, _PAIRS = frozenset({"update_weights"}), frozenset({"topics_by_turns"})
"""Dials that are lists of something else than names."""
_RANGES = frozenset({"participants", "topics", "holders", "revisions"})
_OF_PLANNED = (
    *("topics", "participants", "passers_by", "holders", "revisions", "stable_share", "return_share"),
    *("resistance_share", "decoy_share", "signals", "apart_share", "asked_share"),
    *(
        "ask_on_share",
        "face_share",
        "stands_share",
        "told_share",
        "garbled_share",
        "read_share",
        "late_share",
        "mention_share",
    ),
    *("filled_share", "ahead_turns", "event_share"),
)
"""Dials that move nothing in dialogues in which everybody hears everything."""
_OF_DRAWN = (
    *("update_weights", "turns_an_update", "change_back_share", "change_back_turns", "topics_by_turns"),
    *("correction_share", "stands_turns", "learning_share"),
)
"""Dials that move nothing but these."""
_OF_DIRECTED = (
    *("weighty_moves_a_turn", "light_move_weight", "contest_share", "contestable", "question_share"),
    *("early_reason_share", "aside_share", "script_draws", "script_tries"),
)
"""Dials by which scenarios are laid out that are not planned turn by turn: those of `paper`, and one's own."""
_OF_TWO = ("name_share", "interjection_share")
"""Dials of how two sound who are alone."""


def difficulty_of(preset: str, dials: Mapping[str, str] | None = None) -> Difficulty:
    """The difficulty of a preset with some of its dials set, each given as text.

    Args:
        dials: by name; a range is "2-4" or "3", a share a number, a list "a,b", one of pairs "6:2,10:4", a part of a
            group "signals.none". A part goes over the whole of its group, in whatever order they come; of ``signals``,
            the parts that aren't given share what is left as they did before.

    Raises:
        InputError: there is no such preset or dial, or it can't be set so.
    """
    if preset not in PRESETS:
        raise InputError(f"no difficulty {preset!r}; {did_you_mean(preset, list(PRESETS))}")
    values = PRESETS[preset].model_dump(mode="json")
    for name, text in sorted((dials or {}).items(), key=lambda one: "." in one[0]):
        _set(values, name, text)
    _share_rest(values, {name.partition(".")[2] for name in dials or {} if name.startswith("signals.")})
    try:
        return Difficulty.model_validate(values)
    except ValidationError as error:
        raise InputError(_problem(error)) from error


def checked(difficulty: Difficulty) -> Difficulty:
    """A difficulty as it was given, also where fields of it were set by `model_copy`, which looks at nothing.

    Raises:
        InputError: one of its dials can't be set so.
    """
    values = {name: getattr(difficulty, name) for name in Difficulty.model_fields}
    parts = {name: dict(value) for name, value in values.items() if isinstance(value, Record)}
    try:
        return Difficulty.model_validate(values | parts)
    except ValidationError as error:
        raise InputError(_problem(error)) from error


def _set(values: dict[str, object], name: str, text: str) -> None:
    group, dot, part = name.partition(".")
    whole = values.get(group)
    if group == "preset":
        raise InputError("preset is no dial; choose one with --difficulty")
    if group not in values:
        known = sorted(set(values) - {"preset"})
        raise InputError(f"no dial {name!r}; {did_you_mean(group, known)}")
    if dot and not part:
        raise InputError(f"no dial {name!r}; leave the dot out, or name a part of {group} behind it")
    if part and isinstance(whole, dict):
        if part not in whole and group == "signals":
            raise InputError(f"no dial {name!r}; {did_you_mean(part, list(whole))}")
        values[group] = {**whole, part: text}
    elif part:
        raise InputError(f"no dial {name!r}; {group} has no parts, set it as a whole")
    elif group in _RANGES:
        values[group] = _range(name, text)
    elif isinstance(whole, list | dict):
        values[group] = _listed(name, text, whole)
    else:
        values[group] = text


def _listed(name: str, text: str, whole: list[object] | dict[str, object]) -> object:
    """A list of names or numbers, one of pairs such as "6:2,10:4", or of names that weigh the same."""
    parts = [one.strip() for one in text.split(",") if one.strip()]
    if isinstance(whole, dict):
        _each_once(name, parts)
        return {} if parts == [_NONE] else dict.fromkeys(parts, 1.0)
    if not parts and name not in _MAY_BE_EMPTY:
        raise InputError(f"{name} names nothing; leave it out, or name what it is to have")
    if name in _PAIRS:
        return [_pair(name, one) for one in parts]
    if name not in _NUMBERS:
        _each_once(name, parts)
    return parts


def _pair(name: str, text: str) -> list[str]:
    """The two numbers of a pair."""
    pair = [one.strip() for one in text.split(":")]
    if len(pair) != _TWO or not all(map(str.isdecimal, pair)):
        raise InputError(f"{name} has {text!r}; it has to be pairs TURNS:TOPICS with commas between them: 6:2,10:4")
    return pair


def _each_once(name: str, parts: list[str]) -> None:
    twice = next((one for one in parts if parts.count(one) > 1), None)
    if twice is not None:
        raise InputError(f"{name} names {twice} twice; name each once")


def _share_rest(values: dict[str, object], given: Set[str]) -> None:
    """Have the signals that weren't given make up, with those that were, the whole."""
    signals = values["signals"]
    if not given or not isinstance(signals, dict):
        return
    try:
        left = 1 - sum(float(signals[name]) for name in given)
    except ValueError:  # no number: said where the difficulty is read
        return
    others = {name: share for name, share in signals.items() if name not in given}
    before = sum(others.values())
    if before and 0 <= left <= 1:
        values["signals"] = signals | {name: share * left / before for name, share in others.items()}


def _range(name: str, text: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{name} is {text!r}; it has to be a whole number not below 0, or two such as 2-4")
    return int(match[1]), int(match[2] or match[1])


def _problem(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    group, *parts = map(str, first["loc"] or ("",))
    what = in_words(first)
    if parts[1:] == [_OF_KEY]:
        return f"difficulty: {group}: there is no {parts[0]!r}; each {what}"
    where = ".".join((group, *parts))
    return f"difficulty: {where}: {what}" if where else f"difficulty: {what}"


def check_difficulty(
    difficulty: Difficulty, turns: int, packs: Iterable[DomainPack], *, own_scenarios: bool = False
) -> None:
    """See that dialogues of so many turns can have what a difficulty asks for.

    Args:
        own_scenarios: whether scenarios are handed in, which more dials move where minds come apart.

    Raises:
        InputError: which dials can't be met together, and the nearest that can.
    """
    if not LEAST_TURNS <= turns <= MOST_TURNS:
        raise InputError(f"turns is {turns}; it has to be from {LEAST_TURNS} to {MOST_TURNS}")
    if difficulty.order < _TWO:
        raise InputError(f"order is {difficulty.order}; what one takes another to hold is always asked: give order=2")
    if not difficulty.comes_apart:
        _check_types(difficulty)
        _check_preset(difficulty)
        _check_idle(difficulty, turns)
        return
    _check_planned(difficulty, own_scenarios=own_scenarios)
    for pack in packs:
        _check_people(difficulty, pack)
        _check_topics(difficulty, pack)
    check_ways(difficulty, turns)
    check_room(difficulty, turns)


def _check_types(difficulty: Difficulty) -> None:
    """See that something is asked that can be asked where everybody hears everything."""
    if set(difficulty.question_types) == {QuestionType.INFORMATION_ACCESS.value}:
        raise InputError(
            "question_types is information_access, and where everybody hears everything nobody is asked who knows: "
            "name another type, too, or set it over --difficulty apart, group, hard or extreme"
        )


def _check_preset(difficulty: Difficulty) -> None:
    """See that a preset in which minds come apart still has ways for it, which its other dials are about."""
    if PRESETS[difficulty.preset].comes_apart:
        raise InputError(
            f"apart names no way, and in {difficulty.preset} minds come apart: name some of {', '.join(Way)}, or give "
            "--difficulty paper"
        )


def _check_idle(difficulty: Difficulty, turns: int) -> None:
    """See that no dial is set that only moves dialogues in which minds come apart."""
    usual = Difficulty()
    for name in _OF_PLANNED:
        value = getattr(difficulty, name)
        if value == getattr(usual, name):
            continue
        has = f", which gives {difficulty.topics_in(turns)} topics in {turns} turns" if name == "topics" else ""
        raise InputError(
            f"{name} is {_shown(value)}, which moves nothing where everybody hears everything: leave it out{has}, or "
            "set it over --difficulty apart, group, hard or extreme"
        )


def _check_planned(difficulty: Difficulty, *, own_scenarios: bool) -> None:
    """See that no dial is set that moves nothing in dialogues in which minds come apart."""
    idle = dict.fromkeys(_OF_DRAWN, "where minds come apart")
    if not own_scenarios:
        idle |= dict.fromkeys(_OF_DIRECTED, "where minds come apart, but in scenarios that are handed back")
    if difficulty.several:
        idle |= dict.fromkeys(_OF_TWO, "where more than two may be there")
    for name, where in idle.items():
        if getattr(difficulty, name) != getattr(PRESETS[difficulty.preset], name):
            raise InputError(f"{name} moves nothing {where}: leave it out, or set it over --difficulty paper")


def _shown(value: object) -> str:
    """The value of a dial, as it is given."""
    if isinstance(value, Record):
        return " ".join(f"{name}={in_figures(share)}" for name, share in value)
    return shown_range(value) if isinstance(value, tuple) else str(value)


def _check_topics(difficulty: Difficulty, pack: DomainPack) -> None:
    several = [topic for topic in pack.topics if topic.scope != "two"]
    if difficulty.several and not several:
        raise InputError(
            f"the pack {pack.name!r} has no topic for more than two people: leave scope: two out of some, or ask for "
            "--difficulty paper"
        )
    if difficulty.topics is None:
        return
    least, most = difficulty.topics
    there = len(several if difficulty.several else pack.topics)
    if most > there:
        nearest = f"{least}-{there}" if least < there else str(there)
        raise InputError(
            f"topics is {_shown(difficulty.topics)}, and the pack {pack.name!r} has {there}: ask for topics={nearest}, "
            "or add topics to the pack"
        )


def _check_people(difficulty: Difficulty, pack: DomainPack) -> None:
    people = 2 + len(pack.people)
    least, most = difficulty.participants
    of_three = [way for way in difficulty.ways if way is not Way.PRESUMPTION]
    if people == _TWO and difficulty.several and of_three:
        raise InputError(
            f"apart has {', '.join(of_three)}, which take three people, and the pack {pack.name!r} has roles for two: "
            "add people to the pack, or ask for apart=presumption"
        )
    if most > people:
        nearest = f"{min(least, people)}-{people}" if least < people else str(people)
        raise InputError(
            f"participants is {_shown(difficulty.participants)}, and the pack {pack.name!r} has roles for {people}: "
            f"ask for participants={nearest}, or add people to the pack"
        )
    if difficulty.passers_by > max(people - least, PRESETS[difficulty.preset].passers_by):
        raise InputError(
            f"passers_by is {difficulty.passers_by} beside {least} participants, and the pack {pack.name!r} has roles "
            f"for {people}: ask for passers_by={people - least}, or add people to the pack"
        )
    if difficulty.holders[0] >= most:
        raise InputError(
            f"holders is {_shown(difficulty.holders)} among {most} participants, of whom one has to "
            f"listen: ask for holders={most - 1} at most, or for more participants"
        )
    _check_names(min(most + difficulty.passers_by, people), pack)


def _check_names(people: int, pack: DomainPack) -> None:
    if len(pack.names) < people:
        raise InputError(
            f"up to {people} people are there, and the pack {pack.name!r} has {len(pack.names)} names: add names to "
            "the pack, or ask for fewer participants or passers_by"
        )
