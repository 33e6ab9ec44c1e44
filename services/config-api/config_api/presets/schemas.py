"""Define the bodies and responses of `/api/evaluation-presets`."""

from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, Field

from config_api.bodies import Input, Name, OptionalText, Resource
from llmbench.http.created_by import CreatedBy

MOST_ATTEMPTS = 10
"""The maximum number of attempts per call of a run. A preset may request 11; the run then makes 10."""


class EvaluationSettings(Input):
    """The settings of an `llm_eval_config.json`, with the limits and defaults of that file format. Only
    `parallel_groups` is not in that format."""

    max_concurrent_calls: int = Field(default=10, ge=1, le=50, description="Calls at a time to each model.")
    timeout_seconds: float = Field(default=60.0, ge=10, le=300, description="Per call.")
    max_retries: int = Field(default=3, ge=0, le=10, description="After the first attempt.")
    max_conversation_history: int = Field(
        default=10, ge=1, le=50, description="How many earlier turns of a conversation a call contains."
    )
    parallel_groups: int = Field(
        default=1, ge=1, le=16, description="How many models of different providers are called at the same time."
    )


def _says_something(settings: EvaluationSettings) -> EvaluationSettings:
    if not settings.model_fields_set:
        raise ValueError(f"must name at least one of {', '.join(EvaluationSettings.model_fields)}")
    return settings


class PresetIn(Input):
    name: Name
    description: OptionalText = None
    settings: Annotated[EvaluationSettings, AfterValidator(_says_something)] = Field(
        description="At least one; others have their defaults.", json_schema_extra={"minProperties": 1}
    )


class RunSettings(BaseModel):
    """A preset's settings as fields of `POST /api/runs`."""

    concurrency: int
    timeout_s: float
    max_attempts: int
    max_conversation_history: int
    parallel_groups: int

    @classmethod
    def of(cls, settings: EvaluationSettings) -> Self:
        return cls(
            concurrency=settings.max_concurrent_calls,
            timeout_s=settings.timeout_seconds,
            max_attempts=min(settings.max_retries + 1, MOST_ATTEMPTS),
            max_conversation_history=settings.max_conversation_history,
            parallel_groups=settings.parallel_groups,
        )


class PresetOut(Resource):
    """A preset. `run` has the settings as fields of `POST /api/runs`; `notes` list settings that had to be adapted."""

    name: str
    description: str | None
    settings: EvaluationSettings
    run: RunSettings
    notes: list[str]
    created_by: CreatedBy = None


class PresetPage(BaseModel):
    items: list[PresetOut]
    next_cursor: str | None


def notes_of(settings: EvaluationSettings) -> list[str]:
    tries = settings.max_retries + 1
    return [f"max_retries 10 are 11 tries; a run makes at most {MOST_ATTEMPTS}"] if tries > MOST_ATTEMPTS else []
