"""The responses of `/v1/evaluations` that the endpoints build: a created batch, and a page of runs."""

from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime
from orchestrator.evaluations.domain.evaluation import BatchStatus
from orchestrator.evaluations.ports.evaluations import EvaluationRunOut, SampledOut


class BatchCreated(BaseModel):
    """A created batch. Only this response contains `webhook_secret`, and only if the platform generated it."""

    job_id: UUID
    status: BatchStatus
    estimated_completion: UtcTime | None
    total_items: int
    parallelism: int | None
    sample: SampledOut | None
    warnings: list[str] = Field(default=[], description="Warnings about how the file was read, and about the judges.")
    webhook_secret: str | None = None


class EvaluationPage(BaseModel):
    runs: list[EvaluationRunOut]
    total: int
    has_more: bool
