"""The request bodies of `/api/runs`."""

import re
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, field_validator, model_validator

from llmbench.contracts.chat import ResponseSchema, SamplingParams
from llmbench.contracts.reserved_options import reserved
from orchestrator.kernel.domain.limits import filter_problem
from orchestrator.kernel.domain.prompts import MAX_HISTORY_CHARACTERS
from orchestrator.runs.api.input import Input
from orchestrator.runs.api.plan_bodies import Priority, SampleChoice
from orchestrator.runs.api.subject_choice import BaselineLabel, SubjectChoice
from orchestrator.runs.api.webhook_choice import WebhookSecret
from orchestrator.runs.domain.tags import MOST_TAGS

ModelName = Annotated[str, Field(min_length=1, max_length=255)]
ClusterBy = Annotated[
    str,
    Field(
        min_length=1,
        max_length=255,
        description="The metadata key of the cases that groups dependent results: intervals are over its values. "
        "The default is the coarsest of document (`document_id` or `document`), conversation and case.",
    ),
]
Label = Annotated[str, Field(min_length=1, max_length=120)]
EvaluatorName = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")]
Tag = Annotated[str, Field(min_length=1, max_length=60)]
Epochs = Annotated[
    int, Field(ge=1, le=100, description="How often each task is asked. All answers to a task are one cluster.")
]
Concurrency = Annotated[int, Field(ge=1, le=256, description="Calls in flight per model group.")]
Timeout = Annotated[float, Field(ge=1, le=86_400, description="Seconds per model call.")]
Attempts = Annotated[int, Field(ge=1, le=10)]
ParallelGroups = Annotated[
    int,
    Field(
        ge=1,
        le=16,
        description="How many models are called at the same time: at most one of each provider, and one local model. "
        "A provider is local if its address is private or unknown. With 1, models are called one after another.",
    ),
]
UseCache = Annotated[
    bool,
    Field(description="Reuse an answer already paid for, if request and epoch are the same. It is marked `cached`."),
]
CostLimit = Annotated[float, Field(gt=0, le=1_000_000, description="In US dollars; the run pauses when it is reached.")]


_SCHEMA_NAME = re.compile("[A-Za-z0-9_-]{1,64}")
MAX_SCHEMA_CHARACTERS = 100_000


class Params(SamplingParams):
    """Sampling parameters. Unknown keys are refused, so that a misspelt one is not ignored."""

    model_config = ConfigDict(extra="forbid")

    @field_validator("response_schema")
    @classmethod
    def _sendable(cls, schema: ResponseSchema | None) -> ResponseSchema | None:
        """Check the name and the size of the response schema; the provider validates the schema itself."""
        if schema is not None and not _SCHEMA_NAME.fullmatch(schema.name):
            raise ValueError("its name has 1 to 64 letters, digits, - and _")
        if schema is not None and len(schema.model_dump_json()) > MAX_SCHEMA_CHARACTERS:
            raise ValueError(f"has more than {MAX_SCHEMA_CHARACTERS:,} characters")
        return schema


class JudgeParams(Params):
    @field_validator("options")
    @classmethod
    def _no_reserved_options(cls, options: dict[str, Any]) -> dict[str, Any]:
        if faults := reserved(options):
            raise ValueError("; ".join(f"the option {name} {message}" for name, message in faults))
        return options

    @field_validator("response_schema")
    @classmethod
    def _no_schema(cls, schema: ResponseSchema | None) -> None:
        if schema is not None:
            raise ValueError("a judge answers by its evaluator's own schema")


def usual_judge_params() -> JudgeParams:
    return JudgeParams(temperature=0, max_tokens=1024)


class JudgeChoice(Input):
    provider_id: UUID
    model: ModelName
    params: JudgeParams = Field(default_factory=usual_judge_params)
    concurrency: Concurrency | None = None


class PanelChoice(Input):
    """A panel: several judges that score the same answers. The panel's score is the median of their scores. The
    judges' models run one after another."""

    judges: list[JudgeChoice] = Field(
        min_length=2, max_length=7, description="Different models, preferably of different families."
    )
    quorum: int | None = Field(
        default=None,
        ge=2,
        description="How many of them have to give a score; by default all. With fewer, the medians of some "
        "answers cover other judges than the rest.",
    )

    @model_validator(mode="after")
    def _different_models(self) -> "PanelChoice":
        models = [(judge.provider_id, judge.model) for judge in self.judges]
        if len(set(models)) < len(models):
            raise ValueError("judges: name each model once; the parameter repeats asks one several times")
        if self.quorum is not None and self.quorum > len(models):
            raise ValueError(f"quorum: there are {len(models)} judges")
        return self


def _filter(case_filter: dict[str, Any]) -> dict[str, Any]:
    problem = filter_problem(case_filter)
    if problem is not None:
        raise ValueError(problem)
    return case_filter


