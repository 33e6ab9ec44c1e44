"""Find the runs that are old enough to be removed, and remove each in its own transaction."""

import logging
from collections.abc import Mapping, Set
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Text, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import RunStatus
from llmbench.db.engine import driver
from llmbench.db.limits import read_limits
from orchestrator.runs.adapters.deletion import delete_locked, lock_checks, lock_run
from orchestrator.runs.domain.retention import Kept, why_kept
from orchestrator.runs.ports.retention import KeptCount, KeptRun, OldRun, Removed, RetentionPreview

SHOWN: Final = 200
COMMAND_TIMEOUT_S: Final = 4 * 3600.0
"""The time limit of a statement in seconds. It is long, because one transaction may remove a run of a million items."""
_VACUUMED: Final = ("score", "item", "run_event", "model_call", "block_figure", "block_score_figure", "block_cluster")
_log = logging.getLogger(__name__)

# Selects all runs, each with the reason to keep it, or null if it may be removed.
_WITH_REASON: Final = """
    SELECT run.id, run.name, run.status, run.finished_at, run.created_at, run.item_count AS items,
           named.runs AS baseline_of,
           CASE WHEN run.status <> ALL(:over) THEN 'not_over'
                WHEN named.runs > 0 THEN 'baseline'
                WHEN EXISTS (
                    SELECT FROM baseline WHERE baseline.run_id = run.id OR baseline.anchor_run_id = run.id
                ) THEN 'promoted'
                WHEN run.baseline_run_id IS NOT NULL THEN 'compared'
                WHEN CAST(:days AS float8) IS NULL
                     OR run.finished_at > now() - CAST(:days AS float8) * interval '1 day' THEN 'too_young'
           END AS reason
    FROM run CROSS JOIN LATERAL (
        SELECT count(*) AS runs FROM run AS candidate WHERE candidate.baseline_run_id = run.id
    ) AS named
"""


def _over_runs(query: str) -> Any:
    return text(f"WITH judged AS ({_WITH_REASON}) {query}").bindparams(bindparam("over", type_=ARRAY(Text)))


_COUNTS: Final = _over_runs("SELECT reason, count(*) AS runs, sum(items) AS items FROM judged GROUP BY reason")
_REMOVABLE: Final = _over_runs("SELECT * FROM judged WHERE reason IS NULL ORDER BY finished_at, id LIMIT :most")
_KEPT: Final = _over_runs(
    """
    SELECT * FROM judged WHERE reason IS NOT NULL
    ORDER BY reason <> 'too_young', finished_at, created_at, id LIMIT :most
    """
)
_OLDEST: Final = _over_runs(
    "SELECT id FROM judged WHERE reason IS NULL AND id <> ALL(:besides) ORDER BY finished_at, id LIMIT 1"
).bindparams(bindparam("besides", type_=ARRAY(Uuid)))
_LEFT: Final = _over_runs("SELECT count(*) FROM judged WHERE reason IS NULL AND id <> ALL(:besides)").bindparams(
    bindparam("besides", type_=ARRAY(Uuid))
)
_STILL_REMOVABLE: Final = _over_runs("SELECT * FROM judged WHERE reason IS NULL AND id = :id")


class PostgresRetention:
    """Find and remove old runs: the port `RetentionStore` in PostgreSQL.

    A preview without `older_than_days` uses the service's setting `retention_days` or the organisation's
    `data_retention_days`, whichever is shorter. If neither is set, it shows no run as old enough.

    The engine must have the command timeout `COMMAND_TIMEOUT_S`.
    """

    def __init__(self, engine: AsyncEngine, *, retention_days: float | None) -> None:
        self._engine = engine
        self._retention_days = retention_days

    async def preview(self, older_than_days: float | None) -> RetentionPreview:
        async with self._engine.connect() as connection:
            # Counts and lists have to come from one snapshot.
            await connection.execution_options(isolation_level="REPEATABLE READ")
            own = (await read_limits(connection)).data_retention_days
            set_days = min((days for days in (self._retention_days, own) if days is not None), default=None)
            days = set_days if older_than_days is None else older_than_days
            given = _given(days) | {"most": SHOWN}
            counts = {row.reason: row for row in await connection.execute(_COUNTS, _given(days))}
            removable = await connection.execute(_REMOVABLE, given)
            old = [_old(row) for row in removable.mappings()]
            kept = [_kept(row, days) for row in (await connection.execute(_KEPT, given)).mappings()]
        due = counts.get(None)
        return RetentionPreview(
            retention_days=set_days,
            older_than_days=days,
            removable=old,
            removable_runs=due.runs if due else 0,
            removable_items=due.items if due else 0,
            kept=kept,
            kept_runs=[KeptCount(reason=reason, runs=counts[reason].runs) for reason in Kept if reason in counts],
        )

    async def count(self, older_than_days: float, *, besides: Set[UUID]) -> int:
        async with self._engine.connect() as connection:
            given = _given(older_than_days) | {"besides": list(besides)}
            return int((await connection.execute(_LEFT, given)).scalar_one())

    async def remove_oldest(self, older_than_days: float, *, besides: Set[UUID]) -> Removed | UUID | None:
        given = _given(older_than_days)
        async with self._engine.begin() as connection:
            oldest = await connection.execute(_OLDEST, given | {"besides": list(besides)})
            run_id: UUID | None = oldest.scalar()
            if run_id is None:
                return None
            await connection.execute(text("SET LOCAL statement_timeout = 0"))
            return await _remove(connection, run_id, given) or run_id

    async def give_back_space(self) -> None:
        async with driver(self._engine) as connection:
            # PostgreSQL skips a table that another session vacuums. Without the privilege it only warns, and autovacuum
            # does the work later.
            await connection.execute("SET statement_timeout = 0")
            await connection.execute(f"VACUUM (ANALYZE, SKIP_LOCKED) {', '.join(_VACUUMED)}")
            await connection.execute("RESET statement_timeout")


async def _remove(connection: AsyncConnection, run_id: UUID, given: Mapping[str, Any]) -> Removed | None:
    if await lock_run(connection, run_id) is None:
        return None
    # Check again under the lock: since the first check, the run may have been reopened or become a baseline.
    row = (await connection.execute(_STILL_REMOVABLE, {**given, "id": run_id})).mappings().one_or_none()
    if row is None or await lock_checks(connection, run_id) is not None:
        return None
    return Removed(_old(row), await delete_locked(connection, run_id))


def _given(days: float | None) -> dict[str, Any]:
    return {"over": [str(RunStatus.FINISHED), str(RunStatus.CANCELLED)], "days": days}


def _old(row: Mapping[Any, Any]) -> OldRun:
    return OldRun(id=row["id"], name=row["name"], finished_at=row["finished_at"], items=row["items"])


def _kept(row: Mapping[Any, Any], days: float | None) -> KeptRun:
    reason = Kept(row["reason"])
    waits = reason is Kept.TOO_YOUNG and days is not None
    return KeptRun(
        id=row["id"],
        name=row["name"],
        status=RunStatus(row["status"]),
        finished_at=row["finished_at"],
        items=row["items"],
        reason=reason,
        why=why_kept(reason, baseline_of=row["baseline_of"]),
        removes_at=row["finished_at"] + timedelta(days=days) if waits and days is not None else None,
    )
