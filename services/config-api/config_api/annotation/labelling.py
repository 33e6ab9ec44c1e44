"""Lease items to people, and store their labels.

A lease reserves an item for one person for a limited time. An item never has more leases than labels that it lacks.
Labels that arrive after the lease has expired are kept. They count if the item still lacks labels.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.annotation import annotator_store, label_store, task_store
from config_api.annotation.label_schema import label_faults
from config_api.annotation.label_store import Place
from config_api.annotation.schemas import (
    AnnotationIn,
    AnnotationTaskOut,
    AnnotatorOut,
    CaseToLabel,
    Draft,
    NextItem,
    Saved,
    ShownAnswer,
    Submitted,
    Undone,
    Work,
    WorkList,
)
from config_api.annotation.tasks import require_task
from config_api.versions import missing
from llmbench.contracts.annotation_words import AnnotationStatus, AnnotatorStatus
from llmbench.errors import FieldError, Problem
from llmbench.organisation import bound_actor

_MOST_TASKS = 200


class Labelling:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def work(self, annotator_id: UUID | None) -> WorkList:
        """Return the tasks that give out items, with the work of this person in each."""
        async with self._engine.connect() as connection:
            actor = bound_actor()
            if actor is not None:
                annotator_id = await annotator_store.find_person(connection, actor)
            rows = await label_store.active_tasks(connection, annotator_id, limit=_MOST_TASKS)
        return WorkList(tasks=[Work.model_validate({**row._mapping, "task_id": row.id}) for row in rows])

    async def next(self, task_id: UUID, annotator_id: UUID | None) -> NextItem | None:
        """Return the item that this person has a lease of, or lease the next one to them; `None` if there is no item
        for them.

        Raises a 404 problem for an unknown task or annotator, and a 409 problem if the task gives out no items now.
        """
        async with self._engine.begin() as connection:
            person = await _whoever(connection, annotator_id)
            task = await require_task(connection, task_id)
            held = await label_store.open_lease(connection, task_id, person.annotator_id)
            if held is None:
                _require_active(task)
                held = await self._take(connection, task, person.annotator_id)
            return await _shown(connection, task, person.annotator_id, held)

    async def submit(self, task_id: UUID, item_id: UUID, annotator_id: UUID | None, body: AnnotationIn) -> Submitted:
        """Store the labels of an item, or replace the earlier labels of this person. Lease the next item to them.

        Raises a 404 problem for an unknown task, item or annotator, and a 409 problem for an item that this person was
        never given. Raises a 422 problem for labels that do not fit the schema.
        """
        async with self._engine.begin() as connection:
            person = await _whoever(connection, annotator_id)
            task = await require_task(connection, task_id)
            item = await _require_item(connection, task_id, item_id)
            _require_fit(task, item, body)
            place = Place(task_id, item_id, person.annotator_id)
            before = await label_store.find_annotation(connection, item_id, person.annotator_id)
            if before is None and await label_store.lease_of(connection, item_id, person.annotator_id) is None:
                raise Problem(409, "Not yours", "This item was not given to you: GET …/next gives you one.")
            surplus, id_ = await _store(connection, task, item, place, before, body)
        # The next item is held in a transaction of its own: the labels are safe before it begins.
        following = await self._following(task_id, person.annotator_id)
        return Submitted(
            annotation_id=id_, surplus=surplus, next=following, next_item_id=following.item_id if following else None
        )

    async def save(self, task_id: UUID, item_id: UUID, annotator_id: UUID | None, body: Draft) -> Saved:
        """Store labels that are not finished, and extend the lease of the item. If the task has a time limit, the end
        of the lease stays unchanged."""
        async with self._engine.begin() as connection:
            person = await _whoever(connection, annotator_id)
            task = await require_task(connection, task_id)
            seconds = task.lease_s if task.time_limit_seconds is None else None
            place = Place(task_id, item_id, person.annotator_id)
            until = await label_store.save_draft(connection, place, body.labels, seconds=seconds)
            if until is None:
                raise Problem(409, "Not held", "You do not hold this item any more. Submit the labels all the same.")
            return Saved(leased_until=until)

    async def undo(self, task_id: UUID, annotator_id: UUID | None) -> Undone:
        """Remove the last labels of this person, and lease the item to them again with these labels as draft."""
        async with self._engine.begin() as connection:
            person = await _whoever(connection, annotator_id)
            task = await require_task(connection, task_id)
            last = await label_store.last_annotation(connection, task_id, person.annotator_id)
            if last is None:
                raise Problem(409, "Nothing to undo", "You gave no labels in this task.")
            item = await _require_item(connection, task_id, last.item_id)
            place = Place(task_id, item.id, person.annotator_id)
            await label_store.delete_annotation(connection, last.id)
            await label_store.hold_again(connection, place, last.labels, seconds=_seconds(task))
            await _count(connection, task, item, place, before=last, after=None)
            held = await label_store.open_lease(connection, task_id, person.annotator_id)
            shown = await _shown(connection, task, person.annotator_id, held)
            assert shown is not None, "it was just held"
            return Undone(item=shown)

    async def _following(self, task_id: UUID, annotator_id: UUID) -> NextItem | None:
        async with self._engine.begin() as connection:
            person = await annotator_store.find_annotator(connection, annotator_id, lock=True)
            task = await require_task(connection, task_id)
            held = await label_store.open_lease(connection, task_id, annotator_id)
            if held is None:
                active = person is not None and person.status is AnnotatorStatus.ACTIVE
                if not active or task.status is not AnnotationStatus.ACTIVE:
                    return None
                held = await self._take(connection, task, annotator_id)
            return await _shown(connection, task, annotator_id, held)

    async def _take(self, connection: AsyncConnection, task: AnnotationTaskOut, annotator_id: UUID) -> Row[Any] | None:
        required = task.required_annotations_per_item
        item = await label_store.take(connection, task.task_id, annotator_id, required=required, seconds=_seconds(task))
        # A gold item is no work by itself: it is given among others.
        if item is not None and item.gold is not None:
            more = await label_store.has_more(connection, task.task_id, annotator_id, required=required)
            if not more:
                await label_store.end_lease(connection, Place(task.task_id, item.id, annotator_id))
                return None
        return item


async def _whoever(connection: AsyncConnection, annotator_id: UUID | None) -> AnnotatorOut:
    """Lock and return the annotator who asks: the person who signed in, or without sign-in the one that is named.

    Raises a 403 problem if the request names another person, or if the person is not active.
    """
    actor = bound_actor()
    if actor is not None:
        own = await annotator_store.annotator_of_person(connection, actor)
        if annotator_id not in (None, own):
            if annotator_id is not None and await annotator_store.find_annotator(connection, annotator_id) is None:
                raise missing("annotator", annotator_id)
            raise Problem(403, "Not you", "annotator_id names somebody else. Leave it out: you are signed in.")
        annotator_id = own
    if annotator_id is None:
        fault = FieldError("annotator_id", "is required while nobody signs in: GET /v1/annotations/annotators")
        raise Problem(422, "Invalid request", f"annotator_id: {fault.message}", errors=[fault])
    person = await annotator_store.find_annotator(connection, annotator_id, lock=True)
    if person is None:
        raise missing("annotator", annotator_id)
    if person.status is not AnnotatorStatus.ACTIVE:
        raise Problem(403, "Not active", f"{person.name} is {person.status}, and is given no items.")
    return person


def _require_active(task: AnnotationTaskOut) -> None:
    if task.status in (AnnotationStatus.DRAFT, AnnotationStatus.PAUSED):
        remedy = "Activate it first." if task.status is AnnotationStatus.DRAFT else "Its owner can activate it again."
        raise Problem(409, "Not active", f"The task '{task.name}' is {task.status}. {remedy}")


async def _require_item(connection: AsyncConnection, task_id: UUID, item_id: UUID) -> Row[Any]:
    item = await label_store.lock_item(connection, task_id, item_id)
    if item is None:
        raise missing("item of this task", item_id)
    return item


def _require_fit(task: AnnotationTaskOut, item: Row[Any], body: AnnotationIn) -> None:
    """Raise a 422 problem for labels that do not fit the schema, and for a skip where none is allowed."""
    if body.skipped:
        faults = [] if task.allow_skip else [FieldError("skipped", "items of this task can't be skipped")]
    else:
        output = item.content.get("output")
        faults = label_faults(task.annotation_schema, body.labels, characters=None if output is None else len(output))
    if faults:
        raise Problem(422, "Invalid labels", f"{faults[0].field}: {faults[0].message}", errors=faults)


async def _store(
    connection: AsyncConnection,
    task: AnnotationTaskOut,
    item: Row[Any],
    place: Place,
    before: Row[Any] | None,
    body: AnnotationIn,
) -> tuple[bool, UUID]:
    """Store the labels and count them. Return whether they are surplus, and their id."""
    counted = before is not None and _is_counted(before)
    surplus = item.done and not counted and not body.skipped
    id_ = await label_store.put_annotation(connection, place, body, surplus=surplus)
    await label_store.end_lease(connection, place)
    after = await label_store.find_annotation(connection, item.id, place.annotator_id)
    await _count(connection, task, item, place, before=before, after=after)
    return surplus, id_


async def _count(
    connection: AsyncConnection,
    task: AnnotationTaskOut,
    item: Row[Any],
    place: Place,
    *,
    before: Row[Any] | None,
    after: Row[Any] | None,
) -> None:
    """Bring the counters of the annotator, the item and the task up to date with a change of labels."""
    given = int(_is_label(after)) - int(_is_label(before))
    gold = item.gold
    await annotator_store.count_work(
        connection,
        place.annotator_id,
        annotations=given,
        gold=given if gold is not None else 0,
        gold_right=0 if gold is None else int(_is_right(after, gold)) - int(_is_right(before, gold)),
    )
    change = int(after is not None and _is_counted(after)) - int(before is not None and _is_counted(before))
    if change and gold is None:
        required = task.required_annotations_per_item
        if done := await label_store.count_label(connection, item.id, change, required=required):
            await task_store.count_done(connection, task.task_id, done)


def _is_label(annotation: Row[Any] | None) -> bool:
    return annotation is not None and not annotation.skipped


def _is_counted(annotation: Row[Any]) -> bool:
    return not annotation.skipped and not annotation.surplus


def _is_right(annotation: Row[Any] | None, gold: Mapping[str, Any]) -> bool:
    return annotation is not None and all(annotation.labels.get(name) == right for name, right in gold.items())


def _seconds(task: AnnotationTaskOut) -> int:
    return task.time_limit_seconds or task.lease_s


async def _shown(
    connection: AsyncConnection, task: AnnotationTaskOut, annotator_id: UUID, held: Row[Any] | None
) -> NextItem | None:
    if held is None:
        return None
    given, lacking = await label_store.count_given(connection, task.task_id, annotator_id)
    return NextItem(
        item_id=held.id,
        test_case=case_to_label(
            held, show_reference=task.show_reference, named=task.source is not None and task.source.named
        ),
        annotation_schema=task.annotation_schema,
        instructions=task.instructions,
        position=given + 1,
        # Gold items are not counted, so the last item may be one.
        total_remaining=max(task.total_items - task.completed_items - lacking, 1),
        leased_until=held.leased_until,
        draft=held.draft,
        allow_skip=task.allow_skip,
        time_limit_seconds=task.time_limit_seconds,
    )


def case_to_label(item: Row[Any], *, show_reference: bool, named: bool) -> CaseToLabel:
    """Return the item as an annotator sees it. The names of targets are shown only if `named` is true."""
    content = item.content
    answers = [each if named else {"text": each["text"]} for each in content.get("answers", ())]
    return CaseToLabel(
        input=content["input"],
        output=content["output"],
        reference=content["reference"] if show_reference else None,
        target=content.get("target") if named else None,
        answers=[ShownAnswer.model_validate(each) for each in answers],
    )
