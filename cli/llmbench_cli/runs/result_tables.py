"""Format runs and their results as tables.

The input is the API's JSON, in which `safe_json` has already replaced control characters by visible escapes.
"""

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Json
from llmbench_cli.runs import words
from llmbench_cli.runs.words import dollars, milliseconds, number, with_interval


def quality(run: Json) -> RenderableType:
    """Return a table of scores and pass rates, one row per target, and a row for all if there are several.

    Notes below it say how the intervals are clustered, and explain answers without a score.
    """
    table = _table("Scores (95 % intervals)", "target", "completed", "score", "passed", "cost")
    for name, figures in _targets(run, table):
        _quality_row(table, name, figures)
    notes = [Text(note) for note in (_clusters(run),) if note]
    notes += [Text(note, style="yellow") for note in (_without_score(run), *zero_notes(run["results"])) if note]
    return Group(table, *notes) if notes else table


def zero_notes(results: list[Json]) -> list[str]:
    """Return a note for each target with refused or malformed answers. A comparison counts such an answer as 0, but
    the target's mean score leaves it out.

    >>> zero_notes([{"label": "a", "zeros": {"note": "1 answer was refused."}}, {"label": "b", "zeros": None}])
    ['a: 1 answer was refused.']
    """
    return [f"{result['label']}: {result['zeros']['note']}" for result in results if result.get("zeros")]


def _clusters(run: Json) -> str | None:
    """Return a note about the clusters from which intervals are computed; `None` if each case is a cluster of its own.

    >>> _clusters({"cluster_by": "topic", "cluster_level": "metadata", "totals": {"clusters": 12}})
    'Intervals are clustered by the metadata key topic: 12 clusters.'
    >>> _clusters({"cluster_by": None, "cluster_level": "document", "totals": {"clusters": 1}})
    'Intervals are clustered by document: 1 cluster.'
    """
    if run["cluster_level"] == "case":
        return None
    by = f"the metadata key {run['cluster_by']}" if run["cluster_by"] else run["cluster_level"]
    count = run["totals"]["clusters"]
    return f"Intervals are clustered by {by}: {count} cluster{'' if count == 1 else 's'}."


def _without_score(run: Json) -> str | None:
    """Return a note that counts the completed answers without an overall score, and says why they have none. Return
    `None` if there are no such answers.

    >>> tone = {"name": "tone", "primary": True, "member": False, "weight": 1, "asked": 3, "scored": 1}
    >>> _without_score({"totals": {"completed": 3, "scored": 1}, "evaluators": [tone]})
    '! 2 completed answers have no overall score, because tone, which has a weight, gave no score'
    """
    totals = run["totals"]
    count = totals["completed"] - totals["scored"]
    if count <= 0:
        return None
    weighted = [
        evaluator
        for evaluator in run["evaluators"]
        if evaluator["primary"] and not evaluator["member"] and evaluator["weight"] > 0
    ]
    silent = [evaluator["name"] for evaluator in weighted if evaluator["scored"] < evaluator["asked"]]
    gave_none = f"because {', '.join(silent)}, which has a weight, gave no score"
    want = gave_none if silent else "because no evaluator has a weight"
    return f"! {count} completed answers have no overall score, {want}"


def passes(run: Json) -> Table | None:
    """Return a table of pass@k and pass^k, one row per target and k; `None` for a run without epochs.

    pass@k is the probability that at least one of k tries passes, and pass^k that all of them do.
    """
    if not any(result["passes"] for result in run["results"]):
        return None
    table = _table("Tries per case (95 % intervals)", "target", "k", "cases", "pass@k", "pass^k")
    for result in run["results"]:
        for estimate in result["passes"]:
            table.add_row(
                result["label"],
                str(estimate["k"]),
                str(estimate["cases"]),
                with_interval(estimate["pass_at_k"], estimate["pass_at_k_interval"]),
                with_interval(estimate["pass_hat_k"], estimate["pass_hat_k_interval"]),
            )
    return table


def speed(run: Json) -> Table:
    """Return a table of response times and times to the first token, one row per target, and a row for all if there are
    several. Cached answers are not timed."""
    quantiles = "p50 / p95 / p99"
    table = _table("Speed", "target", "timed", f"time\n{quantiles}", f"1st token\n{quantiles}")
    for name, figures in _targets(run, table):
        table.add_row(
            name,
            f"{figures['timed']} + {figures['cached']} cached" if figures["cached"] else str(figures["timed"]),
            _quantiles(figures, "time"),
            _quantiles(figures, "first_token"),
        )
    return table


def throughput(run: Json) -> RenderableType:
    """Return a table of request rates, token rates and token counts, one row per target, and a row for all if there are
    several.

    "tok/s an answer" is the generated tokens of all answers, divided by the sum of their generation times. The other
    rates count only the time in which at least one call was in progress. A note says if tokens are estimated.
    """
    title = f"Throughput ({run['load'].replace('_', ' ')})"
    table = _table(title, "target", "tok/s\nan answer", "tok/s\nall calls", "requests/s", "tokens\nin / out")
    for name, figures in _targets(run, table):
        about = "~" if figures["estimated_usage"] else ""
        table.add_row(
            name,
            _rate(figures["mean_tokens_per_second"], about),
            _rate(figures["system_tokens_per_second"], about),
            number(figures["requests_per_second"]),
            f"{about}{figures['prompt_tokens']} / {about}{figures['completion_tokens']}",
        )
    estimated = run["totals"]["estimated_usage"]
    if not estimated:
        return table
    answers = "1 answer" if estimated == 1 else f"{estimated} answers"
    return Group(table, Text(f"~ with tokens estimated for {answers}: the provider reported none"))


