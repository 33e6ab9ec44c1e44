"""Store an uploaded file as a dataset version, in one transaction. If an error occurs, neither the file nor a case is
stored."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import IO, Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.bodies import now
from config_api.checks import CheckService, ChecksOfFile
from config_api.conflicts import unique
from config_api.datasets import case_store, store, version_store
from config_api.datasets.change_event import publish_change
from config_api.datasets.checking import Reading
from config_api.datasets.formats.base import Format
from config_api.datasets.schemas import DatasetIn, VersionOut
from config_api.datasets.version_store import shown
from config_api.files import loose
from config_api.files.storage import require_storage
from config_api.files.store import FileStore
from config_api.versions import missing
from llmbench.contracts.dataset_words import ValidationStatus, VersionStatus
from llmbench.errors import FieldError, Problem
from llmbench.files.cases import Case
from llmbench.files.unreadable import Unreadable
from llmbench.http.multipart import bad_form
from llmbench.ids import new_id
from llmbench.organisation import bound_organisation

# Read one file at a time, because reading takes much memory and processor time.
ONE_AT_A_TIME = asyncio.Semaphore(1)


@dataclass(frozen=True)
class NewVersion:
    """An uploaded file on disk, and the properties of the version that it becomes.

    `map` has the field of a test case for each column that the user mapped. With `publish`, a valid version is
    PUBLISHED at once. With `keep_invalid`, a file with invalid rows becomes an INVALID version without cases, instead
    of being refused. `annotation_task_id` is the task from which the human consensus in the file comes.
    """

    file: IO[bytes]
    format: Format
    file_name: str | None
    description: str | None
    keep_invalid: bool = False
    publish: bool = False
    map: Mapping[str, str] = field(default_factory=dict)
    annotation_task_id: UUID | None = None


async def ingest(
    engine: AsyncEngine, files: FileStore, checks: CheckService, dataset: UUID | DatasetIn, new: NewVersion
) -> VersionOut:
    """Store the file as a version, or raise a problem and store nothing.

    `dataset` is the id of a dataset, or a `DatasetIn` with a dataset's name. If there is no dataset of this name, it is
    created in the same transaction.

    Raises a 404 problem for an unknown id, and a 409 problem if another request takes the new dataset's name meanwhile.
    Raises a 422 problem for an unreadable, empty or invalid file, and for a mapped column that the file lacks. Raises a
    503 problem if the judge service does not answer, or storing the file takes more than an hour. A failure of the file
    store raises `StoreUnavailable`.
    """
    uri: str | None = None
    async with ONE_AT_A_TIME:
        try:
            async with engine.begin() as connection:
                dataset_id = await _locked(connection, dataset)
                number = await version_store.next_number(connection, dataset_id)
                version_id = new_id()
                key = f"{bound_organisation()}/{dataset_id}/v{number}/{version_id}.{new.format.extension}"
                await version_store.insert_version(connection, _pending(dataset_id, version_id, number, new))
                reading = Reading(new.file, new.format, map=new.map)
                with closing(reading):
                    await _read(connection, version_id, reading, checks.of_file())
                if (lacking := reading.unmapped) is not None:
                    raise bad_form("map", lacking)
                if reading.is_bad and not new.keep_invalid:
                    raise refusal(reading)
                if not reading.row_count:
                    raise empty()
                if new.annotation_task_id is not None:
                    await case_store.name_annotation_task(connection, version_id, new.annotation_task_id)
                if reading.is_bad:
                    # Delete the rows that were stored before the first invalid row.
                    await case_store.delete_cases(connection, version_id)
                await require_storage(connection, new.file.seek(0, 2))
                uri = files.uri(key)
                async with engine.begin() as aside:
                    await loose.note(aside, [uri])
                await files.put(key, new.file)
                if not await loose.claim(connection, uri):
                    raise Problem(503, "Too slow", "Storing the file took more than an hour: upload it again.")
                await version_store.update_version(connection, version_id, _read_values(reading, uri, new))
                await store.update_dataset(connection, dataset_id, {})
                await publish_change(connection, "updated", dataset_id)
                version = await version_store.find_version(connection, dataset_id, number)
                assert version is not None, "the transaction holds it"
        except BaseException:
            if uri is not None:
                await loose.discard(engine, files, [uri])
            raise
    return version


async def _locked(connection: AsyncConnection, dataset: UUID | DatasetIn) -> UUID:
    id_ = dataset if isinstance(dataset, UUID) else await store.id_of_name(connection, dataset.name)
    if id_ is not None:
        if await store.lock_dataset(connection, id_) is None:
            raise missing("dataset", id_)
        return id_
    assert isinstance(dataset, DatasetIn), "only a name can be without a dataset"
    with unique(store.UNIQUE_NAME, what="dataset", field="name", value=dataset.name):
        id_ = await store.insert_dataset(connection, dataset)
    await publish_change(connection, "created", id_)
    return id_


async def _read(connection: AsyncConnection, version_id: UUID, reading: Reading, checks: ChecksOfFile) -> None:
    stored = 0
    try:
        # Reading and checking need the processor, so they run in a thread: the service answers other requests
        # meanwhile.
        while chunk := await asyncio.to_thread(reading.next_chunk):
            for line, faults in zip(reading.lines, await checks.faults([case.checks for case in chunk]), strict=True):
                if faults:
                    reading.refuse(line, faults)
            if not reading.is_bad:
                await _copy(connection, version_id, chunk, first=stored)
                stored += len(chunk)
    except Unreadable as error:
        raise unreadable(error) from None


async def _copy(connection: AsyncConnection, version_id: UUID, chunk: Sequence[Case], *, first: int) -> None:
    await case_store.insert_cases(connection, version_id, chunk, first=first)


def _pending(dataset_id: UUID, version_id: UUID, number: int, new: NewVersion) -> dict[str, Any]:
    return {
        "id": version_id,
        "dataset_id": dataset_id,
        "version_number": number,
        "status": VersionStatus.DRAFT,
        "description": new.description,
        "file_uri": "",
        "file_format": new.format.name,
        "file_name": new.file_name,
        "file_bytes": 0,
        "schema_hash": "",
        "content_hash": "",
        "validation_status": ValidationStatus.PENDING,
    }


def _read_values(reading: Reading, uri: str, new: NewVersion) -> dict[str, Any]:
    valid = not reading.is_bad
    published = {"status": VersionStatus.PUBLISHED, "published_at": now()} if new.publish and valid else {}
    return {
        "file_uri": uri,
        "file_bytes": new.file.seek(0, 2),
        "header": reading.header,
        "row_count": reading.row_count,
        "schema_columns": reading.columns,
        "mapping": reading.mapping,
        "warnings": reading.warnings,
        "schema_hash": reading.schema_hash,
        "content_hash": reading.content_hash,
        "validation_status": ValidationStatus.VALID if valid else ValidationStatus.INVALID,
        "validation_errors": [asdict(fault) for fault in reading.bad_rows],
        "validation_error_count": reading.bad_row_count + reading.header_is_bad,
        **published,
    }


def refusal(reading: Reading) -> Problem:
    """Return the problem for a file with an invalid header or invalid rows. It lists the first `MOST_SHOWN` errors."""
    first = reading.bad_rows[0]
    rows = f"{reading.bad_row_count} of {reading.row_count} rows are bad"
    if reading.header_is_bad:
        detail = f"The header is bad ({first.field}: {first.message})"
        detail += f", and {rows}" if reading.bad_row_count else ""
    else:
        detail = f"{rows}; the first is {shown(asdict(first))}"
    return Problem(
        422,
        "Bad rows" if reading.bad_row_count else "Bad header",
        detail,
        errors=[
            FieldError(f"{fault.line or 'header'}.{fault.field or ''}".rstrip("."), fault.message)
            for fault in reading.bad_rows
        ],
        extra={
            "row_count": reading.row_count,
            "bad_row_count": reading.bad_row_count,
            "bad_rows": [asdict(fault) for fault in reading.bad_rows],
        },
    )


def empty() -> Problem:
    return Problem(422, "Nothing to keep", "The file holds no rows.", errors=[FieldError("file", "is empty")])


def unreadable(error: Unreadable) -> Problem:
    return Problem(
        422,
        "Unreadable file",
        f"line {error.line}: {error.message}",
        errors=[FieldError("file", f"line {error.line}: {error.message}")],
        extra={"line": error.line},
    )
