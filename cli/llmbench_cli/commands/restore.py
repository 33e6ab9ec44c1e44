"""The command `llmbench restore FILE`: restore the database and the uploaded files from a backup."""

import asyncio
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from llmbench_cli.rights import works_here


@works_here
def restore(
    file: Annotated[Path, typer.Argument(help="The backup file. `-` reads the standard input.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace the content of the database.")] = False,
) -> None:
    """Restore a backup of this version or an older one: rows and uploaded files. The platform must be stopped."""
    from llmbench.db.history import head
    from llmbench.db.logins import ensure_logins
    from llmbench.db.migrate import is_known
    from llmbench_cli.console import ConsoleReporter
    from llmbench_cli.embedded import archive, dump, piped
    from llmbench_cli.embedded.errors import StartError
    from llmbench_cli.embedded.home import FILES_SETTING
    from llmbench_cli.embedded.load import load
    from llmbench_cli.running import home_of
    from llmbench_cli.settings import read_settings

    settings = read_settings()
    home = home_of(settings)
    if dump.is_running(home):
        raise StartError(f"the platform runs on {home.root}: stop it first")

    piping = piped.is_pipe(file)
    name = Path("the standard input") if piping else file
    if piping:
        piped.refuse_terminal(sys.stdin)
    elif not file.is_file():
        raise StartError(f"{file} does not exist")

    async def run() -> str:
        with (
            piped.incoming() if piping else nullcontext(file) as source,
            archive.unpacked(source, beside=home.root) as backup,
        ):
            return await bring_back(backup)

    async def bring_back(backup: archive.Backup) -> str:
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

        async with dump.database(settings, home, ConsoleReporter(Console(stderr=True))) as url:
            await dump.require_free(url, force=force)
            await load(url, backup.rows, version=version, name=name, before_commit=put_files_back)
            await ensure_logins(url, {})
        if backup.files is not None and place is None:
            typer.echo(f"Its uploaded files were left out: they are kept in {FILES_SETTING}.", err=True)
        return version

    version = asyncio.run(run())
    migrated = "" if version == head() else f", migrated to {head()}"
    typer.echo(f"restored {name}: schema {version}{migrated}")
    if not settings.nats_url:
        dump.forget_nats(home)
    if not settings.master_key and not (home.root / "master.key").exists():
        typer.echo(
            f"The key of the providers' secrets is not in the backup: put the old one at {home.root / 'master.key'} "
            "(mode 0600) before you start, or enter the API keys again.",
            err=True,
        )
    typer.echo("`llmbench up` continues from there; NATS is rebuilt from the database.")
