"""Find the baseline of a preset or suite by its label, and show baselines, gates and verdicts."""

from dataclasses import dataclass

import typer
from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.runs.names import preset as preset_named
from llmbench_cli.runs.result_tables import plain_table, short_id
from llmbench_cli.runs.suite_body import suite_version
from llmbench_cli.runs.words import NONE, chance, moment

PATH = "/api/baselines"
MAIN = "main"
_CODES = {
    "fine": ExitCode.OK,
    "worse": ExitCode.MISSED,
    "undecided": ExitCode.UNDECIDED,
    "low coverage": ExitCode.LOW_COVERAGE,
    "not judged": ExitCode.LOW_COVERAGE,
    "the judge changed": ExitCode.LOW_COVERAGE,
}
_COLOURS = {"fine": "green", "worse": "red"}
_OTHERWISE = "yellow"


def exit_code(gate: Json | None) -> tuple[int, list[str]]:
    """Return the exit code of a run by the result of its gates, and the reason if the code is not 0. `gate` is the
    result in the API's form, or None for a run without gates.

    >>> exit_code({"verdict": "undecided", "passed": True, "sentence": "undecided: …"})
    (<ExitCode.OK: 0>, [])
    >>> exit_code({"verdict": "not judged", "passed": False, "sentence": "not judged: …"})
    (<ExitCode.LOW_COVERAGE: 102>, ['not judged: …'])
    """
    if gate is None or gate["passed"] or gate["verdict"] not in _CODES:
        return ExitCode.OK, []
    return _CODES[gate["verdict"]], [gate["sentence"]]


@dataclass(frozen=True)
class Owner:
    """The preset or suite that a baseline belongs to. `kind` is "preset" or "suite"."""

    kind: str
    name: str


def owner(preset: str | None, suite: str | None) -> Owner:
    """Return the preset or suite that the options name. Raises `typer.BadParameter` unless exactly one of them is
    given."""
    if preset is not None and suite is None:
        return Owner("preset", preset)
    if suite is not None and preset is None:
        return Owner("suite", suite)
    raise typer.BadParameter("name either a preset or a suite", param_hint="--preset / --suite")


async def subject_of(client: Client, of: Owner) -> Json:
    """Return the subject of a baseline in the API's form: the kind and the id of the preset or suite. The id of a suite
    is its `family_id`, which all its versions share. Raises `CommandFailed` if there is no such preset or suite."""
    found = await suite_version(client, of.name, None) if of.kind == "suite" else await preset_named(client, of.name)
    return {"kind": of.kind, "id": found["family_id" if of.kind == "suite" else "id"]}


async def find(client: Client, of: Owner, label: str) -> Json | None:
    """Return the baseline of the preset or suite under the label; `None` if there is none."""
    subject = await subject_of(client, of)
    query = {"subject_kind": subject["kind"], "subject_id": subject["id"], "label": label}
    found = (await client.get(PATH, **query))["items"]
    return dict(found[0]) if found else None


async def require(client: Client, of: Owner, label: str) -> Json:
    """Return the baseline of the preset or suite under the label. Raises `CommandFailed` if there is none."""
    found = await find(client, of, label)
    if found is None:
        raise CommandFailed(
            f"the {of.kind} '{of.name}' has no baseline '{label}': "
            f"`llmbench baseline promote RUN --{of.kind} '{of.name}' --label '{label}'` makes one"
        )
    return found


def is_on(gate: Json, metric: str, task: str | None) -> bool:
    """Return whether the saved gate is on this metric of the suite's task. If `task` is `None`, the gate must be on the
    suite or preset itself.

    A metric may be the name of an evaluator, which the API writes with the prefix `evaluator:` and the task's name.

    >>> is_on({"metric": "evaluator:sums/exact", "task": "sums"}, "exact", "sums")
    True
    """
    of_task = {f"evaluator:{task}/{metric}"} if task else set()
    return gate["task"] == task and gate["metric"] in {metric, f"evaluator:{metric}"} | of_task


def gate_on(baseline: Json, metric: str, task: str | None) -> Json:
    """Return the baseline's gate on this metric of the task or, if `task` is `None`, of the suite or preset itself.
    Raises `CommandFailed` if there is none."""
    for gate in baseline["gates"]:
        if is_on(gate, metric, task):
            return dict(gate)
    known = ", ".join(_known(gate) for gate in baseline["gates"]) or "none"
    of_task = f" of the task '{task}'" if task else ""
    raise CommandFailed(f"the baseline '{baseline['label']}' has no gate on '{metric}'{of_task}; it has: {known}")


def _known(gate: Json) -> str:
    return f"{gate['metric']} --task {gate['task']}" if gate["task"] else str(gate["metric"])


