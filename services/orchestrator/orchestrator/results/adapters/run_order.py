"""Sort, page and group the list of runs in SQL."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Date,
    DateTime,
    RowMapping,
    Select,
    String,
    Text,
    and_,
    case,
    cast,
    column,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from llmbench.errors import FieldError, Problem
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.time_zones import NO_ZONE, time_zone
from orchestrator.results.ports.run_lists import Grouping, RunGroup, RunOrder, RunPlace, RunSortKey

_IS_OVER: Final = t.run.c.finished_at.is_not(None)
# A cost of 0 with calls of unknown price is unknown, and not the lowest.
_COST_IS_KNOWN: Final = or_(t.run.c.cost_usd > 0, t.run.c.unpriced_count == 0)
_UNKNOWN_ZONE: Final = "22023"
"""The SQLSTATE of an unknown time zone: invalid_parameter_value."""

_COLUMNS: Final[Mapping[RunSortKey, ColumnElement[Any]]] = {
    RunSortKey.CREATED_AT: t.run.c.created_at,
    RunSortKey.FINISHED_AT: t.run.c.finished_at,
    RunSortKey.NAME: func.lower(t.run.c.name),
    RunSortKey.STATUS: case({status.value: place for place, status in enumerate(RunStatus)}, value=t.run.c.status),
    RunSortKey.TOOK_S: case((_IS_OVER, t.run.c.took_s)),
    RunSortKey.COST_USD: case((_COST_IS_KNOWN, t.run.c.cost_usd)),
    RunSortKey.CASES: t.run.c.case_count,
    RunSortKey.FAILED: t.run.c.failed_count,
}


def page_query(
    conditions: Sequence[ColumnElement[bool]], order: RunOrder, after: RunPlace | None, limit: int
) -> Select[Any]:
    """Return the query for a page of runs, with the value by which they are sorted as `sort_value`. Runs without a
    value come last in both directions. Runs of equal value are sorted by id, which is the order of their creation."""
    query = select(t.run)
    value: ColumnElement[Any]
    if order.key is RunSortKey.BEST_SCORE:
        # The row of the first block stores the best score, which the background task updates within seconds.
        first = t.counted_block.c
        query = query.outerjoin(t.counted_block, (first.run_id == t.run.c.id) & (first.block == 0))
        value = first.best_score
    else:
        value = _COLUMNS[order.key]
    by_value, by_id = (
        (value.desc().nulls_last(), t.run.c.id.desc()) if order.descending else (value.nulls_last(), t.run.c.id)
    )
    if order.key is RunSortKey.CREATED_AT:
        # Every run has a time: without NULLS LAST, the index of these two columns has the order.
        by_value = value.desc() if order.descending else value.asc()
    query = query.add_columns(value.label("sort_value")).where(*conditions).order_by(by_value, by_id).limit(limit)
    return query if after is None else query.where(_beyond(value, after, order))


def _beyond(value: ColumnElement[Any], after: RunPlace, order: RunOrder) -> ColumnElement[bool]:
    if order.key is RunSortKey.CREATED_AT:
        both, place = tuple_(t.run.c.created_at, t.run.c.id), (after.value, after.run_id)
        return both < place if order.descending else both > place
    later = t.run.c.id < after.run_id if order.descending else t.run.c.id > after.run_id
    if after.value is None:
        return and_(value.is_(None), later)
    further = value < after.value if order.descending else value > after.value
    return or_(further, value.is_(None), and_(value == after.value, later))


async def groups_of(
    engine: AsyncEngine,
    conditions: Sequence[ColumnElement[bool]],
    grouping: Grouping,
    *,
    after: str | None,
    limit: int,
) -> list[RunGroup]:
    """Return the groups that follow the group `after`: tags and suites by name, days from the newest. Runs without a
    tag or a suite are the last group. Raises a 422 `Problem` for a time zone that the database does not know."""
    query = _by_day(conditions, grouping, after) if grouping.by == "day" else _by_name(conditions, grouping, after)
    try:
        async with engine.connect() as connection:
            rows = (await connection.execute(query.limit(limit))).mappings().all()
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != _UNKNOWN_ZONE:
            raise
        raise _no_zone() from None
    return [_group(row) for row in rows]


def _group(row: RowMapping) -> RunGroup:
    begins, ends = row.get("created_from"), row.get("created_before")
    return RunGroup(key=row["key"], runs=row["runs"], created_from=begins, created_before=ends)


def _by_name(conditions: Sequence[ColumnElement[bool]], grouping: Grouping, after: str | None) -> Select[Any]:
    key: ColumnElement[Any]
    if grouping.by == "tag":
        tags = func.unnest(t.run.c.tags).table_valued(column("tag", Text), name="each").render_derived()
        query, key = select().select_from(t.run).outerjoin(tags, true()), tags.c.tag
    else:
        query = select().select_from(t.run).outerjoin(t.run_suite, t.run_suite.c.run_id == t.run.c.id)
        key = t.run_suite.c.name
    query = query.add_columns(key.label("key"), func.count().label("runs")).where(*conditions)
    if after is not None:
        query = query.where(or_(key > after, key.is_(None)))
    return query.group_by(key).order_by(key.asc().nulls_last())


def _require_zone(name: str) -> None:
    """Raise a 422 `Problem` for a name that is not in the IANA database.

    PostgreSQL alone would take "+05:45" and "UTC+5" as zones of POSIX, whose signs mean the opposite.
    """
    if time_zone(name) is None:
        raise _no_zone()


def _no_zone() -> Problem:
    return invalid([FieldError("time_zone", NO_ZONE)], "grouping")


def _by_day(conditions: Sequence[ColumnElement[bool]], grouping: Grouping, after: str | None) -> Select[Any]:
    _require_zone(grouping.time_zone)
    zone = literal(grouping.time_zone)
    days = select(cast(func.timezone(zone, t.run.c.created_at), Date).label("day")).where(*conditions).subquery("days")
    day = days.c.day
    counted = select(day, func.count().label("runs")).group_by(day).order_by(day.desc()).subquery("counted")
    begins, ends = (cast(counted.c.day + plus, DateTime) for plus in (0, 1))
    query = select(
        cast(counted.c.day, String).label("key"),
        counted.c.runs,
        func.timezone(zone, begins).label("created_from"),
        func.timezone(zone, ends).label("created_before"),
    )
    if after is not None:
        query = query.where(cast(counted.c.day, String) < after)
    return query.order_by(counted.c.day.desc())
