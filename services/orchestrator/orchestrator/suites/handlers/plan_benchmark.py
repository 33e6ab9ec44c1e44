"""Check a request for a suite run against the suite and the providers, and show its plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.suite import SuiteStatus, SuiteTask
from llmbench.errors import FieldError, Problem
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.suite import levels
from orchestrator.runs.domain.schedule import Model
from orchestrator.suites.domain.plan import PlannedTask, batches, total_s
from orchestrator.suites.domain.requested import RequestedBenchmark, RequestedModel
from orchestrator.suites.ports.schemas import (
    BatchOut,
    BenchmarkModel,
    BenchmarkSuite,
    PlannedTaskOut,
    PlanOut,
)
from orchestrator.suites.ports.suites import Measured, StoredSuite, SuiteReader


@dataclass(frozen=True)
class Checked:
    """A checked request. `tasks` are the run's tasks, in the order in which the models answer them. `cases` maps a
    task's name to the number of cases that the run uses. `providers` has the provider of each of `models`, in the same
    order."""

    suite: StoredSuite
    tasks: Sequence[SuiteTask]
    left_out: Sequence[str]
    level_of: Mapping[str, int]
    cases: Mapping[str, int]
    providers: Sequence[ProviderSnapshot]
    judge_provider: ProviderSnapshot | None


async def check_benchmark(reader: SuiteReader, requested: RequestedBenchmark) -> Checked:
    """Find the suite, tasks and providers that the request names. Raises a `Problem`: 404 for an unknown suite, 422
    that names every other error."""
    suite = await reader.suite(requested.suite_id)
    if suite is None:
        raise Problem(404, "No such suite", f"There is no suite {requested.suite_id}; see GET /v1/benchmarks/suites.")
    errors: list[FieldError] = []
    if suite.status != SuiteStatus.PUBLISHED:
        message = f"version {suite.version_number} of '{suite.name}' is a draft: publish it first"
        errors.append(FieldError("suite_id", message))
    names = [task.name for task in suite.definition.tasks]
    chosen = names if requested.tasks is None else requested.tasks
    errors += [
        FieldError(f"tasks.{index}", f"the suite has no task '{name}'; it has {', '.join(names)}")
        for index, name in enumerate(chosen)
        if name not in names
    ]
    tasks = [task for task in suite.definition.tasks if task.name in chosen]
    counts = await reader.case_counts(tasks)
    errors += [
        FieldError("suite_id", f"'{task.source_name}', the source of the task '{task.name}', was deleted")
        for task in tasks
        if source_id(task) not in counts
    ]
    errors += [
        FieldError("tasks", f"'{task.name}' has a gate on '{gate.task}', which the run leaves out: name both")
        for task in tasks
        for gate in task.gate
        if gate.task not in chosen
    ]
    known = await reader.providers()
    providers = [_provider(model, known, errors) for model in requested.models]
    judge_provider = None if requested.judge is None else _provider(requested.judge, known, errors)
    if errors:
        raise invalid(errors, "suite run")
    level_of = levels({task.name: task.waits_for() for task in tasks})
    return Checked(
        suite=suite,
        tasks=sorted(tasks, key=lambda task: level_of[task.name]),
        left_out=[name for name in names if name not in chosen],
        level_of=level_of,
        cases={task.name: cases_taken(task, counts[source_id(task)]) for task in tasks},
        providers=[provider for provider in providers if provider is not None],
        judge_provider=judge_provider,
    )


def source_id(task: SuiteTask) -> UUID:
    """Return the id of the dataset version or collection from which the task takes its cases."""
    id_ = task.dataset_version_id or task.collection_id
    assert id_ is not None, "a stored task has a source"
    return id_


def cases_taken(task: SuiteTask, cases: int) -> int:
    """Return how many cases a run takes for the task; `cases` is the number of cases of the task's source."""
    return cases if task.sample is None else min(cases, task.sample.size)


def _provider(
    model: RequestedModel, known: Sequence[ProviderSnapshot], errors: list[FieldError]
) -> ProviderSnapshot | None:
    """Return the provider that the model names by name or id. If there is none, add an error and return `None`.

    Upper and lower case are ignored, unless two providers' names differ only in case.
    """
    wanted = model.provider
    for exact in (
        [each for each in known if wanted in (each.name, str(each.provider_id))],
        [each for each in known if each.name.casefold() == wanted.casefold()],
    ):
        if len(exact) == 1:
            return exact[0]
    names = ", ".join(each.name for each in known[:20]) or "none"
    message = f"there is no provider '{wanted[:80]}'; there are {names}"
    errors.append(FieldError(f"{model.place}.provider", message))
    return None


