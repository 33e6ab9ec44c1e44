"""Read how far the judges of a run agree with people, from their calibrations."""

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.results.domain.judge_agreement import JudgeAgreement

# A calibration on this run's answers says most about its judges. Without one, the newest calibration counts.
_AGREEMENTS: Final = text("""
    SELECT run_evaluator.title, revision.judge_model, found.answers,
        found.run_name, found.run_id = :run_id AS is_own, found.figures -> 'judge' -> 'kappa' AS kappa,
        found.figures -> 'corrected' AS corrected
    FROM run_evaluator
    JOIN evaluator_revision AS revision ON revision.id = run_evaluator.evaluator_revision_id
    LEFT JOIN LATERAL (
        SELECT * FROM calibration WHERE calibration.evaluator_revision_id = revision.id
        ORDER BY calibration.run_id IS NOT DISTINCT FROM :run_id DESC, calibration.id DESC LIMIT 1
    ) AS found ON true
    WHERE run_evaluator.run_id = :run_id AND revision.judge_model IS NOT NULL
    ORDER BY run_evaluator.position
""")


async def agreements_of(connection: AsyncConnection, run_id: UUID) -> list[JudgeAgreement]:
    """Return how far each judge of the run agrees with people, in the order of the run's evaluators. Evaluators without
    a judge model are left out."""
    rows = (await connection.execute(_AGREEMENTS, {"run_id": run_id})).all()
    found = []
    for row in rows:
        kappa: dict[str, Any] = row.kappa or {}
        found.append(
            JudgeAgreement(
                title=row.title,
                judge_model=row.judge_model,
                answers=row.answers,
                of_run=None if row.is_own else row.run_name,
                kappa=kappa.get("value"),
                low=kappa.get("low"),
                high=kappa.get("high"),
                corrected=dict(_corrected(row.corrected or [])) if row.is_own else {},
            )
        )
    return found


def _corrected(targets: list[dict[str, Any]]) -> Iterator[tuple[str, tuple[float, float | None, float | None]]]:
    for each in targets:
        if (rate := each["pass_rate"]) is not None:
            yield each["target"], (rate["value"], rate["low"], rate["high"])
