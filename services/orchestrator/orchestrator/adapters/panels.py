"""Panels: what their members have said is kept as their score, and how far the members agree is counted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import bindparam, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from orchestrator.domain.agreement import Agreement, Ratings, agreement
from orchestrator.domain.panel import PanelVerdict

_KEPT: Final = ("status", "outcome", "raw", "normalised", "passed", "reason", "error", "details")

_REOPEN: Final = text(
    """
    UPDATE score SET status = 'NEW', outcome = NULL, raw = NULL, normalised = NULL, passed = NULL, reason = NULL,
                     error = NULL, details = '{}', updated_at = :now
    FROM run_evaluator AS panel
    WHERE panel.run_id = :run_id AND panel.members IS NOT NULL
      AND score.run_id = panel.run_id AND score.evaluator_revision_id = panel.evaluator_revision_id
      AND score.status <> 'NEW'
      AND EXISTS (
          SELECT FROM score AS member WHERE member.item_id = score.item_id AND member.status = 'NEW'
                 AND member.evaluator_revision_id = ANY (panel.members)
      )
    """
)

# One row per panel and one per panel and target (`target_id` is null in the former). Each rating carries the variance
# of its answer's ratings, so that their mean weights an answer by how many judges scored it.
_RATINGS: Final = text(
    """
    WITH rating AS (
        SELECT panel.evaluator_revision_id AS revision_id, item.target_id, score.item_id, score.normalised,
               count(*) OVER one AS judges, var_samp(score.normalised) OVER one AS variance
        FROM run_evaluator AS panel
        JOIN score ON score.run_id = panel.run_id AND score.evaluator_revision_id = ANY (panel.members)
        JOIN item ON item.id = score.item_id
        WHERE panel.run_id = :run_id AND score.normalised IS NOT NULL
        WINDOW one AS (PARTITION BY panel.evaluator_revision_id, score.item_id)
    )
    SELECT revision_id, target_id, count(DISTINCT item_id) AS answers,
           avg(variance) AS within, var_samp(normalised) AS overall, min(normalised) AS least, max(normalised) AS most,
           sum(sqrt(variance) / judges) / count(DISTINCT item_id) AS mean_spread
    FROM rating WHERE judges > 1 GROUP BY GROUPING SETS ((revision_id), (revision_id, target_id))
    """
)


async def save_panels(connection: AsyncConnection, verdicts: Sequence[PanelVerdict], now: datetime) -> None:
    statement = (
        update(t.score)
        .where(t.score.c.id == bindparam("key"))
        .values({column: bindparam(f"new_{column}") for column in _KEPT} | {"updated_at": bindparam("now")})
    )
    await connection.execute(statement, [_row(verdict, now) for verdict in verdicts])


def _row(verdict: PanelVerdict, now: datetime) -> dict[str, Any]:
    values = {f"new_{column}": getattr(verdict, column) for column in _KEPT}
    return {"key": verdict.score_id, "now": now, **values, "new_status": verdict.status.value}


async def reopen_panels(connection: AsyncConnection, run_id: UUID, now: datetime) -> None:
    await connection.execute(_REOPEN, {"run_id": run_id, "now": now})


async def agreements(connection: AsyncConnection, run_id: UUID) -> dict[tuple[UUID, UUID | None], Agreement]:
    """By panel, and by panel and target."""
    rows = (await connection.execute(_RATINGS, {"run_id": run_id})).mappings()
    return {
        (row["revision_id"], row["target_id"]): agreement(
            Ratings(**{name: row[name] for name in ("answers", "within", "overall", "least", "most", "mean_spread")})
        )
        for row in rows
    }
