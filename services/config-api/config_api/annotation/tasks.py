"""Create, change and end annotation tasks. A task's items are cases or answers, and are drawn when it is created."""

import random
import secrets
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.annotation import task_store
from config_api.annotation.label_schema import label_faults
from config_api.annotation.run_answers import NewAnswer, RunAnswers
from config_api.annotation.schemas import (
    MOST_ITEMS,
    AnnotationTaskIn,
    AnnotationTaskOut,
    AnnotationTaskPage,
    AnnotationTaskPatch,
    LabelledRun,
    RunSource,
    Sampling,
)
from config_api.annotation.task_store import NewItem
from config_api.datasets import case_store
from config_api.versions import missing, require_match
from llmbench.contracts.annotation_words import AnnotationStatus
from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.sample_answers import AnswersSampled, ChosenAnswer
from llmbench.errors import FieldError, Problem
from llmbench.sampling import allocate

_MOST_STRATA = 1_000


class TaskService:
    def __init__(self, engine: AsyncEngine, answers: RunAnswers) -> None:
        self._engine = engine
        self._answers = answers

    async def list(
        self, *, q: str | None, status: AnnotationStatus | None, limit: int, offset: int
    ) -> AnnotationTaskPage:
        async with self._engine.connect() as connection:
            tasks, total = await task_store.list_tasks(connection, q=q, status=status, limit=limit, offset=offset)
        return AnnotationTaskPage(tasks=tasks, total=total, has_more=offset + len(tasks) < total)

    async def get(self, id_: UUID) -> AnnotationTaskOut:
        async with self._engine.connect() as connection:
            return await require_task(connection, id_)

    async def create(self, body: AnnotationTaskIn) -> AnnotationTaskOut:
        """Create a task in the state DRAFT, with its items.

        Raises a 404 problem for an unknown version or run, and a 409 problem for a version that is not PUBLISHED or a
        run that is not over. Raises a 422 problem if there is nothing to label, too much to label, or an invalid gold
        item.
        """
        seed = secrets.randbits(31) if body.sampling_config.seed is None else body.sampling_config.seed
        sampling = body.sampling_config.model_copy(update={"seed": seed})
        values = body.model_dump(exclude={"gold", "sampling_config", "annotation_schema", "run"})
        values["sampling_config"] = sampling.model_dump(mode="json")
        values["annotation_schema"] = body.annotation_schema.model_dump(mode="json", exclude_defaults=True)
        if body.run is not None:
            return await self._of_run(body, body.run, sampling, seed, values)
        assert body.dataset_version_id is not None, "the schema asks for one of the two"
        async with self._engine.begin() as connection:
            await _require_published(connection, body.dataset_version_id)
            gold = await _gold(connection, body.dataset_version_id, body)
            items = await _items(connection, body.dataset_version_id, sampling, seed, gold)
            needed = sum(item.gold is None for item in items)
            task_id = await task_store.insert_task(connection, values, needed=needed)
            await task_store.insert_cases(connection, task_id, items)
            return await require_task(connection, task_id)

    async def _of_run(
        self, body: AnnotationTaskIn, source: RunSource, sampling: Sampling, seed: int, values: Mapping[str, Any]
    ) -> AnnotationTaskOut:
        """Create a task whose items are answers of the run `source`. `values` has the other columns of the task."""
        sampled = await self._answers.sample(source, sampling, seed, body.gold)
        chosen = _with_gold(body, sampled, seed)
        kept = LabelledRun(
            run_id=source.run_id,
            run_name=sampled.run_name,
            targets=list(sampled.targets),
            pairs=source.pairs,
            named=source.named,
        )
        async with self._engine.begin() as connection:
            task_id = await task_store.insert_task(
                connection, {**values, "source": kept.model_dump(mode="json")}, needed=len(sampled.answers)
            )
            async for items in self._answers.items(source.run_id, chosen):
                await task_store.insert_answers(connection, task_id, items)
            return await require_task(connection, task_id)

    async def change(self, id_: UUID, patch: AnnotationTaskPatch, *, if_match: str | None) -> AnnotationTaskOut:
        """Change name, description, instructions or time limits of a task. The questions and the number of labels per
        item never change."""
        async with self._engine.begin() as connection:
            before = await require_task(connection, id_, lock=True)
            require_match(if_match, before.version)
            return await task_store.update_task(connection, id_, patch.model_dump(exclude_unset=True))

    async def activate(self, id_: UUID) -> AnnotationTaskOut:
        """Activate a task, so that annotators get its items. It may be a draft, paused, or ended early.

        Raises a 409 problem if all items have their labels.
        """
        async with self._engine.begin() as connection:
            task = await require_task(connection, id_, lock=True)
            if task.status is AnnotationStatus.ACTIVE:
                return task
            if task.completed_items == task.total_items:
                raise Problem(409, "Complete", f"All items of '{task.name}' have their labels.")
            return await self._move(connection, id_, AnnotationStatus.ACTIVE)

    async def pause(self, id_: UUID) -> AnnotationTaskOut:
        """Pause an ACTIVE task, so that annotators get no more items of it. Labels of items that are leased now are
        still accepted."""
        async with self._engine.begin() as connection:
            task = await require_task(connection, id_, lock=True)
            if task.status is AnnotationStatus.PAUSED:
                return task
            if task.status is not AnnotationStatus.ACTIVE:
                raise Problem(409, "Not active", f"The task '{task.name}' is {task.status}: only an ACTIVE one pauses.")
            return await self._move(connection, id_, AnnotationStatus.PAUSED)

    async def complete(self, id_: UUID) -> AnnotationTaskOut:
        """End a task early, while items still lack labels. It can be activated again. Raises a 409 problem for a
        draft."""
        async with self._engine.begin() as connection:
            task = await require_task(connection, id_, lock=True)
            if task.status is AnnotationStatus.COMPLETED:
                return task
            if task.status is AnnotationStatus.DRAFT:
                raise Problem(409, "A draft", f"The task '{task.name}' never began: delete it instead.")
            return await self._move(connection, id_, AnnotationStatus.COMPLETED)

    async def delete(self, id_: UUID, *, with_labels: bool) -> None:
        """Delete a task. Raises a 409 problem if the task has labels and `with_labels` is false."""
        async with self._engine.begin() as connection:
            task = await require_task(connection, id_, lock=True)
            given = await task_store.count_annotations(connection, id_)
            if given and not with_labels:
                labels = f"{given} label{'' if given == 1 else 's'}"
                raise Problem(
                    409,
                    "Has labels",
                    f"People gave {labels} in '{task.name}', which would be lost. Export them first, "
                    "then delete with ?with_labels=true.",
                )
            await task_store.delete_task(connection, id_)

    async def _move(self, connection: AsyncConnection, id_: UUID, status: AnnotationStatus) -> AnnotationTaskOut:
        ended = func.now() if status is AnnotationStatus.COMPLETED else None
        return await task_store.update_task(connection, id_, {"status": status, "completed_at": ended})


