"""The request body of `/v1/benchmarks/runs`."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from llmbench.contracts.chat import SamplingParams
from orchestrator.kernel.domain.new_run import Idempotency, NewWebhook
from orchestrator.runs.api.bodies import (
    Attempts,
    Concurrency,
    CostLimit,
    JudgeParams,
    Label,
    ModelName,
    ParallelGroups,
    Params,
    Tag,
    Timeout,
    UseCache,
    usual_judge_params,
)
from orchestrator.runs.api.input import Input
from orchestrator.runs.api.plan_bodies import Priority
from orchestrator.runs.api.subject_choice import BaselineLabel
from orchestrator.runs.api.webhook_choice import WebhookSecret
from orchestrator.suites.domain.requested import RequestedBenchmark, RequestedModel

ProviderName = Annotated[str, Field(min_length=1, max_length=255, description="The name or id of a provider.")]
TaskName = Annotated[str, Field(min_length=1, max_length=30)]


class ModelChoice(Input):
    """A model to test. `version` is shown to users and has no other effect. `config` has sampling parameters, which
    override those of the tasks."""

    name: ModelName
    version: str | None = Field(default=None, min_length=1, max_length=60)
    provider: ProviderName
    config: Params = Field(default_factory=Params)
    label: Label | None = Field(default=None, description="By default the name and the version.")
    concurrency: Concurrency | None = Field(
        default=None, description="By default `parallelism` for a hosted model, and 1 for a local one."
    )

    def requested(self, place: str) -> RequestedModel:
        return RequestedModel(
            place, self.name, self.version, self.provider, self.label, self.config, concurrency=self.concurrency
        )


class JudgeModelChoice(Input):
    """The judge model for all evaluators that need a judge."""

    name: ModelName
    provider: ProviderName
    config: JudgeParams = Field(default_factory=usual_judge_params)
    concurrency: Concurrency | None = None

    def requested(self, place: str) -> RequestedModel:
        params: SamplingParams = self.config
        return RequestedModel(place, self.name, None, self.provider, None, params, concurrency=self.concurrency)


class StartBenchmark(Input):
    """The request to run a suite. Name either one `model` or several `models`."""

    suite_id: UUID = Field(description="A published version: `GET /v1/benchmarks/suites`.")
    model: ModelChoice | None = None
    models: list[ModelChoice] = Field(default_factory=list, max_length=100)
    judge: JudgeModelChoice | None = Field(default=None, description="Needed if an evaluator asks a judge.")
    tasks: list[TaskName] | None = Field(
        default=None, min_length=1, max_length=100, description="Some of the tasks; by default all."
    )
    parallelism: Concurrency = Field(default=10, description="Calls at a time to each hosted model.")
    parallel_groups: ParallelGroups = 1
    name: str | None = Field(default=None, min_length=1, max_length=255)
    description: str | None = Field(default=None, max_length=10_000)
    tags: list[Tag] = Field(default_factory=list, max_length=20)
    priority: Priority = 0
    baseline_label: BaselineLabel | None = Field(
        default=None,
        description="When the run ends, compare it only with the suite's baseline of this label; by default with each.",
    )
    max_cost_usd: CostLimit | None = None
    timeout_s: Timeout | None = None
    max_attempts: Attempts | None = None
    use_cache: UseCache = False
    check_providers: bool = Field(
        default=True, description="Ask each provider for its models first. If a model is missing, refuse the run."
    )
    allow_self_judging: bool = Field(default=False, description="Let the judge score its own answers.")
    webhook_url: str | None = Field(
        default=None,
        description="Called when the run is over and its gates are decided. The call is signed by Standard Webhooks.",
    )
    webhook_secret: WebhookSecret | None = None

    @model_validator(mode="after")
    def _model_or_models(self) -> Self:
        if (self.model is None) == (not self.models):
            raise ValueError("name either model or models")
        return self

    def requested(self, idempotency: Idempotency | None, webhook: NewWebhook | None = None) -> RequestedBenchmark:
        return RequestedBenchmark(
            suite_id=self.suite_id,
            models=[self.model.requested("model")]
            if self.model is not None
            else [model.requested(f"models.{index}") for index, model in enumerate(self.models)],
            judge=None if self.judge is None else self.judge.requested("judge"),
            tasks=self.tasks,
            parallelism=self.parallelism,
            parallel_groups=self.parallel_groups,
            name=self.name,
            description=self.description,
            tags=self.tags,
            priority=self.priority,
            baseline_label=self.baseline_label,
            max_cost_usd=self.max_cost_usd,
            timeout_s=self.timeout_s,
            max_attempts=self.max_attempts,
            use_cache=self.use_cache,
            check_providers=self.check_providers,
            allow_self_judging=self.allow_self_judging,
            idempotency=idempotency,
            webhook=webhook,
        )
