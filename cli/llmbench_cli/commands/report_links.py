"""The commands `llmbench report-links …`: links with which people read the report of a run without signing in.

They are not options of `llmbench report`, because they need more rights. An API key that may only read runs can write
reports, but it cannot create or revoke links.
"""

from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit
from uuid import UUID

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Run, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Client

Json = dict[str, Any]

report_links = typer.Typer(help="Links to a run's report that work without sign-in, and expire.", no_args_is_help=True)


@report_links.command("create")
@asks("runs:create", "runs:read")
def create_link(
    run: Run,
    *,
    expires: Annotated[int, typer.Option(metavar="DAYS", min=1, max=90, help="The link works for this long.")] = 7,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Make a read-only link to the run's report, and print it.

    The link is shown only now. It opens the report, with every question and answer, and nothing else.
    """
    from llmbench.http.addresses import is_loopback
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import print_json
    from llmbench_cli.runs.output import print_note

    async def create(client: "Client") -> Json:
        made = await client.post(await _path(client, run), {"expires_in_days": expires})
        return {"url": f"{client.url}{made['path']}", **made["link"]}

    made = with_client(url, create)
    if as_json:
        print_json(made)
        return
    print(made["url"])
    if is_loopback(urlsplit(made["url"]).hostname or ""):
        print_note("only this machine can open it: make llmbench reachable by others, and give that address with --url")
    print_note(f"it works until {made['expires_at']}: `llmbench report-links revoke {run} {made['id']}` ends it before")


@report_links.command("list")
@asks("runs:read")
def list_links(run: Run, *, as_json: AsJson = False, url: Url = None) -> None:
    """List the links to the run's report that work, the newest first, without their secret part."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.resources import print_json, say

    async def read(client: "Client") -> list[Json]:
        return await _links(client, await _path(client, run))

    found = with_client(url, read)
    if as_json:
        print_json(found)
        return
    for each in found:
        opened = "never opened" if each["opened_at"] is None else f"opened last {each['opened_at']}"
        say(f"{each['id']}  works until {each['expires_at']}, {opened}")
    if not found:
        terminal(stderr=True).print("no link works: `llmbench report-links create` makes one")


@report_links.command("revoke")
@asks("runs:delete", "runs:read")
def revoke_link(
    run: Run,
    link: Annotated[
        UUID | None,
        typer.Argument(metavar="LINK", help="The link's id, from `llmbench report-links list`.", show_default=False),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Revoke all links of the run.")] = False,
    url: Url = None,
) -> None:
    """Revoke a link to the run's report, so that it stops working at once."""
    from llmbench_cli.client import with_client
    from llmbench_cli.errors import Refused
    from llmbench_cli.runs.output import print_note

    if (link is None) != every:
        raise typer.BadParameter("name a link, or revoke --all", param_hint="LINK")

    async def revoke(client: "Client") -> int:
        path = await _path(client, run)
        if link is not None:
            await client.delete(f"{path}/{link}")
            return 1
        ids = [each["id"] for each in await _links(client, path)]
        for id_ in ids:
            try:
                await client.delete(f"{path}/{id_}")
            except Refused as refused:
                # It expired, or was revoked elsewhere meanwhile.
                if refused.status != 404:
                    raise
        return len(ids)

    count = with_client(url, revoke)
    print_note(f"revoked {count} {'link' if count == 1 else 'links'}")


async def _path(client: "Client", run: str) -> str:
    from llmbench_cli.runs.names import run_id

    return f"/api/runs/{await run_id(client, run)}/report-links"


async def _links(client: "Client", path: str) -> list[Json]:
    found: list[Json] = (await client.get(path))["items"]
    return found
