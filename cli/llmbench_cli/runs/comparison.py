"""Describe the comparison that `llmbench compare` requests, show its result, and derive the exit code."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs import result_tables
from llmbench_cli.runs.names import run_id
from llmbench_cli.runs.result_tables import plain_table, short_id
from llmbench_cli.runs.verdict import MISSED, OTHERWISE, PASSED
from llmbench_cli.runs.words import NONE, coverage, percent, points, with_interval

_COLOURS = {"better": "green", "worse": "red", "low coverage": "yellow"}
_LOW_COVERAGE = "low coverage"
_COUNTS = "better /\nworse / equal"
_LONGEST_CHANGE = 40
MOST_ROWS = 12
"""The number of rows by evaluator that are shown, unless more of them have a certain difference."""


async def chosen(client: Client, runs: Sequence[str], pairs: Sequence[str] = ()) -> Json:
    """Return the body of the comparison request for these runs (names or ids), the baseline first.

    A single run is compared with its baseline run. If it has none, its targets are compared with its first target.

    Each text in `pairs`, "BASELINE=CANDIDATE", names two targets by label or id: one of the baseline run, and one of
    the run that is compared with it. Raises `CommandFailed` if there is nothing to compare, if a run or a target does
    not exist, or if `pairs` is given for another number of runs than two.
    """
    ids = [await run_id(client, run) for run in runs]
    if len(ids) == 1:
        run = await client.get(f"/api/runs/{ids[0]}")
        if run["baseline_run_id"]:
            ids = [run["baseline_run_id"], ids[0]]
    if pairs and len(ids) != 2:
        raise CommandFailed("--pair is about the targets of two runs: name the baseline and one run to compare with it")
    if len(ids) > 1:
        chosen_pairs = await _paired(client, ids, pairs) if pairs else []
        return {"run_ids": ids, "pairs": chosen_pairs}
    if len(run["targets"]) > 1:
        return {"columns": [{"run_id": ids[0], "target_id": target["id"]} for target in run["targets"]]}
    raise CommandFailed(f"'{runs[0]}' has one target and no baseline run: name another run to compare it with")


async def _paired(client: Client, ids: Sequence[str], pairs: Sequence[str]) -> list[Json]:
    baseline, candidate = [await client.get(f"/api/runs/{id_}") for id_ in ids]
    found = []
    for pair in pairs:
        baseline_target, target = split_pair(pair, baseline, candidate)
        found.append({"baseline_target_id": baseline_target, "target_id": target})
    return found


def split_pair(pair: str, baseline: Json, candidate: Json) -> tuple[str, str]:
    """Return the ids of the two targets in "BASELINE=CANDIDATE". A label may contain an equals sign.

    `baseline` and `candidate` are the two runs. Raises `CommandFailed` if the text names no pair of their targets, or
    could mean several.

    >>> before = {"name": "A", "targets": [{"id": "1", "label": "tiny t=0"}, {"id": "2", "label": "tiny"}]}
    >>> split_pair("tiny t=0=big", before, {"name": "B", "targets": [{"id": "3", "label": "big"}]})
    ('1', '3')
    """
    here, there = (
        {name: target["id"] for target in run["targets"] for name in (target["label"], target["id"])}
        for run in (baseline, candidate)
    )
    parts = pair.split("=")
    ways = [("=".join(parts[:at]).strip(), "=".join(parts[at:]).strip()) for at in range(1, len(parts))]
    known = [
        (here[baseline_name], there[target_name])
        for baseline_name, target_name in ways
        if baseline_name in here and target_name in there
    ]
    if len(known) == 1:
        return known[0]
    labels = [", ".join(f"'{target['label']}'" for target in run["targets"]) for run in (baseline, candidate)]
    raise CommandFailed(
        f"--pair '{pair}': write BASELINE=CANDIDATE, two labels or ids of targets. '{baseline['name']}' has "
        f"{labels[0]}; '{candidate['name']}' has {labels[1]}"
    )


def tables(found: Json) -> list[RenderableType]:
    """Return the tables of a comparison, followed by those per evaluator.

    A comparison of two runs has one table with a row per pair of targets. Any other has a table for each of
    `found["comparisons"]`.
    """
    shown = (
        [pairs_table(found)] if len(found["runs"]) == 1 else [table(comparison) for comparison in found["comparisons"]]
    )
    return [*shown, *(evaluators for comparison in found["comparisons"] for evaluators in by_evaluator(comparison))]


def pairs_table(found: Json) -> RenderableType:
    """Return a table of the comparison of two runs, with notes below. It has a row per pair of targets, and a row for
    all pairs together if there are several."""
    notes = _Notes()
    (run,) = found["runs"]
    baseline = found["comparisons"][0]["columns"][found["comparisons"][0]["baseline"]]
    shown = plain_table(f"{run['run_name']} against {baseline['run_name']}, case by case (95 % intervals)")
    shown.add_column("target", overflow="fold", min_width=12)
    for name in ("baseline", "score", "points", _COUNTS, "passed"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("verdict", overflow="fold", min_width=16)
    for comparison in found["comparisons"]:
        (pair,) = comparison["comparisons"]
        label = comparison["columns"][pair["column"]]["label"]
        score = pair["score"] or {"mean_baseline": None, "mean_here": None}
        shown.add_row(
            pair_name(
                comparison["columns"][comparison["baseline"]], comparison["columns"][pair["column"]], pair["differs"]
            ),
            percent(score["mean_baseline"]),
            percent(score["mean_here"]),
            *_against(pair, label, notes),
        )
    if run["pairs"] > 1:
        shown.add_section()
        shown.add_row(f"all {run['pairs']} pairs", *_of_run(run, notes))
    return notes.below(shown)


def pair_name(baseline: Json, here: Json, differs: Sequence[Json]) -> str:
    """Return the labels of two compared targets, and below them the properties in which the targets differ (`differs`).
    `here` is the target that is compared with the baseline.

    >>> change = {"name": "temperature", "baseline": None, "here": "0.5"}
    >>> print(pair_name({"label": "a"}, {"label": "b"}, [change]))
    b (was a)
    temperature: - → 0.5
    """
    label = here["label"] if here["label"] == baseline["label"] else f"{here['label']} (was {baseline['label']})"
    changes = [
        f"{difference['name']}: {_cut(difference['baseline'])} → {_cut(difference['here'])}" for difference in differs
    ]
    return "\n".join([label, *changes])


def unpaired(found: Json) -> list[str]:
    """Return a sentence for each target that is not compared."""
    return [
        f"not compared: '{target['label']}' of '{target['run_name']}': {target['reason']}"
        for target in found["unpaired"]
    ]


def _cut(value: str | None) -> str:
    if value is None:
        return NONE
    line = " ".join(value.split())
    return line if len(line) <= _LONGEST_CHANGE else f"{line[: _LONGEST_CHANGE - 1]}…"


def _of_run(run: Json, notes: "_Notes") -> tuple[str | Text, ...]:
    score = run["score"]
    if score is None:
        return NONE, NONE, NONE, NONE, NONE, notes.instead("all pairs", run["note"])
    difference, counts, verdict = _score(score)
    if score["verdict"] == _LOW_COVERAGE:
        verdict.append(f": {coverage(run['coverage'])} of {_cases(run)} of one pair")
    means = (percent(score[name]) for name in ("mean_baseline", "mean_here"))
    return *means, difference, counts, "", verdict


class _Notes:
    """The notes below a table: numbered sentences that are too long for a cell."""

    def __init__(self) -> None:
        self._sentences: list[str] = []

    def instead(self, label: str, sentence: str | None) -> str:
        """Add the numbered note `label: sentence`, and return the text of the cell that refers to it. Without a
        sentence, add nothing and return a dash."""
        if not sentence:
            return NONE
        self._sentences.append(f"[{len(self._sentences) + 1}] {label}: {sentence}")
        return f"not compared [{len(self._sentences)}]"

    def below(self, shown: Table) -> RenderableType:
        return Group(shown, *map(Text, self._sentences)) if self._sentences else shown


def table(found: Json) -> RenderableType:
    """Return a table with a row per compared target: its own score, then its difference from the baseline, with notes
    below."""
    notes = _Notes()
    shown = plain_table("Compared case by case (95 % intervals)")
    shown.add_column("target", overflow="fold", min_width=12)
    for name in ("score", "points", _COUNTS, "passed"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("verdict", overflow="fold", min_width=20)
    against = {pair["column"]: pair for pair in found["comparisons"]}
    for at, column in enumerate(found["columns"]):
        figures = column["figures"]
        shown.add_row(
            f"{column['label']}\n{short_id(column['run_id'])}",
            with_interval(figures["mean_score"], figures["mean_score_interval"]),
            *(
                _against(against[at], column["label"], notes)
                if at in against
                else ("", "", *_passed(figures), "baseline")
            ),
        )
    return notes.below(shown)


def notes(found: Json) -> list[str]:
    """Return the notes below a comparison: first those on references that changed between the runs, then those on
    answers that count as 0 (`result_tables.zero_notes`)."""
    labelled = (
        {"label": f"{column['label']} ({short_id(column['run_id'])})", **column["figures"]}
        for column in found["columns"]
    )
    changed = [pair["references_note"] for pair in found["comparisons"] if pair["references_note"]]
    return [*changed, *result_tables.zero_notes(list(labelled))]


def by_evaluator(found: Json) -> list[Table]:
    """Return a list with one table of the differences by evaluator, one row per compared target and evaluator. The list
    is empty if the overall score comes from a single evaluator. If there are many rows, only those
    with a certain or a large difference are shown."""
    rows = [
        (found["columns"][pair["column"]]["label"], by) for pair in found["comparisons"] for by in pair["evaluators"]
    ]
    if not rows:
        return []
    shown = plain_table("By evaluator (secondary ones in brackets)")
    for name in ("target", "evaluator"):
        shown.add_column(name, overflow="fold", min_width=10)
    for name in ("points", _COUNTS):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("verdict", overflow="fold")
    chosen_rows = with_largest_differences(rows)
    for label, by in chosen_rows:
        difference, counts, verdict = _score(by["score"])
        shown.add_row(label, by["name"] if by["gates"] else f"({by['name']})", difference, counts, verdict)
    if len(chosen_rows) < len(rows):
        shown.caption = (
            f"{len(rows) - len(chosen_rows)} rows without a certain difference are left out; --json has them"
        )
        shown.caption_justify = "left"
    return [shown]


def with_largest_differences(rows: Sequence[tuple[str, Json]]) -> list[tuple[str, Json]]:
    """Return all rows with the verdict "better" or "worse". If these are fewer than `MOST_ROWS`, add rows up to this
    number: those with the largest differences. The order of the rows stays."""

    def rank(at: int) -> tuple[bool, float]:
        score = rows[at][1]["score"]
        return score["verdict"] not in ("better", "worse"), -abs(score["mean"] or 0)

    certain = sum(not rank(at)[0] for at in range(len(rows)))
    kept = set(sorted(range(len(rows)), key=rank)[: max(certain, MOST_ROWS)])
    return [row for at, row in enumerate(rows) if at in kept]


def winner(found: Json) -> Text:
    """Return a line that names the run (or target) that is certainly better than every other, or why there is none.

    >>> print(winner({"winner": None, "winner_reason": "Two judges."}))
    No winner: Two judges.
    """
    if found["winner"] is None:
        return Text(f"No winner: {found['winner_reason']}")
    columns = [column for comparison in found["comparisons"] for column in comparison["columns"]]
    named = next(
        column
        for column in columns
        if column["run_id"] == found["winner"] and found["winner_target_id"] in (None, column["target_id"])
    )
    target = f"{named['label']} of " if found["winner_target_id"] else ""
    return Text(f"Winner: {target}{named['run_name']} ({short_id(named['run_id'])})", style="green")


def outcome(found: Json) -> tuple[int, list[str]]:
    """Return the exit code of a comparison and the reasons for it. The code is 100 if a target is certainly worse than
    the baseline by more than the margin. It is also 100 if this is certain for a run, over all its targets together.
    Else it is 1 if a target has no verdict, and 0 if each has one.

    >>> lacking = {"score": None, "note": "Two judges.", "column": 1, "withheld": None}
    >>> outcome({"margin": 0, "runs": [], "comparisons": [{"comparisons": [lacking], "regressed": []}]})
    (<ExitCode.FAILED: 1>, ['Two judges.'])
    """
    unlike = [
        reason
        for comparison in found["comparisons"]
        for pair in comparison["comparisons"]
        if (reason := _no_verdict_reason(pair)) is not None
    ]
    worse = [label for comparison in found["comparisons"] for label in comparison["regressed"]]
    worse += [f"all {run['pairs']} pairs" for run in found["runs"] if run["pairs"] > 1 and run["regressed"]]
    if worse:
        margin = f" by more than {found['margin']:g}" if found["margin"] else ""
        return MISSED, [f"{', '.join(worse)}: worse than the baseline{margin}", *unlike]
    return (OTHERWISE if unlike else PASSED), unlike


def _no_verdict_reason(pair: Json) -> str | None:
    """Return why a compared target has no verdict; `None` if it has one."""
    if pair["withheld"]:
        return str(pair["withheld"])
    if pair["score"] is None or not pair["score"]["cases"]:
        return pair["note"] or "no case is scored in both"
    if pair["score"]["verdict"] == _LOW_COVERAGE:
        return (
            f"only {_covered(pair)} that both have are scored in both, and 90 % are needed: "
            f"the other cases may be the ones that differ (`llmbench retry` retries them)"
        )
    return None


def _covered(pair: Json) -> str:
    """Return how many of the cases that both targets have are scored in both: a number, or a percentage of the cases of
    the suite's least covered task.

    >>> print(_covered({"coverage": 43 / 48, "cases_in_both": 48, "least_covered": None}))
    43 of the 48 cases
    >>> print(_covered({"coverage": 43 / 48, "cases_in_both": 90, "least_covered": "sums"}))
    89% of the cases of the task 'sums'
    """
    if pair["least_covered"] is not None:
        return f"{coverage(pair['coverage'])} of {_cases(pair)}"
    return f"{round(pair['coverage'] * pair['cases_in_both'])} of the {pair['cases_in_both']} cases"


def _cases(compared: Json) -> str:
    task = compared["least_covered"]
    return "the cases" if task is None else f"the cases of the task '{task}'"


def weightings(found: Json) -> list[str]:
    """Return the sentences that say how the tasks of suites count in the scores, each once.

    >>> pair = {"weighting": "Each case counts equally."}
    >>> weightings({"comparisons": [{"comparisons": [pair, pair, {"weighting": None}]}]})
    ['Each case counts equally.']
    """
    pairs = [pair for comparison in found["comparisons"] for pair in comparison["comparisons"]]
    return list(dict.fromkeys(pair["weighting"] for pair in pairs if pair["weighting"]))


def _against(pair: Json, label: str, notes: _Notes) -> tuple[str | Text, ...]:
    score, passes = pair["score"], pair["passes"]
    if score is None:
        return NONE, NONE, NONE, notes.instead(label, pair["note"])
    difference, counts, verdict = _score(score)
    if score["verdict"] == _LOW_COVERAGE:
        verdict.append(f": {_covered(pair)} that both have")
    return difference, counts, f"+{passes['gained']} -{passes['lost']}", verdict


def _score(score: Json) -> tuple[str, str, Text]:
    verdict = score["verdict"]
    if verdict is None:
        words = "not over"
    elif verdict == _LOW_COVERAGE:
        words = verdict
    else:
        words = f"{verdict} in {score['cases']} case{'' if score['cases'] == 1 else 's'}"
    if score["clusters_needed"]:
        noun = "" if score["clusters"] == score["cases"] else " clusters"
        words += f"; {score['clusters_needed']}{noun} would tell"
    return (
        points(score["mean"], score["simultaneous"]),
        f"{score['better']} / {score['worse']} / {score['equal']}",
        Text(words, style=_COLOURS.get(verdict, "")),
    )


def _passed(figures: Json) -> tuple[str]:
    return (with_interval(figures["pass_rate"], None),)
