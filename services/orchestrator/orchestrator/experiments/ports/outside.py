"""The port that stores units and their outcomes, for experiments that are run outside llmbench."""

from collections.abc import Mapping, Sequence, Set
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from orchestrator.experiments.domain.records import Experiment


@dataclass(frozen=True)
class Observation:
    """The outcome of a unit, for example of a user. `id` is derived from the observation id that the sender chose."""

    id: UUID
    unit_id: str
    variant_id: UUID
    value: float | None
    guardrails: Mapping[str, float | None]
    cluster: str


class UnitTransaction(Protocol):
    """An open transaction that has locked an experiment, for assigning its units and storing their outcomes."""

    experiment: Experiment

    async def assigned(self, unit_ids: Sequence[str]) -> Mapping[str, UUID]:
        """Return the variant of each unit that has been assigned one."""
        ...

    async def observed(self, unit_ids: Sequence[str]) -> Set[str]:
        """Return those of the unit ids `unit_ids` that already have an observation."""
        ...

    async def known(self, ids: Sequence[UUID]) -> Set[UUID]:
        """Return those of the observation ids `ids` that are already stored."""
        ...

    async def assign(self, variants: Mapping[str, UUID], now: datetime) -> None:
        """Store the variants of units. A unit that already has a variant keeps it."""
        ...

    async def observe(self, observations: Sequence[Observation], now: datetime) -> None:
        """Store observations, and add them to the totals of their variants. Also mark the experiment, so that its data
        is analysed soon."""
        ...


class UnitStore(Protocol):
    async def assigned(self, experiment_id: UUID, unit_ids: Sequence[str]) -> Mapping[str, UUID]: ...

    def lock(self, experiment_id: UUID) -> AbstractAsyncContextManager[UnitTransaction | None]: ...