CaseFilter = Annotated[dict[str, Any], AfterValidator(_filter)]


class EvaluatorInput(Input):
    """An evaluator that scores the run's answers.

    The judge service checks the evaluator's parameters. Missing ones get their defaults (`GET /api/evaluators`).
    """

    kind: str = Field(min_length=1, max_length=60)
    name: EvaluatorName | None = Field(
        default=None, description="Its name in results, unique in the run; by default its kind."
    )
    params: dict[str, Any] = Field(default_factory=dict)
    weight: float = Field(
        default=1,
        ge=0,
        le=1_000_000,
        allow_inf_nan=False,
        description="Its weight in an answer's overall score, a weighted mean; 0 excludes it.",
    )
    required: bool = Field(
        default=True, description="Whether an answer without its score is FAILED instead of COMPLETED."
    )
    pass_threshold: float | None = Field(
        default=None,
        allow_inf_nan=False,
        description="The score, on the evaluator's own scale, from which an answer passes. By default the "
        "evaluator decides.",
    )
    only: CaseFilter | None = Field(
        default=None,
        description='The cases that it scores, by what they contain: `{"category": "sums"}`, `{"metadata": '
        '{"tags": ["hard"]}}`, `{"checks": [{}]}` for those with checks. By default all that it can score.',
    )
    unless: CaseFilter | None = Field(default=None, description="Likewise the cases that it does not score.")
    judge: JudgeChoice | None = Field(
        default=None, description="By default the run's. Only for an evaluator that asks a model."
    )
    panel: PanelChoice | None = Field(default=None, description="Instead of the judge; by default the run's.")

    @model_validator(mode="after")
    def _judge_or_panel(self) -> "EvaluatorInput":
        _not_both(self.judge, self.panel)
        return self


def _not_both(judge: JudgeChoice | None, panel: PanelChoice | None) -> None:
    if judge is not None and panel is not None:
        raise ValueError("judge and panel exclude each other: the judge can be one of the panel")


Evaluators = Annotated[list[EvaluatorInput], Field(min_length=1, max_length=20)]


class TargetChoice(Input):
    """A target of a run.

    `label` distinguishes targets of one model; its default is the model's name. For other missing fields, the run's
    values apply. Targets of one model share a queue, and the lowest of their concurrencies applies to all of them.
    """

    provider_id: UUID
    model: ModelName
    label: Label | None = None
    params: Params = Field(default_factory=Params)
    epochs: Epochs | None = None
    concurrency: Concurrency | None = None
    timeout_s: Timeout | None = None
    max_attempts: Attempts | None = None
    use_cache: UseCache | None = None
    prompt_version_id: UUID | None = Field(
        default=None, description="A version of a prompt, which makes the messages of each case. The run keeps a copy."
    )


class CreateRun(Input):
    """The request to create a run, which starts at once. With `queue`, it may also wait until no run is active."""

    name: str | None = Field(default=None, min_length=1, max_length=255)
    description: str | None = Field(default=None, max_length=10_000)
    tags: list[Tag] = Field(default_factory=list, max_length=MOST_TAGS)
    baseline_run_id: UUID | None = Field(default=None, description="The run that this one is compared with.")
    max_cost_usd: CostLimit | None = None
    cluster_by: ClusterBy | None = None
    judge: JudgeChoice | None = Field(
        default=None, description="The judge of every evaluator that asks a model and names none."
    )
    panel: PanelChoice | None = Field(
        default=None,
        description="The panel, instead of a judge, of every evaluator that asks a model and names neither.",
    )
    evaluators: Evaluators | None = Field(
        default=None,
        description="By default `case_checks` for cases with checks, and the rubric for the others.",
    )
    targets: list[TargetChoice] = Field(min_length=1, max_length=100)
    collection_ids: list[UUID] = Field(default_factory=list, max_length=100)
    dataset_version_ids: list[UUID] = Field(
        default_factory=list,
        max_length=100,
        description="PUBLISHED versions of datasets. A run draws on collections, on versions, or on both.",
    )
    params: Params = Field(default_factory=Params, description="The default of every target.")
    epochs: Epochs = 1
    concurrency: Concurrency = 1
    parallel_groups: ParallelGroups = 1
    timeout_s: Timeout = Field(default=300, description="The default for targets of HTTP_JSON providers is 5.")
    max_attempts: Attempts = Field(default=3, description="The default for targets of HTTP_JSON providers is 2.")
    use_cache: UseCache = False
    max_backoff_s: float = Field(
        default=1800,
        ge=1,
        le=86_400,
        description="How long a provider may be unavailable, or load its model, before its group fails.",
    )
    max_conversation_history: int = Field(
        default=10,
        ge=1,
        le=50,
        description="How many earlier turns of a conversation (question and answer) are sent with the next one, "
        f"limited to the last {MAX_HISTORY_CHARACTERS:,} characters.",
    )
    show_choices: bool = Field(
        default=True,
        description="Append the `choices` in a case's metadata to its question, one lettered line each, unless the "
        "question has them.",
    )
    check_providers: bool = Field(
        default=True, description="Ask each provider for its models first, and refuse the run when one is missing."
    )
    allow_self_judging: bool = Field(default=False, description="Let the judge score its own answers.")
    queue: bool = Field(
        default=False, description="Wait for the turn, as QUEUED, while another run is active. The default is a 409."
    )
    priority: Priority | None = Field(default=None, description="Only with `queue`; by default 0.")
    sample: SampleChoice | None = Field(default=None, description="By default the run has every case.")
    subject: SubjectChoice | None = Field(
        default=None, description="When the run ends, it is compared with the baselines of its subject, by their gates."
    )
    baseline_label: BaselineLabel | None = Field(
        default=None, description="Only with `subject`: the one baseline to compare with. By default each one."
    )
    webhook_url: str | None = Field(
        default=None, description="Called when the run is over and its gates are decided, signed by Standard Webhooks."
    )
    webhook_secret: WebhookSecret | None = None

    @model_validator(mode="after")
    def _judge_or_panel(self) -> "CreateRun":
        _not_both(self.judge, self.panel)
        return self

    @model_validator(mode="after")
    def _priority_of_queued(self) -> "CreateRun":
        if self.priority is not None and not self.queue:
            raise ValueError("priority: send `queue: true` with it; without the queue a run starts at once, or not")
        return self

    @model_validator(mode="after")
    def _baseline_of_subject(self) -> "CreateRun":
        if self.baseline_label is not None and self.subject is None:
            raise ValueError("baseline_label: name the subject, such as a preset, that has this baseline")
        return self


