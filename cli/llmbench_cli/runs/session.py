"""Follow a run, show its result, and derive the exit code."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from llmbench_cli.attended import attended
from llmbench_cli.client import Client, Json
from llmbench_cli.console import terminal
from llmbench_cli.running import platform_url
from llmbench_cli.runs import baselines, gates
from llmbench_cli.runs.comparison import unpaired
from llmbench_cli.runs.follow import follow
from llmbench_cli.runs.judge_notes import judge_notes
from llmbench_cli.runs.output import page, print_json, print_note, show_result
from llmbench_cli.runs.progress_view import RunView
from llmbench_cli.runs.run_file import GateEntry, Thresholds
from llmbench_cli.runs.verdict import PASSED, verdict
from llmbench_cli.safe_text import safe_json


@dataclass
class Session:
    """The client of a command that follows a run, and the id of that run. `run_id` is `None` until the run exists."""

    client: Client
    run_id: str | None = None

    def page(self, run_id: str) -> str:
        """Return the URL of the run in the web application."""
        return page(self.client, run_id)

    def farewell(self) -> str:
        """Return the message for a user who stops watching: what continues, and how to find it."""
        if self.run_id is None:
            return "Interrupted. `llmbench list` shows whether a run was started."
        name = self.run_id
        return (
            f"The run continues. Watch it with `llmbench watch {name}` or at {self.page(name)}; "
            f"`llmbench cancel {name}` ends it."
        )


def in_session(url: str | None, body: Callable[[Session], Awaitable[int]]) -> int:
    """Run `body` with a client of the platform, and return its exit code. After a signal, return 128 plus its number:
    130 for Ctrl-C.

    The platform's address is `url`, else that of the settings, else that of the running stack.
    """
    session = Session(Client(platform_url(url)))

    async def work() -> int:
        async with session.client:
            return await body(session)

    return attended(work(), farewell=session.farewell)


async def go_on(
    session: Session,
    made: Json,
    *,
    detach: bool,
    as_json: bool,
    thresholds: Thresholds,
    gate: GateEntry | None = None,
) -> int:
    """Announce a run that was started or reopened, and follow it unless `detach` is set. Return the exit code.

    `made` is the run as the API returned it. If `gate` is given, the finished run is compared with its baseline to
    decide the gate.
    """
    session.run_id = made["id"]
    where = session.page(made["id"])
    if made.get("webhook_secret") and not as_json:
        print_note(f"The webhook is signed with {made['webhook_secret']}, which is not shown again.")
    if not detach:
        print_note(f"{made['name']}: {where}")
        return await watch_to_the_end(session, made["id"], thresholds=thresholds, as_json=as_json, gate=gate)
    if as_json:
        print_json(made | {"url": where})
    else:
        print(made["id"], where, sep="\n")
    return PASSED


async def watch_to_the_end(
    session: Session,
    run_id: str,
    *,
    thresholds: Thresholds,
    as_json: bool,
    with_log: bool = False,
    gate: GateEntry | None = None,
) -> int:
    """Follow the run until it is over or has paused at its cost limit. Print its results, and return the exit code.

    If `gate` is given, the finished run is compared with its baseline to decide the gate. A missed threshold has
    precedence over the gate's exit code.
    """
    session.run_id = run_id
    with RunView(terminal(stderr=True)) as view:
        run = await follow(session.client, run_id, view, with_log=with_log)
    code, reasons = verdict(run, thresholds)
    of_gates, against = baselines.exit_code(run.get("gate"))
    code, reasons = code or of_gates, [*reasons, *against]
    gated: Json | None = None
    if gate is not None and run["status"] == "FINISHED":
        compared, of_gate, gate_reasons = await gates.decided(session.client, run, gate)
        reasons, code = [*reasons, *gate_reasons], code or of_gate
        if compared is not None:
            gated = compared["gate"]
            for sentence in unpaired(compared):
                print_note(sentence)
    if as_json:
        requested = thresholds.model_dump() | ({"gate": gated} if gate else {})
        print_json(run | {"url": session.page(run_id), "verdict": {**requested, "exit_code": code, "reasons": reasons}})
    else:
        failed = bool(run["counts"]["failed"])
        why = await session.client.get(f"/api/runs/{run_id}/failures") if failed else None
        show_result(safe_json(run), session.page(run_id), safe_json(why))
        if gated:
            terminal().print(gates.table(safe_json(gated)))
        if run.get("gates"):
            terminal().print(baselines.verdict_table(safe_json(run["gates"])))
        for note in await judge_notes(session.client, [run_id]):
            print_note(note)
    for reason in safe_json(reasons):
        terminal(stderr=True).print(f"✗ {reason}", style="red", soft_wrap=True)
    if run["status"] == "PAUSED":
        hint = " --max-cost-usd MORE" if run["max_cost_usd"] is not None else ""
        print_note(f"`llmbench resume {run_id}{hint}` continues it.")
    return code


def merged(
    given: Thresholds, *, min_score: float | None, min_pass_rate: float | None, allow_partial: bool
) -> Thresholds:
    """Return the thresholds `given`, such as those of a run file, overridden by those of the command line. An option
    that is None or False overrides nothing."""
    over: dict[str, Any] = {"min_score": min_score, "min_pass_rate": min_pass_rate}
    if allow_partial:
        over["allow_partial"] = True
    return given.model_copy(update={name: value for name, value in over.items() if value is not None})
