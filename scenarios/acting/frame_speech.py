"""What frames a dialogue: greetings, the first and last lines of its story, small talk and asides."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.scenarios.acting.character import Character
from dtomtrack.scenarios.acting.company_speech import Ways, for_whom, idle_ways
from dtomtrack.scenarios.acting.line_picker import FEW, LinePicker
from dtomtrack.scenarios.pack import DomainPack, Situation
from dtomtrack.scenarios.roles import PACK_ROLES
from dtomtrack.scenarios.script import Direction, Move

__all__ = ["FrameSpeech"]

_FOR_TWO, _LAST = 3, 1
"""How many shared greetings and asides, and how many shared last words, two say for each of the pack's."""


class FrameSpeech:
    """Words for the turns, or parts of them, that are about no topic.

    Args:
        said: the utterances that the character has heard so far.
    """

    def __init__(
        self,
        pack: DomainPack,
        situation: Situation,
        character: Character,
        said: Sequence[str],
        lines: LinePicker,
    ) -> None:
        self._pack, self._situation, self._character = pack, situation, character
        self._said, self._lines = said, lines
        self._difficulty, self._talk = character.difficulty, pack.lines.talk

    def line(self, direction: Direction) -> str:
        """The words of a direction that is about no topic."""
        move = direction.move
        if move is Move.ANSWER_SMALL_TALK:
            return self._answer_small_talk()
        if move is Move.SMALL_TALK and not self._pack.small_talk:
            move = Move.ASIDE
        if move is Move.SMALL_TALK:
            return self._lines.pick(self._small_talk(), direction.pick)
        if move in {Move.GREET, Move.ASIDE}:
            return self._fresh_frame(direction, move)
        if move is Move.CLOSE and not self._difficulty.several:
            own = (*self._frame_lines(move), *self._further_lines(move))
            line = Ways(own, self._talk.between_two.closes, shared_for_own=_LAST).pick(direction, self._character.book)
            return self._lines.fill(line)
        return self._lines.pick_more(self._frame_lines(move), self._further_lines(move), direction.pick)

    def _further_lines(self, move: Move) -> Sequence[str]:
        """First and last lines of the story, where several talk."""
        more = self._situation.company
        match move:
            case Move.OPEN:
                return more.opens
            case Move.REPLY:
                return more.replies
            case Move.CLOSE:
                return more.closes_a if self._leads else more.closes_b
            case _:
                return ()

    def _frame_lines(self, move: Move) -> Sequence[str]:
        greetings, story = self._pack.greetings, self._situation
        match move:
            case Move.GREET:
                return greetings.a if self._leads else greetings.b
            case Move.INVITE:
                return greetings.invites
            case Move.OPEN:
                return story.opens
            case Move.REPLY:
                return story.replies
            case Move.SMALL_TALK:
                return [line for line, _ in self._pack.small_talk]
            case Move.CLOSE:
                return story.closes_a if self._leads else story.closes_b
            case _:
                return story.asides_a if self._leads else story.asides_b

    @property
    def _leads(self) -> bool:
        return self._character.role == PACK_ROLES[0]

    def _fresh_frame(self, direction: Direction, move: Move) -> str:
        """A greeting or an aside of the pack, or one that all packs share."""
        further: Sequence[str] = self._talk.greet if move is Move.GREET else self._talk.asides
        lines = self._frame_lines(move)
        if move is Move.GREET and self._said and self._character.name in self._said[-1]:
            # who has just been called by their name does not give it
            lines = [line for line in lines if f"{{{self._character.role}}}" not in line] or lines
        if not self._difficulty.several:
            return self._fresh_between_two(direction, lines, further)
        if move is Move.GREET and self._pack.has_hosts:
            lines, further = self._between_host_and_guest(lines, further)
        own, shared = (self._lines.harmless(for_whom(some, direction, self._talk)) for some in (lines, further))
        return self._lines.fill(idle_ways(own, shared).pick(direction, self._character.book))

    def _between_host_and_guest(
        self, lines: Sequence[str], further: Sequence[str]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """The greetings of the pack, and those of any, that fit: a host has not just come in, nor does a guest who was
        greeted first ask for the house or the host."""
        if not self._leads:
            return lines, ()
        if self._said:
            lines = [line for line in lines if "{venue}" not in line and f"{{{PACK_ROLES[1]}}}" not in line]
        return lines, further

    def _fresh_between_two(self, direction: Direction, lines: Sequence[str], further: Sequence[str]) -> str:
        """The same between two: a host greets in words of the pack, a guest in those and in any."""
        greets = direction.move is Move.GREET and self._pack.has_hosts
        further = () if greets and not self._leads else further
        most = FEW // _FOR_TWO if further else FEW
        own = self._lines.harmless(self._lines.few(lines, direction.pick, most))
        shared = self._lines.harmless(self._lines.few(further, direction.nth))
        if not shared and all(map(self._character.book.has, own)):
            own = lines
        ways = Ways(own, shared, shared_for_own=1 if greets else _FOR_TWO)
        return self._lines.fill(ways.pick(direction, self._character.book))

    def _small_talk(self) -> list[str]:
        """Small talk to which there is an answer, and nothing telling in either."""
        fitting = [line for line, answer in self._pack.talks if self._lines.is_harmless(f"{line} {answer}")]
        return list(self._lines.begun_with_another(fitting or [line for line, _ in self._pack.talks]))

    def _answer_small_talk(self) -> str:
        for line, answer in self._pack.talks:
            if self._lines.fill(line) in self._said[-1]:
                return self._lines.fill(answer)
        return self._lines.pick(self._pack.reactions.defer)
