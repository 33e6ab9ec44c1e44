"""Lease items to people, and store their labels.

A lease reserves an item for one person for a limited time. An item never has more open leases than the number of labels
that it still needs. Labels that arrive after the lease has expired are kept. They count if the item still needs labels.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.annotation import annotator_store, counted_labels, label_store, lease_store
from config_api.annotation.counted_labels import Change
from config_api.annotation.label_schema import label_faults
from config_api.annotation.lease_store import Given, Leased, LockedItem, Place
from config_api.annotation.schemas import (
    AnnotationIn,
    AnnotationTaskOut,
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
from config_api.problems import invalid
from config_api.versions import missing
from llmbench.contracts.annotation_words import AnnotationStatus, AnnotatorStatus
from llmbench.errors import FieldError, Problem
from llmbench.organisation import bound_actor

_MOST_TASKS = 200


class Labelling:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def work(self, annotator_id: UUID | None) -> WorkList:
        """Return the newest ACTIVE tasks, each with the number of items that this annotator has labelled or skipped."""
        async with self._engine.connect() as connection:
            actor = bound_actor()
            if actor is not None:
                annotator_id = await annotator_store.find_person(connection, actor)
            rows = await label_store.active_tasks(connection, annotator_id, limit=_MOST_TASKS)
        return WorkList(tasks=[Work.model_validate({**row._mapping, "task_id": row.id}) for row in rows])

    async def next(self, task_id: UUID, annotator_id: UUID | None) -> NextItem | None:
        """Return the item that is leased to this annotator. If there is none, lease the next item to the annotator.
        Return `None` if no item is left for the annotator.

        Raises a 404 problem for an unknown task or annotator, and a 409 problem if the task is not ACTIVE.
        """
        async with self._engine.begin() as connection:
            person, task = await _begin(connection, task_id, annotator_id)
            held = await lease_store.open_lease(connection, task_id, person)
            if held is None:
                _require_active(task)
                held = await _take(connection, task, person, wait=True)
            return _shown(task, held)

    async def submit(self, task_id: UUID, item_id: UUID, annotator_id: UUID | None, body: AnnotationIn) -> Submitted:
        """Store the labels that an annotator gives an item, or replace the annotator's earlier labels of the item.
        Lease the next item to the same annotator.

        Raises a 404 problem for an unknown task, item or annotator, and a 409 problem for an item that was never leased
        to this annotator. Raises a 422 problem for labels that do not fit the schema.
        """
        async with self._engine.begin() as connection:
            person, task = await _begin(connection, task_id, annotator_id)
            place = Place(task_id, item_id, person)
            item = await _require_item(connection, place)
            _require_fit(task, item, body)
            if item.before is None and not item.was_leased:
                raise Problem(409, "Not yours", "This item was not given to you: GET …/next gives you one.")
            surplus, id_, change = await _store(connection, task, item, place, body)
            # A request that has locked an item must not wait for another one, so this takes only an unlocked item.
            held = await _take(connection, task, person, wait=False) if _is_active(task) else None
            task = await _count_complete(connection, task, change)
        following = await self._following(task, person) if held is None else _shown(task, held)
        return Submitted(
            annotation_id=id_, surplus=surplus, next=following, next_item_id=following.item_id if following else None
        )

    async def save(self, task_id: UUID, item_id: UUID, annotator_id: UUID | None, body: Draft) -> Saved:
        """Store labels that are not finished. Extend the lease of the item, unless the task limits the time for an
        item. Raises a 409 problem if this annotator has no lease of the item now."""
        async with self._engine.begin() as connection:
            person, task = await _begin(connection, task_id, annotator_id)
            seconds = task.lease_s if task.time_limit_seconds is None else None
            place = Place(task_id, item_id, person)
            until = await lease_store.save_draft(connection, place, body.labels, seconds=seconds)
            if until is None:
                raise Problem(409, "Not held", "You do not hold this item any more. Submit the labels all the same.")
            return Saved(leased_until=until)

    async def undo(self, task_id: UUID, annotator_id: UUID | None) -> Undone:
        """Remove the last labels of this annotator. Lease the item to the annotator again, with these labels
        as a draft. Raises a 409 problem if this annotator has given no labels in the task."""
        async with self._engine.begin() as connection:
            person, task = await _begin(connection, task_id, annotator_id)
            last = await lease_store.last_item(connection, task_id, person)
            if last is None:
                raise Problem(409, "Nothing to undo", "You gave no labels in this task.")
            place = Place(task_id, last, person)
            item = await _require_item(connection, place)
            assert item.before is not None, "this person labelled it"
            required = task.required_annotations_per_item
            change = _change(item, after=None, required=required)
            await counted_labels.take_back_annotation(connection, place, change, required=required)
            await lease_store.lease_again(connection, place, item.before.labels, seconds=_seconds(task))
            held = await lease_store.open_lease(connection, task_id, person)
            shown = _shown(await _count_complete(connection, task, change), held)
            assert shown is not None, "it was just leased"
            return Undone(item=shown)

    async def _following(self, task: AnnotationTaskOut, annotator_id: UUID) -> NextItem | None:
        async with self._engine.begin() as connection:
            again = await lease_store.begin_again(connection, task.task_id, annotator_id)
            if again is None:
                return None
            active, completed = again
            task = task.model_copy(update={"completed_items": completed})
            held = await _take(connection, task, annotator_id, wait=True) if active else None
            if held is None:
                # A person who labels in two tabs may have a lease already.
                held = await lease_store.open_lease(connection, task.task_id, annotator_id)
            return _shown(task, held)


async def _take(
    connection: AsyncConnection, task: AnnotationTaskOut, annotator_id: UUID, *, wait: bool
) -> Leased | None:
    required = task.required_annotations_per_item
    item = await lease_store.take(
        connection, task.task_id, annotator_id, required=required, seconds=_seconds(task), wait=wait
    )
    # A gold item is given only while there is another item for this person.
    if item is not None and item.is_gold:
        more = await lease_store.has_more(connection, task.task_id, annotator_id, required=required)
        if not more:
            await lease_store.end_lease(connection, Place(task.task_id, item.id, annotator_id))
            return None
    return item


async def _begin(
    connection: AsyncConnection, task_id: UUID, annotator_id: UUID | None
) -> tuple[UUID, AnnotationTaskOut]:
    """Lock the annotator who makes the request. Return their id and the task.

    The annotator is the person who signed in or, without sign-in, the one with `annotator_id`. Raises a 404 problem for
    an unknown task or annotator. Raises a 403 problem if the request names another person, or if the annotator is not
    ACTIVE.
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
        raise invalid("annotator_id", "is required while nobody signs in: GET /v1/annotations/annotators lists them")
    person, task = await lease_store.begin(connection, task_id, annotator_id)
    if person is None:
        raise missing("annotator", annotator_id)
    if person.status is not AnnotatorStatus.ACTIVE:
        raise Problem(403, "Not active", f"{person.name} is {person.status}, and is given no items.")
    if task is None:
        raise missing("annotation task", task_id)
    return person.id, task


