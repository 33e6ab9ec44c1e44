"""The ports through which experiments advance: one transaction at a time, which locks the experiment."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from llmbench.contracts.base import Message
from llmbench.contracts.experiment_words import ExperimentStatus
from orchestrator.experiments.domain.data import CaseValue, Values
from orchestrator.experiments.domain.order import OrderedCase
from orchestrator.experiments.domain.records import Experiment, Round, Stop
from orchestrator.kernel.domain.new_run import NewRun


@dataclass(frozen=True)
class NewRound:
    """A round to store, or one variant's part of a round in a split design, where each case goes to one variant. Its
    run is created afterwards."""

    number: int
    attempt: int
    variant_ids: Sequence[UUID]
    positions: Sequence[int]
    allocation: Mapping[str, float] | None


@dataclass(frozen=True)
class DueExperiment:
    experiment_id: UUID
    org_id: UUID


class ExperimentTransaction(Protocol):
    """An open transaction that has locked an experiment. All changes are committed together."""

    experiment: Experiment
    rounds: Sequence[Round]

    async def set_status(self, status: ExperimentStatus, *, reason: str | None, now: datetime) -> None:
        """Change the state. Set the times of the start and of the conclusion as the state requires."""
        ...

    async def start(self, order: Sequence[OrderedCase], planned: int | None) -> None:
        """Store the cases of the experiment in their order, and its planned sample."""
        ...

    async def cases(self) -> Sequence[OrderedCase]:
        """Return all cases of the experiment's sources, shuffled by its seed. Raises a 422 `Problem` if a case lacks
        the metadata key that clusters the cases."""
        ...

    async def require_prompts(self, new: NewRun) -> None:
        """Require that every case has the variables of every prompt of the run. Otherwise raise a 422 `Problem` that
        names cases and variables."""
        ...

    async def next_cases(self, *, after_cluster: int, clusters: int) -> Sequence[OrderedCase]:
        """Return the cases of the next `clusters` clusters. `after_cluster` is the number of the last cluster before
        them; -1 if there is none."""
        ...

    async def values_of(self, round_: Round) -> Sequence[CaseValue]:
        """Return the values of each case and variant of a round whose run is over."""
        ...

    async def add_values(self, round_: Round, values: Sequence[CaseValue], now: datetime) -> None:
        """Store the values of a round, add them to the totals of the variants, and end the round."""
        ...

    async def end_round(self, round_: Round, status: str, *, reason: str, now: datetime) -> None: ...

    async def values(self) -> Values:
        """Return all values of the experiment so far, as sums per variant and cluster."""
        ...

    async def add_look(self, round_number: int | None, results: Mapping[str, Any], now: datetime) -> int:
        """Store the analysis of the data so far (a look), and return its number. `round_number` is the last round whose
        values it covers; `None` for an experiment that is run outside llmbench."""
        ...

    async def drop(self, reasons: Mapping[UUID, str], now: datetime) -> None:
        """Take variants out of the experiment, so that they get no further calls. `reasons` has the reason for each."""
        ...

    async def begin(self, rounds: Sequence[NewRound], now: datetime) -> None:
        """Store rounds whose runs are to be created."""
        ...

    async def stop(self, stop: Stop) -> None:
        """Store why and when the experiment stopped by its own rule."""
        ...

    async def conclude(self, conclusion: Mapping[str, Any]) -> None: ...

    async def publish(self, messages: Sequence[Message]) -> None: ...


class RoundStore(Protocol):
    def lead(self, experiment_id: UUID) -> AbstractAsyncContextManager[ExperimentTransaction | None]:
        """Lock the experiment until the end of the block. Yield `None` if it does not exist."""
        ...

    async def case_ids(self, experiment_id: UUID, positions: Sequence[int]) -> Sequence[UUID]: ...

    async def started(self, round_id: UUID, run_id: UUID) -> bool:
        """Store the id of a round's run. Return whether the round was still STARTING; if it was not, nothing is
        stored."""
        ...

    async def due(self, now: datetime, *, most: int) -> Sequence[DueExperiment]:
        """Return at most `most` experiments of all organisations that may have a next step to carry out."""
        ...
