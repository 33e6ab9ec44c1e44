"""Write the consensus of a task: as a file, and as the ground truth of a new version of the dataset."""

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import IO, Any, Final, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.annotation import label_store, task_store
from config_api.annotation.accepted_answers import Agreed, Truth, accepted_answers, deciding_field
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
from config_api.problems import invalid
from llmbench.contracts.dataset_words import TruthSource
from llmbench.errors import Problem
from llmbench.files.formulas import neutralise

_PAGE: Final = 500
_BLOCK: Final = 256 * 1024
_COLUMNS: Final = ("item_id", "case", "field", "value", "confidence", "votes", "decided", "audit")
FileFormat = Literal["JSON", "CSV"]


class ExportService:
    def __init__(self, engine: AsyncEngine, files: FileStore, checks: CheckService) -> None:
        self._engine = engine
        self._files = files
        self._checks = checks

    async def count(self, task_id: UUID, *, threshold: float, method: MethodName) -> int:
        """Return the number of items that a person has decided, or whose consensus has at least the confidence
        `threshold`."""
        async with self._engine.connect() as connection:
            task, evaluated = await self._evaluated(connection, task_id, method)
            return len(await _agreed(connection, task, evaluated, threshold))

    async def file(
        self, task_id: UUID, *, threshold: float, method: MethodName, format_: FileFormat
    ) -> AsyncIterator[bytes]:
        """Write the items that a person has decided, or whose consensus has at least the confidence `threshold`, each
        with all its labels. Return the file in blocks."""
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

        If the items are answers of a run, the accepted answers become the ground truth of their cases. Cases without a
        consensus keep the ground truth that they had. The metadata key `labels` has all labels that people agree on.
        Raises a 409 problem if the dataset was deleted, or if people agree on no case. Raises a 422 problem if `wanted`
        does not fit the task.
        """
        async with self._engine.connect() as connection:
            task, evaluated = await self._evaluated(connection, task_id, wanted.method)
            agreed = await _agreed(connection, task, evaluated, wanted.consensus_threshold)
            version_id = await _version_of(connection, task, wanted)
            source = None if version_id is None else await task_store.find_source(connection, version_id)
            if source is None or version_id is None:
                raise Problem(409, "Gone", "The dataset was deleted. Export the labels as a file instead.")
            of_case = await task_store.cases_of_items(connection, task_id, version_id, list(agreed))
            truths = await _truths(connection, task, wanted, agreed, of_case)
        if not truths:
            threshold = f"{wanted.consensus_threshold:g}"
            message = f"People agree on no case at the threshold {threshold}. Lower it, or decide items."
            if task.source is not None and agreed:
                message = "People accept no answer to a case of the dataset. Accept further labels, or decide items."
            raise Problem(409, "No consensus", message)
        with self._files.spool() as file:
            await self._write_cases(version_id, file, lambda case: _relabelled(case, truths))
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


async def _version_of(
    connection: AsyncConnection, task: AnnotationTaskOut, wanted: VersionFromConsensus
) -> UUID | None:
    """Return the id of the dataset version whose cases get the ground truth; `None` if the version was deleted.

    If the task labels answers of a run, it is the version that the answers' cases belong to. Raises a 409 problem if
    none of these cases exists any more, and a 422 problem if `wanted` does not fit the task.
    """
    if task.source is None:
        if wanted.accept or wanted.dataset_version_id:
            field = "accept" if wanted.accept else "dataset_version_id"
            raise invalid(field, "is for answers of a run, and this task labels cases")
        return task.dataset_version_id
    versions = await task_store.versions_of_items(connection, task.task_id)
    if not versions:
        message = "No answer belongs to a case of a dataset that is still there. Export the labels as a file instead."
        raise Problem(409, "No dataset", message)
    chosen = wanted.dataset_version_id or versions[0]
    if chosen not in versions or (wanted.dataset_version_id is None and len(versions) > 1):
        listed = ", ".join(map(str, versions[:5]))
        raise invalid("dataset_version_id", f"the answers belong to cases of other versions: name one of {listed}")
    return chosen


async def _truths(
    connection: AsyncConnection,
    task: AnnotationTaskOut,
    wanted: VersionFromConsensus,
    agreed: Mapping[UUID, Agreed],
    of_case: Mapping[UUID, UUID],
) -> dict[UUID, Truth]:
    """Return the new ground truth of each case on which people agree, by case id. If the items are answers of a run,
    only cases with an answer that the consensus accepts get one (see `accepted_answers`)."""
    if task.source is None:
        field = wanted.field or next((name for each in agreed.values() for name in each.labels), "")
        return {
            of_case[item_id]: Truth(_text(each.labels.get(field)), each)
            for item_id, each in agreed.items()
            if item_id in of_case
        }
    deciding = deciding_field(task.annotation_schema, wanted)
    accepted = accepted_answers(agreed, of_case, deciding, wanted.accept)
    answers = await task_store.answers_of(connection, task.task_id, [each.item_id for each in accepted.values()])
    return {case_id: Truth(answers[each.item_id][each.place], each.agreed) for case_id, each in accepted.items()}


def _text(answer: object) -> str | None:
    if answer is None or isinstance(answer, str):
        return answer
    return json.dumps(answer, ensure_ascii=False)


def _relabelled(case: TestCaseOut, truths: Mapping[UUID, Truth]) -> Mapping[str, Any]:
    """Return the case as a row of a file, with the ground truth that people agree on."""
    new = truths.get(case.test_case_id)
    row = dict(fields_of(case))
    if new is None:
        return row
    truth: dict[str, Any] = {"source": TruthSource.HUMAN_CONSENSUS.value, "confidence": new.agreed.confidence}
    if new.answer is not None:
        truth["answer"] = row["expected_output"] = new.answer
    row["ground_truth"] = truth
    row["metadata"] = {**case.metadata, "labels": dict(new.agreed.labels)}
    return row


async def _agreed(
    connection: AsyncConnection, task: AnnotationTaskOut, evaluated: Evaluated, threshold: float
) -> dict[UUID, Agreed]:
    """Return the labels on which people agree with at least the confidence `threshold`, by item id. A person's decision
    about an item overrides its labels, and has the confidence 1."""
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
"""A function that writes items to the file. It is called with each list of items, and at the end with `None`."""


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
    """Yield a CSV row for each of the item's fields on which people agree."""
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
