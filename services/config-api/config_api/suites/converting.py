"""Convert suites between the form of requests, the stored definition, and the form of responses."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from config_api.suites.graph import levels
from config_api.suites.schemas import (
    GateIn,
    SourceIn,
    SuiteIn,
    SuiteOut,
    SuiteTaskIn,
    TaskEvaluatorIn,
    TaskFacts,
    TaskParamsIn,
    TaskSampleIn,
)
from config_api.suites.sources import Source
from llmbench.contracts.chat import SamplingParams, stored_params
from llmbench.contracts.suite import SuiteDefinition, SuiteTask, TaskEvaluator, TaskGate, TaskSample


def definition_of(
    body: SuiteIn, sources: Sequence[Source], evaluators: Sequence[tuple[TaskEvaluator, ...]]
) -> dict[str, Any]:
    """Return the definition of a suite as the database stores it. `sources` and `evaluators` belong to the tasks of
    `body`, in the same order."""
    tasks = [
        SuiteTask(
            name=task.name,
            category=task.category,
            dataset_version_id=source.id if source.version is not None else None,
            collection_id=source.id if source.version is None else None,
            source_name=source.name,
            source_version=source.version,
            sample=TaskSample(**task.sample.model_dump()) if task.sample else None,
            evaluators=of_task,
            params=SamplingParams.model_validate(task.params.model_dump()),
            epochs=task.epochs,
            weight=task.weight,
            after=tuple(task.after),
            gate=tuple(TaskGate(**gate.model_dump()) for gate in task.gate),
            estimated_seconds=task.estimated_seconds,
        )
        for task, source, of_task in zip(body.tasks, sources, evaluators, strict=True)
    ]
    definition = SuiteDefinition(aggregation=body.aggregation, tasks=tuple(tasks))
    stored = definition.model_dump(mode="json", exclude_none=True)
    for entry, task in zip(stored["tasks"], tasks, strict=True):
        entry["params"] = stored_params(task.params)
        if not task.gate:
            # Suites that were stored before gates existed stay the same when their file is applied again.
            del entry["gate"]
    return stored


def suite_of(row: Row[Any], sources: Mapping[UUID, Source]) -> SuiteOut:
    """Return the response for a row of the table `suite`. `sources` has, by id, the existing dataset versions and
    collections from which the suite's tasks take their cases."""
    definition = SuiteDefinition.model_validate(row.definition)
    level_of = levels({task.name: task.waits_for() for task in definition.tasks})
    facts = [_facts(task, sources, level_of[task.name]) for task in definition.tasks]
    return SuiteOut(
        id=row.id,
        version=row.version,
        created_at=row.created_at,
        created_by=row.created_by,
        updated_at=row.updated_at,
        name=row.name,
        version_number=row.version_number,
        family_id=row.family_id,
        status=row.status,
        description=row.description,
        aggregation=definition.aggregation,
        task_count=len(facts),
        total_items=sum(each.items or 0 for each in facts),
        categories=list(dict.fromkeys(task.category for task in definition.tasks)),
        needs_judge=any(each.needs_judge for each in facts),
        published_at=row.published_at,
        definition=SuiteIn(
            name=row.name,
            description=row.description,
            aggregation=definition.aggregation,
            tasks=[_task_in(task, sources) for task in definition.tasks],
        ),
        tasks=facts,
    )


def _source(task: SuiteTask, sources: Mapping[UUID, Source]) -> Source | None:
    id_ = task.dataset_version_id or task.collection_id
    return sources.get(id_) if id_ else None


def _facts(task: SuiteTask, sources: Mapping[UUID, Source], level: int) -> TaskFacts:
    source = _source(task, sources)
    cases = None if source is None else source.cases
    if cases is not None and task.sample is not None:
        cases = min(cases, task.sample.size)
    return TaskFacts(
        name=task.name,
        category=task.category,
        level=level,
        dataset_version_id=task.dataset_version_id,
        collection_id=task.collection_id,
        source_name=source.name if source else task.source_name,
        source_version=task.source_version,
        cases=cases,
        items=None if cases is None else cases * task.epochs,
        # Without evaluators, the rubric scores the cases without checks.
        needs_judge=not task.evaluators or any(evaluator.needs_judge for evaluator in task.evaluators),
        gate=list(task.gate),
    )


def _task_in(task: SuiteTask, sources: Mapping[UUID, Source]) -> SuiteTaskIn:
    source = _source(task, sources)
    name = source.name if source else task.source_name
    return SuiteTaskIn(
        name=task.name,
        category=task.category,
        source=SourceIn(dataset=name, version=task.source_version)
        if task.dataset_version_id
        else SourceIn(collection=name),
        sample=TaskSampleIn(**task.sample.model_dump()) if task.sample else None,
        evaluators=[TaskEvaluatorIn(**each.model_dump(exclude={"needs_judge"})) for each in task.evaluators],
        params=TaskParamsIn.model_validate(task.params.model_dump(exclude={"options"})),
        epochs=task.epochs,
        weight=task.weight,
        after=list(task.after),
        gate=[GateIn(**gate.model_dump()) for gate in task.gate],
        estimated_seconds=task.estimated_seconds,
    )
