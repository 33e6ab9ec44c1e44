"""Files that no version holds, or not yet: each is written down before it is made and before it is deleted.

Storing a file and committing its version are two things, and so are the commit of a deletion and the file's end. A
crash between them leaves a file, and its row here: `sweep` deletes it when it is old enough to be nobody's work in
progress. What is not written down here is never touched, whatever else lies in the same folder or bucket.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.files.store import FileStore, StoreAway
from llmbench.db.tables import loose_file

OLD_ENOUGH: Final = timedelta(hours=1)
_log = logging.getLogger(__name__)


async def note(connection: AsyncConnection, uris: Sequence[str]) -> None:
    """From the commit on they may be swept, an hour later."""
    if uris:
        rows = [{"uri": uri} for uri in uris]
        await connection.execute(insert(loose_file).values(rows).on_conflict_do_nothing())


async def claim(connection: AsyncConnection, uri: str) -> bool:
    """It is held from the commit on. `False` when it was swept meanwhile."""
    return (await connection.execute(delete(loose_file).where(loose_file.c.uri == uri))).rowcount > 0


async def discard(engine: AsyncEngine, files: FileStore, uris: Sequence[str]) -> None:
    """Delete files that are written down, and forget them. Those of another store than today's wait for it, and so do
    those of one that is away: what was to go with them is gone."""
    for uri in filter(files.holds, uris):
        try:
            await files.delete(uri)
        except StoreAway as away:
            _log.warning("files are left for the next sweep", extra={"why": away.detail})
            return
        async with engine.begin() as connection:
            await claim(connection, uri)


async def sweep(engine: AsyncEngine, files: FileStore) -> int:
    """Discard what was left. Returns how many files."""
    old = select(loose_file.c.uri).where(loose_file.c.created_at < func.now() - OLD_ENOUGH)
    async with engine.connect() as connection:
        uris = [uri for uri in (await connection.execute(old)).scalars() if files.holds(uri)]
    await discard(engine, files, uris)
    if uris:
        _log.info("swept files that no version holds", extra={"files": len(uris)})
    return len(uris)
