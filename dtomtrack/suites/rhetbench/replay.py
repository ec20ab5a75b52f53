"""Episodes heard again: a recorded message has to lead to the recorded turn, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.runs.lines import digest, read_lines
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.rhetbench.episode import Episode, TurnRecord
from dtomtrack.suites.rhetbench.listening import Character

__all__ = ["replay", "replayed_file"]

_DIGITS = 16


def replayed_file(path: Path, packs: Sequence[PersuasionPack]) -> Iterator[Episode]:
    """The episodes of a file, each once it was heard again.

    Raises:
        DatasetError: the file can't be read, is of other packs, or a turn disagrees; the first such turn is named.
    """
    known = {pack.id: pack for pack in packs}
    if path.is_dir():
        raise DatasetError(f"{path}: is a folder; give the episodes.jsonl of a subject in it")
    number = 0
    for number, episode in enumerate(read_lines(path, Episode), 1):
        pack = known.get(episode.config.scenario)
        if pack is None:
            raise DatasetError(
                f"{path}:{number}: was played with {episode.config.scenario!r}, which is none of the scenarios here; "
                "give --scenarios as the run had it"
            )
        if digest(pack)[:_DIGITS] != episode.config.pack:
            raise DatasetError(
                f"{path}:{number}: was played with another version of the scenario {episode.config.scenario!r}; "
                "give its pack with --scenarios"
            )
        try:
            problem = replay(episode, pack)
        except InputError as error:
            raise DatasetError(f"{path}:{number}: {error}") from error
        if problem is not None:
            raise DatasetError(f"{path}:{number}: {problem}")
        yield episode
    if not number:
        raise DatasetError(f"{path}: has no episodes in it")


def replay(episode: Episode, pack: PersuasionPack) -> str | None:
    """The first thing in which an episode is not what its messages lead to; None if there is none."""
    character = Character(pack, episode.config)
    memory = character.opening()
    for number, recorded in enumerate(episode.turns, 1):
        heard_as = None if recorded.by_rules is None else recorded.argument
        memory = character.after(memory, recorded.message, heard_as)
        field = _first_difference(recorded, memory.turns[-1], worded=episode.config.verbalizer != "rules")
        if field is not None:
            return f"turn {number} disagrees in {field}"
    ended = (memory.over, memory.won, memory.walked_out) == (True, episode.won, episode.walked_out)
    return None if ended else "its end disagrees with its turns"


def _first_difference(recorded: TurnRecord, heard: TurnRecord, *, worded: bool) -> str | None:
    # flags of what came in unclean, too long or held back can't come up again
    own = {"cleaned", "cut", "unvoiced", "withheld"}
    passed_over = {"meant", "reply"} if worded else {"meant"}
    for field in TurnRecord.model_fields:
        one, two = getattr(recorded, field), getattr(heard, field)
        if field == "flags":
            one, two = {*one} - own, {*two} - own
        if field not in passed_over and one != two:
            return field
    return None
