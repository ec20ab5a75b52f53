"""What a model has to read from a written scene: each doubt and strategy from its line, what items and cues are for.

Where a reader finds in the words what the plan has put there, and nothing else, gold states, strategies and relevant
items hold; what is read otherwise is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dtomtrack.errors import ReplyError
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.items.letters import letter_of
from dtomtrack.llm.chat import CallKey, ChatModel
from dtomtrack.scenarios.route.pack import Concern, RoutePack
from dtomtrack.scenarios.route.sampler import ScenePlan
from dtomtrack.scenarios.route.terms import CUE_TYPES, CueType
from dtomtrack.suites.tomelp.generation.writing import doubt_text
from dtomtrack.verifiers.judging.item_reader import ItemReader, reading_call

__all__ = ["SceneReader", "right_letters"]

_WRONG = 3
_APPEALS: dict[CueType, str] = {
    "authority": "an expert or an institution",
    "social_proof": "what other people do",
    "liking": "warmth and rapport between the two",
    "reciprocity": "a favour, a mutual benefit or an offer in return",
    "scarcity": "limited time or supply",
}


@dataclass(frozen=True)
class _Asked:
    """A question with the lines that are read for it, and what is wrong where they are read otherwise."""

    item: Item
    lines: Sequence[ContextLine]
    otherwise: str


class SceneReader:
    """A model that reads what was written for a scene.

    Args:
        unit: the attempt that its calls belong to.
        seed: of the run.
    """

    def __init__(self, model: ChatModel, plan: ScenePlan, unit: str, seed: int) -> None:
        self._reader = ItemReader(model, seed)
        self._plan = plan
        self._unit = unit

    async def check_lines(self, texts: Sequence[str]) -> None:
        """See that the lines of the scene say what its plan says.

        Raises:
            ReplyError: one is read otherwise, or can't be read.
            ModelError: no answer can be had.
        """
        for one in _about_lines(self._plan, texts):
            await self._check(one)

    async def check_dossier(self, written: RoutePack) -> RoutePack:
        """A written pack, with those of its cues that are read as what they are.

        Raises:
            ReplyError: an item is read as bearing on another doubt, or no cue of a kind is read as one.
            ModelError: no answer can be had.
        """
        for one in _about_items(self._plan, written):
            await self._check(one)
        cues = {kind: await self._kept_cues(kind, written.cues[kind]) for kind in CUE_TYPES}
        return written.model_copy(update={"cues": cues})

    async def _kept_cues(self, kind: CueType, texts: Sequence[str]) -> tuple[str, ...]:
        asked = [_about_cue(self._plan, kind, place, text) for place, text in enumerate(texts)]
        verdicts = [await self._reader.verdict(one.item, one.lines, self._unit) for one in asked]
        kept = tuple(text for text, verdict in zip(texts, verdicts, strict=True) if verdict.kept)
        if not kept:
            raise ReplyError(f"no phrase is read as a cue of {kind}")
        return kept

    async def _check(self, one: _Asked) -> None:
        verdict = await self._reader.verdict(one.item, one.lines, self._unit)
        if not verdict.kept:
            raise ReplyError(f"{one.otherwise}: {verdict.reason}")


def right_letters(plan: ScenePlan, texts: Sequence[str], unit: str) -> dict[CallKey, str]:
    """The answers of a reader who reads what the plan says from lines like these, and from the pack's own dossier."""
    cues = [
        _about_cue(plan, kind, place, text) for kind in CUE_TYPES for place, text in enumerate(plan.pack.cues[kind])
    ]
    asked = [*_about_lines(plan, texts), *_about_items(plan, plan.pack), *cues]
    return {reading_call(unit, one.item): letter_of(min(one.item.gold)) for one in asked}


# -- questions -------------------------------------------------------------------------------------------------------


def _about_lines(plan: ScenePlan, texts: Sequence[str]) -> Iterator[_Asked]:
    shown = [ContextLine(plan.names[place % 2], text) for place, text in enumerate(texts)]
    persuader, persuadee = plan.names
    for number, step in enumerate(plan.steps):
        until = shown[: 2 * number + 1]
        for strategy in step.tried:
            question = f"What does {persuader} do in the last line?"
            others = [one.name for one in plan.pack.strategies if one not in step.tried]
            item = _item(plan, f"strategy {number} {strategy.name}", question, strategy.name, others)
            yield _Asked(item, until, "a strategy can't be told from its line")
        question = f"What does {persuadee} doubt in the last line?"
        item = _doubt_item(plan, f"doubt {number}", question, step.concern)
        yield _Asked(item, [*until, shown[2 * number + 1]], "a doubt can't be told from its line")


def _about_items(plan: ScenePlan, written: RoutePack) -> Iterator[_Asked]:
    persuader, persuadee = plan.names
    question = f"Which doubt of {persuadee} does the line bear on?"
    owners = [(one.text, one.bears_on[0]) for one in written.facts]
    owners += [(one.text, one.answers) for one in written.counterpoints]
    for number, (text, owner) in enumerate(owners):
        item = _doubt_item(plan, f"item {number}", question, plan.pack.concern(owner))
        yield _Asked(item, [ContextLine(persuader, text)], "what an item of the dossier bears on can't be told")


def _about_cue(plan: ScenePlan, kind: CueType, place: int, text: str) -> _Asked:
    others = [one for other, one in _APPEALS.items() if other != kind]
    item = _item(plan, f"cue {kind} {place}", "What does the line appeal to?", _APPEALS[kind], others)
    return _Asked(item, [ContextLine(plan.names[0], text)], "what a cue appeals to can't be told")


def _doubt_item(plan: ScenePlan, name: str, question: str, concern: Concern) -> Item:
    others = [doubt_text(one) for one in plan.pack.concerns if one.id != concern.id]
    return _item(plan, name, question, doubt_text(concern), others)


def _item(plan: ScenePlan, name: str, question: str, right: str, others: Sequence[str]) -> Item:
    """An item with up to three wrong options, all of them in an order of its own."""
    rng = plan.slot.random("read", name)
    options = [right, *rng.sample(others, min(_WRONG, len(others)))]
    rng.shuffle(options)
    return Item(
        id=name,
        cluster=str(plan.slot.index),
        question=question,
        options=tuple(options),
        gold=frozenset({options.index(right)}),
    )
