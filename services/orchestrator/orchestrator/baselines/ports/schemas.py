"""The responses of `/api/baselines` and `/api/gates`."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import Tidy, UtcTime
from orchestrator.results.ports.gate_schemas import Role, SubjectOut

Undecided = Literal["fail", "ok"]


class SavedGate(BaseModel):
    """A gate: one metric of each later run of the subject must not be worse than the baseline's or the anchor's by
    `margin` or more.

    `probability_fine` is the probability that an unchanged model gets the verdict *fine*, with `clusters` clusters, as
    many as the baseline has. It was computed when the gate was saved, or when another run became the baseline. With
    `undecided: ok`, an undecided gate passes, unless the run is certainly worse than the baseline, by any amount.
    """

    id: UUID
    baseline_id: UUID
    metric: str
    task: str | None = Field(description="The task of a suite that the gate is limited to.")
    title: str
    relative: bool = Field(description="Whether the margin is a share of the baseline, as it is for cost and latency.")
    margin: float
    undecided: Undecided
    cluster_by: str | None
    probability_fine: Tidy
    clusters: int
    holds: bool = Field(description="Whether the probability is at least 0.8.")
    created_at: UtcTime
    updated_at: UtcTime


class PromotedRun(BaseModel):
    id: UUID
    name: str


class PlannedJudgeCheck(BaseModel):
    """The judge check that a later run makes before the gate is decided. The `evaluators` judge a number of stored
    answers (`answers`) of the run `run_id` again, `repeats` times each. This run is the baseline or the anchor. If
    `answers` is 0, there is no check, because too few answers of the run were judged."""

    run_id: UUID
    run_name: str
    evaluators: list[str]
    answers: int
    repeats: int
    sentence: str


class BaselineOut(BaseModel):
    """The baseline of a subject under a label. Later runs are also compared with the `anchor`, which stays when another
    run becomes the baseline, so that small losses cannot add up unnoticed.

    `probability_fine` is the probability that all gates give an unchanged model the verdict *fine*. It is the product
    of the gates' own probabilities, which is a conservative estimate. It is null without a gate.
    """

    id: UUID
    subject: SubjectOut
    label: str
    run: PromotedRun
    anchor: PromotedRun
    gates: list[SavedGate]
    probability_fine: Tidy | None
    created_at: UtcTime
    updated_at: UtcTime


class BaselinePage(BaseModel):
    items: list[BaselineOut]
    next_cursor: str | None


class Promotion(BaseModel):
    """One change of a baseline: which run became the baseline, the anchor, or both. `run_id` is null if the run was
    removed since; `created_by` is null without sign-in."""

    id: UUID
    run_id: UUID | None
    run_name: str
    role: Role
    note: str | None
    created_by: UUID | None
    created_at: UtcTime


class PromotionPage(BaseModel):
    items: list[Promotion]
    next_cursor: str | None
