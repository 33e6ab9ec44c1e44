"""`/api/usage`: the organisation's usage as JSON and CSV, and its budget."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final
from uuid import UUID

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from llmbench.access import Resource
from llmbench.errors import FieldError
from llmbench.files.csv_text import line_of, neutral
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.api.query import clean_text
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.usage.ports.usage import BudgetOut, GroupBy, UsageFilter, UsageOut, UsageReader, UsageRow

MOST_DAYS: Final = 366
_COLUMNS: Final = (
    *("day", "person_id", "model", "calls", "unpriced_calls"),
    *("prompt_tokens", "completion_tokens", "cost_usd", "items"),
)
Day = Annotated[date | None, Query(description="A day in UTC, such as 2026-11-24.")]


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class UsageServices:
    """The dependencies of the endpoints, created when the service starts."""

    reader: UsageReader
    now: Callable[[], datetime] = _now


def router(services: Callable[[], UsageServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/usage", tags=["usage"], resource=Resource.USAGE)

    def chosen(
        since: Day = None,
        until: Day = None,
        person_id: Annotated[UUID | None, Query(description="Only runs that this person created.")] = None,
        model: Annotated[str | None, Query(max_length=300, description="Only calls to this model.")] = None,
    ) -> UsageFilter:
        last = until or services().now().astimezone(UTC).date()
        first = since or last.replace(day=1)
        if not timedelta(0) <= last - first < timedelta(days=MOST_DAYS):
            message = f"must be at most {MOST_DAYS - 1} days before `until`, and not after it"
            raise invalid([FieldError("since", message)], "usage")
        return UsageFilter(first, last, person_id, clean_text(model))

    Chosen = Annotated[UsageFilter, Depends(chosen)]

    @api.get("", operation_id="getUsage")
    async def get_usage(which: Chosen, group_by: GroupBy = GroupBy.DAY) -> UsageOut:
        """Return what the organisation used, by default in this month (UTC) until today. Calls are counted since the
        database has schema version 0034; earlier calls are missing."""
        return await services().reader.read(which, group_by)

    @api.get("/budget", operation_id="getBudget")
    async def get_budget() -> BudgetOut:
        """Return the budget of this month (UTC), and what is spent of it."""
        return await services().reader.budget(services().now())

    @api.get(
        "/export",
        operation_id="exportUsage",
        response_class=StreamingResponse,
        responses={200: {"content": {"text/csv": {}}}},
    )
    async def export_usage(which: Chosen) -> StreamingResponse:
        """Download the usage as CSV, with one row for each combination of day, person and model."""
        rows = await services().reader.rows(which)
        name = f"usage-{which.since}-{which.until}.csv"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(_lines(rows), media_type="text/csv; charset=utf-8", headers=headers)

    return api


def _lines(rows: Sequence[UsageRow]) -> Iterator[str]:
    yield line_of(iter(_COLUMNS))
    for row in rows:
        values = row.model_dump(mode="json")
        yield line_of(neutral("" if values[name] is None else str(values[name])) for name in _COLUMNS)
