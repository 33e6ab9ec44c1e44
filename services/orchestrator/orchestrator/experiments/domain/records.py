"""The records of stored experiments, variants and rounds that the handlers use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from llmbench.contracts.experiment_words import (
    ExperimentStatus,
    ExperimentType,
    RoundStatus,
    StopRule,
)
from llmbench.contracts.run_words import RunOutcome, RunStatus
from orchestrator.experiments.domain.metrics import Guardrail
from orchestrator.experiments.domain.requested import OUTSIDE, Config, NewExperiment, NewVariant


@dataclass(frozen=True)
class Variant:
    id: UUID
    name: str
    is_control: bool
    traffic_allocation: float
    config: Mapping[str, Any]
    sample_count: int
    metric_sum: float
    metric_sum_squares: float
    missing_count: int
    out_reason: str | None
    out_at: datetime | None
    created_at: datetime

    @property
    def live(self) -> bool:
        """Return whether the variant still gets calls. If it was taken out of the experiment, it gets none."""
        return self.out_reason is None


@dataclass(frozen=True)
class Stop:
    rule: StopRule
    sentence: str
    at: datetime


@dataclass(frozen=True)
class Counts:
    """The progress of an experiment: the numbers of rounds, looks (analyses) and values, and the number of clusters in
    finished rounds. An experiment outside llmbench counts observed units instead of clusters."""

    rounds: int
    looks: int
    values: int
    clusters_done: int


@dataclass(frozen=True)
class Experiment:
    """A stored experiment. `planned` is the largest sample of each variant, in clusters; `None` before the start."""

    id: UUID
    name: str
    hypothesis: str | None
    notes: str | None
    type: ExperimentType
    status: ExperimentStatus
    status_reason: str | None
    primary_metric: str
    guardrails: Sequence[Guardrail]
    config: Config
    setup: Mapping[str, Any]
    seed: int
    case_count: int
    cluster_count: int
    largest_cluster: int
    planned: int | None
    cost_usd: float
    stop: Stop | None
    conclusion: Mapping[str, Any] | None
    variants: Sequence[Variant]
    version: int
    created_at: datetime
    created_by: UUID | None
    updated_at: datetime
    started_at: datetime | None
    concluded_at: datetime | None

    @property
    def control(self) -> Variant:
        return next(variant for variant in self.variants if variant.is_control)

    @property
    def live(self) -> list[Variant]:
        return [variant for variant in self.variants if variant.live]

    @property
    def outside(self) -> bool:
        """Return whether the experiment is run outside llmbench, and so has no rounds."""
        return bool(self.setup["sources"] == OUTSIDE)

    def as_requested(self) -> NewExperiment:
        """Return the experiment as it was requested."""
        return NewExperiment(
            name=self.name,
            hypothesis=self.hypothesis,
            notes=self.notes,
            type=self.type,
            primary_metric=self.primary_metric,
            guardrails=self.guardrails,
            config=self.config,
            seed=self.seed,
            variants=[
                NewVariant(each.name, each.is_control, each.traffic_allocation, each.config) for each in self.variants
            ],
            setup=self.setup,
        )

    @property
    def is_bandit(self) -> bool:
        return self.type is ExperimentType.MULTI_ARM_BANDIT


@dataclass(frozen=True)
class Round:
    """A round of a paired design, or one variant's part of a round in a split design. In a split design, each case goes
    to one variant, and each part has its own run. `run_status` and `run_outcome` are those of the run, if it exists."""

    id: UUID
    number: int
    attempt: int
    variant_ids: Sequence[UUID]
    positions: Sequence[int]
    allocation: Mapping[str, float] | None
    status: RoundStatus
    run_id: UUID | None
    run_status: RunStatus | None
    run_outcome: RunOutcome | None
    run_reason: str | None
    run_cost_usd: float
    items: int
    items_done: int
    reason: str | None
    created_at: datetime
    ended_at: datetime | None

    @property
    def open(self) -> bool:
        return self.status in (RoundStatus.STARTING, RoundStatus.STARTED)

    def with_status(self, status: RoundStatus) -> "Round":
        return replace(self, status=status)

    @property
    def counted(self) -> bool:
        """Return whether the values of the round were added to the experiment's values."""
        return self.status is RoundStatus.OVER

    @property
    def over(self) -> bool:
        """Return whether the round's run has ended."""
        return self.run_status in (RunStatus.FINISHED, RunStatus.CANCELLED)