def _targets(run: Json, table: Table) -> Iterator[tuple[str, Json]]:
    """Yield the label and the results of each target. If there are several, add a section to the table, and yield the
    label "all" with the results over all targets."""
    for result in run["results"]:
        yield result["label"], result
    if len(run["results"]) > 1:
        table.add_section()
        yield "all", run["totals"]


def _rate(value: float | None, about: str) -> str:
    return words.NONE if value is None else f"{about}{value:.0f}"


def _quantiles(figures: Json, what: str) -> str:
    found = [figures[f"p{percent}_{what}_ms"] for percent in (50, 95, 99)]
    return words.NONE if found[0] is None else " / ".join(map(milliseconds, found))


def categories(run: Json) -> Table:
    """Return a table of scores, one row per category, over all targets."""
    table = _table("Categories", "category", "completed", "score", "passed", "cost")
    for category in run["categories"]:
        _quality_row(table, category["category"], category)
    return table


def tasks(run: Json) -> Table:
    """Return a table of scores, times and failures, one row per task, over all targets. It has no rows unless `run` was
    read from the API with the figures of its tasks."""
    table = _table("Tasks", "task", "completed", "score", "passed", "time p50", "failed")
    for task in run["tasks"] or []:
        table.add_row(
            task["task_id"],
            _completed(task),
            with_interval(task["mean_score"], None),
            with_interval(task["pass_rate"], None),
            milliseconds(task["p50_time_ms"]),
            str(task["failed"] or ""),
        )
    return table


def evaluators(run: Json) -> Table:
    """Return a table of mean scores, pass rates and costs, one row per evaluator revision.

    The column `length` is Spearman's correlation of score and answer length. If it is near 1, the score measures little
    else than the length.
    """
    table = _table("Evaluators", "evaluator", "scored", "mean score", "passed", "length", "cost")
    for evaluator in run["evaluators"]:
        lacking = [
            f"{evaluator[what]} {what}" for what in ("unparsed", "refused", "errored", "pending") if evaluator[what]
        ]
        table.add_row(
            _evaluator(evaluator),
            "\n".join([f"{evaluator['scored']}/{evaluator['asked']}", *lacking]),
            with_interval(evaluator["mean_score"], evaluator["mean_score_interval"]),
            with_interval(evaluator["pass_rate"], evaluator["pass_rate_interval"]),
            number(evaluator["length_baseline"]["spearman"], "{:+.2f}"),
            dollars(evaluator["cost_usd"]),
        )
    return table


def evaluators_by_target(run: Json) -> Table:
    """Return a table of mean scores: one row per target, and one column per evaluator, by its primary revision."""
    shown = [evaluator for evaluator in run["evaluators"] if evaluator["primary"] and not evaluator["member"]]
    table = _table("Mean scores per evaluator", "target", *(evaluator["name"] for evaluator in shown))
    for target in run["targets"]:
        means = [
            next(
                (figures["mean_score"] for figures in evaluator["targets"] if figures["target_id"] == target["id"]),
                None,
            )
            for evaluator in shown
        ]
        table.add_row(target["label"], *(with_interval(mean, None) for mean in means))
    return table


def panels(run: Json) -> Table | None:
    """Return a table of how far the judges of each panel agree; `None` without a panel.

    Krippendorff's alpha is low if all answers are about equally good. The mean spread shows whether the judges' scores
    are close even then.
    """
    found = [evaluator for evaluator in run["evaluators"] if evaluator["panel"]]
    if not found:
        return None
    table = _table("Agreement of panels", "panel", "judges", "answers", "alpha", "mean spread")
    for evaluator in found:
        judges, agreed = "\n".join(judge["model"] for judge in evaluator["panel"]["judges"]), evaluator["agreement"]
        if agreed is None:
            table.add_row(evaluator["name"], judges, "0", words.NONE, words.NONE)
            continue
        alpha = agreed["undefined_because"] if agreed["alpha"] is None else number(agreed["alpha"])
        table.add_row(evaluator["name"], judges, str(agreed["answers"]), alpha, number(agreed["mean_spread"]))
    return table


_MODES = {"logprobs": "by log-probabilities", "samples": "sampled", "single": "by one verdict"}


