"""The command `llmbench rotate-key`: encrypt every stored secret with a new master key."""

import asyncio
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from llmbench_cli.rights import works_here


@works_here
def rotate_key(
    *,
    new_key_file: Annotated[
        Path | None,
        typer.Option(
            help="The file with the new key. If it does not exist, it is created with a new key. `-` reads the key "
            "from the standard input."
        ),
    ] = None,
    forget_locked: Annotated[
        bool, typer.Option("--forget-locked", help="Remove the secrets that the old key cannot decrypt.")
    ] = False,
) -> None:
    """Encrypt every stored secret with a new master key. Stop the platform first."""
    from llmbench_cli.console import ConsoleReporter
    from llmbench_cli.embedded import piped
    from llmbench_cli.embedded.errors import StartError
    from llmbench_cli.rotation import rotate
    from llmbench_cli.settings import read_settings

    console = Console(stderr=True)
    report = ConsoleReporter(console)
    settings = read_settings()
    piping = new_key_file is not None and piped.is_pipe(new_key_file)
    if piping and settings.master_key is None:
        raise StartError("`-` is for a key that you keep yourself, in LLMBENCH_MASTER_KEY; the home keeps its own")
    if piping:
        piped.refuse_terminal(sys.stdin)
    try:
        with piped.incoming() if piping else nullcontext(new_key_file) as source:
            rotated = asyncio.run(rotate(settings, report, new_key_file=source, forget_locked=forget_locked))
    finally:
        report.settled()
    done = rotated.resealed
    typer.echo(
        f"secrets encrypted with the new key: {done.sealed}" + (f" ({done.already} had it)" if done.already else "")
    )
    for name in done.forgotten:
        typer.echo(f"removed, enter it again: {name}")
    if rotated.of_home:
        typer.echo(f"the new key is in {rotated.key_file}; start `llmbench up` again")
    else:
        place = "what you gave" if piping else f"in {rotated.key_file}"
        typer.echo(
            f"the new key is {place}: give it to config-api, orchestrator and inference-gateway as "
            "LLMBENCH_MASTER_KEY and start them again"
        )
