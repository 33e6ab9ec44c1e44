"""The ranking of a run, kept as of one version of its blocks: what no sum over blocks gives.

It is always exact, and counted anew when the run has changed. Of a run that is active and large, where that takes
seconds, it may be of a while ago: `LARGE_ITEMS` and `REST` say how long.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Float, RowMapping, Text, bindparam, func, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.db import tables as t
from orchestrator.adapters.blocks import ACTIVE
from orchestrator.adapters.ranking_counts import COUNT
from orchestrator.domain.length_baseline import RankSums

LARGE_ITEMS: Final = 5000
"""A run with no more is ranked for whoever looks, in some hundredths of a second."""
REST: Final = 10
"""After a large run was ranked while active, so many times as long nothing is."""

_QUANTILES: Final = tuple(f"p{of}_{what}_ms" for what in ("time", "first_token") for of in (50, 95, 99))
_THROUGHPUT: Final = ("busy_s", "requests_per_second", "system_tokens_per_second")
NO_THROUGHPUT: Final[dict[str, float | None]] = dict.fromkeys(_THROUGHPUT)
_NOTHING: Final[Mapping[str, Any]] = {
    "quantiles": [],
    "throughput": [],
    "ranks": [],
    "spread": {"low": None, "high": None, "bins": None},
    "judges": [],
}
_READ: Final = text(
    """
    SELECT run.status, run.item_count, run_ranking.version AS counted, body,
           (SELECT coalesce(sum(version), 0)::bigint FROM run_block WHERE run_block.run_id = run.id) AS version
    FROM run LEFT JOIN run_ranking ON run_ranking.run_id = run.id WHERE run.id = :run_id
    """
)
_DUE: Final = text(
    """
    SELECT run.id FROM run
    JOIN (SELECT run_id, sum(version) AS version FROM run_block GROUP BY run_id) AS blocks ON blocks.run_id = run.id
    LEFT JOIN run_ranking ON run_ranking.run_id = run.id
    WHERE item_count > :large AND run_ranking.version IS DISTINCT FROM blocks.version
          AND (status <> ALL(:active) OR counted_at IS NULL
               OR counted_at + took_s * :rest * interval '1 second' < now())
    """
).bindparams(bindparam("active", type_=ARRAY(Text)), bindparam("rest", type_=Float))


class Speed:
    """Quantiles of times, by part of the run; of the run and of each target also what was answered in what time: the
    calls of categories run at the same time. All null where nothing was timed."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._quantiles = {(row["target_id"], row["category"]): row for row in body["quantiles"]}
        self._throughput = {row["target_id"]: row for row in body["throughput"]}

    def of_run(self) -> Mapping[str, float | None]:
        return self._of(None, None) | self._within(None)

    def of_target(self, target_id: UUID) -> Mapping[str, float | None]:
        return self._of(str(target_id), None) | self._within(str(target_id))

    def of_category(self, category: str) -> Mapping[str, float | None]:
        return self._of(None, category) | NO_THROUGHPUT

    def busy_s(self) -> dict[UUID | None, float]:
        """Of the run (`None`) and of each target."""
        rows = self._throughput.items()
        return {UUID(target) if target else None: row["busy_s"] for target, row in rows}

    def _of(self, target_id: str | None, category: str | None) -> dict[str, float | None]:
        return _chosen(self._quantiles.get((target_id, category), {}), _QUANTILES)

    def _within(self, target_id: str | None) -> dict[str, float | None]:
        return _chosen(self._throughput.get(target_id, {}), _THROUGHPUT)


def _chosen(row: Mapping[str, float | None], names: Sequence[str]) -> dict[str, float | None]:
    return {name: row.get(name) for name in names}


class Ranking:
    def __init__(self, body: Mapping[str, Any]) -> None:
        self.speed = Speed(body)
        self.spread: Mapping[str, Any] = body["spread"]
        self.judges: list[dict[str, Any]] = body["judges"]
        self._ranks = {(row["revision_id"], row["target_id"]): row for row in body["ranks"]}

    def ranks(self, revision_id: UUID, target_id: UUID | None) -> RankSums:
        """Of a revision's scores, of one target or of all."""
        row = self._ranks.get((str(revision_id), str(target_id) if target_id else None))
        if row is None:
            return RankSums(answers=0, xy=0, xx=0, yy=0)
        return RankSums(answers=row["answers"], xy=row["xy"], xx=row["xx"], yy=row["yy"])


async def ranking_of(engine: AsyncEngine, run_id: UUID) -> Ranking:
    """Of a run that exists; of one that does not, nothing."""
    async with engine.connect() as connection:
        known = await _read(connection, run_id)
    if known is None:
        return Ranking(_NOTHING)
    changes = known["status"] in ACTIVE and known["item_count"] > LARGE_ITEMS
    if known["body"] is not None and (known["counted"] == known["version"] or changes):
        return Ranking(known["body"])
    return Ranking(await rank(engine, run_id))


async def rank(engine: AsyncEngine, run_id: UUID) -> Mapping[str, Any]:
    async with engine.begin() as connection:
        await hold_ranking(connection, run_id)
        known = await _read(connection, run_id)
        if known is None:
            return _NOTHING
        if known["counted"] == known["version"]:
            return dict(known["body"])
        began = time.monotonic()
        body: Mapping[str, Any] = (await connection.execute(COUNT, {"run_id": run_id})).scalar_one()
        values = {"version": known["version"], "body": body, "counted_at": func.now()}
        values["took_s"] = time.monotonic() - began
        ranking = upsert(t.run_ranking).values(run_id=run_id, **values)
        await connection.execute(ranking.on_conflict_do_update(index_elements=["run_id"], set_=values))
    return body


async def rankings_due(engine: AsyncEngine) -> list[UUID]:
    """Large runs that have changed since they were ranked, and were not just now."""
    given = {"large": LARGE_ITEMS, "active": [str(one) for one in ACTIVE], "rest": REST}
    async with engine.connect() as connection:
        return list((await connection.execute(_DUE, given)).scalars())


async def hold_ranking(connection: AsyncConnection, run_id: UUID) -> None:
    """One ranks a run at a time, or deletes it; until the end of the transaction."""
    lock = text("SELECT pg_advisory_xact_lock(hashtextextended('ranking of ' || :run_id, 0))")
    await connection.execute(lock, {"run_id": str(run_id)})


async def _read(connection: AsyncConnection, run_id: UUID) -> RowMapping | None:
    return (await connection.execute(_READ, {"run_id": run_id})).mappings().one_or_none()
