"""The errors of dtomtrack, as one tree.

DtomtrackError          anything dtomtrack raises on purpose
├── InputError          what the user gave can't be used: the message says what, where, and what to do (exit status 2)
│   ├── PackError       a domain pack is wrong: file, line and field
│   ├── DatasetError    a folder holds something else than this run, or a file of it is damaged
│   └── ModelSpecError  a model can't be used as it is named: no such provider or file, no key, a missing extra
├── ModelError          a language model gives no answer: wrong key, no such model, nobody there (exit status 1)
│   └── BudgetError     the tokens or the money that a run may spend are spent
├── ReplyError          what a model answered can't be used: the attempt fails, the run goes on
├── PlanError           a scenario can't be played in the turns it has
├── WorkerError         a worker process died
└── WriteError          the dataset folder can't be written: nothing already there is lost (exit status 1)
"""

from __future__ import annotations

from dtomtrack.terminal import without_controls

__all__ = [
    "BudgetError",
    "DatasetError",
    "DtomtrackError",
    "InputError",
    "ModelError",
    "ModelSpecError",
    "PackError",
    "PlanError",
    "ReplyError",
    "WorkerError",
    "WriteError",
]


class DtomtrackError(Exception):
    """Anything dtomtrack raises on purpose; its message is fit for a terminal, whatever files and servers put in."""

    def __str__(self) -> str:
        return without_controls(super().__str__())


class InputError(DtomtrackError):
    """Something that the user gave can't be used."""


class PackError(InputError):
    """A domain pack is wrong."""


class DatasetError(InputError):
    """A folder is no dataset, holds another run, or is damaged."""


class ModelSpecError(InputError):
    """A model can't be used as it is named."""


class ModelError(DtomtrackError):
    """A language model gave no answer and won't: the run stops, nothing that is done is lost."""


class BudgetError(ModelError):
    """The tokens or the money that a run may spend are spent.

    Attributes:
        tokens, cost: that a budget has to have at least for the next call, where it is known; money in US dollars.
    """

    def __init__(self, message: str, tokens: int = 0, cost: float = 0.0) -> None:
        super().__init__(message)
        self.tokens, self.cost = tokens, cost


class ReplyError(DtomtrackError):
    """A model's answer can't be used, also when it is asked again; the message says why."""


class PlanError(DtomtrackError):
    """A scenario can't be played in the turns it has."""


class WorkerError(DtomtrackError):
    """A worker process died; what is written is safe."""


class WriteError(DtomtrackError):
    """The dataset folder can't be written."""
