"""Read and change evaluation presets. A run copies the values, so its preset can change or be deleted at any time."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from config_api import paging
from config_api.conflicts import unique, unused
from config_api.presets import store
from config_api.presets.schemas import PresetIn, PresetOut, PresetPage
from config_api.versions import missing, require_match


class PresetService:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def list(self, *, q: str | None, name: str | None, cursor: str | None, limit: int) -> PresetPage:
        after = paging.decode(cursor, order="name") if cursor else None
        async with self._engine.connect() as connection:
            # Read one row more than requested: it shows that there is a next page.
            rows = await store.list_presets(connection, q=q, name=name, after=after, limit=limit + 1)
        page = rows[:limit]
        last = paging.After("name", page[-1].name) if len(rows) > limit else None
        return PresetPage(items=page, next_cursor=paging.encode(last) if last else None)

    async def create(self, body: PresetIn) -> PresetOut:
        with unique(store.UNIQUE_NAME, what="evaluation preset", field="name", value=body.name):
            async with self._engine.begin() as connection:
                return await store.insert_preset(connection, body)

    async def get(self, id_: UUID) -> PresetOut:
        async with self._engine.connect() as connection:
            preset = await store.find_preset(connection, id_)
        if preset is None:
            raise missing("evaluation preset", id_)
        return preset

    async def replace(self, id_: UUID, body: PresetIn, *, if_match: str | None) -> PresetOut:
        with unique(store.UNIQUE_NAME, what="evaluation preset", field="name", value=body.name):
            async with self._engine.begin() as connection:
                before = await store.find_preset(connection, id_, lock=True)
                if before is None:
                    raise missing("evaluation preset", id_)
                require_match(if_match, before.version)
                return await store.update_preset(connection, id_, body)

    async def delete(self, id_: UUID) -> None:
        remedy = "Delete its baselines first: `llmbench baseline list` shows them."
        with unused(store.BASELINE_OF_PRESET, what="evaluation preset", user="baseline", remedy=remedy):
            async with self._engine.begin() as connection:
                if not await store.delete_preset(connection, id_):
                    raise missing("evaluation preset", id_)
