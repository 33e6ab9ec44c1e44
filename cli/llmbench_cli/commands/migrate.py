"""The command `llmbench migrate`: migrate the database to this version's schema, and create the services' logins."""

import asyncio

import typer

from llmbench_cli.rights import works_here


@works_here
def migrate() -> None:
    """Migrate a database to this version's schema, under a lock. It is the database at LLMBENCH_DATABASE_URL, or else
    that of the running stack.

    With LLMBENCH_DATABASE_LOGINS it also creates one login per service, with the rights that the service needs. The
    rights of existing logins are renewed.
    """
    from llmbench.db.logins import ensure_logins
    from llmbench.db.migrate import upgrade
    from llmbench.db.version import current
    from llmbench_cli.embedded.reach import reach_database
    from llmbench_cli.running import database_url
    from llmbench_cli.settings import read_settings

    async def run(url: str, passwords: dict[str, str]) -> None:
        await reach_database(url, lambda text: typer.echo(text, err=True))
        before = await current(url)
        await upgrade(url)
        after = await current(url)
        typer.echo(f"schema {after}" if before == after else f"schema {before or 'empty'} → {after}")
        roles = await ensure_logins(url, passwords)
        if roles:
            typer.echo(f"logins {', '.join(roles)}")

    passwords = read_settings().login_passwords()
    asyncio.run(run(database_url(), passwords))
