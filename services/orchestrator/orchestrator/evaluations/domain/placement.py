"""Decide when an evaluation may run: as the active run, next to the active run, or later.

A machine loads one local model at a time. So an evaluation has to wait only if it calls a local model while the active
run uses another local model.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from orchestrator.runs.domain.schedule import Model


class Place(StrEnum):
    ALONE = "alone"
    CONCURRENT = "concurrent"
    TAKEN = "taken"


@dataclass(frozen=True)
class Held:
    """A model that the active run uses, with that run's limit of concurrent calls. `local` is true if the model runs on
    this machine or network."""

    model: Model
    local: bool
    concurrency: int


@dataclass(frozen=True)
class Active:
    """The active run, with the models that it still needs (`held`)."""

    name: str
    held: Sequence[Held] = ()
    run_id: UUID | None = None


def place(local_judges: Set[Model], active: Active | None) -> Place:
    """Return whether the evaluation may start now, alone or next to the active run, or has to wait (`TAKEN`).

    It has to wait if it calls a local model while the active run uses another local model. `local_judges` are the local
    models that it calls. If it calls none, the result is always `CONCURRENT`, even if no run is active.
    """
    if not local_judges:
        return Place.CONCURRENT
    if active is None:
        return Place.ALONE
    others = {model.model for model in active.held if model.local} - local_judges
    return Place.TAKEN if others else Place.CONCURRENT
