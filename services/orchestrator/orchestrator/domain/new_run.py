"""A run as the user asked for it, before it exists."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from llmbench.contracts.chat import SamplingParams


@dataclass(frozen=True)
class Judge:
    provider_id: UUID
    model: str
    params: SamplingParams
    concurrency: int


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
    """What the user asked for, with labels and what a target leaves to the run filled in."""

    name: str
    description: str | None
    tags: Sequence[str]
    baseline_run_id: UUID | None
    max_cost_usd: float | None
    judge: Judge
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
