"""The port that reads the results of experiments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from uuid import UUID

from orchestrator.experiments.domain.order import OrderedCase
from orchestrator.experiments.domain.words import Design
from orchestrator.experiments.ports.result_schemas import ExperimentCase, LookOut

Model = tuple[UUID, str]
"""A model: the id of its provider, and its name."""
CaseOrder = Literal["difference", "-difference", "size", "position"]


@dataclass(frozen=True)
class CaseQuery:
    variant_id: UUID
    baseline_id: UUID
    order: CaseOrder
    limit: int
    offset: int


@dataclass(frozen=True)
class Pace:
    """The mean time in seconds of one answer or verdict of a model, with one call at a time, and its mean cost in US
    dollars. Both come from the last runs of the model; each is `None` if it is unknown."""

    seconds: float | None
    cost_usd: float | None


class ExperimentReader(Protocol):
    async def last_look(self, experiment_id: UUID) -> LookOut | None: ...

    async def looks(self, experiment_id: UUID, *, limit: int, offset: int) -> tuple[Sequence[LookOut], int]:
        """Return a page of the looks (stored analyses of an experiment), the oldest first, and the number of all
        looks."""
        ...

    async def cases(self, experiment_id: UUID, query: CaseQuery) -> tuple[Sequence[ExperimentCase], int]:
        """Return a page of the cases that have a value under both variants, and the total number."""
        ...

    async def look_due(self, experiment_id: UUID) -> bool:
        """Return whether observations have arrived since the last look (the last analysis of the data)."""
        ...

    async def earlier_variance(self, metric: str, design: Design) -> tuple[float, str] | None:
        """Return the variance that the last experiment of this metric and design found, and that experiment's name.

        In a paired design it is the variance of the differences between two variants, otherwise the variance of the
        values. Return `None` if there is no such experiment.
        """
        ...

    async def paces(self, models: Sequence[Model], *, judging: bool) -> Mapping[Model, Pace]:
        """Return the pace of each model that has answered: the mean time and cost of one answer. With `judging`, return
        the mean time and cost of one verdict of each model that has judged."""
        ...

    async def order(self, sources: Mapping[str, Any], cluster_by: str | None) -> Sequence[OrderedCase]:
        """Return all cases of the sources, shuffled. `cluster_by` is the metadata key by which cases are clustered.
        Raises a 422 `Problem` if a case lacks this key."""
        ...
