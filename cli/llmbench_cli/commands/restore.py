"""`llmbench restore FILE`: the database as it was when the backup was made."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def restore(
    file: Annotated[Path, typer.Argument(help="What `llmbench backup` wrote.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace what is in the database.")] = False,
) -> None:
    """Bring back a backup, of this version or an older one: rows and uploaded files. The platform must be stopped."""
    from llmbench.db.history import head
    from llmbench.db.logins import ensure_logins
    from llmbench.db.migrate import is_known, upgrade
    from llmbench_cli.console import ConsoleReporter
    from llmbench_cli.embedded import archive, dump
    from llmbench_cli.embedded.errors import StartError
    from llmbench_cli.embedded.home import FILES_SETTING
    from llmbench_cli.running import home_of
    from llmbench_cli.settings import read_settings

    settings = read_settings()
    home = home_of(settings)
    if dump.is_running(home):
        raise StartError(f"the platform runs on {home.root}: stop it first")

    if not file.is_file():
        raise StartError(f"{file} does not exist")

    async def run() -> str:
        with archive.unpacked(file, beside=home.root) as backup:
            return await bring_back(backup)

    async def bring_back(backup: archive.Backup) -> str:
        version = await dump.version_of(backup.rows, name=file)
        if not is_known(version):
            raise StartError(
                f"{file} has schema {version}, this llmbench knows up to {head()}: restore it with the llmbench "
                "that made it, or a newer one"
            )
        async with dump.database(settings, home, ConsoleReporter(Console(stderr=True))) as url:
            await dump.read(url, backup.rows, force=force)
            await upgrade(url)
            await ensure_logins(url, {})
        place = home.kept_files()
        if backup.files is not None and place is not None:
            archive.put_back(place, backup.files)
        elif backup.files is not None:
            typer.echo(f"Its uploaded files were left out: they are kept in {FILES_SETTING}.", err=True)
        return version

    version = asyncio.run(run())
    migrated = "" if version == head() else f", migrated to {head()}"
    typer.echo(f"restored {file}: schema {version}{migrated}")
    if not settings.nats_url:
        dump.forget_nats(home)
    if not settings.master_key and not (home.root / "master.key").exists():
        typer.echo(
            f"The key of the providers' secrets is not in the backup: put the old one at {home.root / 'master.key'} "
            "(mode 0600) before you start, or enter the API keys again.",
            err=True,
        )
    typer.echo("`llmbench up` goes on from there; NATS is rebuilt from the database.")
