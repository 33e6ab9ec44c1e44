"""Write the summary of a CI job as Markdown, with the changed cases side by side."""

from collections.abc import Iterator

from llmbench_cli.ci.markdown import fenced, in_html, inert
from llmbench_cli.ci.outcome import ChangedCase, Changes, Outcome, Side
from llmbench_cli.client import Json
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.runs.baselines import change_words, judge_words, margin_words
from llmbench_cli.runs.words import dollars, number, with_interval

_MOST_TARGETS = 10
_MOST_ROWS = 100
_ANSWER, _QUESTION, _NAME = 800, 400, 160
_MARKS = {ExitCode.OK: "✅", ExitCode.UNDECIDED: "❔", ExitCode.LOW_COVERAGE: "❔"}


def summary(outcome: Outcome) -> str:
    """Return the summary. Its size is limited, however large the suite and the answers are."""
    parts = [
        _head(outcome),
        *(_scores(outcome) if outcome.suite.get("targets") else ()),
        *(_gates(outcome.gates) if outcome.gates else ()),
        *(_changes(outcome.changes) if outcome.changes else ()),
    ]
    return "\n\n".join(parts) + "\n"


def _head(outcome: Outcome) -> str:
    run = outcome.run
    mark = _MARKS.get(ExitCode(outcome.code), "❌")
    suite = outcome.suite
    name = f"{suite['name']} v{suite['version_number']}" if suite else run["name"]
    lines = [f"## {mark} {inert(name)}: {outcome.headline}"]
    lines += [f"- {inert(reason)}" for reason in outcome.reasons[:_MOST_ROWS]]
    if outcome.baseline is not None:
        baseline = outcome.baseline
        anchor = baseline["anchor"]
        also = "" if anchor["id"] == baseline["run"]["id"] else f", and with the anchor {inert(anchor['name'])}"
        lines.append(f"- Compared with {inert(baseline['label'])}: {inert(baseline['run']['name'])}{also}")
    if outcome.saved is not None:
        lines.append(f"- This run is the new baseline, in {inert(outcome.saved)}")
    counts = run["counts"]
    failed = f", {counts['failed']} failed" if counts["failed"] else ""
    known = not run["unpriced_calls"] or run["cost_usd"] > 0
    cost = dollars(run["cost_usd"]) if known else "unknown cost"
    lines.append(f"- {counts['items']} answers{failed}, {cost}; exit code {int(outcome.code)}")
    return "\n".join([lines[0], "", *lines[1:]])


def _scores(outcome: Outcome) -> Iterator[str]:
    suite = outcome.suite
    targets = suite["targets"][:_MOST_TARGETS]
    rows = [["task", *(inert(target["label"]) for target in targets)]]
    by_target = [{task["task"]: task for task in target["tasks"]} for target in targets]
    for task in suite["tasks"][:_MOST_ROWS]:
        found = (of_target.get(task["name"]) for of_target in by_target)
        rows.append([inert(task["name"]), *(_score(each) for each in found)])
    rows.append(["**suite**", *(f"**{_score(target)}**" for target in targets)])
    yield "### Scores\n\n" + _table(rows)
    notes = [
        f"- {inert(target['label'])}: {inert(target['completeness'])}" for target in targets if target["completeness"]
    ]
    left = len(suite["targets"]) - len(targets)
    if left:
        notes.append(f"- {left} more targets")
    if notes:
        yield "\n".join(notes)


def _score(result: Json | None) -> str:
    return "-" if result is None else with_interval(result["score"], result["interval"])


def _gates(gates: list[Json]) -> Iterator[str]:
    rows = [["metric", "margin", "against", "target", "change", "verdict"]]
    for gate in gates:
        role = "anchor" if gate["role"] == "anchor" else "baseline"
        none = {"label": "-", "mean": None, "interval": None, "verdict": gate["verdict"]}
        for pair in gate["pairs"] or [none]:
            change = change_words(gate, pair)
            verdict = pair["verdict"] if pair["verdict"] == "fine" else f"**{pair['verdict']}**"
            rows.append([inert(gate["title"]), margin_words(gate), role, inert(pair["label"]), change, verdict])
    yield "### Gates (90 % two-sided intervals)\n\n" + _table(rows[: _MOST_ROWS + 1])
    if judged := judge_words(gates):
        yield "\n".join(f"- {inert(line)}" for line in judged)


def _changes(changes: Changes) -> Iterator[str]:
    total = changes.worse + changes.better
    if not total:
        yield "### Changed cases\n\nNo case has another score than in the baseline."
        return
    shown = len(changes.cases)
    listed = "" if shown == total else f"; the {shown} with the greatest loss"
    yield f"### Changed cases: {changes.worse} worse, {changes.better} better{listed}"
    for case in changes.cases:
        yield _case(case)


def _case(case: ChangedCase) -> str:
    mark = "▼" if case.difference < 0 else "▲"
    scores = f"{number(case.before.score)} → {number(case.here.score)}"
    title = f"{mark} {in_html(case.name, most=_NAME)}, {in_html(case.target, most=_NAME)}: {scores}"
    return "\n\n".join(
        (
            f"<details><summary>{title}</summary>",
            fenced(case.question, most=_QUESTION),
            "<table><tr><th>baseline</th><th>this run</th></tr><tr><td>",
            _side(case.before),
            "</td><td>",
            _side(case.here),
            "</td></tr></table>\n</details>",
        )
    )


def _side(side: Side) -> str:
    if side.answer is not None:
        return fenced(side.answer, most=_ANSWER)
    return inert(side.failure or "no answer")


def _table(rows: list[list[str]]) -> str:
    head, *rest = rows
    lines = [head, ["---"] * len(head), *rest]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
