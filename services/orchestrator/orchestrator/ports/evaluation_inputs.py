"""What `/v1/evaluations` takes."""

import json
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import ConfigDict, Field, SecretStr, StringConstraints, field_validator, model_validator

from llmbench.files.cases import MAX_TEXT_CHARACTERS
from orchestrator.domain.evaluation import Strategy
from orchestrator.domain.webhooks import key_of
from orchestrator.ports.inputs import Concurrency, CostLimit, EvaluatorInput, Input, JudgeChoice, ModelName, Timeout

DEFAULT_MODEL = "gpt-4o-mini"
MAX_SEED = 2**53 - 1
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
    """Texts as they are, white space included."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)


class Metadata(Verbatim):
    """Whose output it is. Further fields are metadata of the case."""

    # `model_` is Pydantic's own prefix.
    model_config = ConfigDict(extra="allow", protected_namespaces=())

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        try:
            said = json.dumps(self.model_extra or {}, allow_nan=False)
        except ValueError:
            raise ValueError("contains a number that is not finite") from None
        if len(said) > _MAX_METADATA_CHARACTERS:
            raise ValueError(f"has more than {_MAX_METADATA_CHARACTERS:,} characters")
        return self

    model_name: ModelText | None = None
    model_version: ModelText | None = None
    model_provider: ModelText | None = None
    prompt_version: ModelText | None = None


class _Config(Verbatim):
    evaluator_model: ModelName = Field(
        default=DEFAULT_MODEL, description="A model that exactly one provider has; else name it in `judge`."
    )
    judge: JudgeChoice | None = Field(default=None, description="The model with its provider; goes before the name.")
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
        description="Wait for the scores. When that takes long, the answer is a 202 with the id to ask for.",
    )


class _Evaluate(Verbatim):
    metrics: Metrics = Field(default_factory=list)
    evaluators: list[EvaluatorInput] = Field(
        default_factory=list, max_length=20, description="Evaluators with parameters, beside `metrics`."
    )
    metadata: Metadata = Field(default_factory=Metadata)
    max_cost_usd: CostLimit | None = Field(
        default=None,
        description="What the judges' calls may cost. When it is reached the run pauses; `POST "
        "/api/runs/{id}/resume` with a higher limit goes on.",
    )


class CreateEvaluation(_Evaluate):
    """Scores one output that is there already."""

    input: Text | dict[str, Any] = Field(
        description="The prompt, or an object of `prompt`, `context`, `system_prompt` and `conversation`."
    )
    output: Text = Field(description="What is scored.")
    expected_output: Text | None = None
    context: Text | None = Field(default=None, description="What the output was to rest on.")
    config: EvaluationConfig = Field(default_factory=EvaluationConfig)


class BatchConfig(_Config):
    sample_rate: float = Field(default=1.0, gt=0, le=1, description="The share of the outputs that is scored.")
    sample_strategy: Strategy = "random"
    stratify_by: str = Field(
        default="category", min_length=1, max_length=255, description="The metadata field whose values are the strata."
    )
    seed: int | None = Field(default=None, ge=0, le=MAX_SEED, description="The same one samples the same cases.")
    parallelism: Concurrency = Field(
        default=10, description="Judge calls in flight: of a local model one, unless `judge.concurrency` allows more."
    )
    output_field: str = Field(
        default="output",
        min_length=1,
        max_length=255,
        description="Where a version's cases have the output, when no file is sent: a field of their metadata.",
    )


class CreateBatch(_Evaluate):
    """Scores the outputs of a file, those of a dataset version, or those of a file for the cases of a version."""

    name: str | None = Field(default=None, min_length=1, max_length=255)
    dataset_version_id: UUID | None = None
    config: BatchConfig = Field(default_factory=BatchConfig)
    map: list[str] = Field(
        default_factory=list,
        max_length=100,
        description="`column=field`: what a column of the file is, for instance `answer=expected_output` or "
        "`response=output`. Left out, columns are known by their names.",
    )
    webhook_url: str | None = Field(
        default=None, description="Told when the batch is over, signed as Standard Webhooks has it."
    )
    webhook_secret: SecretStr | None = Field(
        default=None, description="`whsec_` and 24 to 64 bytes in base64. Left out, one is made, and shown once."
    )

    @field_validator("webhook_secret")
    @classmethod
    def _is_one(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None:
            key_of(secret.get_secret_value())
        return secret
