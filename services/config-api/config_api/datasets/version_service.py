"""Create, read and change the versions of a dataset. A change and its event commit in the same transaction."""

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import IO, Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.bodies import now
from config_api.checks import CheckService
from config_api.datasets import case_store, store, version_store
from config_api.datasets.change_event import publish_change
from config_api.datasets.checking import case_fields
from config_api.datasets.formats.base import Fields, Format, Unwritable
from config_api.datasets.ingest import NewVersion, ingest
from config_api.datasets.schemas import CasePage, Sample, SampleIn, Stratum, TestCaseOut, VersionOut, VersionPage
from config_api.datasets.service import require_dataset
from config_api.files import loose
from config_api.files.store import FileStore
from config_api.problems import invalid
from config_api.versions import missing
from llmbench.contracts.dataset_words import TruthSource, ValidationStatus, VersionStatus
from llmbench.errors import FieldError, Problem
from llmbench.sampling import allocate

_PAGE = 500
_BLOCK = 256 * 1024
_MOST_STRATA = 1_000


class VersionService:
    def __init__(self, engine: AsyncEngine, files: FileStore, checks: CheckService) -> None:
        self._engine = engine
        self.files = files
        self.checks = checks

    async def require_dataset(self, dataset_id: UUID) -> None:
        """Raise a 404 problem if the dataset does not exist. Called before a file is received for the dataset."""
        async with self._engine.connect() as connection:
            await require_dataset(connection, dataset_id)

    async def create(self, dataset_id: UUID, new: NewVersion) -> VersionOut:
        return await ingest(self._engine, self.files, self.checks, dataset_id, new)

    async def list(self, dataset_id: UUID, *, limit: int, offset: int) -> VersionPage:
        async with self._engine.connect() as connection:
            await require_dataset(connection, dataset_id)
            versions, total = await version_store.list_versions(connection, dataset_id, limit=limit, offset=offset)
        return VersionPage(versions=list(versions), total=total, has_more=offset + len(versions) < total)

    async def get(self, dataset_id: UUID, number: int) -> VersionOut:
        async with self._engine.connect() as connection:
            return await _require(connection, dataset_id, number)

    async def publish(self, dataset_id: UUID, number: int) -> VersionOut:
        """Publish a version. A version that is already PUBLISHED stays unchanged.

        Raises a 404 problem for an unknown version, and a 409 problem for a DEPRECATED version or a version with
        errors.
        """
        async with self._engine.begin() as connection:
            version = await locked_version(connection, dataset_id, number)
            if version.status == VersionStatus.PUBLISHED:
                return version
            if version.status == VersionStatus.DEPRECATED:
                raise Problem(409, "Deprecated", f"Version {number} is deprecated. Upload its file as a new version.")
            if version.validation_status != ValidationStatus.VALID:
                message = f"Version {number} has errors: see its validation_errors. Correct and upload its file again."
                raise Problem(409, "Not valid", message)
            return await _move(connection, version, status=VersionStatus.PUBLISHED, published_at=now())

    async def deprecate(self, dataset_id: UUID, number: int) -> VersionOut:
        """Deprecate a version: new runs cannot use it, and active runs continue.

        A DEPRECATED version stays unchanged. Raises a 404 problem for an unknown version, and a 409 problem for a
        DRAFT.
        """
        async with self._engine.begin() as connection:
            version = await locked_version(connection, dataset_id, number)
            if version.status == VersionStatus.DEPRECATED:
                return version
            if version.status == VersionStatus.DRAFT:
                raise Problem(409, "A draft", f"Version {number} was never published. Delete it instead.")
            return await _move(connection, version, status=VersionStatus.DEPRECATED, deprecated_at=now())

    async def delete(self, dataset_id: UUID, number: int) -> None:
        async with self._engine.begin() as connection:
            version = await locked_version(connection, dataset_id, number)
            if version.status != VersionStatus.DRAFT:
                raise Problem(
                    409, "Published", f"Version {number} was published and stays. Deprecate it, or delete the dataset."
                )
            await version_store.delete_version(connection, version.version_id)
            await store.update_dataset(connection, dataset_id, {})
            await publish_change(connection, "updated", dataset_id)
            await loose.note(connection, [version.file_uri])
        await loose.discard(self._engine, self.files, [version.file_uri])

    async def cases(
        self, dataset_id: UUID, number: int, *, metadata: dict[str, Any] | None, limit: int, offset: int
    ) -> CasePage:
        async with self._engine.connect() as connection:
            version = await _require(connection, dataset_id, number)
            cases, total = await case_store.list_cases(
                connection, version.version_id, metadata=metadata, limit=limit, offset=offset
            )
        return CasePage(cases=cases, total=total, has_more=offset + len(cases) < total)

    async def sample(self, dataset_id: UUID, number: int, wanted: SampleIn) -> Sample:
        seed = secrets.randbits(32) if wanted.seed is None else wanted.seed
        async with self._engine.connect() as connection:
            version = await _require(connection, dataset_id, number)
            totals: dict[str | None, int] = {None: wanted.size}
            if wanted.stratify_by is not None:
                totals = await self._strata(connection, version.version_id, wanted.stratify_by)
            sizes = allocate(totals, wanted.size)
            cases = await case_store.sample_cases(
                connection, version.version_id, seed=seed, sizes=sizes, field=wanted.stratify_by
            )
        sampled = Counter(stratum for stratum, _ in cases)
        strata = [Stratum(value=value, total=totals[value], sampled=sampled[value]) for value in sizes]
        return Sample(
            cases=[case for _, case in cases],
            sample_size=len(cases),
            seed=seed,
            strata=strata if wanted.stratify_by is not None else [],
        )

    async def _strata(self, connection: AsyncConnection, version_id: UUID, field: str) -> dict[str | None, int]:
        strata = await case_store.count_strata(connection, version_id, field, most=_MOST_STRATA + 1)
        message = None
        if not strata.keys() - {None}:
            message = f"no case has the metadata field {field!r}"
        elif len(strata) > _MOST_STRATA:
            message = f"has more than {_MOST_STRATA:,} values: choose a field with fewer"
        if message:
            raise invalid("stratify_by", message)
        return strata

    async def export(self, dataset_id: UUID, number: int, format_: Format) -> AsyncIterator[bytes]:
        """Write the version's cases to a temporary file in the given format, and return its content in blocks.

        Raises a 404 problem for an unknown version. Raises a 422 problem, before the first block, if the format cannot
        represent a case.
        """
        async with self._engine.connect() as connection:
            version = await _require(connection, dataset_id, number)
            header = await version_store.header_of(connection, version.version_id)
        file = self.files.spool()
        try:
            loop = asyncio.get_running_loop()

            def page(first: int) -> Sequence[TestCaseOut]:
                return asyncio.run_coroutine_threadsafe(self._page(version.version_id, first), loop).result(60)

            await asyncio.to_thread(format_.write, _every(page), header, file)
        except Unwritable as error:
            file.close()
            raise Problem(
                422, "Cannot be written", f"format: {error}", errors=[FieldError("format", str(error))]
            ) from None
        except BaseException:
            file.close()
            raise
        file.seek(0)
        return _blocks(file)

    async def _page(self, version_id: UUID, first: int) -> Sequence[TestCaseOut]:
        async with self._engine.connect() as connection:
            return await case_store.page_of_cases(connection, version_id, first=first, limit=_PAGE)


