"""Write the consensus of a task: as a file, and as the ground truth of a new version of the dataset."""

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, Final, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.annotation import label_store, task_store
from config_api.annotation.evaluating import Evaluated, MethodName, confidence_of
from config_api.annotation.result_schemas import ItemOut, VersionFromConsensus
from config_api.annotation.schemas import AnnotationTaskOut
from config_api.annotation.showing import by_item, evaluated_labels, shown_item
from config_api.annotation.tasks import require_task
from config_api.checks import CheckService
from config_api.datasets import case_store
from config_api.datasets.formats.registry import formats
from config_api.datasets.ingest import NewVersion, ingest
from config_api.datasets.schemas import TestCaseOut, VersionOut
from config_api.datasets.version_service import fields_of
from config_api.files.store import FileStore
from llmbench.contracts.dataset_words import TruthSource
from llmbench.errors import Problem
from llmbench.files.formulas import neutralise

_PAGE: Final = 500
_BLOCK: Final = 256 * 1024
_COLUMNS: Final = ("item_id", "case", "field", "value", "confidence", "votes", "decided", "audit")
FileFormat = Literal["JSON", "CSV"]


@dataclass(frozen=True)
class Agreed:
    """The labels of an item that people agree on, by field, with the lowest confidence of the fields."""

    labels: Mapping[str, Any]
    confidence: float


class ExportService:
    def __init__(self, engine: AsyncEngine, files: FileStore, checks: CheckService) -> None:
        self._engine = engine
        self._files = files
        self._checks = checks

    async def count(self, task_id: UUID, *, threshold: float, method: MethodName) -> int:
        """Return the number of items that are decided, or whose consensus has at least the confidence `threshold`."""
        async with self._engine.connect() as connection:
            task, evaluated = await self._evaluated(connection, task_id, method)
            return len(await _agreed(connection, task, evaluated, threshold))

    async def file(
        self, task_id: UUID, *, threshold: float, method: MethodName, format_: FileFormat
    ) -> AsyncIterator[bytes]:
        """Write the items on which people agree, each with all its labels, and return the file in blocks."""
        file = self._files.spool()
        try:
            async with self._engine.connect() as connection:
                task = await require_task(connection, task_id)
                labels = await label_store.labels_of(connection, task_id)
                evaluated = await evaluated_labels(task, labels, method)
                of_item = by_item(labels)
                write = _csv_writer(file) if format_ == "CSV" else _json_writer(file, task)
                after = 0
                while rows := await task_store.list_items(connection, task_id, after=after, limit=_PAGE):
                    after = rows[-1].position
                    shown = [shown_item(row, of_item[row.id], evaluated) for row in rows]
                    write([item for item in shown if _has_consensus(item, threshold)])
                write(None)
        except BaseException:
            file.close()
            raise
        file.seek(0)
        return _blocks(file)

    async def new_version(self, task_id: UUID, wanted: VersionFromConsensus) -> VersionOut:
        """Create a version of the dataset that was labelled: the same cases, with the consensus as ground truth.

        Cases without a consensus keep the ground truth that they had. The metadata key `labels` has all labels that
        people agree on. Raises a 409 problem if the dataset is gone, or nothing is agreed on, and a 422 problem for a
        field that cannot be an answer.
        """
        async with self._engine.connect() as connection:
            task, evaluated = await self._evaluated(connection, task_id, wanted.method)
            agreed = await _agreed(connection, task, evaluated, wanted.consensus_threshold)
            source = None
            if task.dataset_version_id is not None:
                source = await task_store.find_source(connection, task.dataset_version_id)
            of_case = await task_store.cases_of_items(connection, task_id, list(agreed))
        if task.source is not None:
            message = "The items are answers of a run, not cases of a dataset. Export the labels as a file instead."
            raise Problem(409, "No dataset", message)
        if source is None or task.dataset_version_id is None:
            raise Problem(409, "Gone", "The dataset was deleted. Export the labels as a file instead.")
        if not agreed:
            message = (
                f"People agree on no item at the threshold {wanted.consensus_threshold:g}. Lower it, or decide items."
            )
            raise Problem(409, "No consensus", message)
        field = wanted.field or next(iter(next(iter(agreed.values())).labels))
        truths = {of_case[item_id]: each for item_id, each in agreed.items() if item_id in of_case}
        with self._files.spool() as file:
            await self._write_cases(task.dataset_version_id, file, lambda case: _relabelled(case, truths, field))
            file.seek(0)
            share = f"{len(truths)} of {source.row_count} cases"
            new = NewVersion(
                file=file,
                format=formats()["jsonl"],
                file_name=f"{task.name}.jsonl"[:255],
                description=f"Ground truth of {share} from the annotation task '{task.name}'.",
                publish=wanted.publish,
                annotation_task_id=task_id,
            )
            return await ingest(self._engine, self._files, self._checks, source.dataset_id, new)

    async def _evaluated(
        self, connection: AsyncConnection, task_id: UUID, method: MethodName
    ) -> tuple[AnnotationTaskOut, Evaluated]:
        task = await require_task(connection, task_id)
        labels = await label_store.labels_of(connection, task_id)
        return task, await evaluated_labels(task, labels, method)

    async def _write_cases(
        self, version_id: UUID, file: IO[bytes], fields: Callable[[TestCaseOut], Mapping[str, Any]]
    ) -> None:
        first = 0
        async with self._engine.connect() as connection:
            while cases := await case_store.page_of_cases(connection, version_id, first=first, limit=_PAGE):
                first += len(cases)
                lines = (json.dumps(fields(case), ensure_ascii=False) + "\n" for case in cases)
                file.write("".join(lines).encode())


