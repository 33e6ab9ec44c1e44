"""An experiment as requested: its statistical configuration and its variants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from llmbench.contracts.experiment_words import ExperimentType
from orchestrator.experiments.domain.metrics import Guardrail
from orchestrator.experiments.domain.words import Design, Method

OUTSIDE: Final = "none"
"""The value of `sources` of an experiment that is run outside llmbench: its observations are sent by HTTP."""


@dataclass(frozen=True)
class Config:
    """The statistical configuration, with its defaults filled in. `maximum_sample_size` is the planned sample of each
    variant, in clusters; `None` until it is planned."""

    method: Method
    significance_level: float
    design: Design
    minimum_effect: float
    power: float
    minimum_sample_size: int | None
    maximum_sample_size: int | None
    maximum_duration_days: float | None
    maximum_cost_usd: float | None
    cluster_by: str | None
    round_size: int | None


@dataclass(frozen=True)
class NewVariant:
    """A variant as requested. `config` is stored exactly as the client sent it."""

    name: str
    is_control: bool
    traffic_allocation: float
    config: Mapping[str, Any]


@dataclass(frozen=True)
class NewExperiment:
    """An experiment as requested. `setup` has the settings of its rounds' runs: sources, evaluators, judge, calls."""

    name: str
    hypothesis: str | None
    notes: str | None
    type: ExperimentType
    primary_metric: str
    guardrails: Sequence[Guardrail]
    config: Config
    seed: int
    variants: Sequence[NewVariant]
    setup: Mapping[str, Any]

    @property
    def outside(self) -> bool:
        return bool(self.setup["sources"] == OUTSIDE)

    @property
    def is_bandit(self) -> bool:
        return self.type is ExperimentType.MULTI_ARM_BANDIT
