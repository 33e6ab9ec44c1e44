"""Create the items of a suite run: each task has its own cases, sample and epochs.

The items of a target are numbered by task, then by case, then by epoch. A group that claims items by position therefore
asks one task after another. The blocks of the run (`kernel.domain.blocks`) treat each epoch of a case as one more case.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Integer, Text, Uuid, bindparam, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.case import Case
from llmbench.contracts.chat import stored_params
from llmbench.contracts.run_words import ItemStatus, TaskGateStatus
from llmbench.db import tables as t
from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.kernel.domain.sample import SampledCase, take
from orchestrator.kernel.domain.suite import NewSuite, NewSuiteTask, dependants
from orchestrator.runs.adapters.clusters import cases_of_new, cluster_items, keys, typed
from orchestrator.runs.adapters.new_items import LINK_TURNS, TASK_CASE, TEST_CASES, first_cases

_CASES: Final = """
    SELECT source.id, source.kind, source.name, source.category, source.conversation, keyed.key FROM (
        SELECT task.id, 0 AS kind, task.task_id AS name, task.category, NULL AS conversation,
               min(collection_task.position) AS place
        FROM task JOIN collection_task ON collection_task.task_id = task.id
        WHERE collection_task.collection_id = ANY (:collection_ids)
        GROUP BY task.id
        UNION ALL
        SELECT test_case.id, 1, test_case.name,
               coalesce(nullif(left(test_case.metadata ->> 'category', 255), ''), dataset.name),
               test_case.input ->> 'conversation_id', test_case.row_index
        FROM test_case
        JOIN dataset_version ON dataset_version.id = test_case.version_id
        JOIN dataset ON dataset.id = dataset_version.dataset_id
        WHERE test_case.version_id = ANY (:version_ids)
    ) AS source
    LEFT JOIN ({keys}) AS keyed ON keyed.id = source.id
    ORDER BY source.kind, source.place, source.id
"""

# Names begin with the task, because two tasks may have cases of the same name.
_INSERT: Final = text(
    f"""
    WITH chosen AS (
        SELECT id, kind, (CAST(:names AS text[]))[number] AS suite_task, epoch, place
        FROM unnest(:case_ids, :kinds, :numbers, :epochs) WITH ORDINALITY AS given (id, kind, number, epoch, place)
    ), planned AS (
        SELECT chosen.*, target.id AS target_id, target.group_id,
               row_number() OVER (ORDER BY target.position, place) AS position
        FROM target CROSS JOIN chosen WHERE target.run_id = :run_id
    ), snapshot AS (
        SELECT task.id, 0 AS kind, task.task_id AS name, task.category, task.subcategory, {TASK_CASE} AS "case"
        FROM task WHERE task.id = ANY (:case_ids)
        UNION ALL
        {TEST_CASES} WHERE test_case.id = ANY (:case_ids)
    ), named AS (
        SELECT planned.*, planned.suite_task || '/' || snapshot.name AS name, snapshot.category, snapshot.subcategory,
               snapshot."case", planned.suite_task || '/' || (snapshot."case" ->> 'conversation_id') AS conversation_id
        FROM planned JOIN snapshot ON snapshot.id = planned.id AND snapshot.kind = planned.kind
    )
    INSERT INTO item
        (id, run_id, target_id, group_id, position, epoch, task_id, category, subcategory, suite_task, "case",
         conversation_id, turn, status)
    SELECT fresh.id, :run_id, named.target_id, named.group_id, named.position - 1, named.epoch, named.name,
           named.category, named.subcategory, named.suite_task,
           named."case" || jsonb_strip_nulls(jsonb_build_object(
               'task_id', named.name, 'conversation_id', named.conversation_id, 'suite_task', named.suite_task)),
           named.conversation_id, CAST(named."case" ->> 'turn' AS integer), :status
    FROM named JOIN unnest(:ids) WITH ORDINALITY AS fresh (id, position) ON fresh.position = named.position
    """  # noqa: S608  # made of constants
).bindparams(
    bindparam("ids", type_=ARRAY(Uuid)),
    bindparam("case_ids", type_=ARRAY(Uuid)),
    bindparam("names", type_=ARRAY(Text)),
    *(bindparam(name, type_=ARRAY(Integer)) for name in ("kinds", "numbers", "epochs")),
)


@dataclass(frozen=True)
class _Case:
    id: UUID
    kind: int
    name: str


@dataclass(frozen=True)
class TaskCases:
    """The cases that the run takes from a task of the suite. `of` is the number of all cases of the task."""

    task: NewSuiteTask
    cases: Sequence[_Case]
    of: int

    def sample(self) -> dict[str, Any] | None:
        """Return the description of the task's sample, as the run keeps it; `None` if the run takes all cases."""
        asked = self.task.sample
        if asked is None:
            return None
        return {
            "size": asked.size,
            "strategy": asked.strategy,
            "seed": asked.seed,
            "seed_from": "name" if asked.derived else "request",
            "taken": len(self.cases),
            "of": self.of,
        }


