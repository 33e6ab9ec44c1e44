"""A run as the user requested it, before it exists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.describe_evaluator import EvaluatorFacts
from llmbench.contracts.http_json import HTTP_JSON
from llmbench.contracts.run_words import RunType
from orchestrator.kernel.domain.limits import ALL_CASES, Limits
from orchestrator.kernel.domain.sample import Sample

PROGRAM_CONCURRENCY = 32
"""The concurrency of scores that call no model: only the judge service's own work limits them."""


@dataclass(frozen=True)
class Judge:
    provider_id: UUID
    model: str
    params: SamplingParams
    concurrency: int
    embeds: bool = False
    """True if the judge is an embedding model, called for vectors. It writes no text that it could favour as a
    judge."""


@dataclass(frozen=True)
class Panel:
    """A panel of judges of different models. Its score is the median, if at least `quorum` judges give a score."""

    judges: tuple[Judge, ...]
    quorum: int


@dataclass(frozen=True)
class EvaluatorChoice:
    """An evaluator as requested.

    It has a `judge` or a `panel`, never both. `judge_shared`: the judge is that of the run, shared with other
    evaluators. `place` and `judge_place` are the positions in the request, for error messages.
    """

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
    """An evaluator that the judge service knows, with complete parameters.

    `slot` is its name in the run. An evaluator with a panel calls no judge itself; each of its `members` does. An
    evaluator with `member` set is in the run only as part of a panel.
    """

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
        """Return every judge that the evaluator calls; none for an evaluator that needs no model."""
        own = () if self.judge is None else (self.judge,)
        return own if self.panel is None else self.panel.judges


@dataclass(frozen=True)
class CallLimits:
    timeout_s: float
    max_attempts: int


LIMITS_OF = {HTTP_JSON: CallLimits(timeout_s=5, max_attempts=2)}
"""Limits by provider type, used if neither the target nor its run sets them. An HTTP service under test gets as short a
timeout as its users would accept.
"""


@dataclass(frozen=True)
class NewTarget:
    """A target as requested. A limit is null when neither the target nor the run sets it."""

    provider_id: UUID
    model: str
    label: str
    params: SamplingParams
    epochs: int
    concurrency: int
    timeout_s: float | None
    max_attempts: int | None
    use_cache: bool

    def patient(self, type_: str, usual: CallLimits) -> "NewTarget":
        """Return the target with each missing limit set to the default of its provider type, or else to `usual`."""
        limits = LIMITS_OF.get(type_, usual)
        return replace(
            self,
            timeout_s=self.timeout_s or limits.timeout_s,
            max_attempts=self.max_attempts or limits.max_attempts,
        )


@dataclass(frozen=True)
class Idempotency:
    """An idempotency key of the client, and the hash of the request that was sent with it."""

    key: str
    request_hash: str


@dataclass(frozen=True)
class NewRun:
    """A request for a run, with default labels and limits filled in.

    `judge` is used by every evaluator without its own. `queued`: the run waits in the queue until no run is active,
    those of a higher `priority` first. `beside`: the run starts next to an active run (see `placement`). `cluster_by`
    names the metadata key that groups dependent results. With a `sample`, the run has only the cases `sampled`, which
    are known when it is created.

    `usual_evaluators`: the request named no evaluators, so the cases decide which are needed. `evaluation` keeps the
    parts of an evaluation's request that the API returns later.
    """

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
    priority: int = 0
    sample: Sample | None = None
    sampled: Sequence[UUID] | None = None
    beside: bool = False
    evaluation: Mapping[str, Any] | None = None
    cluster_by: str | None = None
    usual_evaluators: bool = False
