"""Create finished runs of any size, by copying the rows of a real run of a hundred items."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final
from uuid import UUID

import asyncpg
from sqlalchemy import Table

from llmbench.db import tables as t
from llmbench.ids import new_id
from tests.platform import Platform

SEED_TASKS: Final = 50
"""The number of tasks that the platform needs for the real run, whose rows are copied."""
_TARGETS: Final = 2
# Switches off foreign key checks: the references between copied rows are correct by construction.
_TRUSTED: Final = "SET LOCAL session_replication_role = replica"

_PARTS: Final = """
    CREATE TEMP TABLE part ON COMMIT DROP AS
    SELECT id AS old_id, uuidv7() AS id FROM (SELECT id FROM target WHERE run_id = $1
                                              UNION ALL SELECT id FROM run_group WHERE run_id = $1) AS of_run
"""
# Plans an item for each target and case, in the order of targets. One case in a hundred has failed. Scores and times
# differ, so that sorting and ranking have work to do.
_PLAN: Final = f"""
    CREATE TEMP TABLE copied ON COMMIT DROP AS
    SELECT old_id, position, number, uuidv7() AS id, uuidv7() AS score_id, gen_random_uuid() AS call_id,
           gen_random_uuid() AS judging_id, 'topic-' || number % 10 AS category, floor(random() * 11) AS raw,
           40 + floor(random() ^ 3 * 20000)::integer AS time_ms, number % 100 = 99 AS failed
    FROM (
        SELECT item.id AS old_id, copy * {SEED_TASKS} + position % {SEED_TASKS} AS number,
               position / {SEED_TASKS} * $1::integer + copy * {SEED_TASKS} + position % {SEED_TASKS} AS position
        FROM real_item AS item CROSS JOIN generate_series(0, $1::integer / {SEED_TASKS} - 1) AS copy ORDER BY 3
    ) AS planned
"""  # noqa: S608  # all SQL of this module is made of constants
_FAILURE: Final = """
    '{"phase": "BENCHMARKING", "kind": "timed_out", "message": "no answer within 300 s", "retryable": true}'::jsonb
"""


def _copy(table: Table, rows: str, **changed: str) -> str:
    """Return an INSERT statement that copies rows of `table` into the run `$1`. `rows` is the FROM clause of its
    SELECT, in which the table has the alias `old`. `changed` has SQL expressions for columns that are not copied as
    they are."""
    columns = [column.name for column in table.columns]
    for name in {"target_id", "group_id"}.intersection(columns):
        changed.setdefault(name, f"(SELECT part.id FROM part WHERE part.old_id = old.{name})")  # noqa: S608
    changed.setdefault("run_id", "$1::uuid")
    values = [changed.get(name, f'old."{name}"') for name in columns]
    listed = ", ".join(f'"{name}"' for name in columns)
    return f'INSERT INTO "{table.name}" ({listed}) SELECT {", ".join(values)} FROM {rows}'  # noqa: S608


def _if_answered(*names: str, **values: str) -> dict[str, str]:
    expressions = {name: f"old.{name}" for name in names} | values
    return {name: f"CASE WHEN NOT failed THEN {value} END" for name, value in expressions.items()}


_NAME: Final = "old.task_id || '-' || number"
_GROWING: Final = (
    _copy(
        t.item,
        "copied JOIN real_item AS old ON old.id = copied.old_id",
        id="copied.id",
        position="copied.position",
        task_id=_NAME,
        category="copied.category",
        case=f"""old."case" || jsonb_build_object('task_id', {_NAME}, 'category', copied.category)""",
        status="CASE WHEN failed THEN 'FAILED' ELSE old.status END",
        failure=f"CASE WHEN failed THEN {_FAILURE} END",
        **_if_answered(
            *("prompt_tokens", "completion_tokens", "usage_source", "finish_reason"),
            *("score_revision_id", "reason", "completed_at"),
            call_id="copied.call_id",
            time_ms="copied.time_ms",
            first_token_ms="copied.time_ms / 4",  # noqa: S106
            first_content_ms="copied.time_ms / 4",
            tokens_per_second="old.completion_tokens * 1000.0 / copied.time_ms",
            score="raw",
            score_normalised="raw / 10",
            passed="raw >= 5",
        ),
    ),
    _copy(
        t.score,
        "copied JOIN real_score AS old ON old.item_id = copied.old_id WHERE NOT failed",
        id="score_id",
        item_id="copied.id",
        position="copied.position",
        raw="copied.raw",
        normalised="copied.raw / 10",
        passed="copied.raw >= 5",
        call_ids="ARRAY[judging_id]",
    ),
    *(
        _copy(
            t.model_call,
            f"copied JOIN real_model_call AS old ON old.item_id = copied.old_id "
            f"WHERE purpose = '{purpose}' AND NOT failed",
            id=call_id,
            item_id="copied.id",
            score_id=score_id,
            request_hash=f"encode(sha256(uuid_send({call_id})), 'hex')",
            finished_at="old.started_at + time_ms * interval '1 ms'",
        )
        for purpose, call_id, score_id in (
            ("item", "call_id", "NULL::uuid"),
            ("score", "judging_id", "copied.score_id"),
        )
    ),
)
_OF_RUN: Final = (
    _copy(t.run_group, "run_group AS old WHERE old.run_id = $2", id="(SELECT id FROM part WHERE old_id = old.id)"),
    _copy(t.target, "target AS old WHERE old.run_id = $2", id="(SELECT id FROM part WHERE old_id = old.id)"),
    _copy(t.run_evaluator, "run_evaluator AS old WHERE old.run_id = $2"),
    _copy(t.run_collection, "run_collection AS old WHERE old.run_id = $2"),
)
_RUN: Final = _copy(
    t.run,
    "run AS old, (SELECT count(*) AS items, count(*) FILTER (WHERE failed) AS failures FROM copied) AS planned "
    "WHERE old.id = $2",
    id="$1::uuid",
    name="'A night of ' || items || ' items'",
    item_count="items",
    answered_count="items - failures",
    judged_count="items - failures",
    failed_count="failures",
    case_count=f"items / {_TARGETS}",
    outcome="CASE WHEN failures > 0 THEN 'partial' ELSE old.outcome END",
    last_seq="0",
    created_at="clock_timestamp()",
)
_GROUPS: Final = f"""
    UPDATE run_group SET
        done_count = (SELECT count(*) FROM copied WHERE NOT failed)
                     / CASE phase WHEN 'JUDGING' THEN 1 ELSE {_TARGETS} END,
        failed_count = CASE phase WHEN 'JUDGING' THEN 0
                                  ELSE (SELECT count(*) FROM copied WHERE failed) / {_TARGETS} END
    WHERE run_id = $1