@dataclass(frozen=True)
class SuiteCases:
    suite: NewSuite
    tasks: Sequence[TaskCases]

    def count(self) -> int:
        """Return the number of items per target."""
        return sum(len(each.cases) * each.task.epochs for each in self.tasks)


async def cases_of_suite(connection: AsyncConnection, new: NewRun, suite: NewSuite) -> SuiteCases:
    """Choose the cases of each task. Raises a 422 `Problem` if two tasks share a case, or if a task has no cases."""
    found = []
    owners: dict[UUID, str] = {}
    for task in suite.tasks:
        each = await _cases_of_task(connection, new, task)
        if not each.cases:
            raise _refused(f"the task '{task.name}' has no cases: '{task.source_name}' is empty")
        for case in each.cases:
            if case.id in owners:
                raise _refused(
                    f"the tasks '{owners[case.id]}' and '{task.name}' both have the case '{case.name}': in the score "
                    "of a suite, each case counts once"
                )
            owners[case.id] = task.name
        found.append(each)
    return SuiteCases(suite, found)


async def _cases_of_task(connection: AsyncConnection, new: NewRun, task: NewSuiteTask) -> TaskCases:
    source = cases_of_new(_drawing_on(new, task))
    query = typed(_CASES.format(keys=keys(source, new.cluster_by)), source)
    rows = list(await connection.execute(query, source.parameters(new.cluster_by)))
    cases = [_Case(row.id, row.kind, row.name) for row in rows]
    if task.sample is None:
        return TaskCases(task, cases, len(cases))
    sampled = [SampledCase(row.id, row.name, row.category, row.key, row.conversation) for row in rows]
    # A thread, because a million cases take seconds.
    taken = set(await asyncio.to_thread(take, sampled, task.sample))
    return TaskCases(task, [case for case in cases if case.id in taken], len(cases))


def _drawing_on(new: NewRun, task: NewSuiteTask) -> NewRun:
    """Return a copy of the run whose only source of cases is the task's collection or dataset version."""
    return replace(
        new,
        collection_ids=[task.collection_id] if task.collection_id else [],
        dataset_version_ids=[task.version_id] if task.version_id else [],
    )