async def plan_benchmark(reader: SuiteReader, requested: RequestedBenchmark) -> PlanOut:
    """Return the plan of the run. Raises a `Problem`: 404 for an unknown suite, 422 that names every other error."""
    return await plan_of(reader, requested, await check_benchmark(reader, requested))


async def plan_of(reader: SuiteReader, requested: RequestedBenchmark, checked: Checked) -> PlanOut:
    models: list[Model] = [
        (provider.provider_id, model.name) for model, provider in zip(requested.models, checked.providers, strict=True)
    ]
    measured = await reader.measured(models)
    planned = [_planned(task, checked, models, measured) for task in checked.tasks]
    packed = batches(planned, parallelism=requested.parallelism)
    paces = [_pace(model, measured) for model in models]
    answers = sum(_answers(task, checked) for task in checked.tasks)
    costs = [measured[model].cost_per_answer_usd if model in measured else None for model in models]
    return PlanOut(
        suite=shown_suite(checked.suite),
        models=shown_models(requested, checked),
        levels=[
            [task.name for task in checked.tasks if checked.level_of[task.name] == level]
            for level in sorted(set(checked.level_of.values()))
        ],
        execution_plan=[
            BatchOut(
                batch_id=batch.batch_id,
                level=batch.level,
                tasks=list(batch.tasks),
                estimated_duration=batch.estimated_s,
            )
            for batch in packed
        ],
        tasks=[
            PlannedTaskOut(
                name=task.name,
                category=task.category,
                level=each.level,
                after=list(task.after),
                gate=list(task.gate),
                cases=checked.cases[task.name],
                items=each.items,
                estimated_seconds=each.estimated_s,
            )
            for task, each in zip(checked.tasks, planned, strict=True)
        ],
        total_batches=len(packed),
        total_tasks=len(planned),
        total_items=sum(each.items for each in planned),
        total_estimated_duration=total_s([batch.estimated_s for batch in packed]),
        estimated_seconds=total_s([each.estimated_s for each in planned]),
        estimated_cost_usd=total_s([None if cost is None else cost * answers for cost in costs]),
        notes=_notes(requested, paces, costs, checked),
    )


def _answers(task: SuiteTask, checked: Checked) -> int:
    """Return the number of answers of a task per model."""
    return checked.cases[task.name] * task.epochs


def _pace(model: Model, measured: Mapping[Model, Measured]) -> float | None:
    return measured[model].seconds_per_answer if model in measured else None


def _planned(
    task: SuiteTask, checked: Checked, models: Sequence[Model], measured: Mapping[Model, Measured]
) -> PlannedTask:
    answers = _answers(task, checked)
    paces = [_pace(model, measured) for model in models]
    times = [task.estimated_seconds if pace is None else answers * pace for pace in paces]
    return PlannedTask(task.name, checked.level_of[task.name], answers * len(models), total_s(times))


def _notes(
    requested: RequestedBenchmark,
    paces: Sequence[float | None],
    costs: Sequence[float | None],
    checked: Checked,
) -> list[str]:
    notes = []
    unmeasured = [model.shown() for model, pace in zip(requested.models, paces, strict=True) if pace is None]
    untimed = [task.name for task in checked.tasks if task.estimated_seconds is None]
    if unmeasured and untimed:
        notes.append(
            f"The time is unknown: no finished run has measured {', '.join(unmeasured)}, and these tasks have no "
            f"estimated_seconds: {', '.join(untimed)}."
        )
    unpriced = [model.shown() for model, cost in zip(requested.models, costs, strict=True) if cost is None]
    if unpriced:
        notes.append(f"The cost is unknown: no finished run has a price for answers of {', '.join(unpriced)}.")
    if checked.left_out:
        notes.append(f"The score will not be that of the suite, because tasks are left out: {_joined(checked)}.")
    return notes


def _joined(checked: Checked) -> str:
    return ", ".join(checked.left_out)


def shown_suite(suite: StoredSuite) -> BenchmarkSuite:
    return BenchmarkSuite(
        suite_id=suite.id,
        name=suite.name,
        version=str(suite.version_number),
        task_count=len(suite.definition.tasks),
    )


def shown_models(requested: RequestedBenchmark, checked: Checked) -> list[BenchmarkModel]:
    return [
        BenchmarkModel(name=model.name, version=model.version, provider=provider.name, label=model.shown())
        for model, provider in zip(requested.models, checked.providers, strict=True)
    ]
