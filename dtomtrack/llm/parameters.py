"""Parameters that a server refuses: found out once, then left out.

OpenAI's reasoning models take no temperature, some servers know no seed or give no log-probabilities, and the limit of
a reply has two names. What is left out goes by the server's default; what can't do without is refused as before.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping

__all__ = ["RefusedParameters"]

_log = logging.getLogger("dtomtrack.llm")

_LOGPROBS = ("logprobs", "top_logprobs")
_OTHER_LIMIT = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_DISPENSABLE = ("top_p", "seed", *_LOGPROBS, "temperature")
"""The least important first, for a server may name two of which it takes one."""
_OURS = frozenset({"seed", *_LOGPROBS})
"""No user chose these, whatever is wrong with them."""
_STATUSES = frozenset({400, 422})
_FORBIDDEN = 403
"""How OpenAI refuses log-probabilities."""
_REFUSED = re.compile(
    r"unsupported|(?:not|n't) support|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs|fields)"
    r"|not (?:permitted|allowed|available|accepted)|deprecated|cannot (?:both )?be|only .{0,40}allowed"
)
_OUT_OF_RANGE = re.compile(
    r"between|at most|at least|(?:less|greater) than|maximum|minimum|out of range|too (?:large|high|small|low)"
    r"|above_max|below_min"
)


class RefusedParameters:
    """The parameters that a server refused so far.

    Args:
        model: as users name it.
    """

    def __init__(self, model: str) -> None:
        self._model = model
        self._names: set[str] = set()

    def without(self, body: Mapping[str, object]) -> Mapping[str, object]:
        """The body of a request without them."""
        if self._names.isdisjoint(body):
            return body
        kept = {name: value for name, value in body.items() if name not in self._names}
        renamed = {_OTHER_LIMIT[name]: body[name] for name in self._names & _OTHER_LIMIT.keys() & body.keys()}
        return kept | renamed

    def learn(self, status: int, said: str, param: str | None, sent: Mapping[str, object]) -> bool:
        """Whether an answer refuses a parameter of the body that was sent, which then can do without it.

        Args:
            said: by the server.
            param: what the server names as the cause, if it does.
        """
        name = _refused(status, said.lower(), param, sent)
        if name is None or _OTHER_LIMIT.get(name) in self._names:
            return False
        if name not in self._names:
            instead = f"{_OTHER_LIMIT[name]} is sent instead" if name in _OTHER_LIMIT else "it is left out"
            _log.warning("%s: the server refuses %s; from now on %s", self._model, name, instead)
        self._names |= set(_LOGPROBS) if name in _LOGPROBS else {name}
        return True


def _refused(status: int, said: str, param: str | None, sent: Mapping[str, object]) -> str | None:
    if status not in _STATUSES and status != _FORBIDDEN:
        return None
    names = _LOGPROBS if status == _FORBIDDEN else (*_DISPENSABLE, *_OTHER_LIMIT)
    named = [param] if param in names else [name for name in names if re.search(rf"\b{name}\b", said)]
    return next((name for name in named if name in sent and _is_refusal(name, said, param)), None)


def _is_refusal(name: str, said: str, param: str | None) -> bool:
    """Whether what is said of a parameter means that the server does not take it, rather than not this value."""
    if name in _LOGPROBS or _REFUSED.search(said):
        return True
    if name != param or name in _OTHER_LIMIT:
        return False
    return name in _OURS or not _OUT_OF_RANGE.search(said)
