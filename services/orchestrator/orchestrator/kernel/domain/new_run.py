"""The request for a run, with its evaluators and targets, before the run is created."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.describe_evaluator import EvaluatorFacts
from llmbench.contracts.http_json import HTTP_JSON
from llmbench.contracts.run_words import RunType
from orchestrator.kernel.domain.limits import ALL_CASES, Limits
from orchestrator.kernel.domain.sample import Sample
from orchestrator.kernel.domain.subject import Subject
from orchestrator.kernel.domain.suite import NewSuite

PROGRAM_CONCURRENCY = 32
"""The maximum number of concurrent scores in the group that calls no model. Its speed depends on the judge service
alone."""


@dataclass(frozen=True)
class Judge:
    provider_id: UUID
    model: str
    params: SamplingParams
    concurrency: int
    embeds: bool = False
    """True if the judge is an embedding model, which returns vectors. It is not checked for self-judging, because it
    writes no text."""


@dataclass(frozen=True)
class Panel:
    """A panel of judges of different models. Its score is the median of their scores. It has no score if fewer than
    `quorum` judges give one."""

    judges: tuple[Judge, ...]
    quorum: int


@dataclass(frozen=True)
class EvaluatorChoice:
    """An evaluator as requested.

    It has at most one of `judge` and `panel`; an evaluator that needs no model ignores both. `judge_shared` is true if
    the evaluator names neither, so that it uses the run's judge or panel. `place` and `judge_place` name the fields of
    the request that error messages refer to. `name` is `None` if the client left it out.
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
    """An evaluator of a new run. `facts` is the judge service's description of it, with complete parameters.

    `slot` is its name in the run. An evaluator with a panel calls no judge itself; each of its `members` does. If
    `member` is true, the evaluator is in the run only as a member of a panel.
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
"""The timeout and the attempts of a target by its provider type, if neither the target nor its run sets them. An HTTP
service under test gets as short a timeout as its users would accept."""


@dataclass(frozen=True)
class NewTarget:
    """A target as requested. `timeout_s` and `max_attempts` are `None` if neither the target nor the run sets them.

    With a `prompt_version_id`, its questions are rendered with this version of a prompt.
    """

    provider_id: UUID
    model: str
    label: str
    params: SamplingParams
    epochs: int
    concurrency: int
    timeout_s: float | None
    max_attempts: int | None
    use_cache: bool
    prompt_version_id: UUID | None = None

    def patient(self, type_: str, usual: CallLimits) -> "NewTarget":
        """Return the target with `timeout_s` and `max_attempts` filled in where they are missing: from `LIMITS_OF` if
        it has the provider type `type_`, else from `usual`."""
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
class NewWebhook:
    """A webhook that reports the end of the run, and the secret that signs it."""

    url: str
    secret: str


@dataclass(frozen=True)
class NewRun:
    """A request for a run. Defaults are filled in, except the limits of targets (see `NewTarget.patient`).

    `judge` is used by every evaluator without its own. `queued` is true if the run waits in the queue while another run
    is active; runs of a higher `priority` start first. `concurrent` is true if the run may start while another run is
    active (see `evaluations.domain.placement`). `cluster_by` names the metadata key that groups dependent results.
    `parallel_groups` is the maximum number of model groups at work at the same time (see `runs.domain.lanes`).

    `sampled` has the ids of the cases that the run takes from its sources; null stands for all. With a `sample`, these
    cases are drawn when the run is created. Without one, the caller names them, and those that the sources lack are
    left out.

    `usual_evaluators` is true if the request named no evaluators, so they are chosen by what the cases contain.
    `evaluation` keeps the parts of an evaluation's request that the API returns later. `schedule_id` is the schedule
    that starts the run, and `experiment_id` the experiment whose round it is, if there is one. With a `suite`, the run
    has the cases of the suite's tasks; `collection_ids` and `dataset_version_ids` are then those of all tasks.

    With a `case`, the run has this case alone and no sources. Only such a run may have no evaluators: its answers are
    COMPLETED without a score.

    When a run with a `subject` ends, its results are compared with the subject's baselines. With a `baseline_label`,
    they are compared only with the baseline of this label.
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
    concurrent: bool = False
    evaluation: Mapping[str, Any] | None = None
    cluster_by: str | None = None
    usual_evaluators: bool = False
    schedule_id: UUID | None = None
    experiment_id: UUID | None = None
    subject: Subject | None = None
    baseline_label: str | None = None
    webhook: NewWebhook | None = None
    parallel_groups: int = 1
    suite: NewSuite | None = None
    case: Case | None = None