"""  # noqa: S608
_CUT: Final = """
    INSERT INTO run_block (org_id, run_id, block)
    SELECT org_id, id, generate_series(0, (case_count - 1) / block_cases) FROM run WHERE id = $1
"""


# The indexes that no constraint needs: to build them afterwards is cheaper than to update them for each row.
_INDEXES: Final = """
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS made FROM pg_index
    WHERE indrelid = ANY ('{item,score,model_call}'::regclass[])
          AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
"""


async def finished_run(stack: Platform, items: int) -> str:
    """Create a finished run of `items` items (a multiple of 100), whose statistics are not yet computed. Return its
    id. The platform needs `SEED_TASKS` tasks."""
    async with copies(stack) as copy:
        return await copy(items)


@asynccontextmanager
async def copies(stack: Platform) -> AsyncIterator[Callable[[int], Awaitable[str]]]:
    """Yield a function that creates a finished run with the given number of items (a multiple of 100) and returns its
    id.

    The run has the calls and scores of its items, but no events. Some database indexes are missing during the block. At
    its end, they are created, and the planner's statistics are updated. The platform needs `SEED_TASKS` tasks.
    """
    real_id = await stack.start_run(*(f"mock-0ms-target{number}" for number in range(_TARGETS)), concurrency=4)
    await stack.until_status(real_id, "FINISHED")
    connection = await asyncpg.connect(stack.database_url)
    try:
        for table in (t.item, t.score, t.model_call):
            real = f"CREATE TEMP TABLE real_{table.name} AS SELECT * FROM {table.name} WHERE run_id = '{UUID(real_id)}'"  # noqa: S608
            await connection.execute(f"{real}; ANALYZE real_{table.name}")
        indexes = await connection.fetch(_INDEXES)
        for index in indexes:
            await connection.execute(f"DROP INDEX {index['name']}")
        yield partial(_copied, connection, UUID(real_id))
        await connection.execute("SET maintenance_work_mem = '512MB'")
        for index in indexes:
            await connection.execute(index["made"])
        await connection.execute("VACUUM (ANALYZE) item, score, model_call, run_block")
    finally:
        await connection.close()


async def _copied(connection: asyncpg.Connection, real_id: UUID, items: int) -> str:
    run_id = new_id()
    async with connection.transaction():
        await connection.execute(_TRUSTED)
        await connection.execute(_PARTS, real_id)
        await connection.execute(_PLAN, items // _TARGETS)
        await connection.execute("ANALYZE copied")
        for statement in (_RUN, *_OF_RUN):
            await connection.execute(statement, run_id, real_id)
        for statement in (*_GROWING, _GROUPS, _CUT):
            await connection.execute(statement, run_id)
    return str(run_id)
