"""The closed world of a scene: rules that read a reply against its dossier and its cues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.items.words import stems
from dtomtrack.scenarios.route.overlap import telling_stems
from dtomtrack.scenarios.route.state import MIND_FIELDS, Mind, Resources
from dtomtrack.scenarios.route.terms import CUE_TYPES, CueType
from dtomtrack.suites.tomelp.citations import Sentence, numbers_in
from dtomtrack.suites.tomelp.cue_words import has_word

__all__ = ["ClosedWorld", "addressed", "label_words"]

_LEAST_STEMS = 2
_UNSUPPORTED: tuple[CueType, ...] = ("authority", "social_proof", "scarcity")


class ClosedWorld:
    """What a reply can draw on in a scene.

    Attributes:
        numbers: all numbers of the dossier.
    """

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.numbers = frozenset[str]().union(*(numbers_in(one.text) for one in resources.dossier))
        telling = telling_stems({one.id: f"{one.text} {one.said}" for one in resources.dossier})
        self._items = {one.id: telling[one.id] & stems(one.text) for one in resources.dossier}
        phrases = {text: kind for kind, texts in resources.cues.items() for text in texts}
        own = telling_stems({text: text for text in phrases})
        self._phrases = [(kind, own[text]) for text, kind in phrases.items()]

    def used(self, sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, str]]:
        """Items that are used: the sentence with the tag has two telling words of the item."""
        for sentence in sentences:
            own = stems(sentence.text)
            for tag in dict.fromkeys(sentence.tags):
                if len(own & self._items.get(tag, frozenset())) >= _LEAST_STEMS:
                    yield sentence, tag

    def cue_types(self, sentence: str) -> frozenset[CueType]:
        """The kinds of cue in a sentence: a phrase of the scene that shines through, or words of the kind."""
        return self._supported(sentence) | {kind for kind in CUE_TYPES if has_word(sentence, kind)}

    def argues(self, sentence: str) -> bool:
        """Whether a sentence argues: it draws on an item of the dossier, tagged or not, or gives a reason or number."""
        return self._draws(sentence) or bool(numbers_in(sentence)) or has_word(sentence, "reasons")

    def unsupported(self, sentence: str) -> frozenset[CueType]:
        """Urgency, authority or consensus that the scene does not have: words of the kind, and nothing behind them."""
        if self._draws(sentence):
            return frozenset()
        supported = self._supported(sentence)
        return frozenset(kind for kind in _UNSUPPORTED if has_word(sentence, kind) and kind not in supported)

    def _draws(self, sentence: str) -> bool:
        own = stems(sentence)
        return any(len(own & telling) >= _LEAST_STEMS for telling in self._items.values())

    def _supported(self, sentence: str) -> frozenset[CueType]:
        own = stems(sentence)
        return frozenset(kind for kind, telling in self._phrases if len(own & telling) >= _LEAST_STEMS)


def label_words(label: str) -> str:
    """A state as words: of a phrase with underscores all but the first (believes, wants, will)."""
    return " ".join(label.split("_")[1:]) if "_" in label else label


def addressed(text: str, mind: Mind) -> int:
    """How many of belief, desire and intent a reply takes up: it has two content words of the phrase."""
    own = stems(text)
    wanted = [stems(label_words(getattr(mind, field))) for field in MIND_FIELDS]
    return sum(len(own & one) >= min(_LEAST_STEMS, len(one)) > 0 for one in wanted)