def baselines_table(found: list[Json]) -> Table:
    shown = plain_table("")
    for name in ("preset or suite", "label", "baseline", "anchor", "since", "gates", "fine if unchanged"):
        shown.add_column(name, overflow="fold")
    for entry in found:
        same = entry["anchor"]["id"] == entry["run"]["id"]
        gates = ", ".join(f"{gate['title']} {margin_words(gate)}" for gate in entry["gates"])
        shown.add_row(
            entry["subject"]["name"],
            entry["label"],
            f"{entry['run']['name']} ({short_id(entry['run']['id'])})",
            "the same" if same else f"{entry['anchor']['name']} ({short_id(entry['anchor']['id'])})",
            _day(entry["updated_at"]),
            gates or NONE,
            NONE if entry["probability_fine"] is None else chance(entry["probability_fine"]),
        )
    return shown


def history_table(found: list[Json]) -> Table:
    shown = plain_table("")
    for name in ("when", "run", "became", "note"):
        shown.add_column(name, overflow="fold")
    for entry in found:
        known = f" ({short_id(entry['run_id'])})" if entry["run_id"] else " (removed)"
        role = "baseline and anchor" if entry["role"] == "both" else entry["role"]
        shown.add_row(_day(entry["created_at"]), entry["run_name"] + known, role, entry["note"] or "")
    return shown


def gates_table(found: list[Json]) -> Table:
    """Return a table of the gates of the baselines."""
    shown = plain_table("")
    for name in ("preset or suite", "label", "metric", "margin", "undecided", "fine if unchanged", "clusters"):
        shown.add_column(name, overflow="fold")
    for entry in found:
        for gate in entry["gates"]:
            probability = chance(gate["probability_fine"])
            shown.add_row(
                *(entry["subject"]["name"], entry["label"], gate["title"], margin_words(gate), gate["undecided"]),
                Text(probability, style="green" if gate["holds"] else "red"),
                str(gate["clusters"]),
            )
    return shown


def verdict_table(gates: list[Json]) -> Table:
    """Return a table of the gates by which a run was compared."""
    shown = plain_table("Gates (90 % two-sided intervals)")
    for name in ("against", "metric", "margin", "target", "change", "verdict"):
        shown.add_column(name, overflow="fold")
    for gate in gates:
        role = "anchor" if gate["role"] == "anchor" else "baseline"
        for pair in gate["pairs"] or [{"label": NONE, "mean": None, "interval": None, "verdict": gate["verdict"]}]:
            shown.add_row(
                f"{gate['label']} ({role} {gate['baseline_run_name']})",
                gate["title"],
                margin_words(gate),
                pair["label"],
                change_words(gate, pair),
                Text(pair["verdict"], style=_COLOURS.get(pair["verdict"], _OTHERWISE)),
            )
    shown.caption = Text("\n".join(judge_words(gates)))
    return shown


def judge_words(gates: list[Json]) -> list[str]:
    """Return a line for each judge check that was made before the gates of a run were decided.

    >>> check = {"run_id": "r", "answers": 10, "repeats": 2, "shift": -0.3, "p": 0.00002, "changed": True}
    >>> judge_words([{"judge_check": check, "baseline_run_name": "Release"}, {"judge_check": None}])
    ["10 stored answers of 'Release' judged again, 2 times each: -0.300 on average (p = 2e-05): the judge changed"]
    """
    lines = []
    for gate in gates:
        check = gate.get("judge_check")
        if check is None:
            continue
        outcome = "the judge changed" if check["changed"] else "within the judge's own spread"
        lines.append(
            f"{check['answers']} stored answers of '{gate['baseline_run_name']}' judged again, "
            f"{check['repeats']} times each: {check['shift']:+.3f} on average (p = {check['p']:.2g}): {outcome}"
        )
    return list(dict.fromkeys(lines))


def margin_words(gate: Json) -> str:
    return f"{100 * gate['margin']:g} %" if gate["relative"] else f"{gate['margin']:g}"


def _day(text: str) -> str:
    return f"{moment(text):%Y-%m-%d %H:%M}"


def change_words(gate: Json, pair: Json) -> str:
    """Format how far a target's metric is from the baseline's, with the interval. For a relative gate, such as one on
    cost, both are in percent of the baseline's metric; for any other gate they are plain numbers. A dash stands for a
    missing difference."""
    if pair["mean"] is None:
        return NONE
    form = "{:+.1%}" if gate["relative"] else "{:+.3f}"
    bounds = pair["interval"]
    shown = f" [{form.format(bounds['low'])}, {form.format(bounds['high'])}]" if bounds else ""
    return form.format(pair["mean"]) + shown