def judges(run: Json) -> Table | None:
    """Return a table of each judge's reliability; `None` if no judge was called.

    The column `parsed` is the share of the requested verdicts that could be read. The column `repaired` is the share
    that could be read only after an attempt to repair the judge's reply.
    """
    found = [evaluator for evaluator in run["evaluators"] if evaluator["judging"]]
    if not found:
        return None
    table = _table(
        "Judges", "evaluator", "verdicts", "parsed", "repaired", "alike when\nswapped", "alike when\nrepeated", "mode"
    )
    for evaluator in found:
        judged = evaluator["judging"]
        modes = "\n".join(f"{count} {_MODES.get(mode, mode)}" for mode, count in judged["modes"].items())
        shares = (judged[name] for name in ("parse_rate", "repair_rate", "swap_consistency", "self_agreement"))
        table.add_row(_evaluator(evaluator), str(judged["asked"]), *map(_share, shares), modes or words.NONE)
    return table


def _share(value: float | None) -> str:
    return words.NONE if value is None else f"{value:.1%}"


def _evaluator(evaluator: Json) -> str:
    if evaluator["member"]:
        return f"{evaluator['name']} (in the panel)"
    judge = f": {evaluator['judge_model']}" if evaluator["judge_model"] else ""
    judge = ", corrected by people" if evaluator.get("corrects") else judge
    return f"{evaluator['name']}{judge}{'' if evaluator['primary'] else ' (not in the figures above)'}"


def run_list(runs: list[Json]) -> Table:
    """Return a table with one row per run, in the given order."""
    table = _table("", "run", "created", "state", "best score", "scored", "cost", "name")
    table.columns[0].no_wrap = True
    table.columns[-1].justify = "left"
    table.columns[-1].no_wrap = False
    table.columns[-1].overflow = "fold"
    for run in runs:
        counts, created, name = run["counts"], words.moment(run["created_at"]), Text(run["name"])
        for tag in run["tags"]:
            name.append(f" #{tag}", style="cyan")
        table.add_row(
            short_id(run["id"]),
            f"{created:%m-%d %H:%M}",
            Text(words.state(run), style=words.COLOURS.get(words.state(run).partition(",")[0], "")),
            words.percent(best_score(run)),
            through(counts),
            dollars(run["cost_usd"]) if run["cost_usd"] else words.NONE,
            name,
        )
    return table


def best_score(run: Json) -> float | None:
    """Return the highest mean score of a target; `None` if no target has one.

    >>> best_score({"target_scores": [{"mean_score": 0.5}, {"mean_score": None}, {"mean_score": 0.7}]})
    0.7
    """
    scores = [target["mean_score"] for target in run.get("target_scores") or []]
    return max((score for score in scores if score is not None), default=None)


def through(counts: Json) -> str:
    """Format a run's progress: how many of its items are judged, and how many failed or were skipped, if any.

    >>> through({"judged": 2, "failed": 1, "items": 3}), through({"judged": 3, "failed": 0, "items": 3})
    ('2/3, 1 failed', '3/3')
    >>> through({"judged": 2, "failed": 0, "items": 3, "skipped": 1})
    '2/3, 1 skipped'
    """
    apart = ((counts["failed"], "failed"), (counts.get("skipped", 0), "skipped"))
    return f"{counts['judged']}/{counts['items']}" + "".join(f", {count} {what}" for count, what in apart if count)


def short_id(run_id: str) -> str:
    """Return the first 13 characters of an id, which differ if two runs were created in different milliseconds."""
    return run_id[:13]


def title(run: Json, url: str) -> RenderableType:
    """Return the lines above a run's results, such as its name, state and warnings. `url` is its page in the web
    application."""
    word = words.state(run)
    head = Text(run["name"], style="bold")
    head.append(f"  {word}", style=f"bold {words.COLOURS.get(word, '')}".strip())
    lines = [head, Text(f"run {run['id']}", style="dim"), Text(url, style="dim")]
    if run.get("schedule"):
        lines.append(Text(f"schedule: {run['schedule']['name']}", style="dim"))
    if run.get("experiment"):
        lines.append(Text(f"experiment: {run['experiment']['name']}", style="dim"))
    if run.get("sample"):
        lines.append(Text(f"sample: {words.sample(run['sample'])}", style="dim"))
    if run["status_reason"]:
        lines.append(Text(run["status_reason"], style="yellow"))
    lines += [Text(f"! {warning['message']}", style="yellow") for warning in run["warnings"]]
    return Group(*lines)


def spaced(console: Console, parts: Iterable[RenderableType]) -> None:
    """Print each part with an empty line before it."""
    for part in parts:
        console.print()
        console.print(part)


def _quality_row(table: Table, name: str, figures: Json) -> None:
    table.add_row(
        name,
        _completed(figures),
        with_interval(figures["mean_score"], figures["mean_score_interval"]),
        with_interval(figures["pass_rate"], figures["pass_rate_interval"]),
        dollars(figures["cost_usd"]),
    )


def _completed(figures: Json) -> str:
    return f"{figures['completed']}/{figures['items']}"


def _table(heading: str, first: str, *others: str) -> Table:
    table = plain_table(heading)
    table.add_column(first, overflow="fold", min_width=12)
    for other in others:
        table.add_column(other, justify="right", no_wrap=True)
    return table


def plain_table(heading: str) -> Table:
    """Return an empty table in the common style, with the title `heading` unless that is empty. Its columns have no
    frames; a line separates their names from the rows."""
    return Table(
        title=heading or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
