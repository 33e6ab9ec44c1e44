"""Store the order statistics of a run ("ranking"): those that need all items at once, such as quantiles and ranks.

They are recomputed when they are read after a change. For an active run with more than `LARGE_ITEMS` items, this takes
seconds. A background task then recomputes them, with a rest after each time (see `REST`), and readers may get an older
result.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Float, RowMapping, Text, bindparam, func, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.db import tables as t
from llmbench.room import is_disk_full
from orchestrator.results.adapters.blocks import ACTIVE
from orchestrator.results.adapters.changes import hold_ranking
from orchestrator.results.adapters.ranking_counts import COUNT
from orchestrator.results.domain.judge_figures import JudgeCounts
from orchestrator.results.domain.length_baseline import RankSums
from orchestrator.results.domain.pass_at_k import EqualClusters

LARGE_ITEMS: Final = 5000
"""The greatest number of items for which order statistics are always recomputed on request, which takes some hundredths
of a second. Runs with more items are large."""
REST: Final = 10
"""The rest after recomputing the order statistics of a large active run, as a multiple of the time that this took."""

_QUANTILES: Final = tuple(f"p{of}_{what}_ms" for what in ("time", "first_token") for of in (50, 95, 99))
_THROUGHPUT: Final = ("busy_s", "requests_per_second", "system_tokens_per_second")
NO_THROUGHPUT: Final[dict[str, float | None]] = dict.fromkeys(_THROUGHPUT)
_NOTHING: Final[Mapping[str, Any]] = {
    "quantiles": [],
    "throughput": [],
    "ranks": [],
    "spread": {"low": None, "high": None, "bins": None},
    "tries": [],
    "judges": [],
    "judging": [],
}
# If an earlier version of llmbench stored the row, it may lack a part. `counted` is then null, so it is recomputed.
_READ: Final = text(
    """
    SELECT run.status, run.item_count, body,
           CASE WHEN body ?& ARRAY['tries', 'judging', 'throughput'] THEN run_ranking.version END AS counted,
           (SELECT coalesce(sum(version), 0)::bigint FROM run_block WHERE run_block.run_id = run.id) AS version
    FROM run LEFT JOIN run_ranking ON run_ranking.run_id = run.id WHERE run.id = :run_id
    """
)
_DUE: Final = text(
    """
    SELECT run.id, run.org_id FROM run
    JOIN (SELECT run_id, sum(version) AS version FROM run_block GROUP BY run_id) AS blocks ON blocks.run_id = run.id
    LEFT JOIN run_ranking ON run_ranking.run_id = run.id
    WHERE item_count > :large AND run_ranking.version IS DISTINCT FROM blocks.version
          AND (status <> ALL(:active) OR counted_at IS NULL
               OR counted_at + run_ranking.took_s * :rest * interval '1 second' < now())
    """
).bindparams(bindparam("active", type_=ARRAY(Text)), bindparam("rest", type_=Float))


class Speed:
    """The times and the throughput of a run's answers. Quantiles of times exist for the run, for each target and for
    each category. Throughput exists for the run and for each target. It does not exist for categories, because the
    calls of different categories run at the same time.

    A value is null if no answer was timed.
    """

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
        """Return the busy time in seconds, by target id; `None` stands for the entire run."""
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
        self._judging = {(row["revision_id"], row["target_id"]): row for row in body["judging"]}
        self._tries: dict[str, list[EqualClusters]] = {}
        for row in body["tries"]:
            cases = tuple((tries, passed) for tries, passed in row["cases"])
            self._tries.setdefault(row["target_id"], []).append(EqualClusters(cases=cases, count=row["count"]))
        self._ranks = {(row["revision_id"], row["target_id"]): row for row in body["ranks"]}

    def tries(self, target_id: UUID) -> list[EqualClusters]:
        """Return how many tries at each case of the target were made and how many passed, by cluster. Clusters whose
        cases have the same numbers share one `EqualClusters`. The list is empty for a target with one epoch."""
        return self._tries.get(str(target_id), [])

    def ranks(self, revision_id: UUID, target_id: UUID | None) -> RankSums:
        """Return the sums from which the correlation of an evaluator revision's scores with the lengths of answers is
        computed. They are for one target, or for all targets together (`None`)."""
        row = self._ranks.get(_key(revision_id, target_id))
        if row is None:
            return RankSums(answers=0, xy=0, xx=0, yy=0)
        return RankSums(answers=row["answers"], xy=row["xy"], xx=row["xx"], yy=row["yy"])

    def judging(self, revision_id: UUID, target_id: UUID | None) -> JudgeCounts | None:
        """Return the counts of an evaluator revision's judge, such as its readable replies, for one target or for all
        targets together (`None`). Return `None` if no judge replied."""
        row = self._judging.get(_key(revision_id, target_id))
        if row is None:
            return None
        return JudgeCounts(**{name: value for name, value in row.items() if name not in ("revision_id", "target_id")})


def _key(revision_id: UUID, target_id: UUID | None) -> tuple[str, str | None]:
    return str(revision_id), str(target_id) if target_id else None


async def ranking_of(engine: AsyncEngine, run_id: UUID) -> Ranking:
    """Return the run's order statistics, such as quantiles. Recompute them first if the run has changed.

    They may be outdated for a large active run and while the disk is full. They are empty if there is no such run, or
    if the disk was full whenever they should have been computed.
    """
    async with engine.connect() as connection:
        known = await _read(connection, run_id)
    if known is None:
        return Ranking(_NOTHING)
    changes = known["status"] in ACTIVE and known["item_count"] > LARGE_ITEMS
    if known["counted"] is not None and (known["counted"] == known["version"] or changes):
        return Ranking(known["body"])
    try:
        return Ranking(await rank(engine, run_id))
    except DBAPIError as error:
        # While the disk is full, old statistics are better than none.
        if not is_disk_full(error):
            raise
        return Ranking(known["body"] if known["counted"] is not None else _NOTHING)


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


async def rankings_due(everybody: AsyncEngine) -> list[tuple[UUID, UUID]]:
    """Return the ids of large runs (more than `LARGE_ITEMS` items) whose order statistics are outdated, each with the
    id of its organisation.

    After each computation, an active run is left out for `REST` times as long as the computation took.
    """
    given = {"large": LARGE_ITEMS, "active": [str(state) for state in ACTIVE], "rest": REST}
    async with everybody.connect() as connection:
        return [(row.id, row.org_id) for row in await connection.execute(_DUE, given)]


async def _read(connection: AsyncConnection, run_id: UUID) -> RowMapping | None:
    return (await connection.execute(_READ, {"run_id": run_id})).mappings().one_or_none()