def _every(page: Callable[[int], Sequence[TestCaseOut]]) -> Iterator[Fields]:
    first = 0
    while cases := page(first):
        yield from map(fields_of, cases)
        first += len(cases)


def fields_of(case: TestCaseOut) -> Fields:
    """Return a stored case in the form of a file's row."""
    truth: dict[str, Any] = {}
    if case.ground_truth:
        truth = dict(case.ground_truth.value)
        if case.ground_truth.source != TruthSource.IMPORTED:
            truth["source"] = case.ground_truth.source.value
        if case.ground_truth.confidence is not None:
            truth["confidence"] = case.ground_truth.confidence
    return case_fields(case.name, case.input, case.expected_output, truth, case.metadata, case.checks)


async def _blocks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while block := await asyncio.to_thread(file.read, _BLOCK):
            yield block


async def _require(connection: AsyncConnection, dataset_id: UUID, number: int, *, lock: bool = False) -> VersionOut:
    version = await version_store.find_version(connection, dataset_id, number, lock=lock)
    if version is None:
        await require_dataset(connection, dataset_id)
        raise Problem(404, "Not found", f"The dataset has no version {number}.")
    return version


async def locked_version(connection: AsyncConnection, dataset_id: UUID, number: int) -> VersionOut:
    """Lock the version and its dataset until the transaction ends, and return the version.

    Raises a 404 problem if either does not exist.
    """
    if await store.lock_dataset(connection, dataset_id) is None:
        raise missing("dataset", dataset_id)
    return await _require(connection, dataset_id, number, lock=True)


async def _move(connection: AsyncConnection, version: VersionOut, **values: object) -> VersionOut:
    await version_store.update_version(connection, version.version_id, values)
    await store.update_dataset(connection, version.dataset_id, {})
    await publish_change(connection, "updated", version.dataset_id)
    return await _require(connection, version.dataset_id, version.version_number)
