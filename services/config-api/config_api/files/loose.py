"""Record each uploaded file while it belongs to no version and no document, so that a crash leaves no file behind for
ever.

A file is stored in one step, and its version is committed in another. Likewise, a deletion is committed first, and the
file is deleted later. So a file is recorded before it is stored, and before it is deleted. After a crash between the
two steps, the file and its record remain. `sweep` deletes both when they are too old to belong to work in progress. A
file without a record is never touched, whatever else is in the same folder or bucket.
"""

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.files.store import FileStore, StoreUnavailable
from llmbench.db.tables import loose_file
from llmbench.organisation import working_for

OLD_ENOUGH: Final = timedelta(hours=1)
SWEEP_EVERY_S: Final = 3600.0
_log = logging.getLogger(__name__)


async def note(connection: AsyncConnection, uris: Sequence[str]) -> None:
    """Record files that belong to no version or document: not yet, or no longer. `sweep` deletes the files that are
    still recorded after an hour."""
    if uris:
        rows = [{"uri": uri} for uri in uris]
        await connection.execute(insert(loose_file).values(rows).on_conflict_do_nothing())


async def claim(connection: AsyncConnection, uri: str) -> bool:
    """Delete the record that the file belongs to no version or document (see `note`), so that `sweep` does not delete
    the file. Return `False` if `sweep` already did."""
    return (await connection.execute(delete(loose_file).where(loose_file.c.uri == uri))).rowcount > 0


async def discard(engine: AsyncEngine, files: FileStore, uris: Sequence[str]) -> int:
    """Delete recorded files and their records. Return the number of deleted files.

    The caller makes sure that no row refers to the files any more. Files of another store, or of an unreachable store,
    stay recorded.
    """
    deleted = 0
    for uri in filter(files.holds, uris):
        try:
            await files.delete(uri)
        except StoreUnavailable as away:
            _log.warning("files are left for the next sweep", extra={"why": away.detail})
            break
        async with engine.begin() as connection:
            await claim(connection, uri)
        deleted += 1
    return deleted


async def orphans(engine: AsyncEngine, files: FileStore) -> dict[UUID, list[str]]:
    """Return the recorded files of this store that are too old to belong to work in progress, by organisation."""
    old = select(loose_file.c.org_id, loose_file.c.uri).where(loose_file.c.created_at < func.now() - OLD_ENOUGH)
    found: dict[UUID, list[str]] = {}
    async with engine.connect() as connection:
        for org_id, uri in await connection.execute(old):
            if files.holds(uri):
                found.setdefault(org_id, []).append(uri)
    return found


async def sweep(engine: AsyncEngine, files: FileStore, *, everybody: AsyncEngine | None = None) -> int:
    """Delete the files that no version or document holds, and return their number. While the store cannot be reached,
    the files stay.

    `everybody` is an engine that can read the rows of all organisations. Without it, only files of the current
    organisation are deleted.
    """
    swept = 0
    for org_id, uris in (await orphans(everybody or engine, files)).items():
        with working_for(org_id):
            swept += await discard(engine, files, uris)
    if swept:
        _log.info("swept files that no version holds", extra={"files": swept})
    return swept


async def sweep_when(prepared: asyncio.Event, engine: AsyncEngine, everybody: AsyncEngine, files: FileStore) -> None:
    """Wait until the database is prepared, then sweep at once and every hour. Never returns."""
    await prepared.wait()
    while True:
        try:
            await sweep(engine, files, everybody=everybody)
        except Exception:  # noqa: BLE001  # the store's library may raise any error; the service goes on
            _log.warning("files that no version holds were not swept", exc_info=True)
        await asyncio.sleep(SWEEP_EVERY_S)
