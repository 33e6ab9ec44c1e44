"""`llmbench rotate-key`: every stored secret gets a new master key."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def rotate_key(
    *,
    new_key_file: Annotated[
        Path | None,
        typer.Option(help="File with the new key; written, with a new key, when it does not exist."),
    ] = None,
    forget_locked: Annotated[
        bool, typer.Option("--forget-locked", help="Remove the secrets that the old key does not open.")
    ] = False,
) -> None:
    """Seal every stored secret with a new master key. Stop the platform first."""
    from llmbench_cli.console import ConsoleReporter
    from llmbench_cli.rotation import rotate
    from llmbench_cli.settings import read_settings

    console = Console(stderr=True)
    report = ConsoleReporter(console)
    rotating = rotate(read_settings(), report, new_key_file=new_key_file, forget_locked=forget_locked)
    try:
        rotated = asyncio.run(rotating)
    finally:
        report.settled()
    done = rotated.resealed
    typer.echo(
        f"secrets sealed with the new key: {done.sealed}" + (f" ({done.already} had it)" if done.already else "")
    )
    for name in done.forgotten:
        typer.echo(f"removed, enter it again: {name}")
    if rotated.of_home:
        typer.echo(f"the new key is in {rotated.key_file}; start `llmbench up` again")
    else:
        typer.echo(
            f"the new key is in {rotated.key_file}: give it to config-api, orchestrator and inference-gateway as "
            "LLMBENCH_MASTER_KEY and start them again"
        )
