"""Convert a suite run to the schemas of `/v1/benchmarks`."""

from typing import Final

from llmbench.contracts.run_words import RunOutcome, RunStatus
from orchestrator.results.ports.schemas import RunSummary, TargetOut
from orchestrator.suites.domain.requested import version_in
from orchestrator.suites.ports.schemas import (
    BenchmarkModel,
    BenchmarkModelResults,
    BenchmarkProgress,
    BenchmarkResults,
    BenchmarkRun,
    BenchmarkStatus,
    BenchmarkSuite,
    BenchmarkTaskResult,
    SuiteOfRun,
    SuiteResultOut,
    TaskState,
)

_OVER: Final = (TaskState.COMPLETED, TaskState.FAILED, TaskState.SKIPPED)


def _status_of(run: RunSummary) -> BenchmarkStatus:
    """Return the run's status as `/v1/benchmarks` names it. A cancelled run is FAILED, and so is a finished run with
    the outcome FAILED. A paused run is RUNNING."""
    match run.status:
        case RunStatus.QUEUED:
            return "QUEUED"
        case RunStatus.CANCELLED:
            return "FAILED"
        case RunStatus.FINISHED:
            return "FAILED" if run.outcome == RunOutcome.FAILED else "COMPLETED"
        case _:
            return "RUNNING"


def show_benchmark(run: RunSummary, suite: SuiteOfRun) -> BenchmarkRun:
    models = [
        BenchmarkModelResults(model=_model(target), results=_results(result))
        for target, result in zip(run.targets, suite.targets, strict=True)
    ]
    results = [task for target in suite.targets for task in target.tasks]
    return BenchmarkRun(
        run_id=run.id,
        status=_status_of(run),
        run_status=run.status,
        status_reason=run.status_reason,
        suite=BenchmarkSuite(
            suite_id=suite.suite_id,
            name=suite.name,
            version=str(suite.version_number),
            task_count=suite.task_count,
        ),
        model=models[0].model,
        progress=BenchmarkProgress(
            total_tasks=len(results),
            completed_tasks=sum(task.state in _OVER for task in results),
            total_items=sum(task.items for task in results),
            completed_items=sum(task.completed + task.failed + task.skipped for task in results),
        ),
        results=models[0].results,
        models=models,
        cost_usd=run.cost_usd,
        created_at=run.created_at,
        started_at=run.started_at,
        completed_at=run.finished_at,
    )


def _model(target: TargetOut) -> BenchmarkModel:
    return BenchmarkModel(
        name=target.model,
        version=version_in(target.label, target.model),
        provider=target.provider_name,
        label=target.label,
    )


def _results(result: SuiteResultOut) -> BenchmarkResults:
    notes = [note for note in (result.completeness, result.note) if note]
    return BenchmarkResults(
        overall_score=result.score,
        interval=result.interval,
        complete=result.complete,
        note=" ".join(notes) or None,
        tasks=[
            BenchmarkTaskResult(
                task_name=task.task,
                category=task.category,
                status=task.state,
                score=task.score,
                interval=task.interval,
                items_evaluated=task.scored,
                items_correct=task.passed,
                items_failed=task.failed,
                items_skipped=task.skipped,
                skipped_because=task.skipped_because,
            )
            for task in result.tasks
        ],
    )