def _is_active(task: AnnotationTaskOut) -> bool:
    return task.status is AnnotationStatus.ACTIVE


def _require_active(task: AnnotationTaskOut) -> None:
    if task.status in (AnnotationStatus.DRAFT, AnnotationStatus.PAUSED):
        remedy = "Activate it first." if task.status is AnnotationStatus.DRAFT else "Its owner can activate it again."
        raise Problem(409, "Not active", f"The task '{task.name}' is {task.status}. {remedy}")


async def _require_item(connection: AsyncConnection, place: Place) -> LockedItem:
    item = await lease_store.lock_item(connection, place)
    if item is None:
        raise missing("item of this task", place.item_id)
    return item


def _require_fit(task: AnnotationTaskOut, item: LockedItem, body: AnnotationIn) -> None:
    """Raise a 422 problem for labels that do not fit the schema, and for a skip if the task allows no skips."""
    if body.skipped:
        faults = [] if task.allow_skip else [FieldError("skipped", "items of this task can't be skipped")]
    else:
        faults = label_faults(task.annotation_schema, body.labels, characters=item.characters)
    if faults:
        raise Problem(422, "Invalid labels", f"{faults[0].field}: {faults[0].message}", errors=faults)


async def _store(
    connection: AsyncConnection, task: AnnotationTaskOut, item: LockedItem, place: Place, body: AnnotationIn
) -> tuple[bool, UUID, Change]:
    """Store the labels, end the lease, and update the counters of the annotator and the item.

    Return whether the labels are surplus (the item already had enough), the id of the annotation, and the change of the
    counters.
    """
    counted = item.before is not None and item.before.is_counted
    surplus = item.done and not counted and not body.skipped
    is_label = not body.skipped
    required = task.required_annotations_per_item
    after = Given(body.labels, is_label=is_label, is_counted=is_label and not surplus)
    change = _change(item, after=after, required=required)
    id_ = await counted_labels.put_annotation(connection, place, body, change, surplus=surplus, required=required)
    return surplus, id_, change


