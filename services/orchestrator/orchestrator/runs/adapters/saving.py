"""Save many changed records of a run in one statement.

The rows are sent as one JSON document, which PostgreSQL parses with the table's column types. One statement per row
would cost several times as much.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final
from uuid import UUID

from pydantic_core import to_json
from sqlalchemy import DateTime, Table, Text, TextClause, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import GROUP_STATE, RUN_STATE, values_of
from orchestrator.kernel.domain.records import Item, Score


async def save_run(
    connection: AsyncConnection, runs: Sequence[Mapping[str, Any]], groups: Sequence[Mapping[str, Any]]
) -> None:
    """Save changed rows of runs and groups. Each row has `id` and all columns of `RUN_STATE` or `GROUP_STATE`. Does
    nothing without rows."""
    if runs or groups:
        await connection.execute(_SAVE_RUN, {"runs": _json(runs), "groups": _json(groups)})


async def save_results(
    connection: AsyncConnection,
    run_id: UUID,
    table: Table,
    columns: tuple[str, ...],
    records: Sequence[Item] | Sequence[Score],
    now: datetime,
) -> None:
    """Save `columns` of changed items or scores of a run. Mark the blocks of items to which they belong as changed, so
    that the statistics of these blocks are recomputed (see `orchestrator.results.adapters.changes`)."""
    if not records:
        return
    rows = [{"id": record.id} | values_of(record, columns) for record in records]
    parameters = {"rows": _json(rows), "ids": [record.id for record in records], "run_id": run_id, "now": now}
    await connection.execute(_saving_results(table, columns), parameters)


def _json(rows: Sequence[Mapping[str, Any]]) -> str:
    return to_json(rows, by_alias=False).decode()


@cache
def _saving_results(table: Table, columns: tuple[str, ...]) -> TextClause:
    return text(
        f"""
        WITH saved AS (
            {_update(table, columns, "updated_at = :now")} AND {table.name}.id = ANY (:ids)
            RETURNING {table.name}.position
        )
        UPDATE {t.run_block.name} SET version = version + 1 WHERE run_id = :run_id AND block IN (
            SELECT saved.position % run.case_count / run.block_cases
            FROM saved CROSS JOIN run WHERE run.id = :run_id AND run.case_count > 0
        )
        """  # noqa: S608  # names of tables and columns
    ).bindparams(
        bindparam("rows", type_=Text),
        # Use an array of ids: for a JSON document the planner expects a hundred rows, and scans a small table.
        bindparam("ids", type_=ARRAY(Uuid)),
        bindparam("run_id", type_=Uuid),
        bindparam("now", type_=DateTime(timezone=True)),
    )


def _update(table: Table, columns: Iterable[str], *more: str, rows: str = ":rows") -> str:
    values = ", ".join([*(f"{column} = changed.{column}" for column in columns), *more])
    changed = f"json_populate_recordset(NULL::{table.name}, CAST({rows} AS json))"
    return f"UPDATE {table.name} SET {values} FROM {changed} AS changed WHERE {table.name}.id = changed.id"  # noqa: S608


_SAVE_RUN: Final = text(
    f"WITH groups AS ({_update(t.run_group, GROUP_STATE, rows=':groups')}) {_update(t.run, RUN_STATE, rows=':runs')}"
).bindparams(bindparam("runs", type_=Text), bindparam("groups", type_=Text))
