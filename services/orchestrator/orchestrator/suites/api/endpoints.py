"""The endpoints that list published suites, and plan, start and show their runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Response

from llmbench.access import Resource, Verb
from llmbench.contracts.run_words import RunStatus
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from orchestrator.results.api.shared_answers import SharedAnswers
from orchestrator.results.ports.queries import RunReader
from orchestrator.results.ports.schemas import RunSummary
from orchestrator.runs.api.idempotency import Key, idempotency
from orchestrator.runs.api.webhook_choice import WebhookRules, webhook_of
from orchestrator.runs.handlers.commands import CommandParts
from orchestrator.suites.api.bodies import StartBenchmark
from orchestrator.suites.handlers.list_suites import list_suites
from orchestrator.suites.handlers.plan_benchmark import check_benchmark, plan_of, shown_suite
from orchestrator.suites.handlers.show_benchmark import show_benchmark
from orchestrator.suites.handlers.start_benchmark import start_benchmark
from orchestrator.suites.ports.leaderboards import LeaderboardReader
from orchestrator.suites.ports.schemas import BenchmarkRun, BenchmarkStarted, BenchmarkSuites, PlanOut, SuiteOfRun
from orchestrator.suites.ports.suites import SuiteReader

PATH = "/v1/benchmarks/runs"
_MISSING = answers(404, "There is no such suite.")
_NO_RUN = answers(404, "There is no such run, or it is not a run of a suite.")
_PLAN: dict[int | str, dict[str, Any]] = {200: {"model": PlanOut, "description": "With `dry_run`: the plan."}}
_STARTING = _MISSING | _PLAN


@dataclass(frozen=True)
class SuiteServices:
    """The dependencies of the endpoints, created when the service starts."""

    reader: SuiteReader
    runs: RunReader
    commands: CommandParts
    webhooks: WebhookRules
    leaderboards: LeaderboardReader
    shared: SharedAnswers = field(default_factory=SharedAnswers)


def router(services: Callable[[], SuiteServices]) -> ServiceRouter:
    api = ServiceRouter(tags=["suites"], resource=Resource.RUNS)

    @api.get(
        "/v1/benchmarks/suites",
        operation_id="listBenchmarkSuites",
        openapi_extra=needs(Verb.READ, Resource.SUITES),
    )
    async def list_benchmark_suites(
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    ) -> BenchmarkSuites:
        """List the published suites by name, each in its newest version. `/api/suites` has their definitions."""
        return await list_suites(services().reader, limit=limit, offset=offset)

    @api.post(
        PATH,
        status_code=201,
        operation_id="startBenchmark",
        response_model=BenchmarkStarted,
        responses=_STARTING,
    )
    async def start(
        body: StartBenchmark,
        response: Response,
        key: Key = None,
        dry_run: Annotated[bool, Query(description="Only show the plan: levels, batches, time and cost.")] = False,
    ) -> BenchmarkStarted | Response:
        """Run a suite. The run waits in the queue while another run is active."""
        at = services()
        at.webhooks.check(body.webhook_url, body.webhook_secret, what="suite run")
        webhook, generated = webhook_of(body.webhook_url, body.webhook_secret)
        requested = body.requested(idempotency(key, "benchmark", body), webhook)
        checked = await check_benchmark(at.reader, requested)
        plan = await plan_of(at.reader, requested, checked)
        if dry_run:
            return Response(plan.model_dump_json(), media_type="application/json")
        run_id, is_new = await start_benchmark(at.commands, requested, checked, now=datetime.now(UTC))
        await at.commands.leadership.admit()
        run = await _run(run_id)
        response.headers["Location"] = f"{PATH}/{run_id}"
        return BenchmarkStarted(
            run_id=run_id,
            run_status=run.status,
            suite=shown_suite(checked.suite),
            estimated_completion=_estimated_end(run, plan),
            warnings=[warning.message for warning in run.warnings],
            webhook_secret=generated if is_new else None,
        )

    @api.get(PATH + "/{run_id}", operation_id="getBenchmark", responses=_NO_RUN)
    async def get(run_id: UUID) -> BenchmarkRun:
        """Return a suite run with its results. `GET /api/runs/{run_id}` returns the remaining details of the run."""
        return show_benchmark(await _run(run_id), await _suite(run_id))

    @api.get("/api/runs/{run_id}/suite", operation_id="getSuiteOfRun", responses=_NO_RUN)
    async def get_suite(run_id: UUID) -> SuiteOfRun:
        """Return the scores of a suite run: by target, category and task, with 95 % intervals."""
        return await _suite(run_id)

    async def _run(run_id: UUID) -> RunSummary:
        run = await services().runs.run(run_id)
        if run is None:
            raise _no_benchmark(run_id)
        return run

    async def _suite(run_id: UUID) -> SuiteOfRun:
        suite = await services().reader.of_run(run_id)
        if suite is None:
            raise _no_benchmark(run_id)
        return suite

    return api


def _no_benchmark(run_id: UUID) -> Problem:
    return Problem(404, "No such suite run", f"There is no run {run_id}, or it is not a run of a suite.")


def _estimated_end(run: RunSummary, plan: PlanOut) -> datetime | None:
    """Return when the run is expected to end. Return `None` if the duration of this run, or of a run before it in the
    queue, is unknown."""
    start = run.started_at
    if run.status == RunStatus.QUEUED:
        start = run.queue.estimated_start if run.queue else None
    if start is None or plan.estimated_seconds is None:
        return None
    return start + timedelta(seconds=plan.estimated_seconds)
