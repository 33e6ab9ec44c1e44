"""The command `llmbench overrule`: give an answer another score than the judge did, with the reason."""

from typing import TYPE_CHECKING, Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Run, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Client, Json


@asks("runs:update", "runs:read")
def overrule(  # noqa: PLR0913  # one parameter per option
    run: Run,
    item: Annotated[
        str,
        typer.Argument(
            metavar="ITEM", help="The item's id, or its task's id if the run has one such item.", show_default=False
        ),
    ],
    *,
    score: Annotated[
        float | None, typer.Option(help="Your score, on the judge's scale.", metavar="NUMBER", show_default=False)
    ] = None,
    why: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The reason, which everybody can read.", show_default=False)
    ] = None,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take your score back: the judge's counts again.")
    ] = False,
    evaluator: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The evaluator's name, if judges score for several.", show_default=False),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="JUDGE",
            help="The judge's model, or the id of its evaluator revision; by default the primary revision.",
            show_default=False,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Your name, on a platform without sign-in; by default your login on this machine.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Overrule a judge's score of one item of a finished run.

    The judge's score stays. Your score is in an evaluator revision of its own, "corrected by people", which has the
    judge's scores for all other items. `llmbench promote` bases the run's figures on that revision.
    """
    import asyncio
    from urllib.parse import urlencode

    from llmbench_cli.client import Client
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.names import judge_revision, run_id
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_line
    from llmbench_cli.sign_in import sign_in_headers

    if withdraw == (score is not None) or (not withdraw and not (why or "").strip()):
        raise typer.BadParameter("give both, or --withdraw alone", param_hint="--score / --why")

    async def send() -> "Json":
        async with Client(platform_url(url)) as client:
            path = f"/api/runs/{await run_id(client, run)}"
            revision = judge_revision(await client.get(path), judge, evaluator=evaluator)
            found = await _item_id(client, path, item)
            at = f"{path}/items/{found}/overrulings/{revision['revision_id']}"
            who = {"by": by or _login()} if by or not sign_in_headers() else {}
            if withdraw:
                await client.delete(f"{at}?{urlencode(who)}" if who else at)
                return await client.get(f"{path}/items/{found}/overrulings")
            return await client.put(at, {"score": score, "reason": why, **who})

    answer = asyncio.run(send())
    if as_json:
        print_json(answer)
        return
    last = answer["items"][0]
    change = "withdrawn" if last["score"] is None else f"{last['judge_score']:g} → {last['score']:g}"
    terminal().print(f"{safe_line(item)}, {safe_line(last['evaluator'])}: {change}", soft_wrap=True)


async def _item_id(client: "Client", run: str, wanted: str) -> str:
    """Return the id of an item of the run. `wanted` is the item's id, which is not checked, or the id of its task.
    Raises `CommandFailed` unless exactly one item has this task.
    """
    from uuid import UUID

    from llmbench_cli.errors import CommandFailed

    try:
        return str(UUID(wanted))
    except ValueError:
        pass
    found = [each async for each in client.every(f"{run}/items", task_id=wanted)]
    if len(found) == 1:
        return str(found[0]["id"])
    if not found:
        raise CommandFailed(f"the run has no item of the task '{wanted}'")
    some = ", ".join(f"{each['id']} ({each['target_label']})" for each in found[:5])
    more = " …" if len(found) > 5 else ""
    raise CommandFailed(f"'{wanted}' is {len(found)} items; name one by its id: {some}{more}")


def _login() -> str:
    import getpass

    return getpass.getuser()
