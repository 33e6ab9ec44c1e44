"""Read judge checks from PostgreSQL: the runs, and the verdicts in their scores."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Select, Uuid, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import RunStatus, RunType
from llmbench.db import tables as t
from orchestrator.judges.domain.cases import CHECK, PAIR
from orchestrator.judges.domain.report import CheckVerdict, Choice, check_figures
from orchestrator.judges.ports.judge_checks import (
    CaseSet,
    CheckedCase,
    CheckedJudge,
    CheckFiguresOut,
    Found,
    JudgeCheckDetail,
    VerdictOut,
)

_KEPT: Final = 500
"""The number of finished checks whose figures are kept in memory. They change only if the run goes on."""
_CHOICES: Final[dict[str, Choice]] = {"answer": "first", "opponent": "second", "tie": "tie"}

# The first evaluator of an item is that of its kind of case. Evaluators that joined the run later, also those whose
# scores people corrected, are no part of the check. An item without a score is pending.
_VERDICTS: Final = text(
    """
    SELECT item.id, item.task_id, item.category, item.epoch, item.position,
        item."case" -> 'metadata' ->> 'kind' AS kind, item."case" -> 'metadata' ->> 'right' AS right,
        length(item.given_answer) AS first_length, length(item."case" ->> 'expected_output') AS second_length,
        score.outcome, score.raw, score.passed, score.reason, score.error, score.cost_usd,
        score.details -> 'verdicts' AS choices, score.details ->> 'decided_by' = 'program' AS by_program
    FROM item LEFT JOIN LATERAL (
        SELECT score.* FROM score JOIN run_evaluator USING (run_id, evaluator_revision_id)
        WHERE score.item_id = item.id ORDER BY run_evaluator.position LIMIT 1
    ) AS score ON true
    WHERE item.run_id = :run_id
    ORDER BY item.position
    """
)

_TEXTS: Final = text(
    """
    SELECT DISTINCT ON (task_id) task_id, given_answer, "case"
    FROM item WHERE run_id = :run_id AND task_id = ANY(:names) ORDER BY task_id, position
    """
)

_EVALUATORS: Final = text(
    """
    SELECT DISTINCT ON (run_evaluator.run_id, revision.kind)
        run_evaluator.run_id, revision.kind, revision.prompt_hash
    FROM run_evaluator JOIN evaluator_revision AS revision ON revision.id = run_evaluator.evaluator_revision_id
    WHERE run_evaluator.run_id = ANY(:run_ids) AND run_evaluator.corrects IS NULL
    ORDER BY run_evaluator.run_id, revision.kind, run_evaluator.position
    """
).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))


class CheckQueries:
    """Implement the port `JudgeCheckReader` in PostgreSQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._figures: OrderedDict[tuple[UUID, datetime], CheckFiguresOut] = OrderedDict()

    async def checks(self, *, after: UUID | None, limit: int) -> Sequence[JudgeCheckDetail]:
        query = _checks().order_by(t.run.c.id.desc()).limit(limit)
        if after is not None:
            query = query.where(t.run.c.id < after)
        return await self._read(query)

    async def check(self, run_id: UUID) -> JudgeCheckDetail | None:
        return next(iter(await self._read(_checks().where(t.run.c.id == run_id))), None)

    async def cases(
        self, run_id: UUID, *, found: Found, category: str | None, after: int | None, limit: int
    ) -> tuple[list[CheckedCase], int | None]:
        async with self._engine.connect() as connection:
            rows = (await connection.execute(_VERDICTS, {"run_id": run_id})).mappings().all()
            by_case: dict[str, list[RowMapping]] = {}
            for row in rows:
                by_case.setdefault(row["task_id"], []).append(row)
            chosen = [
                given
                for given in by_case.values()
                if (after is None or given[0]["position"] > after)
                and category in (None, given[0]["category"])
                and any(_matches(_verdict(row), found) for row in given)
            ]
            page = chosen[:limit]
            names = [given[0]["task_id"] for given in page]
            texts = (await connection.execute(_TEXTS, {"run_id": run_id, "names": names})).mappings()
            by_name = {row["task_id"]: row for row in texts}
        cases = [_checked_case(given, by_name[given[0]["task_id"]]) for given in page]
        return cases, page[-1][0]["position"] if len(chosen) > limit else None

    async def _read(self, query: Select[Any]) -> list[JudgeCheckDetail]:
        async with self._engine.connect() as connection:
            runs = (await connection.execute(query)).mappings().all()
            figures = await self._figures_of(connection, runs)
            found = await connection.execute(_EVALUATORS, {"run_ids": [run["id"] for run in runs]})
            evaluators: dict[UUID, list[RowMapping]] = {}
            for row in found.mappings():
                evaluators.setdefault(row["run_id"], []).append(row)
        return [_check(run, figures[run["id"]], evaluators[run["id"]]) for run in runs]

    async def _figures_of(self, connection: AsyncConnection, runs: Sequence[RowMapping]) -> dict[UUID, CheckFiguresOut]:
        keys = {run["id"]: _key(run) for run in runs}
        figures = {id_: self._figures[key] for id_, key in keys.items() if key is not None and key in self._figures}
        for run_id, key in keys.items():
            if run_id in figures:
                continue
            # A check may have 25,000 verdicts. So one check at a time is in memory, and is counted in a thread.
            rows = (await connection.execute(_VERDICTS, {"run_id": run_id})).mappings().all()
            figures[run_id] = await asyncio.to_thread(_figures, rows)
            if key is not None:
                self._figures[key] = figures[run_id]
        while len(self._figures) > _KEPT:
            self._figures.popitem(last=False)
        return figures


