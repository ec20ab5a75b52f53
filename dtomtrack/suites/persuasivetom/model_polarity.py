"""Whether attitudes are positive, neutral or negative, as a language model says, one call a word.

The paper has a classifier say it (section 5.2); dtomtrack's own list of words knows fewer words and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.items.item import Item
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.journal import Journal
from dtomtrack.llm.options import AnyModel
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.in_order import in_order
from dtomtrack.suites.persuasivetom.items import OTHER
from dtomtrack.suites.persuasivetom.kinds import kind_of_file
from dtomtrack.suites.persuasivetom.polarity import POLARITIES
from dtomtrack.suites.persuasivetom.published_items import published_items
from dtomtrack.suites.persuasivetom.tally import Tally
from dtomtrack.suites.published.folder import FoundFolder
from dtomtrack.verifiers.judging.one_letter import LETTER_TOKENS, chosen_letter

__all__ = ["ModelPolarities", "attitudes_of", "polarities_by_model"]

_LETTERS = dict(zip("ABC", POLARITIES, strict=True))
_SEED = 0


@dataclass(frozen=True)
class ModelPolarities:
    """What a model says of attitudes.

    Attributes:
        model: its name.
        of: by attitude; None where no letter could be read.
    """

    model: str
    of: Mapping[str, str | None]

    def told(self) -> str:
        """How many attitudes it classified, in words."""
        known = sum(one is not None for one in self.of.values())
        return f"the polarity of {known} of {len(self.of)} attitudes is what {self.model} says"

    def given_to(self, item: Item) -> Item:
        """An item on a belief with these polarities as the roles of its options; any other as it is."""
        if not item.groups.get("type", "").startswith("belief"):
            return item
        return replace(item, roles=tuple(self.of.get(_key(option)) or OTHER for option in item.options))


def attitudes_of(found: FoundFolder, folder: Path) -> tuple[str, ...]:
    """The attitudes among the options of published questions on beliefs, each once, in order.

    Raises:
        InputError: none of the files is about beliefs, or one can't be read.
    """
    files = tuple(one for one in found.files if kind_of_file(one.name).state == "belief")
    if not files:
        raise InputError(f"{folder}: --polarity-model is for belief_er.json and belief_ee.json, and neither is there")
    items = published_items(replace(found, files=files), Tally())
    return tuple(sorted({_key(option) for item in items for option in item.options}))


async def polarities_by_model(
    attitudes: Iterable[str], named: AnyModel, settings: ClientSettings, journal: Path
) -> ModelPolarities:
    """Ask a model about each attitude.

    Args:
        journal: where replies are kept; what is in it is not asked again.

    Raises:
        ModelError: no answer can be had; the same call goes on.
    """
    words = tuple(attitudes)
    async with Clients(settings, Journal(journal, fresh=settings.fresh_journal)) as clients:
        model = await clients.open(named)

        async def ask(attitude: str) -> str | None:
            return await _polarity(model, attitude)

        given = [one async for one in in_order(ask, words, settings.concurrency)]
    return ModelPolarities(model.name, dict(zip(words, given, strict=True)))


async def _polarity(model: ChatModel, attitude: str) -> str | None:
    text = prompt("dtomtrack.suites.persuasivetom", "polarity").fill(attitude=as_data(attitude))
    call = CallKey(attitude, "polarity")
    reply = await model.chat(ChatRequest.asking(call, text, _SEED, LETTER_TOKENS, choices=tuple(_LETTERS)))
    letter = chosen_letter(reply, _LETTERS)
    return None if letter is None else _LETTERS[letter]


def _key(option: str) -> str:
    return " ".join(option.lower().split())
