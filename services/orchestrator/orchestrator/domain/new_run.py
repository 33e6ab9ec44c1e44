"""A run as the user asked for it, before it exists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.describe_evaluator import EvaluatorFacts
from llmbench.contracts.run_words import RunType

PROGRAM_CONCURRENCY = 32
"""Scores in flight that ask no model: nothing but the judge service's own work limits them."""


@dataclass(frozen=True)
class Judge:
    provider_id: UUID
    model: str
    params: SamplingParams
    concurrency: int


@dataclass(frozen=True)
class EvaluatorChoice:
    """An evaluator as asked for. `judge` is its own, or the run's; `place` and `judge_place` are where
    in the request the two stand."""

    kind: str
    place: str
    judge: Judge | None
    judge_place: str
    name: str | None = None
    params: dict[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    required: bool = True
    pass_threshold: float | None = None


@dataclass(frozen=True)
class NewEvaluator:
    """One that is known to exist, its parameters whole. `slot` is its name in the run."""

    slot: str
    facts: EvaluatorFacts
    judge: Judge | None
    weight: float = 1.0
    required: bool = True
    pass_threshold: float | None = None


@dataclass(frozen=True)
class NewTarget:
    provider_id: UUID
    model: str
    label: str
    params: SamplingParams
    epochs: int
    concurrency: int
    timeout_s: float
    max_attempts: int
    use_cache: bool


@dataclass(frozen=True)
class Idempotency:
    """A key that the client chose, and a hash of what it sent under it."""

    key: str
    request_hash: str


@dataclass(frozen=True)
class NewRun:
    """What the user asked for, with labels and what a target leaves to the run filled in. `judge` is
    the one of every evaluator that names none itself. `queued` waits until no run is active; `beside` does
    not wait for one (see `placement`). `evaluation` is what is kept of a request for one, to be shown again."""

    name: str
    description: str | None
    tags: Sequence[str]
    baseline_run_id: UUID | None
    max_cost_usd: float | None
    judge: Judge | None
    evaluators: Sequence[EvaluatorChoice]
    targets: Sequence[NewTarget]
    collection_ids: Sequence[UUID]
    dataset_version_ids: Sequence[UUID]
    concurrency: int
    timeout_s: float
    max_attempts: int
    max_backoff_s: float
    check_providers: bool
    allow_self_judging: bool
    idempotency: Idempotency | None = None
    type: RunType = RunType.BENCHMARK
    queued: bool = False
    beside: bool = False
    evaluation: Mapping[str, Any] | None = None
