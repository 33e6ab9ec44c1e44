"""Build the responses that show the items, labels and consensus of a task."""

import asyncio
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from config_api.annotation import label_store
from config_api.annotation.evaluating import Evaluated, Label, MethodName, confidence_of, evaluate
from config_api.annotation.labelling import case_to_label
from config_api.annotation.result_schemas import DecisionOut, ItemOut, LabelOut
from config_api.annotation.schemas import AnnotationTaskOut


async def evaluated_labels(
    task: AnnotationTaskOut, labels: Sequence[Row[Any]], method: MethodName, *, leave_out: Container[UUID] = frozenset()
) -> Evaluated:
    """Compute agreement and consensus from the labels that count (see `label_store.counts`), without the labels of the
    items in `leave_out`."""
    counted = [
        Label(label.id, label.item_id, label.annotator_id, label.labels)
        for label in labels
        if label_store.counts(label) and label.item_id not in leave_out
    ]
    return await asyncio.to_thread(evaluate, task.annotation_schema, counted, method)


def by_item(labels: Iterable[Row[Any]]) -> Mapping[UUID, list[Row[Any]]]:
    """Return the labels of each item by the item's id. An item without labels has an empty list."""
    found: dict[UUID, list[Row[Any]]] = defaultdict(list)
    for label in labels:
        found[label.item_id].append(label)
    return found


def shown_item(row: Row[Any], labels: Sequence[Row[Any]], evaluated: Evaluated) -> ItemOut:
    """Return the response for an item: its labels of all annotators, the consensus, and the decision of a person."""
    fields = evaluated.consensus.get(row.id, [])
    decided = None
    if row.decision is not None:
        decided = DecisionOut(
            labels=row.decision, reason=row.decision_reason, decided_by=row.decided_by, decided_at=row.decided_at
        )
    return ItemOut(
        item_id=row.id,
        name=row.name,
        position=row.position,
        test_case=case_to_label(row.content, show_reference=True, named=True),
        is_audit=row.is_audit,
        gold=row.gold,
        done=row.done,
        labels=[_label(label, evaluated) for label in labels],
        consensus=fields,
        confidence=confidence_of(fields),
        decision=decided,
    )


def _label(label: Row[Any], evaluated: Evaluated) -> LabelOut:
    return LabelOut.model_validate(
        {
            **label._mapping,
            "annotation_id": label.id,
            "annotator": label.name,
            "counts": label_store.counts(label),
            "agreement_score": evaluated.scores.get(label.id),
        }
    )
