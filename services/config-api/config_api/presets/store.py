"""Read and write the table `evaluation_preset`: one function per query, in the caller's transaction."""

from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.paging import After
from config_api.presets.schemas import EvaluationSettings, PresetIn, PresetOut, RunSettings, notes_of
from llmbench.db.tables.presets import evaluation_preset
from llmbench.ids import new_id

UNIQUE_NAME = "evaluation_preset_org_id_name_key"
BASELINE_OF_PRESET = "baseline_preset_id_fkey"


def _presets() -> Select[Any]:
    return select(evaluation_preset)


def _out(row: Row[Any]) -> PresetOut:
    settings = EvaluationSettings.model_validate(row.settings)
    told = {"settings": settings, "run": RunSettings.of(settings), "notes": notes_of(settings)}
    return PresetOut.model_validate(dict(row._mapping) | told)


async def insert_preset(connection: AsyncConnection, body: PresetIn) -> PresetOut:
    values = {"id": new_id(), **body.model_dump(mode="json")}
    row = await connection.execute(insert(evaluation_preset).values(values).returning(*evaluation_preset.c))
    return _out(row.one())


async def find_preset(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> PresetOut | None:
    query = _presets().where(evaluation_preset.c.id == id_)
    row = (await connection.execute(query.with_for_update() if lock else query)).one_or_none()
    return _out(row) if row else None


async def update_preset(connection: AsyncConnection, id_: UUID, body: PresetIn) -> PresetOut:
    changes = {**body.model_dump(mode="json"), "version": evaluation_preset.c.version + 1, "updated_at": func.now()}
    changed = update(evaluation_preset).where(evaluation_preset.c.id == id_).values(changes)
    return _out((await connection.execute(changed.returning(*evaluation_preset.c))).one())


async def delete_preset(connection: AsyncConnection, id_: UUID) -> bool:
    """Delete the preset. Return whether it existed."""
    gone = delete(evaluation_preset).where(evaluation_preset.c.id == id_)
    return (await connection.execute(gone)).rowcount > 0


async def list_presets(
    connection: AsyncConnection, *, q: str | None, name: str | None, after: After | None, limit: int
) -> list[PresetOut]:
    query = _presets()
    if q:
        query = query.where(evaluation_preset.c.name.icontains(q, autoescape=True))
    if name is not None:
        query = query.where(evaluation_preset.c.name == name)
    if after is not None:
        query = query.where(evaluation_preset.c.name > after.key)
    return [_out(row) for row in await connection.execute(query.order_by(evaluation_preset.c.name).limit(limit))]