async def first_cases_of_suite(connection: AsyncConnection, new: NewRun, suite: NewSuite, limit: int) -> list[Case]:
    """Return about `limit` cases, so that their reference answers can be checked. Each task contributes the same number
    of cases, at least one."""
    each = max(1, limit // len(suite.tasks))
    return [
        case.model_copy(update={"suite_task": task.name})
        for task in suite.tasks
        for case in await first_cases(connection, _drawing_on(new, task), each)
    ]


async def insert_suite(connection: AsyncConnection, run_id: UUID, cases: SuiteCases) -> None:
    """Store a copy of the suite with the run, so that later changes of the suite do not matter."""
    suite = cases.suite
    row = {
        "run_id": run_id,
        "suite_id": suite.suite_id,
        "name": suite.name,
        "version_number": suite.version_number,
        "aggregation": suite.aggregation,
        "task_count": suite.task_count,
        "left_out": list(suite.left_out),
    }
    await connection.execute(insert(t.run_suite).values(row))
    rows = [_task_row(run_id, position, each) for position, each in enumerate(cases.tasks)]
    await connection.execute(insert(t.run_suite_task), rows)


def _task_row(run_id: UUID, position: int, cases: TaskCases) -> dict[str, Any]:
    task = cases.task
    return {
        "run_id": run_id,
        "name": task.name,
        "position": position,
        "level": task.level,
        "category": task.category,
        "source_name": task.source_name,
        "source_version": task.source_version,
        # A task has no options: an empty object would hide those of a target.
        "params": {name: value for name, value in stored_params(task.params).items() if name != "options"},
        "epochs": task.epochs,
        "weight": task.weight,
        "after": list(task.after),
        "estimated_seconds": task.estimated_seconds,
        "source_cases": cases.of,
        "cases": len(cases.cases),
        "sample": cases.sample(),
    }


async def insert_suite_items(
    connection: AsyncConnection, run_id: UUID, new: NewRun, cases: SuiteCases, *, items: int
) -> None:
    planned = [
        (case.id, case.kind, number, epoch)
        for number, each in enumerate(cases.tasks, start=1)
        for case in each.cases
        for epoch in range(1, each.task.epochs + 1)
    ]
    case_ids, kinds, numbers, epochs = map(list, zip(*planned, strict=True))
    values = {
        "run_id": run_id,
        "names": [each.task.name for each in cases.tasks],
        "case_ids": case_ids,
        "kinds": kinds,
        "numbers": numbers,
        "epochs": epochs,
        "ids": [new_id() for _ in range(items)],
        "status": ItemStatus.NEW.value,
    }
    await connection.execute(_INSERT, values)
    if new.dataset_version_ids:
        await connection.execute(LINK_TURNS, {"run_id": run_id})
    await cluster_items(connection, run_id, new.cluster_by)
    await _insert_gates(connection, run_id, cases)


async def _insert_gates(connection: AsyncConnection, run_id: UUID, cases: SuiteCases) -> None:
    """Insert the gates between the suite's tasks, for each target. A gate decides by one task's score whether another
    task is asked. All gates are OPEN at first, that is, not decided."""
    tasks = [each.task for each in cases.tasks]
    gates = [(task.name, gate) for task in tasks for gate in task.gate]
    if not gates:
        return
    holds = dependants({task.name: task.waits_for() for task in tasks})
    gating = {gate.task for _, gate in gates}
    query = select(t.item.c.target_id, t.item.c.suite_task, func.min(t.item.c.position), func.max(t.item.c.position))
    query = query.where(t.item.c.run_id == run_id, t.item.c.suite_task.in_(gating))
    found = (await connection.execute(query.group_by(t.item.c.target_id, t.item.c.suite_task))).all()
    rows = [
        {
            "run_id": run_id,
            "target_id": target_id,
            "task": name,
            "gating_task": gate.task,
            "min_score": gate.min_score,
            "holds": list(holds[name]),
            "first_position": first,
            "last_position": last,
            "status": TaskGateStatus.OPEN,
        }
        for target_id, gating_task, first, last in found
        for name, gate in gates
        if gate.task == gating_task
    ]
    await connection.execute(insert(t.run_task_gate), rows)
    await connection.execute(update(t.run).where(t.run.c.id == run_id).values(open_task_gates=len(rows)))


def _refused(message: str) -> Problem:
    return Problem(422, "Invalid run", f"suite_id: {message}", errors=[FieldError("suite_id", message)])