def _checks() -> Select[Any]:
    """Return the query for judge checks that users started.

    The checks that gates make have the same type of run, but their `evaluation` describes no set of cases. So they are
    left out.
    """
    return select(t.run).where(t.run.c.type == RunType.JUDGE_CHECK, t.run.c.evaluation.has_key(CHECK))


def _key(run: RowMapping) -> tuple[UUID, datetime] | None:
    over = run["status"] == RunStatus.FINISHED and run["finished_at"] is not None
    return (run["id"], run["finished_at"]) if over else None


def _figures(rows: Sequence[RowMapping]) -> CheckFiguresOut:
    return CheckFiguresOut.model_validate(check_figures([_verdict(row) for row in rows]))


def _verdict(row: RowMapping) -> CheckVerdict:
    return CheckVerdict(
        case_id=row["task_id"],
        category=row["category"],
        kind=row["kind"],
        right=row["right"],
        repeat=row["epoch"],
        outcome=row["outcome"] or "pending",
        lengths=(row["first_length"], row["second_length"] or 0),
        by_program=bool(row["by_program"]),
        choices=tuple(_CHOICES[choice] for choice in row["choices"] or () if choice in _CHOICES),
        passed=row["passed"],
        raw=row["raw"],
        cost_usd=row["cost_usd"],
    )


def _matches(verdict: CheckVerdict, found: Found) -> bool:
    match found:
        case "wrong":
            return verdict.counted and not verdict.is_right
        case "missing":
            return verdict.outcome not in ("scored", "pending")
        case "all":
            return True


def _checked_case(rows: Sequence[RowMapping], texts: RowMapping) -> CheckedCase:
    case = texts["case"]
    return CheckedCase(
        id=texts["task_id"],
        category=rows[0]["category"],
        question=case["question"],
        context=case.get("context"),
        first=texts["given_answer"],
        second=case.get("expected_output") if rows[0]["kind"] == PAIR else None,
        right=rows[0]["right"],
        why=case["metadata"].get("why"),
        verdicts=[_shown(row) for row in rows],
    )


def _shown(row: RowMapping) -> VerdictOut:
    verdict = _verdict(row)
    return VerdictOut(
        repeat=row["epoch"],
        item_id=row["id"],
        outcome=verdict.outcome,
        verdict=verdict.verdict if verdict.outcome == "scored" else None,
        choices=list(verdict.choices),
        score=row["raw"],
        reason=row["reason"],
        error=row["error"],
        by_program=verdict.by_program,
    )


def _check(run: RowMapping, figures: CheckFiguresOut, evaluators: Sequence[RowMapping]) -> JudgeCheckDetail:
    described = run["evaluation"][CHECK]
    return JudgeCheckDetail(
        id=run["id"],
        name=run["name"],
        status=run["status"],
        status_reason=run["status_reason"],
        judge=CheckedJudge(
            provider_id=run["judge_provider_id"],
            provider_name=run["judge_provider_name"],
            model=run["judge_model"],
            params=run["judge_params"] or {},
            prompts={row["kind"]: row["prompt_hash"] for row in evaluators},
        ),
        set=CaseSet(
            name=described["set"],
            digest=described["digest"],
            cases=described["cases"],
            built_in=described["built_in"],
        ),
        repeats=described["repeats"],
        figures=figures,
        created_at=run["created_at"],
        finished_at=run["finished_at"],
    )
