"""Read the scores of a suite run from its items."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Text, Uuid, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import RunStatus, TaskGateStatus
from llmbench.contracts.suite import Aggregation
from llmbench.contracts.suite import TaskGate as GateOfTask
from llmbench.db import tables as t
from orchestrator.kernel.adapters.overall import CLUSTER, OF_ITEM
from orchestrator.kernel.adapters.primary_revision import with_primary_revisions
from orchestrator.kernel.adapters.rows import task_gate_of
from orchestrator.kernel.domain.records import TaskGate
from orchestrator.kernel.domain.suite import TaskInSuite
from orchestrator.results.ports.figure_schemas import Interval
from orchestrator.runs.adapters.step_statements import task_gates
from orchestrator.runs.domain.task_gates import why_skipped
from orchestrator.suites.domain.aggregate import ClusterSums, Score, SuiteScores, TaskScore, aggregate
from orchestrator.suites.ports.schemas import (
    CategoryScoreOut,
    MissingTask,
    SuiteOfRun,
    SuiteResultOut,
    SuiteTaskOut,
    TaskGateOut,
    TaskResultOut,
    TaskState,
)

# Without tags the large `case` value is not read.
TAGGED: Final = """
    (cardinality(:tags) = 0
     OR item."case" @> jsonb_build_object('metadata', jsonb_build_object('tags', to_jsonb(:tags))))
