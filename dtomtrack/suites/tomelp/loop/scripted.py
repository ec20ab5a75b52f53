"""Scripted persuaders of the closed loop. They are no models: they know the dossier and recognise every doubt.

evidence and cues keep to one route; adaptive begins with evidence and changes over when the reply says that it did not
reach, or reached half; alternate takes turns; oracle knows how the listener listens; generic says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dtomtrack.errors import InputError
from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.options import did_you_mean
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.scenarios.route.pack import Concern, RoutePack
from dtomtrack.scenarios.route.sampler import resources_of
from dtomtrack.scenarios.route.terms import CUE_TYPES, Route
from dtomtrack.suites.tomelp.closed_world import label_words
from dtomtrack.suites.tomelp.loop.giving import Giving, open_doubt
from dtomtrack.suites.tomelp.loop.lines import listener_lines
from dtomtrack.suites.tomelp.loop.listener import best_route

__all__ = ["ScriptedLoopPersuader", "check_loop_policy", "loop_policies"]

_FACTS = 2
_FILLERS = ("I can see why you hesitate.", "Let us think it over together.", "Do give it some thought.")


@dataclass
class _Sight:
    """What a policy goes by.

    Attributes:
        need: how the listener listens, which the oracle alone looks at.
        routes: those of the messages so far, with whether each reached the listener.
    """

    need: float
    routes: list[tuple[Route, bool]] = field(default_factory=list)


_Policy = Callable[[_Sight], Route | None]


def _adaptive(sight: _Sight) -> Route:
    if not sight.routes:
        return "central"
    route, reached = sight.routes[-1]
    return route if reached else _other(route)


def _other(route: Route) -> Route:
    return "peripheral" if route == "central" else "central"


def _alternate(sight: _Sight) -> Route:
    return "peripheral" if len(sight.routes) % 2 else "central"


_POLICIES: Mapping[str, _Policy] = {
    "evidence": lambda sight: "central",
    "cues": lambda sight: "peripheral",
    "adaptive": _adaptive,
    "alternate": _alternate,
    "oracle": lambda sight: best_route(sight.need) or _alternate(sight),
    "generic": lambda sight: None,
}


def loop_policies() -> list[str]:
    """The names of all scripted persuaders."""
    return list(_POLICIES)


def check_loop_policy(name: str) -> None:
    """Make sure that there is such a persuader.

    Raises:
        InputError: there is not.
    """
    if name not in _POLICIES:
        raise InputError(f"no policy {name[:80]!r} in the closed loop; {did_you_mean(name, loop_policies())}")


class ScriptedLoopPersuader:
    """Plays one conversation by a policy (a `dtomtrack.graphs.persuasion.Persuader`).

    Args:
        first: the doubt that opens it.
        giving: the states that it is given; without any it takes up none.
    """

    def __init__(self, name: str, pack: RoutePack, need: float, first: Concern, giving: Giving | None) -> None:
        check_loop_policy(name)
        self._policy = _POLICIES[name]
        self._pack = pack
        self._resources = resources_of(pack)
        self._giving = giving
        self._sight = _Sight(need)
        self._doubt = first
        self._route: Route | None = None
        self._used: list[str] = []

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        """The next message."""
        if self._route is not None:
            self._sight.routes.append((self._route, _reached(lines[-1].text)))
            self._doubt = open_doubt(self._pack, lines)
        self._route = self._policy(self._sight)
        if self._route is None:
            return _FILLERS[len(lines) // 2 % len(_FILLERS)]
        own = self._evidence() if self._route == "central" else self._cues()
        return " ".join([*self._taken_up(lines), *own])

    def _taken_up(self, lines: Sequence[Spoken]) -> Iterator[str]:
        if self._giving is not None:
            mind = self._giving(lines).mind
            yield f"So you feel that {label_words(mind.belief)}, and you want {label_words(mind.desire)}."

    def _evidence(self) -> Iterator[str]:
        own = self._resources
        rebuttal = next(one for one in own.counterpoints if self._doubt.id in one.concerns)
        facts = [one for one in own.facts if self._doubt.id in one.concerns][:_FACTS]
        return (f"{one.said} [{one.id}]" for one in (rebuttal, *facts))

    def _cues(self) -> Iterator[str]:
        """Phrases of two kinds that were not said yet, while there are any."""
        own = self._resources.cues
        fresh = [kind for kind in CUE_TYPES if any(one not in self._used for one in own[kind])] or list(CUE_TYPES)
        for kind in sorted(fresh, key=lambda one: sum(text in self._used for text in own[one]))[:_FACTS]:
            phrase = next((one for one in own[kind] if one not in self._used), own[kind][0])
            self._used.append(phrase)
            yield phrase


def _reached(reply: str) -> bool:
    """Whether a reply begins as that of somebody whom the message reached; half is not enough."""
    lines = listener_lines()
    return any(reply.startswith(one) for one in (*lines.weighed, *lines.felt))
