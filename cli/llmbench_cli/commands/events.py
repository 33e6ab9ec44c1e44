"""The command `llmbench events`: print the events of runs, one per line.

It does the same as `nats sub 'evt.run.>'`. On the stack's own NATS it uses a login that may only read events.
"""

import asyncio
import json
import signal
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.console import Console
from rich.markup import escape

from llmbench.tls import NatsTls, nats_tls_trouble
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.rights import works_here
from llmbench_cli.runs.options import Url

Json = dict[str, Any]
_CONNECT_S = 5.0


@works_here
def events(
    *,
    run: Annotated[
        str | None, typer.Option(help="Only the events of this run: an id, its beginning or end, its name, or `last`.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per event, headers included.")] = False,
    url: Url = None,
) -> None:
    """Follow the events of runs until Ctrl-C."""
    from llmbench_cli.running import events_url
    from llmbench_cli.settings import read_settings

    # The subject of an event is `evt.run.<run id>.<kind>`.
    subject = f"evt.run.{_id(url, run)}.>" if run else "evt.run.>"
    asyncio.run(_follow(events_url(), read_settings().nats_tls(), subject, as_json=as_json))


def _id(url: str | None, run: str) -> str:
    """Return the run's id. A complete id is returned without asking the platform, which may be on another machine."""
    from llmbench_cli.runs.generation import find_run

    try:
        return str(UUID(run))
    except ValueError:
        return find_run(url, run)


async def _follow(url: str, tls: NatsTls, subject: str, *, as_json: bool) -> None:
    from nats.aio.msg import Msg
    from nats.errors import Error as NatsError

    from llmbench.messaging.connect import connect
    from llmbench.messaging.fence import fence

    console = Console()
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)

    async def show(message: Msg) -> None:
        if as_json:
            print(json.dumps(_as_object(message)), flush=True)
        else:
            console.print(as_line(message.subject, message.data), highlight=False, soft_wrap=True)

    async def report_error(error: Exception) -> None:
        reasons.append(error)
        if connected:
            typer.echo(f"NATS: {error}", err=True)

    connected = False
    reasons: list[Exception] = []
    try:
        # Limit the first connection attempt: the NATS client retries for ever, which suits only a lost connection.
        async with asyncio.timeout(_CONNECT_S):
            client = await connect(url, tls, error_cb=report_error, max_reconnect_attempts=-1)
        connected = True
        await client.subscribe(subject, cb=show)
        await fence(client)
    except (OSError, TimeoutError, ValueError, NatsError) as refused:
        trouble = nats_tls_trouble(reasons[-1] if reasons else refused)
        if trouble is None and isinstance(refused, ValueError):
            trouble = str(refused)
        where = url.rsplit("@")[-1]
        typer.echo(f"llmbench: NATS cannot be reached at {where}{f': {trouble}' if trouble else ''}", err=True)
        raise typer.Exit(ExitCode.FAILED) from refused
    typer.echo(f"listening on {subject}, Ctrl-C ends", err=True)
    await stop.wait()
    await client.close()


def _as_object(message: Any) -> Json:
    return {
        "subject": message.subject,
        "headers": message.headers or {},
        "body": _body(message.data),
    }


def _body(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return data.decode(errors="replace")


def as_line(subject: str, data: bytes) -> str:
    """Return an event as one line with Rich markup: the time now, the end of the run's id, then the event's sequence
    number, kind and content.

    Events of an unknown kind are shown field by field.
    """
    body = _body(data)
    now = f"[dim]{datetime.now():%H:%M:%S}[/]"
    parts = subject.split(".")
    run, kind = (parts[2][-8:] if len(parts) > 2 else ""), parts[-1]
    if not isinstance(body, dict):
        return f"{now} {escape(run)} [bold]{escape(kind)}[/] {escape(str(body))}"
    words = _WORDS.get(kind, _fields)(body)
    return f"{now} [dim]{escape(run)} #{body.get('run_seq', '-')}[/] [bold]{escape(kind):<8}[/] {escape(words)}"


def _status(body: Json) -> str:
    return _joined(body.get("status"), body.get("phase"), body.get("outcome"), body.get("reason"))


def _progress(body: Json) -> str:
    counts = ", ".join(f"{body.get(name)} {name}" for name in ("answered", "judged", "failed"))
    current = body.get("current") or {}
    return _joined(
        body.get("phase"),
        f"{counts} of {body.get('items')}",
        current.get("target_label") or current.get("model"),
        current.get("task_id"),
    )


def _item(body: Json) -> str:
    item = body.get("item") or {}
    failure = item.get("failure") or {}
    score = item.get("score")
    return _joined(
        item.get("task_id"),
        item.get("target_label"),
        item.get("status"),
        None if score is None else f"score {score:g}",
        failure.get("message") or failure.get("kind"),
    )


def _log(body: Json) -> str:
    return _joined(body.get("task_id"), body.get("target_label"), f"{body.get('kind')}: {_short(body.get('text'))}")


def _fields(body: Json) -> str:
    shown = {name: value for name, value in body.items() if name not in _ENVELOPE and value is not None}
    return "  ".join(f"{name}={_short(value)}" for name, value in shown.items())


_ENVELOPE = frozenset({"type", "run_id", "org_id", "run_seq", "at"})
_WORDS = {"status": _status, "progress": _progress, "item": _item, "log": _log}


def _joined(*words: object) -> str:
    return " · ".join(str(word) for word in words if word)


def _short(value: Any, *, most: int = 100) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
