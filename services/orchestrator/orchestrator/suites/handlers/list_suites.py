"""GET /v1/benchmarks/suites: the published suites."""

from collections.abc import Mapping
from uuid import UUID

from orchestrator.suites.handlers.plan_benchmark import cases_taken, source_id
from orchestrator.suites.ports.schemas import BenchmarkSuiteOut, BenchmarkSuites
from orchestrator.suites.ports.suites import StoredSuite, SuiteReader


async def list_suites(reader: SuiteReader, *, limit: int, offset: int) -> BenchmarkSuites:
    suites, total = await reader.published(limit=limit, offset=offset)
    counts = await reader.case_counts([task for suite in suites for task in suite.definition.tasks])
    return BenchmarkSuites(
        suites=[_shown(suite, counts) for suite in suites], total=total, has_more=offset + len(suites) < total
    )


def _shown(suite: StoredSuite, counts: Mapping[UUID, int]) -> BenchmarkSuiteOut:
    tasks = suite.definition.tasks
    return BenchmarkSuiteOut(
        suite_id=suite.id,
        name=suite.name,
        version=str(suite.version_number),
        task_count=len(tasks),
        total_items=sum(cases_taken(task, counts.get(source_id(task), 0)) * task.epochs for task in tasks),
        categories=list(dict.fromkeys(task.category for task in tasks)),
    )
