"""The command `llmbench backup FILE`: write the database and the uploaded files to one file."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from llmbench_cli.rights import works_here


@works_here
def backup(
    file: Annotated[
        Path, typer.Argument(help="The file to write; it must not exist. `-` writes to the standard output.")
    ],
    *,
    without_files: Annotated[
        bool, typer.Option("--without-files", help="The database alone, without the uploaded files.")
    ] = False,
) -> None:
    """Write the database and the uploaded files to one file; the platform may run meanwhile. Uploads in a bucket are
    left out."""
    from llmbench_cli.console import ConsoleReporter
    from llmbench_cli.embedded import dump, piped
    from llmbench_cli.embedded.errors import StartError
    from llmbench_cli.embedded.home import FILES_SETTING
    from llmbench_cli.running import home_of
    from llmbench_cli.settings import read_settings

    settings = read_settings()
    home = home_of(settings)
    console = Console(stderr=True)
    piping = piped.is_pipe(file)
    if piping:
        piped.refuse_terminal(sys.stdout)
    elif file.exists():
        raise StartError(f"{file} exists already: a backup never overwrites a file")
    if not settings.database_url and not (home.root / "postgres").exists():
        raise StartError(f"there is nothing to back up in {home.root}")

    folder = None if without_files else home.kept_files()

    async def run() -> tuple[str, int]:
        async with dump.database(settings, home, ConsoleReporter(console)) as url:
            named, missing = await dump.missing_files(url, folder) if folder else (0, 0)
            if named and missing == named:
                raise StartError(
                    f"the database names {named} uploaded files, and none of them is in {folder}: name or mount their "
                    f"folder ({FILES_SETTING}; in containers the volume `files`), or back up the rows alone with "
                    "--without-files"
                )
            if not piping:
                return await dump.write(url, file, files=folder), missing
            with piped.outgoing() as written:
                return await dump.write(url, written, files=folder), missing

    version, missing = asyncio.run(run())
    size = "written" if piping else f"{file.stat().st_size / 1e6:.1f} MB"
    # A backup on the standard output must not be mixed with messages.
    typer.echo(f"{'backup' if piping else file}: schema {version}, {size}", err=piping)
    if missing:
        typer.echo(
            f"{missing} uploaded files that the database names are not in {folder}, and not in this file.", err=True
        )
    if without_files:
        typer.echo("Uploaded files are not in this file, as you asked.", err=piping)
    elif folder is None:
        typer.echo(
            f"Uploaded files of datasets are in {FILES_SETTING}, not in this file: back them up there.", err=piping
        )
    key = "LLMBENCH_MASTER_KEY" if settings.master_key else str(home.root / "master.key")
    typer.echo(
        f"Keep {key} too, in another place: it is not in this file, and without it the providers' secrets cannot "
        f"be decrypted. NATS needs no backup: it is rebuilt from the database.",
        err=piping,
    )
