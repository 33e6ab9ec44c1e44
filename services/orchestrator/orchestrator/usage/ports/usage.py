"""The port that reads usage, and the responses of `/api/usage`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Literal, Protocol
from uuid import UUID

from pydantic import BaseModel, Field


class GroupBy(StrEnum):
    DAY = "day"
    PERSON = "person"
    MODEL = "model"


class UsageSums(BaseModel):
    """Sums over calls and items. `cost_usd` is the cost of the calls with a known price; `unpriced_calls` counts the
    other calls.

    Reused answers count as items, but not as calls.
    """

    calls: int
    unpriced_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    items: int


class UsageRow(UsageSums):
    """The usage of one day, person or model, or of a combination of them. Fields by which the usage is not split are
    null. `person_id` is also null for runs without sign-in."""

    day: date | None = None
    person_id: UUID | None = None
    model: str | None = None


class StorageOf(BaseModel):
    """The bytes of the files that a person uploaded. `person_id` is null for files without a known person."""

    person_id: UUID | None
    bytes: int


class StorageOut(BaseModel):
    """The bytes of uploaded files now: datasets and documents. `limit_bytes` is null without a limit."""

    bytes: int
    limit_bytes: int | None
    people: list[StorageOf]


class UsageOut(BaseModel):
    since: date
    until: date
    group_by: GroupBy
    rows: list[UsageRow] = Field(description="Days in their order; people and models with the most expensive first.")
    totals: UsageSums
    days: list[UsageRow] = Field(description="The same calls by day.")
    models: list[str] = Field(description="Every model that was used in the period.")
    people: list[UUID] = Field(description="Every person whose runs used a model in the period.")
    storage: StorageOut


class BudgetOut(BaseModel):
    """The budget of the present month (UTC) and what is spent of it.

    `state` is `none` without a budget, `fine` below 80 % of it, `warning` from 80 % on, and `spent` from 100 % on. No
    run starts when the budget is spent.
    """

    month: date
    ends_on: date = Field(description="The first day of the next month.")
    budget_usd: float | None
    spent_usd: float
    unpriced_calls: int = Field(description="Calls of unknown cost, which counts as 0.")
    state: Literal["none", "fine", "warning", "spent"]
    message: str | None = Field(
        description="A sentence that says what people should know and do; null if the state is fine."
    )
    default_evaluators: list[str] = Field(description="The organisation's evaluators of runs that name none.")


@dataclass(frozen=True)
class UsageFilter:
    """A filter of calls: from the day `since` to the day `until`, both included. With `person_id` or `model`, only the
    calls of that person or model."""

    since: date
    until: date
    person_id: UUID | None = None
    model: str | None = None


class UsageReader(Protocol):
    async def read(self, chosen: UsageFilter, group_by: GroupBy) -> UsageOut: ...

    async def rows(self, chosen: UsageFilter) -> Sequence[UsageRow]:
        """Return the usage with one row for each combination of day, person and model."""
        ...

    async def budget(self, now: datetime) -> BudgetOut: ...
