"""Read and change datasets. A change and its event commit in the same transaction."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.conflicts import refuse_in_suites, unique
from config_api.datasets import store
from config_api.datasets.change_event import publish_change
from config_api.datasets.schemas import DatasetIn, DatasetOut, DatasetPage, DatasetPatch
from config_api.files import loose
from config_api.files.store import FileStore
from config_api.versions import missing, require_match
from llmbench.errors import Problem


class DatasetService:
    def __init__(self, engine: AsyncEngine, files: FileStore) -> None:
        self._engine = engine
        self._files = files

    async def list(self, wanted: store.DatasetFilter, *, limit: int, offset: int) -> DatasetPage:
        async with self._engine.connect() as connection:
            datasets, total = await store.list_datasets(connection, wanted, limit=limit, offset=offset)
        return DatasetPage(datasets=datasets, total=total, has_more=offset + len(datasets) < total)

    async def create(self, body: DatasetIn) -> DatasetOut:
        with unique(store.UNIQUE_NAME, what="dataset", field="name", value=body.name):
            async with self._engine.begin() as connection:
                return await publish_change(connection, "created", await store.insert_dataset(connection, body))

    async def get(self, id_: UUID) -> DatasetOut:
        async with self._engine.connect() as connection:
            return await require_dataset(connection, id_)

    async def change(self, id_: UUID, body: DatasetPatch, *, if_match: str | None) -> DatasetOut:
        with unique(store.UNIQUE_NAME, what="dataset", field="name", value=body.name):
            async with self._engine.begin() as connection:
                before = await store.lock_dataset(connection, id_)
                if before is None:
                    raise missing("dataset", id_)
                require_match(if_match, before.version)
                await store.update_dataset(connection, id_, body.model_dump(exclude_unset=True))
                return await publish_change(connection, "updated", id_)

    async def delete(self, id_: UUID) -> None:
        """Delete the dataset with its versions and files. Finished runs keep their snapshots.

        Raises a 404 problem if the dataset does not exist, or a 409 problem if an unfinished run or a published suite
        uses one of its versions.
        """
        async with self._engine.begin() as connection:
            if await store.lock_dataset(connection, id_) is None:
                raise missing("dataset", id_)
            await refuse_in_use(connection, id_)
            await publish_change(connection, "deleted", id_)
            uris = await store.delete_dataset(connection, id_)
            await loose.note(connection, uris)
        await loose.discard(self._engine, self._files, uris)


async def require_dataset(connection: AsyncConnection, id_: UUID) -> DatasetOut:
    dataset = await store.find_dataset(connection, id_)
    if dataset is None:
        raise missing("dataset", id_)
    return dataset


async def refuse_in_use(connection: AsyncConnection, id_: UUID) -> None:
    runs = await store.unfinished_runs(connection, id_)
    if runs:
        named = ", ".join(f"'{name}' ({run})" for run, name in runs[:5])
        raise Problem(
            409,
            "In use",
            f"Unfinished runs use it: {named}. Cancel them, or wait for their end.",
            extra={"run_ids": [str(run) for run, _ in runs]},
        )
    await refuse_in_suites(connection, store.in_suites(id_))
