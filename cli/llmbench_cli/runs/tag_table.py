"""The table of a run's figures by tag of the cases."""

from rich.table import Table

from llmbench_cli.client import Json
from llmbench_cli.runs.result_tables import plain_table
from llmbench_cli.runs.words import with_interval


def tag_table(run: Json) -> Table:
    """Return a table with one row per tag, over all targets. If there are several targets, a row for each target
    follows the tag's row."""
    table = plain_table("Tags of the cases (a case counts for each of its tags)")
    table.add_column("tag", overflow="fold", min_width=12)
    several = len(run["targets"]) > 1
    if several:
        table.add_column("target", overflow="fold")
    for column in ("scored", "score", "passed"):
        table.add_column(column, justify="right", no_wrap=True)
    for tag in run["case_tags"] or []:
        table.add_row(tag["tag"], *(["all"] if several else []), *_cells(tag))
        for target in tag["targets"] if several else ():
            table.add_row("", target["label"], *_cells(target), style="dim")
    return table


def _cells(figures: Json) -> tuple[str, str, str]:
    return (
        f"{figures['scored']}/{figures['items']}",
        with_interval(figures["mean_score"], figures["mean_score_interval"]),
        with_interval(figures["pass_rate"], figures["pass_rate_interval"]),
    )
