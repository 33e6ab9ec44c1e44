"""Restore a backup into a database of llmbench: its rows, and its uploaded files."""

import asyncio
from pathlib import Path

from llmbench.db.history import head
from llmbench.db.logins import ensure_logins
from llmbench.db.migrate import is_known
from llmbench_cli.embedded import archive, dump
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.keeper import Reporter
from llmbench_cli.embedded.load import load
from llmbench_cli.settings import CliSettings


async def bring_back(
    settings: CliSettings, home: Home, backup: archive.Backup, *, name: Path, force: bool, report: Reporter
) -> str:
    """Restore the backup into the database of the settings or of the home, and return the schema version of its rows.

    `name` names the backup in error messages. Raises StartError if the backup is newer than this program or cannot be
    used, or if the database is in use. Also raises it if the database has data of users, unless `force` is set.
    """
    version = await dump.version_of(backup.rows, name=name)
    if not is_known(version):
        raise StartError(
            f"{name} has schema {version}, this llmbench knows up to {head()}: restore it with the llmbench "
            "that made it, or a newer one"
        )
    place = home.kept_files()

    async def put_files_back() -> None:
        if backup.files is not None and place is not None:
            await asyncio.to_thread(archive.put_back, place, backup.files)

    async with dump.database(settings, home, report) as url:
        await dump.require_free(url, force=force)
        await load(url, backup.rows, version=version, name=name, before_commit=put_files_back)
        await ensure_logins(url, {})
    if not settings.nats_url:
        dump.forget_nats(home)
    return version