async def require_task(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> AnnotationTaskOut:
    """Return the task, or raise a 404 problem. With `lock`, the task's row is locked until the transaction ends."""
    task = await task_store.find_task(connection, id_, lock=lock)
    if task is None:
        raise missing("annotation task", id_)
    return task


async def _require_published(connection: AsyncConnection, version_id: UUID) -> None:
    source = await task_store.find_source(connection, version_id)
    if source is None:
        raise missing("dataset version", version_id)
    if source.status is not VersionStatus.PUBLISHED:
        state = "a draft: publish it first" if source.status is VersionStatus.DRAFT else "deprecated"
        raise Problem(409, "Not published", f"Version {source.number} of the dataset '{source.dataset}' is {state}.")


async def _gold(connection: AsyncConnection, version_id: UUID, body: AnnotationTaskIn) -> dict[UUID, Mapping[str, Any]]:
    """Return the right labels of the gold cases, by case id. Raises a 422 problem that names each invalid gold case."""
    ids = await task_store.ids_of_names(connection, version_id, [each.case for each in body.gold])
    faults: list[FieldError] = []
    gold: dict[UUID, Mapping[str, Any]] = {}
    for place, each in enumerate(body.gold):
        field = f"gold.{place}"
        if each.case not in ids:
            faults.append(FieldError(f"{field}.case", f"the version has no case {each.case!r}"))
        elif ids[each.case] in gold:
            faults.append(FieldError(f"{field}.case", f"{each.case!r} is there twice"))
        else:
            gold[ids[each.case]] = each.labels
        wrong = label_faults(body.annotation_schema, each.labels, characters=None)
        faults += [FieldError(f"{field}.{fault.field}", fault.message) for fault in wrong]
    if faults:
        raise _invalid(faults)
    return gold


def _with_gold(body: AnnotationTaskIn, sampled: AnswersSampled, seed: int) -> list[NewAnswer]:
    """Mix the gold answers with the sampled answers, in random order. Raises a 422 problem that names each invalid gold
    answer."""
    faults: list[FieldError] = []
    gold: dict[UUID, Mapping[str, Any]] = {}
    for place, (each, named) in enumerate(zip(body.gold, sampled.named, strict=True)):
        if named.item_id is None:
            faults.append(FieldError(f"gold.{place}.case", named.problem or "the run has no such answer"))
        elif named.item_id in gold:
            faults.append(FieldError(f"gold.{place}.case", "this answer is there twice"))
        else:
            gold[named.item_id] = each.labels
        wrong = label_faults(body.annotation_schema, each.labels, characters=None)
        faults += [FieldError(f"gold.{place}.{fault.field}", fault.message) for fault in wrong]
    if faults:
        raise _invalid(faults)
    # The place among the others has to be repeatable, not secret.
    chance = random.Random(seed)  # noqa: S311
    chosen = [NewAnswer(answer) for answer in sampled.answers]
    for item_id, labels in gold.items():
        chosen.insert(chance.randrange(len(chosen)), NewAnswer(ChosenAnswer(item_id=item_id), labels))
    return chosen


async def _items(
    connection: AsyncConnection,
    version_id: UUID,
    sampling: Sampling,
    seed: int,
    gold: Mapping[UUID, Mapping[str, Any]],
) -> list[NewItem]:
    """Draw the cases that become items, and mix the gold cases in."""
    ids = [id_ for id_ in await _sample(connection, version_id, sampling, seed) if id_ not in gold]
    if not ids:
        raise _invalid([FieldError("sampling_config", "leaves no case to label")])
    # The audit slice has to be random and repeatable, not secret.
    chance = random.Random(seed)  # noqa: S311
    audited = set(chance.sample(ids, round(sampling.audit_share * len(ids))))
    items = [NewItem(id_, is_audit=id_ in audited) for id_ in ids]
    for id_, labels in gold.items():
        items.insert(chance.randrange(len(items)), NewItem(id_, gold=labels))
    return items


async def _sample(connection: AsyncConnection, version_id: UUID, sampling: Sampling, seed: int) -> list[UUID]:
    totals: dict[str | None, int] = {None: await task_store.count_cases(connection, version_id, sampling.filter)}
    size = min(totals[None] or 0, sampling.sample_size or MOST_ITEMS + 1)
    if size > MOST_ITEMS:
        message = f"a task has at most {MOST_ITEMS:,} items, and {totals[None]:,} cases fit: name a sample_size"
        raise _invalid([FieldError("sampling_config.sample_size", message)])
    if (field := sampling.stratify_by) is not None:
        totals = await case_store.count_strata(
            connection, version_id, field, most=_MOST_STRATA + 1, metadata=sampling.filter
        )
        if not totals.keys() - {None} or len(totals) > _MOST_STRATA:
            message = f"no case has it, or it has more than {_MOST_STRATA:,} values"
            raise _invalid([FieldError("sampling_config.stratify_by", message)])
    sizes = allocate(totals, size)
    return await case_store.sample_ids(
        connection, version_id, seed=seed, sizes=sizes, field=field, metadata=sampling.filter
    )


def _invalid(faults: list[FieldError]) -> Problem:
    return Problem(422, "Invalid annotation task", f"{faults[0].field}: {faults[0].message}", errors=faults)
