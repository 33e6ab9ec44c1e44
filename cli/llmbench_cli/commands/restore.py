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
    from llmbench_cli.console import ConsoleReporter
    from llmbench_cli.embedded import archive, dump, piped
    from llmbench_cli.embedded.bring_back import bring_back
    from llmbench_cli.embedded.errors import StartError
    from llmbench_cli.embedded.home import FILES_SETTING
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

    left_out = False

    async def run() -> str:
        nonlocal left_out
        with (
            piped.incoming() if piping else nullcontext(file) as source,
            archive.unpacked(source, inside=home.root) as backup,
        ):
            left_out = backup.files is not None and home.kept_files() is None
            report = ConsoleReporter(Console(stderr=True))
            return await bring_back(settings, home, backup, name=name, force=force, report=report)

    version = asyncio.run(run())
    if left_out:
        typer.echo(f"Its uploaded files were left out: they are kept in {FILES_SETTING}.", err=True)
    migrated = "" if version == head() else f", migrated to {head()}"
    typer.echo(f"restored {name}: schema {version}{migrated}")
    if not settings.master_key and not (home.root / "master.key").exists():
        typer.echo(
            f"The key of the providers' secrets is not in the backup: put the old one at {home.root / 'master.key'} "
            "(mode 0600) before you start, or enter the API keys again.",
            err=True,
        )
    typer.echo("`llmbench up` continues from there; NATS is rebuilt from the database.")
