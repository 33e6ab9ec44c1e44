"""Report the progress of annotation tasks, list their items with labels, and store decisions about items."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.annotation import annotator_store, label_store, task_store
from config_api.annotation.evaluating import Evaluated, MethodName, confidence_of
from config_api.annotation.label_schema import label_faults
from config_api.annotation.result_schemas import AnnotatorWork, Decision, ItemOut, ItemPage, Progress
from config_api.annotation.schemas import AnnotationTaskOut
from config_api.annotation.showing import by_item, evaluated_labels, shown_item
from config_api.annotation.tasks import require_task
from config_api.versions import missing
from llmbench.errors import Problem
from llmbench.organisation import bound_actor


class ResultService:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def progress(self, task_id: UUID, *, threshold: float, method: MethodName) -> Progress:
        """Return counts, agreement and the work of each annotator."""
        async with self._engine.connect() as connection:
            task = await require_task(connection, task_id)
            labels = await label_store.labels_of(connection, task_id)
            leases = await label_store.open_leases(connection, task_id)
            decided = await task_store.count_decided(connection, task_id)
            gold = await task_store.gold_of(connection, task_id)
        evaluated = await evaluated_labels(task, labels, method, leave_out=gold.keys())
        agreed = [confidence_of(fields) for fields in evaluated.consensus.values()]
        return Progress(
            status=task.status,
            total_items=task.total_items,
            completed_items=task.completed_items,
            items_with_consensus=sum(each is not None and each >= threshold for each in agreed),
            consensus_threshold=threshold,
            method=method,
            total_annotations=sum(not label.skipped for label in labels),
            skipped=sum(label.skipped for label in labels),
            flagged=sum(label.flagged for label in labels),
            surplus=sum(label.surplus for label in labels),
            open_leases=leases,
            decided_items=decided,
            agreement_metrics=evaluated.metrics,
            annotator_stats=_work(labels, evaluated, gold),
        )

    async def items(
        self, task_id: UUID, *, only: str, threshold: float, method: MethodName, limit: int, offset: int
    ) -> ItemPage:
        """Return a page of items with all labels.

        `only` selects the items:

        - `all`.
        - `flagged`: items that an annotator flagged.
        - `decided`: items for which a person decided which labels are right.
        - `disagreement`: items without such a decision whose consensus has a confidence below `threshold`.
        """
        async with self._engine.connect() as connection:
            task = await require_task(connection, task_id)
            labels = await label_store.labels_of(connection, task_id)
            evaluated = await evaluated_labels(task, labels, method)
            ids = await self._wanted(connection, task_id, labels, evaluated, only=only, threshold=threshold)
            page = ids[offset : offset + limit]
            rows = await task_store.list_items(connection, task_id, page, limit=limit)
        of_item = by_item(labels)
        shown = [shown_item(row, of_item[row.id], evaluated) for row in rows]
        return ItemPage(items=shown, total=len(ids), has_more=offset + len(shown) < len(ids))

    async def _wanted(
        self,
        connection: AsyncConnection,
        task_id: UUID,
        labels: Sequence[Row[Any]],
        evaluated: Evaluated,
        *,
        only: str,
        threshold: float,
    ) -> list[UUID]:
        """Return the ids of the items that `only` selects (see `items`), in the order of the task."""
        states = await task_store.item_states(connection, task_id)
        if only == "flagged":
            flagged = {label.item_id for label in labels if label.flagged}
            return [row.id for row in states if row.id in flagged]
        if only == "decided":
            return [row.id for row in states if row.decided]
        if only == "disagreement":
            confidence = {id_: confidence_of(fields) for id_, fields in evaluated.consensus.items()}
            return [
                row.id
                for row in states
                if not row.decided and (each := confidence.get(row.id)) is not None and each < threshold
            ]
        return [row.id for row in states]

    async def decide(self, task_id: UUID, item_id: UUID, body: Decision) -> ItemOut:
        """Store a decision about an item. It overrides the labels, which are kept."""
        async with self._engine.begin() as connection:
            task, item = await self._locked(connection, task_id, item_id)
            output = item.content.get("output")
            wrong = label_faults(
                task.annotation_schema, body.labels, characters=None if output is None else len(output)
            )
            if wrong:
                raise Problem(422, "Invalid labels", f"{wrong[0].field}: {wrong[0].message}", errors=wrong)
            values = {"decision": body.labels, "decision_reason": body.reason, "decided_at": func.now()}
            await task_store.decide(connection, item_id, values | {"decided_by": bound_actor()})
            return await self._one(connection, task, item_id)

    async def withdraw(self, task_id: UUID, item_id: UUID) -> None:
        """Remove a person's decision about an item (see `decide`). The consensus of its labels counts again."""
        async with self._engine.begin() as connection:
            await self._locked(connection, task_id, item_id)
            empty = dict.fromkeys(("decision", "decision_reason", "decided_at", "decided_by"))
            await task_store.decide(connection, item_id, empty)

    async def _locked(
        self, connection: AsyncConnection, task_id: UUID, item_id: UUID
    ) -> tuple[AnnotationTaskOut, Row[Any]]:
        task = await require_task(connection, task_id)
        item = await label_store.lock_item(connection, task_id, item_id)
        if item is None:
            raise missing("item of this task", item_id)
        return task, item

    async def _one(self, connection: AsyncConnection, task: AnnotationTaskOut, item_id: UUID) -> ItemOut:
        labels = await label_store.labels_of(connection, task.task_id, [item_id])
        evaluated = await evaluated_labels(task, labels, "majority")
        (row,) = await task_store.list_items(connection, task.task_id, [item_id], limit=1)
        return shown_item(row, labels, evaluated)

    async def settle(self, task_id: UUID) -> None:
        """Compute the agreement of each annotation and each annotator with other people's labels, and store it."""
        async with self._engine.connect() as connection:
            task = await require_task(connection, task_id)
            labels = await label_store.labels_of(connection, task_id)
        evaluated = await evaluated_labels(task, labels, "majority")
        async with self._engine.begin() as connection:
            await label_store.store_scores(connection, evaluated.scores)
            await annotator_store.store_agreement(connection, list(evaluated.rates.items()))


def _work(
    labels: Sequence[Row[Any]], evaluated: Evaluated, gold: Mapping[UUID, Mapping[str, Any]]
) -> list[AnnotatorWork]:
    of_annotator: dict[UUID, list[Row[Any]]] = defaultdict(list)
    for label in labels:
        of_annotator[label.annotator_id].append(label)
    found = []
    for annotator_id, own in sorted(of_annotator.items(), key=lambda each: (each[1][0].name, each[0])):
        given = [label for label in own if not label.skipped]
        golden = [label for label in given if label.item_id in gold]
        right = [label for label in golden if all(label.labels.get(k) == v for k, v in gold[label.item_id].items())]
        found.append(
            AnnotatorWork(
                annotator_id=annotator_id,
                name=own[0].name,
                status=own[0].status,
                annotations_count=len(given),
                skipped=len(own) - len(given),
                flagged=sum(label.flagged for label in own),
                agreement_rate=evaluated.rates.get(annotator_id),
                average_time_seconds=sum(label.time_spent_seconds for label in given) / len(given) if given else None,
                gold_total=len(golden),
                gold_right=len(right),
                skill=evaluated.skills.get(annotator_id),
            )
        )
    return found
