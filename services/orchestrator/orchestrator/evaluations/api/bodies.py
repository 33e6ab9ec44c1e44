"""The request bodies of `/v1/evaluations`."""

import json
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints, model_validator

from llmbench.files.cases import MAX_TEXT_CHARACTERS
from orchestrator.evaluations.domain.evaluation import Strategy
from orchestrator.evaluations.domain.requested import (
    JUDGE,
    MAX_SEED,
    Described,
    JudgeRequest,
    RequestedBatch,
    RequestedEvaluation,
    RequestedSampling,
)
from orchestrator.kernel.domain.limits import Limits
from orchestrator.kernel.domain.new_run import EvaluatorChoice, Judge, Panel
from orchestrator.runs.api.bodies import (
    Concurrency,
    CostLimit,
    EvaluatorInput,
    JudgeChoice,
    ModelName,
    PanelChoice,
    Timeout,
    usual_judge_params,
)
from orchestrator.runs.api.input import Input
from orchestrator.runs.api.webhook_choice import WebhookSecret

DEFAULT_MODEL = "gpt-4o-mini"
_MAX_METADATA_CHARACTERS = 65_536

MetricName = Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")]
Metrics = Annotated[
    list[MetricName],
    Field(
        max_length=20,
        description="Criteria of G-Eval (`faithfulness`, `relevance` …), names of `custom_rubrics`, or kinds of "
        "evaluators (`GET /api/evaluators`) with their defaults.",
    ),
]
Text = Annotated[str, Field(max_length=MAX_TEXT_CHARACTERS)]
ModelText = Annotated[str, Field(min_length=1, max_length=120)]


