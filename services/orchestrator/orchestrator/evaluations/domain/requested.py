"""A request for an evaluation or a batch, before it is checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from llmbench.contracts.chat import SamplingParams
from orchestrator.evaluations.domain.evaluation import Strategy
from orchestrator.kernel.domain.new_run import EvaluatorChoice

JUDGE = "config.judge"
"""The request's field for the judge that all evaluators without their own judge share."""
MAX_SEED = 2**53 - 1


@dataclass(frozen=True)
class JudgeRequest:
    """A requested judge. `concurrency` limits its calls, within the evaluation's `parallelism`; null means 1 for a
    local model, and the `parallelism` for any other model. `place` names the request's field for error messages."""

    provider_id: UUID
    model: str
    params: SamplingParams
    concurrency: int | None = None
    place: str = JUDGE


@dataclass(frozen=True)
class Described:
    """The client's description of the model that gave the outputs. `metadata` has all fields that were sent."""

    model_name: str | None
    model_version: str | None
    model_provider: str | None
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class Requested:
    """The fields that single evaluations and batches share.

    Evaluators without their own judge or panel share one judge: `judge`, or else the model named `evaluator_model`,
    which is called with `usual_judge_params`. `parallelism` is the maximum number of calls of this judge at once.
    `custom_rubrics` are the client's own criteria, by the name by which `metrics` refers to them.
    """

    metrics: Sequence[str]
    custom_rubrics: Mapping[str, Mapping[str, Any]]
    evaluators: Sequence[EvaluatorChoice]
    judge: JudgeRequest | None
    evaluator_model: str
    usual_judge_params: SamplingParams
    parallelism: int
    check_providers: bool
    timeout_s: float
    max_cost_usd: float | None
    described: Described


@dataclass(frozen=True)
class RequestedEvaluation(Requested):
    """A request to score one output. `sync` is true if the client waits for the scores."""

    sync: bool


@dataclass(frozen=True)
class RequestedSampling:
    """The requested parameters of sampling. If `seed` is null, a random seed is chosen."""

    rate: float
    strategy: Strategy
    stratify_by: str
    seed: int | None


@dataclass(frozen=True)
class RequestedBatch(Requested):
    name: str | None
    dataset_version_id: UUID | None
    sampling: RequestedSampling
    webhook_url: str | None
    webhook_secret: str | None = field(repr=False)
