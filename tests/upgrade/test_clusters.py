"""Test the migration that assigns clusters to old runs. They get the same clusters as new runs would get. The migration
writes only the rows that have to change.
"""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from llmbench.db.engine import open_engine
from llmbench.db.migrate import config, upgrade
from llmbench.ids import DEFAULT_ORG_ID, new_id
from orchestrator.runs.adapters.clusters import cluster_items

pytestmark = pytest.mark.never_rerun

REVISION = "0019"
TARGET = new_id()
RUN = (
    "INSERT INTO run (id, org_id, name, status, phase, outcome, finished_at, concurrency, timeout_s, max_attempts,"
    " max_backoff_s, case_count, block_cases, item_count)"
    " VALUES ($1, $2, 'old', 'FINISHED', 'JUDGING', 'complete', now(), 1, 1, 1, 1, $3, $4, $5)"
)
ITEM = (
    'INSERT INTO item (id, run_id, target_id, group_id, position, task_id, category, "case", conversation_id, turn,'
    " status) VALUES ($1, $2, $3, $3, $4, $5, 'c', $6, $7, $8, 'NEW')"
)
Case = dict[str, Any]
RUNS: dict[str, tuple[Sequence[Case], list[str | None], str]] = {
    "documents": ([{"document": name} for name in "abab"], ["a", "b", "a", "b"], "document"),
    "ids before names": ([{"document": "x", "document_id": at} for at in (1, 2)], ["1", "2"], "document"),
    "one document": ([{"document": "a"}, {"document": "a"}], [None, None], "case"),
    "a document and none": ([{"document": "a"}, {}], ["a", None], "document"),
    "no names": ([{"document": ["a"]}, {"document": ""}, {"document": "x" * 256}], [None] * 3, "case"),
    "conversations": (
        [{"talk": "t", "document": "a"}, {"talk": "t", "document": "b"}, {"talk": "u", "document": "a"}],
        [None, None, "a"],
        "document",
    ),
    "talks": ([{"talk": "t"}, {"talk": "t"}, {}], [None] * 3, "conversation"),
}


async def _before(url: str) -> None:
    script = ScriptDirectory.from_config(config()).get_revision(REVISION)
    assert script is not None
    earlier = str(script.down_revision)

    def up(connection: Connection) -> None:
        command.upgrade(config(connection), earlier)

    async with open_engine(url, application_name="test") as engine, engine.begin() as connection:
        await connection.run_sync(up)


async def _fill(url: str) -> dict[str, UUID]:
    """Insert each run of `RUNS` with two epochs, and return the run ids by name.

    The run's column `block_cases` is 2 or, in a run with conversations, the number of all cases.
    """
    ids = {name: new_id() for name in RUNS}
    connection = await asyncpg.connect(url)
    try:
        # This disables foreign keys, because the rows that they refer to do not exist.
        await connection.execute("SET session_replication_role = replica")
        for name, (cases, _, _) in RUNS.items():
            block_cases = len(cases) if any("talk" in case for case in cases) else 2
            await connection.execute(RUN, ids[name], DEFAULT_ORG_ID, len(cases), block_cases, 2 * len(cases))
            for position in range(2 * len(cases)):
                case = dict(cases[position % len(cases)])
                talk = case.pop("talk", None)
                body = json.dumps({"question": "?"} | ({"metadata": case} if case else {}))
                place = (position, f"case {position % len(cases)}", body, talk, position + 1 if talk else None)
                await connection.execute(ITEM, new_id(), ids[name], TARGET, *place)
    finally:
        await connection.close()
    return ids


async def test_migrated_runs_are_clustered_like_new_ones(empty_postgres_url: str) -> None:
    await _before(empty_postgres_url)
    ids = await _fill(empty_postgres_url)
    async with open_engine(empty_postgres_url, application_name="test") as engine:
        async with engine.connect() as connection:
            rows = await connection.execute(text("SELECT id, xmin::text FROM item"))
            written: dict[UUID, str] = {row.id: row.xmin for row in rows}
        await upgrade(empty_postgres_url)
        for again in (False, True):
            async with engine.begin() as connection:
                for name, (cases, keys, level) in RUNS.items():
                    if again:
                        await connection.execute(
                            text("DELETE FROM spanning_cluster WHERE run_id = :id"), {"id": ids[name]}
                        )
                        await cluster_items(connection, ids[name], None)
                    of_run = {"id": ids[name]}
                    query = "SELECT cluster_key FROM item WHERE run_id = :id ORDER BY position"
                    found = (await connection.execute(text(query), of_run)).scalars()
                    assert list(found) == keys * 2, name
                    query = "SELECT cluster_level FROM run WHERE id = :id"
                    assert await connection.scalar(text(query), of_run) == level, name
                    query = "SELECT cluster FROM spanning_cluster WHERE run_id = :id ORDER BY 1"
                    spanning = list((await connection.execute(text(query), of_run)).scalars())
                    assert spanning == (["ka", "kb"] if name == "documents" else []), name
                    assert len(cases) == len(keys)
                rows = await connection.execute(text("SELECT id, xmin::text FROM item WHERE cluster_key IS NULL"))
                assert all(written[row.id] == row.xmin for row in rows), "what has no key is not written anew"