class Verbatim(Input):
    """Base class of request bodies whose texts keep white space at both ends."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)


class Metadata(Verbatim):
    """The model and prompt that produced an output. Further fields become metadata of the case."""

    # Allow fields named `model_…`, a prefix that Pydantic reserves by default.
    model_config = ConfigDict(extra="allow", protected_namespaces=())

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        try:
            extra = json.dumps(self.model_extra or {}, allow_nan=False)
        except ValueError:
            raise ValueError("contains a number that is not finite") from None
        if len(extra) > _MAX_METADATA_CHARACTERS:
            raise ValueError(f"has more than {_MAX_METADATA_CHARACTERS:,} characters")
        return self

    model_name: ModelText | None = None
    model_version: ModelText | None = None
    model_provider: ModelText | None = None
    prompt_version: ModelText | None = None

    def described(self) -> Described:
        return Described(self.model_name, self.model_version, self.model_provider, self.model_dump(exclude_none=True))


class _Config(Verbatim):
    evaluator_model: ModelName = Field(
        default=DEFAULT_MODEL, description="A model that exactly one provider has; otherwise use `judge`."
    )
    judge: JudgeChoice | None = Field(default=None, description="The model with its provider; it overrides the name.")
    custom_rubrics: dict[MetricName, dict[str, Any]] = Field(
        default_factory=dict,
        max_length=20,
        description="Criteria of your own by their names in `metrics`: `description`, `anchors` (what the levels 1 to "
        "5 mean), perhaps `steps` and `shows`.",
    )
    timeout_s: Timeout = 300
    check_providers: bool = Field(default=True, description="Ask the judge's provider for its models first.")


class EvaluationConfig(_Config):
    sync: bool = Field(
        default=True,
        description="Wait for the scores. If that takes long, the response is a 202 with the id to read.",
    )


class _Evaluate(Verbatim):
    metrics: Metrics = Field(default_factory=list)
    evaluators: list[EvaluatorInput] = Field(
        default_factory=list, max_length=20, description="Evaluators with parameters, in addition to `metrics`."
    )
    metadata: Metadata = Field(default_factory=Metadata)
    max_cost_usd: CostLimit | None = Field(
        default=None,
        description="The cost limit of the judges' calls. The run pauses when it is reached; `POST "
        "/api/runs/{id}/resume` with a higher limit continues it.",
    )


class CreateEvaluation(_Evaluate):
    """The request to score one existing output."""

    input: Text | dict[str, Any] = Field(
        description="The prompt, or an object of `prompt`, `context`, `system_prompt` and `conversation`."
    )
    output: Text = Field(description="The text to score.")
    expected_output: Text | None = None
    context: Text | None = Field(default=None, description="The context that the output should rely on.")
    config: EvaluationConfig = Field(default_factory=EvaluationConfig)

    def requested(self) -> RequestedEvaluation:
        return RequestedEvaluation(**_requested(self, self.config, parallelism=1), sync=self.config.sync)


class BatchConfig(_Config):
    sample_rate: float = Field(default=1.0, gt=0, le=1, description="The share of the outputs that is scored.")
    sample_strategy: Strategy = "random"
    stratify_by: str = Field(
        default="category", min_length=1, max_length=255, description="The metadata field whose values are the strata."
    )
    seed: int | None = Field(default=None, ge=0, le=MAX_SEED, description="The same seed samples the same cases.")
    parallelism: Concurrency = Field(
        default=10, description="Judge calls in flight. A local model gets one, unless `judge.concurrency` allows more."
    )
    output_field: str = Field(
        default="output",
        min_length=1,
        max_length=255,
        description="The metadata field that has the output of a version's cases, if no file is sent.",
    )


class CreateBatch(_Evaluate):
    """The request to score many outputs.

    An uploaded file has the outputs. Their cases are in the file too, or in a dataset version. Without a file, the
    dataset version has both cases and outputs.
    """

    name: str | None = Field(default=None, min_length=1, max_length=255)
    dataset_version_id: UUID | None = None
    config: BatchConfig = Field(default_factory=BatchConfig)
    map: list[str] = Field(
        default_factory=list,
        max_length=100,
        description="`column=field` maps a column of the file, for instance `answer=expected_output` or "
        "`response=output`. By default columns are recognised by name.",
    )
    webhook_url: str | None = Field(
        default=None, description="Called when the batch is over, signed by Standard Webhooks."
    )
    webhook_secret: WebhookSecret | None = None

    def requested(self) -> RequestedBatch:
        config, secret = self.config, self.webhook_secret
        return RequestedBatch(
            **_requested(self, config, parallelism=config.parallelism),
            name=self.name,
            dataset_version_id=self.dataset_version_id,
            sampling=RequestedSampling(config.sample_rate, config.sample_strategy, config.stratify_by, config.seed),
            webhook_url=self.webhook_url,
            webhook_secret=secret.get_secret_value() if secret else None,
        )


def _requested(body: _Evaluate, config: _Config, *, parallelism: int) -> dict[str, Any]:
    """Return the arguments of `Requested` (the fields that single evaluations and batches share) from a body."""
    own = config.judge
    return {
        "metrics": body.metrics,
        "custom_rubrics": config.custom_rubrics,
        "evaluators": [_choice(index, evaluator) for index, evaluator in enumerate(body.evaluators)],
        "judge": JudgeRequest(own.provider_id, own.model, own.params, own.concurrency) if own else None,
        "evaluator_model": config.evaluator_model,
        "usual_judge_params": usual_judge_params(),
        "parallelism": parallelism,
        "check_providers": config.check_providers,
        "timeout_s": config.timeout_s,
        "max_cost_usd": body.max_cost_usd,
        "described": body.metadata.described(),
    }


def _choice(index: int, evaluator_input: EvaluatorInput) -> EvaluatorChoice:
    """Return the requested evaluator. Its `judge` is `None` if it has a panel, or shares the evaluation's judge, which
    is chosen later."""
    place = f"evaluators.{index}"
    shared = evaluator_input.judge is None and evaluator_input.panel is None
    return EvaluatorChoice(
        kind=evaluator_input.kind,
        place=place,
        judge=_own(evaluator_input.judge) if evaluator_input.judge else None,
        panel=_own_panel(evaluator_input.panel) if evaluator_input.panel else None,
        judge_place=JUDGE if shared else f"{place}.{'judge' if evaluator_input.judge else 'panel'}",
        judge_shared=shared,
        name=evaluator_input.name,
        params=evaluator_input.params,
        weight=evaluator_input.weight,
        required=evaluator_input.required,
        pass_threshold=evaluator_input.pass_threshold,
        limits=Limits(evaluator_input.only, evaluator_input.unless),
    )


def _own(choice: JudgeChoice) -> Judge:
    return Judge(choice.provider_id, choice.model, choice.params, choice.concurrency or 1)


def _own_panel(choice: PanelChoice) -> Panel:
    return Panel(tuple(map(_own, choice.judges)), quorum=choice.quorum or len(choice.judges))
