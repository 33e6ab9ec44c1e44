"""A run as the user asked for it, before it exists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.describe_evaluator import EvaluatorFacts
from llmbench.contracts.provider import ProviderType
from llmbench.contracts.run_words import RunType
from orchestrator.domain.limits import ALL_CASES, Limits

PROGRAM_CONCURRENCY = 32
"""Scores in flight that ask no model: nothing but the judge service's own work limits them."""


@dataclass(frozen=True)
class Judge:
    provider_id: UUID
    model: str
    params: SamplingParams
    concurrency: int
    embeds: bool = False
    """It is asked for vectors: an embedding model, which has no words of its own to favour."""


@dataclass(frozen=True)
class Panel:
    """Judges of different models; the median of their scores counts, where `quorum` of them give one."""

    judges: tuple[Judge, ...]
    quorum: int


@dataclass(frozen=True)
class EvaluatorChoice:
    """An evaluator as asked for. Its `judge` or its `panel` (never both) is its own, or the run's (`judge_shared`);
    `place` and `judge_place` are where in the request it and they stand."""

    kind: str
    place: str
    judge: Judge | None
    judge_place: str
    judge_shared: bool = False
    name: str | None = None
    params: dict[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    required: bool = True
    pass_threshold: float | None = None
    panel: Panel | None = None
    limits: Limits = ALL_CASES


@dataclass(frozen=True)
class NewEvaluator:
    """One that is known to exist, its parameters whole. `slot` is its name in the run. With a panel it asks nobody
    itself; each of its `members` does. One with `member` is in the run for a panel's sake only."""

    slot: str
    facts: EvaluatorFacts
    judge: Judge | None
    weight: float = 1.0
    required: bool = True
    pass_threshold: float | None = None
    panel: Panel | None = None
    members: tuple["NewEvaluator", ...] = ()
    member: bool = False
    limits: Limits = ALL_CASES

    def title(self) -> str:
        return self.facts.title if self.panel is None else f"{self.facts.title}, panel of {len(self.panel.judges)}"

    def judges(self) -> tuple[Judge, ...]:
        """Who is asked: one, several, or nobody."""
        own = () if self.judge is None else (self.judge,)
        return own if self.panel is None else self.panel.judges


@dataclass(frozen=True)
class CallLimits:
    timeout_s: float
    max_attempts: int


LIMITS_OF = {ProviderType.HTTP_JSON: CallLimits(timeout_s=5, max_attempts=2)}
"""Where neither a target nor its run says so. A service is tested as its users meet it: with little patience."""


@dataclass(frozen=True)
class NewTarget:
    """A limit that is null was chosen neither for the target nor for the run."""

    provider_id: UUID
    model: str
    label: str
    params: SamplingParams
    epochs: int
    concurrency: int
    timeout_s: float | None
    max_attempts: int | None
    use_cache: bool

    def patient(self, type_: ProviderType, usual: CallLimits) -> "NewTarget":
        """With the limits that nobody chose: those of its provider's type, or the usual ones."""
        limits = LIMITS_OF.get(type_, usual)
        return replace(
            self,
            timeout_s=self.timeout_s or limits.timeout_s,
            max_attempts=self.max_attempts or limits.max_attempts,
        )


@dataclass(frozen=True)
class Idempotency:
    """A key that the client chose, and a hash of what it sent under it."""

    key: str
    request_hash: str


@dataclass(frozen=True)
class NewRun:
    """What the user asked for, with labels and what a target leaves to the run filled in. `judge` is
    the one of every evaluator that names none itself. `queued` waits until no run is active; `beside` does
    not wait for one (see `placement`). `cluster_by` names the metadata key of its cases that says which results belong
    together. `usual_evaluators`: none were named, and the cases say which of them they need. `evaluation` is what is
    kept of a request for one, to be shown again."""

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
    max_conversation_history: int
    show_choices: bool
    check_providers: bool
    allow_self_judging: bool
    idempotency: Idempotency | None = None
    type: RunType = RunType.BENCHMARK
    queued: bool = False
    beside: bool = False
    evaluation: Mapping[str, Any] | None = None
    cluster_by: str | None = None
    usual_evaluators: bool = False
