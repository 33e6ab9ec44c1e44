"""Import a file of tasks in one transaction, with a constant number of statements per chunk of tasks.

A dry run does all of this and then rolls the transaction back, so that its report is accurate.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.checks import CheckService, ChecksOfFile
from config_api.collections import service as collections
from config_api.collections import store as collection_store
from config_api.collections.schemas import CollectionIn, CollectionOut
from config_api.conflicts import unique
from config_api.datasets.right_answers import count
from config_api.datasets.schemas import MappedColumn
from config_api.problems import invalid
from config_api.tasks import service as tasks
from config_api.tasks import store as task_store
from config_api.transfer.checking import Findings, NumberedTask, chunks, right_of_task
from config_api.transfer.columns import TaskColumns, task_map
from config_api.transfer.formats.base import Format
from config_api.transfer.schemas import (
    PREVIEW_TASKS,
    BadRow,
    Change,
    ImportedInto,
    ImportQuery,
    ImportResult,
    PreviewedTask,
)
from config_api.versions import missing
from llmbench.errors import FieldError, Problem
from llmbench.files.cases import written_checks
from llmbench.files.unreadable import Unreadable

_MOST_NAMED = 50


@dataclass
class _Written:
    changes: dict[Change, int] = field(
        default_factory=lambda: dict.fromkeys(("created", "updated", "unchanged", "skipped"), 0)
    )
    preview: list[PreviewedTask] = field(default_factory=list)
    added: int = 0


async def import_file(
    engine: AsyncEngine, file: IO[bytes], format_: Format, wanted: ImportQuery, checks: CheckService
) -> ImportResult:
    """Import the file, or raise a problem and change nothing.

    Raises a 422 problem for an unreadable or empty file, and for invalid rows unless `skip_bad_rows` or `dry_run` is
    set. Raises a 404 problem for an unknown collection, and a 409 problem if another request creates a collection of
    the same name first. Raises a 503 problem if the judge service cannot validate the checks.

    The result of a dry run lists the invalid rows, and nothing is changed.
    """
    findings, written, of_file = Findings(), _Written(), checks.of_file()
    with unique(collection_store.UNIQUE_NAME, what="collection", field="name", value=wanted.collection_name or ""):
        async with engine.connect() as connection, connection.begin() as transaction:
            # The lock also covers other processes: two imports of the same tasks in different orders would deadlock.
            await connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("config-api import", 0))))
            collection, is_new = await _collection(connection, wanted)
            columns = _columns(wanted, format_)
            good = chunks(file, format_, stem=wanted.stem, findings=findings, columns=columns)
            try:
                # Reading and checking need the processor, so they run in a thread: the service answers other requests
                # meanwhile.
                while chunk := await asyncio.to_thread(next, good, None):
                    chunk = await _with_good_checks(chunk, of_file, findings)
                    ids = await _write(connection, chunk, wanted, findings, written)
                    if collection:
                        written.added += await collection_store.add_tasks(connection, collection.id, ids)
            except Unreadable as error:
                raise unreadable(error) from None
            if columns is not None and (lacking := columns.unmapped()) is not None:
                raise invalid("map", lacking)
            if findings.rows == 0:
                raise Problem(
                    422, "Nothing to import", "The file holds no tasks.", errors=[FieldError("body", "is empty")]
                )
            if findings.bad_row_count and not (wanted.skip_bad_rows or wanted.dry_run):
                raise _refusal(findings)
            into = await _record_collection_change(connection, collection, is_new=is_new, added=written.added)
            if wanted.dry_run:
                await transaction.rollback()
    if into and into.created and wanted.dry_run:
        into = into.model_copy(update={"id": None})
    return ImportResult(
        format=format_.name,
        dry_run=wanted.dry_run,
        row_count=findings.rows,
        **written.changes,
        bad_row_count=findings.bad_row_count,
        bad_rows=findings.bad_rows,
        note_count=findings.note_count,
        notes=findings.notes,
        evaluators=findings.evaluators(),
        mapping=[MappedColumn.model_validate(column) for column in columns.mapping()] if columns else [],
        right_answers=findings.right_answers,
        collection=into,
        preview=written.preview if wanted.dry_run else [],
    )


def _columns(wanted: ImportQuery, format_: Format) -> TaskColumns | None:
    """Return the mapper of the file's columns to fields of tasks. Return `None` if no mapping was requested, or if the
    format's fields are fixed.

    Raises a 422 problem for an invalid mapping by the user, and for one with a format whose fields are fixed.
    """
    if not (wanted.recognise or wanted.map):
        return None
    if format_.table is None:
        if wanted.map:
            raise invalid("map", f"{format_.name} has no columns to map")
        return None
    try:
        chosen = task_map(wanted.map)
    except ValueError as error:
        raise invalid("map", str(error)) from None
    return TaskColumns(chosen, wanted.category or wanted.stem, wanted.stem, format_.texts_only)


async def _collection(connection: AsyncConnection, query: ImportQuery) -> tuple[CollectionOut | None, bool]:
    """Return the collection to which the import adds its tasks (`None` without one), and whether it was created.

    The collection is locked until the transaction ends. Raises a 404 problem for an unknown id.
    """
    if query.collection_id:
        collection = await collection_store.lock_collection(connection, query.collection_id)
        if collection is None:
            raise missing("collection", query.collection_id)
        return collection, False
    if query.collection_name is None:
        return None, False
    existing = await collection_store.find_by_name(connection, query.collection_name)
    if existing is None:
        id_ = await collection_store.insert_collection(connection, CollectionIn(name=query.collection_name))
        return await collection_store.find_collection(connection, id_), True
    return await collection_store.lock_collection(connection, existing.id), False


async def _with_good_checks(
    chunk: Sequence[NumberedTask], checks: ChecksOfFile, findings: Findings
) -> list[NumberedTask]:
    """Return the tasks whose checks the judge service accepts. Record the errors of the others in `findings`."""
    faults_of_rows = await checks.faults([written_checks(row.task.checks) for row in chunk])
    for row, faults in zip(chunk, faults_of_rows, strict=True):
        if faults:
            findings.bad(row.line, *faults)
    return [row for row, faults in zip(chunk, faults_of_rows, strict=True) if not faults]


async def _write(
    connection: AsyncConnection,
    chunk: Sequence[NumberedTask],
    query: ImportQuery,
    findings: Findings,
    written: _Written,
) -> list[UUID]:
    """Write the tasks of the chunk and their events.

    Return the ids of the chunk's tasks that are now stored, new or not, in file order. If the query rejects conflicts,
    tasks that existed before are left out, and become errors in `findings`.
    """
    source = {"source_file": query.source_file or None}
    rows = [{**row.task.stored(), **source, "source_line": row.line} for row in chunk]
    changed = await task_store.write_tasks(connection, rows, on_conflict=query.on_conflict)
    created = [(id_, name) for name, (id_, is_new) in changed.items() if is_new]
    updated = [(id_, name) for name, (id_, is_new) in changed.items() if not is_new]
    await tasks.publish_change(connection, change="created", tasks=created)
    await tasks.publish_change(connection, change="updated", tasks=updated)
    for row in chunk:
        if row.task.task_id not in changed and query.on_conflict == "reject":
            findings.bad(row.line, ("task_id", f"exists already: {row.task.task_id}"))
            continue
        change = _change(changed.get(row.task.task_id), query)
        written.changes[change] += 1
        count(findings.right_answers, right_of_task(row.task))
        if len(written.preview) < PREVIEW_TASKS:
            written.preview.append(PreviewedTask(line=row.line, change=change, task=row.task))
    ids = {name: id_ for name, (id_, _) in changed.items()}
    if query.on_conflict != "reject" and len(ids) < len(chunk):
        ids |= await task_store.ids_of(connection, [row.task.task_id for row in chunk])
    return [ids[row.task.task_id] for row in chunk if row.task.task_id in ids]


def _change(written: tuple[UUID, bool] | None, query: ImportQuery) -> Change:
    if written is None:
        return "skipped" if query.on_conflict == "skip" else "unchanged"
    return "created" if written[1] else "updated"


async def _record_collection_change(
    connection: AsyncConnection, collection: CollectionOut | None, *, is_new: bool, added: int
) -> ImportedInto | None:
    if collection is None:
        return None
    if is_new:
        await collections.publish_change(connection, "created", collection.id)
    elif added:
        await collection_store.update_collection(connection, collection.id)
        await collections.publish_change(connection, "updated", collection.id)
    return ImportedInto(id=collection.id, name=collection.name, created=is_new, added=added)


def unreadable(error: Unreadable) -> Problem:
    """Return the problem for an unreadable file. Its rows are unknown, so `skip_bad_rows` does not help."""
    return Problem(
        422,
        "Unreadable file",
        f"Line {error.line} {error.message}. Nothing was imported.",
        errors=[FieldError(f"line {error.line}", error.message)],
    )


def _refusal(findings: Findings) -> Problem:
    first = findings.bad_rows[0]
    return Problem(
        422,
        "Bad rows",
        f"{findings.bad_row_count} of {findings.rows} rows cannot be imported, so nothing was. The first: "
        f"{_place(first)}: {first.message}",
        errors=[FieldError(_place(bad), bad.message) for bad in findings.bad_rows[:_MOST_NAMED]],
        extra={
            "row_count": findings.rows,
            "bad_row_count": findings.bad_row_count,
            "bad_rows": [bad.model_dump() for bad in findings.bad_rows],
        },
    )


def _place(bad: BadRow) -> str:
    return f"line {bad.line}, {bad.field}" if bad.field else f"line {bad.line}"
