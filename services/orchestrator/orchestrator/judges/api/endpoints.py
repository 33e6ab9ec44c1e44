"""`/api/judge-checks`: let a judge score prepared answers, and read how far it can be trusted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import Query, Response

from llmbench.access import Resource
from llmbench.errors import Problem
from llmbench.http.service_router import ServiceRouter
from orchestrator.evaluations.handlers.new_evaluation import EvaluationDependencies
from orchestrator.judges.api.bodies import CreateJudgeCheck
from orchestrator.judges.domain.cases import CheckCase
from orchestrator.judges.handlers.start_check import start_check
from orchestrator.judges.ports.judge_checks import (
    CheckedCasePage,
    Found,
    JudgeCheckDetail,
    JudgeCheckPage,
    JudgeCheckReader,
)
from orchestrator.kernel.api.cursor import decode, encode, garbage, id_cursor
from orchestrator.kernel.api.query import Text
from orchestrator.runs.api.idempotency import Key, idempotency
from orchestrator.runs.handlers.leadership import Leadership

PATH: Final = "/api/judge-checks"
MAX_BYTES: Final = 50 * 1024 * 1024


@dataclass(frozen=True)
class JudgeCheckServices:
    """The dependencies of the endpoints, created when the service starts."""

    dependencies: EvaluationDependencies
    reader: JudgeCheckReader
    leadership: Leadership
    own_cases: Callable[[], Sequence[CheckCase]]


def router(services: Callable[[], JudgeCheckServices]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["judge checks"], resource=Resource.RUNS)

    @api.post("", status_code=202, operation_id="createJudgeCheck")
    async def create(body: CreateJudgeCheck, response: Response, key: Key = None) -> JudgeCheckDetail:
        """Queue a run in which the judge scores prepared answers: the product's own, or those of the request. The run
        has the type JUDGE_CHECK, which the list of runs leaves out by default."""
        at = services()
        keyed = idempotency(key, "judge check", body)
        run_id = await start_check(at.dependencies, body.requested(at.own_cases), keyed, now=datetime.now(UTC))
        await at.leadership.admit()
        response.headers["Location"] = f"{PATH}/{run_id}"
        return await _check(run_id)

    @api.get("", operation_id="listJudgeChecks")
    async def list_checks(
        limit: Annotated[int, Query(ge=1, le=200)] = 20, cursor: Annotated[str | None, Query(max_length=300)] = None
    ) -> JudgeCheckPage:
        """List judge checks, newest first. Checks with the same `set.digest` had the same cases, and are comparable."""
        found = await services().reader.checks(after=id_cursor(cursor), limit=limit + 1)
        more = len(found) > limit
        return JudgeCheckPage(items=found[:limit], next_cursor=encode(found[limit - 1].id) if more else None)

    @api.get("/{check_id}", operation_id="getJudgeCheck")
    async def get(check_id: UUID) -> JudgeCheckDetail:
        return await _check(check_id)

    @api.get("/{check_id}/cases", operation_id="listJudgeCheckCases")
    async def cases(
        check_id: UUID,
        found: Annotated[Found, Query(description="Cases with a wrong or a missing verdict, or all.")] = "wrong",
        category: Text = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 20,
        cursor: Annotated[str | None, Query(max_length=300)] = None,
    ) -> CheckedCasePage:
        """List cases of the check with the judge's verdicts. By default, only cases with a wrong verdict are listed."""
        await _check(check_id)
        after = _position_of(cursor)
        items, last = await services().reader.cases(check_id, found=found, category=category, after=after, limit=limit)
        return CheckedCasePage(items=items, next_cursor=None if last is None else encode(last))

    async def _check(run_id: UUID) -> JudgeCheckDetail:
        check = await services().reader.check(run_id)
        if check is None:
            raise Problem(404, "No such judge check", f"There is no judge check {run_id}.")
        return check

    return api


def _position_of(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    (position,) = decode(cursor, 1)
    if not position.isdecimal() or len(position) > 9:
        raise garbage()
    return int(position)
