"""Scripted subjects, planted so that what every measure should say of them is known. They are no models.

They know the scene's gold states and what bears on what: what is tested by them is the judge and the sums, not them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.errors import InputError
from dtomtrack.graphs.route_state import Lines, Minds, Options, ShownQuestion, Task, Unusable, Written
from dtomtrack.options import did_you_mean
from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.scenarios.route.state import DossierItem, Mind, Resources, SceneState
from dtomtrack.scenarios.route.terms import CUE_TYPES, Persona, Route
from dtomtrack.suites.tomelp.closed_world import label_words

__all__ = ["PREFIX", "ScriptedSubject", "scripted_names"]

PREFIX = "policy/"
_TAKEN_UP = (
    "So you feel that {belief}, and you want {desire}.",
    "You tell me that {belief}; what you want is {desire}.",
    "If I got you right, {belief}, and you want {desire}.",
    "I hear you: {belief}. You want {desire}, and I take that seriously.",
    "As you see it, {belief}. And you want {desire}, I know.",
)
_FILLERS = (
    "I can see why you hesitate.",
    "Let us think it over together.",
    "It would be good if you gave it a try.",
)


@dataclass(frozen=True)
class _Scene:
    """A task with the scene's own knowledge."""

    state: SceneState
    resources: Resources
    task: Task

    @property
    def dossier(self) -> list[DossierItem]:
        """The items that the writer is shown."""
        return [one for one in self.resources.dossier if one.id in self.task.resources.dossier]

    @property
    def evidence(self) -> list[DossierItem]:
        """The counterpoint that answers the doubt, if the writer has any, and two facts that bear on it."""
        own = [one for one in self.dossier if self.state.concern in one.concerns]
        facts = [one for one in own if one in self.resources.facts]
        return [*(one for one in own if one not in facts), *facts[:2]]


_Policy = Callable[[_Scene], str]


def _faithful(scene: _Scene) -> str:
    """Keeps to the route, uses what bears on the doubt in other words, corrects false claims, takes up the mind."""
    return " ".join([*_taken_up(scene), *_corrected(scene), *_by_route(scene)])


def _by_route(scene: _Scene) -> Iterator[str]:
    return _cues(scene) if scene.task.cell.route == "peripheral" else _evidence(scene)


def _evidence(scene: _Scene) -> Iterator[str]:
    for item in scene.evidence:
        yield f"{item.said} [{item.id}]"


def _cues(scene: _Scene, kinds: int = 2) -> Iterator[str]:
    """Phrases of as many kinds, which ones by the state."""
    rng = Random(f"cues/{scene.state.id}")  # noqa: S311 - reproducible, no secret
    for kind in rng.sample(CUE_TYPES, kinds):
        yield rng.choice(scene.resources.cues[kind])


def _taken_up(scene: _Scene) -> Iterator[str]:
    """The mind that the writer was given, in words that differ from state to state."""
    mind = scene.task.mind
    if isinstance(mind, Mind):
        words = Random(f"taken up/{scene.state.id}").choice(_TAKEN_UP)  # noqa: S311 - reproducible, no secret
        yield words.format(belief=label_words(mind.belief), desire=label_words(mind.desire))


def _corrected(scene: _Scene) -> Iterator[str]:
    if scene.task.cell.disturbance == "misleading":
        yield "What was said about it being useless and harmful is not true."


def _no_tom(scene: _Scene) -> str:
    return " ".join([*_corrected(scene), *_by_route(scene)])


def _drift(scene: _Scene) -> str:
    return " ".join([*_taken_up(scene), *_cues(scene)])


def _stuffing(scene: _Scene) -> str:
    tags = ", ".join(one.id for one in scene.dossier)
    own = f"Everything speaks for it, on average and compared [{tags}]."
    return own if scene.task.cell.route == "central" else " ".join(_cues(scene, len(CUE_TYPES)))


def _copy(scene: _Scene) -> str:
    if scene.task.cell.route == "peripheral":
        return " ".join(_cues(scene))
    return " ".join(f"{item.text} [{item.id}]" for item in scene.evidence)


def _misled(scene: _Scene) -> str:
    return _taken_in(scene) if scene.task.cell.disturbance == "misleading" else _faithful(scene)


def _taken_in(scene: _Scene) -> str:
    """Says the false claim as if it were so, and nothing against it."""
    claim = shared().disturbances[scene.task.cell.disturbance]
    return " ".join([claim, *_taken_up(scene), *_by_route(scene)])


def _heedful(scene: _Scene) -> str:
    """Repeats a false claim where nobody warns of it."""
    claimed = scene.task.cell.disturbance in shared().disturbances
    return _taken_in(scene) if claimed and not scene.task.warned else _faithful(scene)


def _generic(scene: _Scene) -> str:
    return " ".join(_FILLERS)


def _empty(scene: _Scene) -> str:
    return ""


_POLICIES: Mapping[str, _Policy] = {
    "faithful": _faithful,
    "no-tom": _no_tom,
    "drift": _drift,
    "stuffing": _stuffing,
    "copy": _copy,
    "misled": _misled,
    "heedful": _heedful,
    "generic": _generic,
    "empty": _empty,
}


def scripted_names() -> list[str]:
    """The names of all scripted subjects."""
    return list(_POLICIES)


class ScriptedSubject:
    """A scripted subject at one state (a `dtomtrack.graphs.route_state.Subject`).

    Args:
        elsewhere: the state of another scene whose lines may be asked about.
    """

    def __init__(self, name: str, state: SceneState, elsewhere: SceneState | None = None) -> None:
        """Get ready.

        Raises:
            InputError: there is no such subject, or it is not known here what bears on what.
        """
        if name not in _POLICIES:
            raise InputError(f"no policy {name[:80]!r}; {did_you_mean(name, scripted_names())}")
        if state.resources is None or state.concern is None or not state.minds:
            raise InputError(f"state {state.id}: scripted subjects play scenes of generate alone; name a model")
        self._policy = _POLICIES[name]
        self._state = state
        self._resources = state.resources
        self._elsewhere = elsewhere

    async def infer(self, lines: Lines, persona: Persona, *, elsewhere: bool = False) -> Minds | Unusable:
        """The gold states."""
        state = self._elsewhere if elsewhere and self._elsewhere is not None else self._state
        return dict(state.minds)

    async def choose(self, lines: Lines, persona: Persona, route: Route, options: Sequence[str]) -> str | Unusable:
        """The right strategy."""
        return self._state.choices[persona].answer

    async def place(self, minds: Minds, persona: Persona, questions: Sequence[ShownQuestion]) -> Options | Unusable:
        """Nothing: scenes of generate have no such questions."""
        return Unusable("scripted subjects answer no questions about minds")

    async def write(self, task: Task) -> Written | Unusable:
        """By the policy."""
        text = self._policy(_Scene(self._state, self._resources, task))
        return Written(text) if text else Unusable("the reply is empty")
