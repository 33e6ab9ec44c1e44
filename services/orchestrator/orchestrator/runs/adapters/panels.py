"""Save the scores of panels, and reset a panel's score when a member is judged again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import bindparam, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from orchestrator.runs.adapters.overrulings import follow_judges
from orchestrator.runs.domain.panel import PanelVerdict

_RESULT_COLUMNS: Final = (
    "status",
    "outcome",
    "raw",
    "normalised",
    "passed",
    "reason",
    "error",
    "error_cause",
    "details",
)


_REOPEN: Final = """
    UPDATE score SET status = 'NEW', outcome = NULL, raw = NULL, normalised = NULL, passed = NULL, reason = NULL,
                     error = NULL, error_cause = NULL, details = '{}', updated_at = :now
    FROM run_evaluator AS panel
    WHERE panel.run_id = :run_id AND panel.members IS NOT NULL
      AND score.run_id = panel.run_id AND score.evaluator_revision_id = panel.evaluator_revision_id
      AND score.status <> 'NEW' AND NOT score.by_person
      AND EXISTS (
          SELECT FROM score AS member WHERE member.item_id = score.item_id AND member.status = 'NEW'
                 AND member.evaluator_revision_id = ANY (panel.members)
      )
"""
_REOPEN_PANELS: Final = text(f"{_REOPEN} AND panel.corrects IS NULL")
_REOPEN_CORRECTED: Final = text(f"{_REOPEN} AND panel.corrects IS NOT NULL")


async def save_panels(connection: AsyncConnection, verdicts: Sequence[PanelVerdict], now: datetime) -> None:
    statement = (
        update(t.score)
        .where(t.score.c.id == bindparam("key"))
        .values({column: bindparam(f"new_{column}") for column in _RESULT_COLUMNS} | {"updated_at": bindparam("now")})
    )
    await connection.execute(statement, [_row(verdict, now) for verdict in verdicts])


def _row(verdict: PanelVerdict, now: datetime) -> dict[str, Any]:
    values = {f"new_{column}": getattr(verdict, column) for column in _RESULT_COLUMNS}
    return {"key": verdict.score_id, "now": now, **values, "new_status": verdict.status.value}


async def reopen_panels(connection: AsyncConnection, run_id: UUID, now: datetime) -> None:
    """Reset a panel's score of an item to NEW if a member judges this item again. Then reset the copies of judges'
    scores in revisions "corrected by people" where the copied score is NEW. Scores that a person gave are kept."""
    await follow_judges(connection, run_id)
    for statement in (_REOPEN_PANELS, _REOPEN_CORRECTED):
        await connection.execute(statement, {"run_id": run_id, "now": now})
