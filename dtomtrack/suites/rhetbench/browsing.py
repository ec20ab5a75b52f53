"""Episodes for the page's browser: under each line said, what it did to agreement and rapport."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

from dtomtrack.items.item import Item
from dtomtrack.report.shown import Aside, BrowserWords, Person, ShownDialogue, ShownItem, ShownLine, Span, Track
from dtomtrack.scenarios.persuasion_npc.arguments import Tone
from dtomtrack.suites.items.reading import items_of
from dtomtrack.suites.rhetbench.dataset import item_name
from dtomtrack.suites.rhetbench.episode import Episode, TurnRecord
from dtomtrack.suites.rhetbench.played import PlayedSubject, played_subjects
from dtomtrack.suites.rhetbench.tracked import line_of_message

__all__ = ["WORDS", "shown_episodes"]

WORDS = BrowserWords(
    asides="what is hidden",
    people="What is hidden of the character",
    tracks="How each kind of argument was taken",
    kinds=tuple(Tone),
)


def shown_episodes(folder: Path, limit: int) -> Iterator[ShownDialogue]:
    """The first so many episodes of each subject in turn, with the questions that are asked about them.

    Raises:
        DatasetError: a line is damaged.
    """
    questions: dict[str, list[Item]] = {}
    for item in items_of(folder):
        questions.setdefault(item.id.rsplit("-", 1)[0], []).append(item)
    subjects = [one for one in played_subjects(folder) if one.finished]
    share = -(-limit // max(1, len(subjects)))
    found = ((one, episode) for one in subjects for episode in islice(one.episodes(), share))
    for subject, episode in islice(found, limit):
        yield _shown(subject, episode, questions.get(item_name(subject, episode.index), []))


def _shown(subject: PlayedSubject, episode: Episode, items: Sequence[Item]) -> ShownDialogue:
    told = [*items[0].context.lines] if items and items[0].context is not None else []
    name = told[1].speaker if told else episode.config.scenario
    opening = [ShownLine(told[1].text, name)] if told else []
    return ShownDialogue(
        id=item_name(subject, episode.index),
        items=tuple(ShownItem(item) for item in items),
        title=f"{name}, {episode.subject}",
        excerpt=_ended(episode),
        tags=(episode.config.scenario, _ended(episode)),
        introduction=told[0].text if told else "",
        people=(_hidden(episode, name),),
        lines=(*opening, *(line for turn in episode.turns for line in _lines(turn, name))),
        tracks=tuple(_tracks(episode, name, len(opening))),
    )


def _ended(episode: Episode) -> str:
    turns = len(episode.turns)
    if episode.won:
        return f"won at turn {turns}"
    return f"walked out at turn {turns}" if episode.walked_out else f"not won in {turns} turns"


def _hidden(episode: Episode, name: str) -> Person:
    mind = episode.config.mind
    shifts = ", ".join(f"{kind.lower().replace('_', ' ')} {shift:+.3g}" for kind, shift in mind.profile.items())
    facts = [f"starts at {mind.start:+.2f}, is won at {mind.threshold:+.2f}, walks out at {mind.walk_out:+.2f}"]
    facts += [f"what moves it: {shifts}", f"repeats cost {mind.repeat_penalty:.2g}"]
    if mind.drift is not None:
        best = max(mind.drift.profile, key=lambda kind: mind.drift.profile[kind] if mind.drift else 0.0)
        facts.append(f"from turn {mind.drift.turn} on {best.lower().replace('_', ' ')} works best")
    return Person(name, "", tuple(facts))


def _lines(turn: TurnRecord, name: str) -> Iterator[ShownLine]:
    heard = f"heard as {turn.argument.lower().replace('_', ' ')}"
    meant = f", meant as {turn.meant.lower().replace('_', ' ')}" if turn.meant not in {None, turn.argument} else ""
    flags = f" ({', '.join(turn.flags)})" if turn.flags else ""
    yield ShownLine(turn.message, f"Persuader, {turn.turn}", (), f"{heard}{meant}{flags}")
    state = f"agreement {turn.agreement:+.2f} ({turn.delta:+.2f}), rapport {turn.rapport:+.2f}"
    yield ShownLine(turn.reply, name, (Aside(f"{turn.tone}: {state}", turn.tone),), state)


def _tracks(episode: Episode, name: str, offset: int) -> Iterator[Track]:
    """A track for each class that was used: its tones, each until the next that differs."""
    uses: dict[str, list[TurnRecord]] = {}
    for turn in episode.turns:
        uses.setdefault(turn.argument, []).append(turn)
    for kind, turns in uses.items():
        starts = [next(group) for _, group in groupby(turns, key=lambda turn: turn.tone)]
        lines = [line_of_message(turn.turn) + offset for turn in starts]
        spans = tuple(
            Span(turn.tone, line, end, turn.tone)
            for turn, line, end in zip(starts, lines, [*lines[1:], None], strict=True)
        )
        yield Track(name, kind.lower().replace("_", " "), spans)
