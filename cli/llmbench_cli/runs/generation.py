"""Start and follow the run in which a model writes questions, and find a run by name."""

import asyncio

from llmbench_cli.client import Client, Json
from llmbench_cli.console import terminal
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.running import platform_url
from llmbench_cli.runs.follow import follow
from llmbench_cli.runs.names import judge_choice, run_id
from llmbench_cli.runs.output import print_note
from llmbench_cli.runs.progress_view import RunView
from llmbench_cli.runs.session import Session, in_session
from llmbench_cli.runs.start import start


def generated(url: str | None, body: Json, *, model: str, detach: bool) -> tuple[str | None, int]:
    """Start a run in which `model` (PROVIDER:MODEL) writes questions about documents, and follow it unless `detach` is
    set. `body` has the other fields of `POST /api/runs`.

    Return the run's id and the exit code. The id is `None` unless the run was followed and finished. A finished run has
    code 0 even if some answers failed: a draft of a dataset is made from the others.
    """
    ended: list[str] = []

    async def work(session: Session) -> int:
        target = await judge_choice(session.client, model, what="model")
        made = await start(session.client, "/api/runs", body | {"targets": [target]}, notify=print_note)
        session.run_id = made["id"]
        where = session.page(made["id"])
        if detach:
            print(made["id"], where, sep="\n")
            return 0
        print_note(f"{made['name']}: {where}")
        with RunView(terminal(stderr=True)) as view:
            run = await follow(session.client, made["id"], view)
        if run["status"] == "FINISHED":
            ended.append(made["id"])
            return 0
        reason = f": {run['status_reason']}" if run["status_reason"] else ""
        print_note(f"The run is {run['status'].lower()}{reason}. What it wrote is kept.")
        if run["status"] == "PAUSED":
            print_note(f"`llmbench resume {made['id']}` continues it.")
        print_note(f"`llmbench documents draft {made['id']} --dataset NAME` makes a draft of the results so far.")
        return ExitCode.FAILED

    code = in_session(url, work)
    return (ended[0] if ended else None), code


def find_run(url: str | None, wanted: str) -> str:
    """Return a run's id from an id, the beginning or end of one, its name, or `last`. Raises `CommandFailed` unless
    exactly one run matches. A complete id is not checked."""

    async def found() -> str:
        async with Client(platform_url(url)) as client:
            return await run_id(client, wanted)

    return asyncio.run(found())
