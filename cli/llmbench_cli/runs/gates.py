"""Show a gate, and derive the exit code of a comparison from the gate's state.

- 0: fine, because a loss of the margin or more is ruled out
- 100: worse, because such a loss is certain
- 101: undecided; 0 with `--undecided=ok`, unless the candidate is certainly worse than the baseline
- 102: no verdict, because less than 90 % of the shared cases are scored in both runs; no option changes this code
- 2: the platform refuses the gate
"""

import typer
from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed, Refused
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.runs.output import print_note
from llmbench_cli.runs.patience import until_answered
from llmbench_cli.runs.result_tables import plain_table
from llmbench_cli.runs.run_file import GateEntry
from llmbench_cli.runs.words import NONE, chance, coverage, dollars, milliseconds, number

FINE, WORSE, UNDECIDED = ExitCode.OK, ExitCode.MISSED, ExitCode.UNDECIDED
LOW_COVERAGE, REFUSED = ExitCode.LOW_COVERAGE, ExitCode.REFUSED
_CODES = {"fine": FINE, "worse": WORSE, "undecided": UNDECIDED, "low coverage": LOW_COVERAGE}
_COLOURS = {"fine": "green", "worse": "red", "undecided": "yellow", "low coverage": "yellow"}


class WeakGate(CommandFailed):
    """Raised when a gate would pass an unchanged model in fewer than 80 of 100 comparisons."""


def choice(metric: str, margin: float | None, *, force: bool) -> Json:
    """Return the gate as the API expects it in a request. Raises `typer.BadParameter` if the margin is missing or 0."""
    if not margin:
        raise typer.BadParameter(
            "a gate needs a margin above 0, the loss that does not matter: --margin 0.02 for scores and rates "
            "from 0 to 1, --margin 10% for cost and latency",
            param_hint="--margin",
        )
    return {"metric": metric, "margin": margin, "force": force}


def exit_code(gate: Json, *, forgive_undecided: bool) -> int:
    """Return the exit code for the gate's state. `forgive_undecided` stands for `--undecided=ok`.

    >>> exit_code({"state": "undecided", "lower_than_baseline": False}, forgive_undecided=True)
    <ExitCode.OK: 0>
    >>> exit_code({"state": "undecided", "lower_than_baseline": True}, forgive_undecided=True)
    <ExitCode.UNDECIDED: 101>
    >>> exit_code({"state": "low coverage", "lower_than_baseline": False}, forgive_undecided=True)
    <ExitCode.LOW_COVERAGE: 102>
    """
    code = _CODES[gate["state"]]
    forgiven = code == UNDECIDED and forgive_undecided and not gate["lower_than_baseline"]
    return FINE if forgiven else code


async def require_holding(client: Client, baseline: str, gate: GateEntry) -> None:
    """Raise `WeakGate` if the gate would pass an unchanged model in fewer than 80 of 100 comparisons. Raise `Refused`
    if the platform refuses to test this.

    `baseline` is the id of the baseline run. With `force` in the gate, nothing is checked. The check needs no paid
    call.
    """
    if gate.force:
        return
    request = {"metric": gate.metric, "margin": gate.margin}
    checked = await client.post("/v1/benchmarks/check-gate", {"run_id": baseline, "gate": request})
    weak = [target for target in checked["targets"] if not target["holds"]]
    if weak:
        raise WeakGate(f"{weak[0]['label']}: {weak[0]['sentence']} Or set `force` to run it anyway.")


async def decided(client: Client, run: Json, gate: GateEntry) -> tuple[Json | None, int, list[str]]:
    """Compare a finished run with its baseline to decide the gate, and wait for the platform while it restarts.

    Return the comparison, the gate's exit code, and the reasons if the code is not 0. If the platform refuses the
    request, the first value is `None`. The code is then 2 if the HTTP status is 422, and 1 otherwise.
    """
    request = {"metric": gate.metric, "margin": gate.margin, "force": True}
    body = {"run_ids": [run["baseline_run_id"], run["id"]], "gate": request}
    try:
        compared = await until_answered(lambda: client.post("/v1/benchmarks/compare", body), print_note)
    except Refused as refused:
        return None, REFUSED if refused.status == 422 else ExitCode.FAILED, [f"the gate is refused: {refused}"]
    found = compared["gate"]
    code = exit_code(found, forgive_undecided=gate.undecided == "ok")
    reasons = [
        f"{pair['label']}: {pair['state']}: {pair['sentence']}" for pair in found["pairs"] if pair["state"] != "fine"
    ]
    return compared, code, reasons if code else []


def table(gate: Json) -> Table:
    """Return a table with a row per target: its difference from the baseline, and the gate's result."""
    shown = plain_table(f"Gate: {gate['title']}, margin {_margin(gate)} (90 % two-sided intervals)")
    shown.add_column("target", overflow="fold", min_width=12)
    for name in ("baseline", "here", "change", "cases", "covered", "fine if\nunchanged"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("state", no_wrap=True)
    for pair in gate["pairs"]:
        clusters = "" if pair["clusters"] == pair["cases"] else f" in {pair['clusters']}"
        shown.add_row(
            pair["label"],
            _value(gate, pair["mean_baseline"]),
            _value(gate, pair["mean_here"]),
            _change(gate, pair),
            f"{pair['cases']}{clusters}",
            coverage(pair["coverage"]),
            NONE if pair["probability_fine"] is None else chance(pair["probability_fine"]),
            Text(pair["state"], style=_COLOURS[pair["state"]]),
        )
    return shown


def checked(found: Json) -> Table:
    """Return a table with a row per target: how often the baseline, compared with itself, is fine, undecided or a false
    alarm."""
    shown = plain_table(f"Gate on {found['title']}, margin {_margin(found)}: {found['run_name']} against itself")
    shown.add_column("target", overflow="fold", min_width=12)
    for name in ("compared", "times", "fine", "undecided", "false\nalarms", "fine if\nunchanged"):
        shown.add_column(name, justify="right")
    shown.add_column("", overflow="fold")
    for target in found["targets"]:
        shown.add_row(
            target["label"],
            target["basis"],
            str(target["checks"]),
            str(target["fine"]),
            str(target["undecided"]),
            str(target["worse"]),
            chance(target["probability_fine"]),
            Text("holds", style="green") if target["holds"] else Text("too weak", style="red"),
        )
    return shown


def _margin(gate: Json) -> str:
    return f"{100 * gate['margin']:g} %" if gate["relative"] else f"{gate['margin']:g}"


def _value(gate: Json, value: float | None) -> str:
    if gate["metric"] == "cost":
        return dollars(value)
    return milliseconds(value) if gate["metric"] == "latency" else number(value, "{:.3f}")


def _change(gate: Json, pair: Json) -> str:
    if pair["mean"] is None:
        return NONE
    form = "{:+.1%}" if gate["relative"] else "{:+.3f}"
    bounds = pair["interval"]
    shown = f" [{form.format(bounds['low'])}, {form.format(bounds['high'])}]" if bounds else ""
    return form.format(pair["mean"]) + shown