"""
_CLUSTERS: Final = text(
    f"""
    WITH {with_primary_revisions("= :run_id")}
    SELECT item.target_id, item.suite_task AS task, {CLUSTER} AS cluster, count(overall.value) AS n,
           coalesce(sum(overall.value), 0)::float8 AS x, count(overall.verdict) AS verdicts,
           count(*) FILTER (WHERE overall.verdict) AS passed
    FROM item {OF_ITEM}
    WHERE item.run_id = :run_id AND {TAGGED}
    GROUP BY 1, 2, 3 HAVING count(overall.value) + count(overall.verdict) > 0
    """  # noqa: S608  # made of constants
).bindparams(bindparam("run_id", type_=Uuid), bindparam("tags", type_=ARRAY(Text)))
_COUNTS: Final = text(
    f"""
    SELECT target_id, suite_task AS task, count(*) AS items,
           count(*) FILTER (WHERE status = 'COMPLETED') AS completed,
           count(*) FILTER (WHERE status = 'FAILED') AS failed,
           count(*) FILTER (WHERE status = 'SKIPPED') AS skipped,
           count(*) FILTER (WHERE status = 'NEW') AS waiting,
           sum(cost_usd) AS cost_usd
    FROM item WHERE run_id = :run_id AND {TAGGED} GROUP BY 1, 2
    """  # noqa: S608  # made of constants
).bindparams(bindparam("run_id", type_=Uuid), bindparam("tags", type_=ARRAY(Text)))


async def suite_of_run(connection: AsyncConnection, run_id: UUID, *, tags: Sequence[str] = ()) -> SuiteOfRun | None:
    """Return the scores of a suite run; `None` if there is no such run, or if it is not a run of a suite.

    With `tags`, only cases with all of these tags count, and tasks without such cases are left out.
    """
    query = (select(t.run_suite, t.run.c.status).join(t.run, t.run.c.id == t.run_suite.c.run_id)).where(
        t.run_suite.c.run_id == run_id
    )
    suite = (await connection.execute(query)).mappings().one_or_none()
    if suite is None:
        return None
    tasks = await _rows(connection, select(t.run_suite_task).where(t.run_suite_task.c.run_id == run_id))
    tasks = sorted(tasks, key=lambda row: row["position"])
    targets = await _rows(connection, select(t.target).where(t.target.c.run_id == run_id).order_by(t.target.c.position))
    chosen = {"run_id": run_id, "tags": list(tags)}
    counts = await _rows(connection, _COUNTS, chosen)
    clusters = await _rows(connection, _CLUSTERS, chosen)
    tasks = [row for row in tasks if row["name"] in {count["task"] for count in counts}]
    gates = [task_gate_of(row) for row in (await connection.execute(task_gates(), {"of_run": run_id})).mappings()]
    return SuiteOfRun(
        run_id=run_id,
        run_status=RunStatus(suite["status"]),
        suite_id=suite["suite_id"],
        name=suite["name"],
        version_number=suite["version_number"],
        aggregation=Aggregation(suite["aggregation"]),
        task_count=suite["task_count"],
        left_out=suite["left_out"],
        tasks=[SuiteTaskOut.model_validate(dict(row) | {"gate": _gates_of(row["name"], gates)}) for row in tasks],
        targets=[
            _result(
                suite,
                tasks,
                target,
                {row["task"]: row for row in counts if row["target_id"] == target["id"]},
                [_sums(row) for row in clusters if row["target_id"] == target["id"]],
                [gate for gate in gates if gate.target_id == target["id"]],
            )
            for target in targets
        ],
    )


async def _rows(
    connection: AsyncConnection, query: Any, parameters: Mapping[str, Any] | None = None
) -> Sequence[RowMapping]:
    return (await connection.execute(query, parameters or {})).mappings().all()


def _sums(row: RowMapping) -> ClusterSums:
    return ClusterSums(row["task"], row["cluster"], row["n"], row["x"], row["verdicts"], row["passed"])


def _result(
    suite: RowMapping,
    tasks: Sequence[RowMapping],
    target: RowMapping,
    counts: dict[str, RowMapping],
    sums: Sequence[ClusterSums],
    gates: Sequence[TaskGate],
) -> SuiteResultOut:
    in_suite = [TaskInSuite(row["name"], row["category"], row["weight"]) for row in tasks]
    scores = aggregate(in_suite, sums, Aggregation(suite["aggregation"]))
    results = [_task(row, counts[row["name"]], scores.tasks[row["name"]], sums, gates) for row in tasks]
    missing = [MissingTask(task=name, reason="the run left it out") for name in suite["left_out"]]
    missing += [
        MissingTask(task=result.task, reason=_why_missing(result)) for result in results if result.score is None
    ]
    return SuiteResultOut(
        target_id=target["id"],
        label=target["label"],
        model=target["model"],
        **_score(scores.suite),
        complete=not missing,
        missing=missing,
        completeness=_completeness(suite["task_count"], missing),
        scored=sum(result.scored for result in results),
        items=sum(result.items for result in results),
        skipped=sum(result.skipped for result in results),
        categories=_categories(in_suite, scores),
        tasks=results,
    )


def _categories(tasks: Sequence[TaskInSuite], scores: SuiteScores) -> list[CategoryScoreOut]:
    return [
        CategoryScoreOut(
            category=category,
            tasks=[
                task.name
                for task in tasks
                if task.category == category and scores.tasks[task.name].score.value is not None
            ],
            **_score(score),
        )
        for category, score in scores.categories.items()
    ]


def _gates_of(task: str, gates: Sequence[TaskGate]) -> list[GateOfTask]:
    """Return the gates of a task: other tasks that must reach a score first. They are the same for all targets."""
    found = {gate.gating_task: gate.min_score for gate in gates if gate.task == task}
    return [GateOfTask(task=name, min_score=min_score) for name, min_score in found.items()]


def _task(
    row: RowMapping, count: RowMapping, score: TaskScore, sums: Sequence[ClusterSums], gates: Sequence[TaskGate]
) -> TaskResultOut:
    state = _state(count)
    failed = [gate for gate in gates if gate.status == TaskGateStatus.FAILED and row["name"] in gate.holds]
    of_task = [each for each in sums if each.task == row["name"]]
    return TaskResultOut(
        task=row["name"],
        category=row["category"],
        state=state,
        items=count["items"],
        completed=count["completed"],
        failed=count["failed"],
        skipped=count["skipped"],
        gates=[
            TaskGateOut(
                task=gate.gating_task,
                min_score=gate.min_score,
                status=gate.status,
                score=gate.score,
                scored=gate.scored,
            )
            for gate in gates
            if gate.task == row["name"]
        ],
        skipped_because=why_skipped(failed[0], row["name"]) if failed and state == TaskState.SKIPPED else None,
        scored=sum(each.n for each in of_task),
        clusters=sum(1 for each in of_task if each.n),
        verdicts=sum(each.verdicts for each in of_task),
        passed=sum(each.passed for each in of_task),
        pass_rate=score.pass_rate,
        pass_rate_interval=_interval(score.pass_interval),
        cost_usd=count["cost_usd"],
        **_score(score.score),
    )


def _state(count: RowMapping) -> TaskState:
    if count["completed"] + count["failed"] + count["skipped"] == count["items"]:
        if count["completed"]:
            return TaskState.COMPLETED
        return TaskState.SKIPPED if count["skipped"] else TaskState.FAILED
    return TaskState.WAITING if count["waiting"] == count["items"] else TaskState.RUNNING


def _why_missing(result: TaskResultOut) -> str:
    match result.state:
        case TaskState.FAILED:
            return "all of its answers failed"
        case TaskState.COMPLETED:
            return "none of its answers has an overall score"
        case TaskState.SKIPPED:
            return f"it was skipped: {result.skipped_because}"
        case _:
            return "it has no scores yet"


def _completeness(task_count: int, missing: Sequence[MissingTask]) -> str | None:
    if not missing:
        return None
    names = ", ".join(f"'{each.task}'" for each in missing[:5])
    more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
    return (
        f"The score covers {task_count - len(missing)} of {task_count} tasks, without {names}{more}: it cannot be "
        "compared with scores of the complete suite."
    )


def _score(score: Score) -> dict[str, Any]:
    return {"score": score.value, "interval": _interval(score.interval), "note": score.note}


def _interval(bounds: tuple[float, float] | None) -> Interval | None:
    return None if bounds is None else Interval(low=bounds[0], high=bounds[1])