async def _count_complete(connection: AsyncConnection, task: AnnotationTaskOut, change: Change) -> AnnotationTaskOut:
    """Bring the task's number of complete items up to date. Return the task with this number."""
    if change.done == 0:
        return task
    completed = await counted_labels.count_complete(connection, task.task_id, change.done)
    return task.model_copy(update={"completed_items": completed})


def _change(item: LockedItem, *, after: Given | None, required: int) -> Change:
    """Return how the task's counters of labels and completed items change when `after` replaces the person's labels of
    the item. `None` removes the labels. `required` is the number of labels with which an item is complete."""
    before, gold = item.before, item.gold
    given = int(_is_label(after)) - int(_is_label(before))
    if gold is not None:
        right = int(_is_right(after, gold)) - int(_is_right(before, gold))
        return Change(labels=given, gold=given, gold_right=right, counted=0, done=0)
    counted = int(_is_counted(after)) - int(_is_counted(before))
    done = int(item.annotations + counted >= required) - int(item.done) if counted else 0
    return Change(labels=given, gold=0, gold_right=0, counted=counted, done=done)


def _is_label(given: Given | None) -> bool:
    return given is not None and given.is_label


def _is_counted(given: Given | None) -> bool:
    return given is not None and given.is_counted


def _is_right(given: Given | None, gold: Mapping[str, Any]) -> bool:
    return given is not None and all(given.labels.get(name) == right for name, right in gold.items())


def _seconds(task: AnnotationTaskOut) -> int:
    return task.time_limit_seconds or task.lease_s


def _shown(task: AnnotationTaskOut, held: Leased | None) -> NextItem | None:
    if held is None:
        return None
    named = task.source is not None and task.source.named
    return NextItem(
        item_id=held.id,
        test_case=case_to_label(held.content, show_reference=task.show_reference, named=named),
        annotation_schema=task.annotation_schema,
        instructions=task.instructions,
        position=held.given + 1,
        # The totals leave out gold items. If the last item is a gold item, the difference is 0, and 1 is shown.
        total_remaining=max(task.total_items - task.completed_items - held.lacking, 1),
        leased_until=held.leased_until,
        draft=held.draft,
        allow_skip=task.allow_skip,
        time_limit_seconds=task.time_limit_seconds,
    )


def case_to_label(content: Mapping[str, Any], *, show_reference: bool, named: bool) -> CaseToLabel:
    """Return the item as an annotator sees it. It contains the names of targets only if `named` is true, and the
    reference only if `show_reference` is true."""
    answers = [each if named else {"text": each["text"]} for each in content.get("answers", ())]
    return CaseToLabel(
        input=content["input"],
        output=content["output"],
        reference=content["reference"] if show_reference else None,
        target=content.get("target") if named else None,
        answers=[ShownAnswer.model_validate(each) for each in answers],
    )