def _relabelled(case: TestCaseOut, truths: Mapping[UUID, Agreed], field: str) -> Mapping[str, Any]:
    """Return the case as a row of a file, with the ground truth that people agree on."""
    agreed = truths.get(case.test_case_id)
    row = dict(fields_of(case))
    if agreed is None:
        return row
    truth: dict[str, Any] = {"source": TruthSource.HUMAN_CONSENSUS.value, "confidence": agreed.confidence}
    if (answer := agreed.labels.get(field)) is not None:
        truth["answer"] = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        row["expected_output"] = truth["answer"]
    row["ground_truth"] = truth
    row["metadata"] = {**case.metadata, "labels": dict(agreed.labels)}
    return row


async def _agreed(
    connection: AsyncConnection, task: AnnotationTaskOut, evaluated: Evaluated, threshold: float
) -> dict[UUID, Agreed]:
    """Return what people agree on, by item. A decision stands above the labels, with the confidence 1."""
    found: dict[UUID, Agreed] = {}
    for row in await task_store.item_states(connection, task.task_id):
        fields = evaluated.consensus.get(row.id, [])
        confidence = confidence_of(fields)
        if row.decision is not None:
            found[row.id] = Agreed(row.decision, 1.0)
        elif confidence is not None and confidence >= threshold:
            found[row.id] = Agreed({each.field: each.value for each in fields if each.value is not None}, confidence)
    return found


def _has_consensus(item: ItemOut, threshold: float) -> bool:
    return item.decision is not None or (item.confidence is not None and item.confidence >= threshold)


Write = Callable[[list[ItemOut] | None], None]
"""Write items; `None` ends the file."""


def _csv_writer(file: IO[bytes]) -> Write:
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    rows = csv.writer(text)
    rows.writerow(_COLUMNS)

    def write(items: list[ItemOut] | None) -> None:
        if items is None:
            text.detach()
            return
        rows.writerows(row for item in items for row in _rows(item))

    return write


def _rows(item: ItemOut) -> Iterator[list[object]]:
    """Yield a row for each field on which people agree."""
    if item.decision is not None:
        agreed = [(name, value, 1.0, len(item.labels)) for name, value in item.decision.labels.items()]
    else:
        agreed = [(each.field, each.value, each.confidence or 0.0, each.votes) for each in item.consensus]
    for name, value, confidence, votes in agreed:
        if value is not None:
            shown = value if isinstance(value, str | int) else json.dumps(value, ensure_ascii=False)
            decided = item.decision is not None
            yield [
                item.item_id,
                neutralise(item.name),
                name,
                neutralise(shown),
                confidence,
                votes,
                decided,
                item.is_audit,
            ]


def _json_writer(file: IO[bytes], task: AnnotationTaskOut) -> Write:
    schema = task.annotation_schema.model_dump(mode="json", exclude_defaults=True)
    head = json.dumps({"task_id": str(task.task_id), "name": task.name, "schema": schema}, ensure_ascii=False)
    file.write(head[:-1].encode() + b', "items": [')
    separator = b"\n"

    def write(items: list[ItemOut] | None) -> None:
        nonlocal separator
        for item in items or []:
            file.write(separator + item.model_dump_json().encode())
            separator = b",\n"
        if items is None:
            file.write(b"\n]}\n")

    return write


async def _blocks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while block := await asyncio.to_thread(file.read, _BLOCK):
            yield block