class ChangeRun(Input):
    """The request to change a run's settings, in any state of the run. Missing fields stay unchanged."""

    # This default is never used: a missing name stays unchanged. A factory keeps it out of OpenAPI, where it would
    # violate `min_length`.
    name: str = Field(default_factory=str, min_length=1, max_length=255)
    description: str | None = Field(default=None, max_length=10_000)
    tags: list[Tag] = Field(default_factory=list, max_length=MOST_TAGS)
    baseline_run_id: UUID | None = None
    cluster_by: ClusterBy | None = Field(
        default=None, description="Null is the coarsest of document, conversation and case. Figures are counted again."
    )


class ResumeRun(Input):
    max_cost_usd: CostLimit | None = Field(
        default=None, description="A new cost limit, needed if the old one is reached."
    )


class RetryFailed(Input):
    """The request to retry failed answers, and failed judgings of existing answers."""

    item_ids: list[UUID] | None = Field(
        default=None, min_length=1, max_length=10_000, description="By default all failed ones."
    )


class AddEvaluators(Input):
    """The request to add evaluators to a finished run. They score the run's existing answers; no target is called.

    An evaluator that the run already has scores only the answers for which it was not yet asked.
    """

    evaluators: Evaluators
    judge: JudgeChoice | None = Field(
        default=None, description="The judge of every evaluator that asks a model and names none."
    )
    panel: PanelChoice | None = Field(
        default=None,
        description="The panel, instead of a judge, of every evaluator that asks a model and names neither.",
    )
    check_providers: bool = True
    allow_self_judging: bool = False

    @model_validator(mode="after")
    def _judge_or_panel(self) -> "AddEvaluators":
        _not_both(self.judge, self.panel)
        return self


class PromoteRevision(Input):
    """The request to promote an evaluator revision, so that the run's statistics use its scores. `revision_id` is
    the `revision_id` of an entry of the run's `evaluators`."""

    revision_id: UUID


class RetryJudging(Input):
    """The request to score answers again: by default those whose judging failed, by the same judges. With
    `judge`, another judge scores the answers, and its scores are stored separately."""

    item_ids: list[UUID] | None = Field(default=None, min_length=1, max_length=10_000)
    judge: JudgeChoice | None = None
    evaluator: EvaluatorName | None = Field(
        default=None, description="The evaluator's name; by default all evaluators."
    )
    scope: Literal["failed", "all"] = Field(
        default="failed", description="`all` has another judge score every answer of the run. Needs `judge`."
    )
    check_providers: bool = True
    allow_self_judging: bool = False

    @model_validator(mode="after")
    def _all_needs_another_judge(self) -> "RetryJudging":
        if self.scope == "all" and self.judge is None:
            raise ValueError("scope 'all' needs a judge: scores of the first one stay")
        if self.scope == "all" and self.item_ids is not None:
            raise ValueError("scope 'all' and item_ids exclude each other")
        return self
