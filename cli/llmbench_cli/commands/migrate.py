"""`llmbench migrate`: the database gets this version's schema."""

import asyncio

import typer


def migrate() -> None:
    """Bring the database at LLMBENCH_DATABASE_URL to this version's schema, under a lock."""
    from llmbench.db.migrate import current, upgrade
    from llmbench_cli.running import database_url

    async def run(url: str) -> tuple[str | None, str | None]:
        before = await current(url)
        await upgrade(url)
        return before, await current(url)

    try:
        before, after = asyncio.run(run(database_url()))
    except OSError as unreachable:
        typer.echo(f"the database cannot be reached: {unreachable}", err=True)
        raise typer.Exit(1) from unreachable
    typer.echo(f"schema {after}" if before == after else f"schema {before or 'empty'} → {after}")
