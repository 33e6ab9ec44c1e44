"""The command `llmbench sql`: query benchmark records with DuckDB."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from llmbench_cli.rights import works_here


class RowFormat(StrEnum):
    """The values of `--format`: how rows are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


@works_here
def sql(
    query: Annotated[str, typer.Argument(help="One query on the view `benchmarks`.", show_default=False)],
    *,
    data: Annotated[
        Path, typer.Option(exists=True, file_okay=False, help="The folder of `benchmarks/*/*.jsonl`.")
    ] = Path("data"),
    format_: Annotated[RowFormat, typer.Option("--format", "-f", help="How rows are printed.")] = RowFormat.TABLE,
) -> None:
    """Query the benchmark records that `llmbench report` wrote. The platform need not run.

    llmbench sql "SELECT model, avg(avg_score) FROM benchmarks WHERE type = 'result' GROUP BY model"

    Columns: ts and suite (folder and name of the file), type, benchmark_id, benchmark_timestamp, provider, model,
    sample_tag (the case), avg_score, pass_rate, data (the entire record as JSON). A query reads no file outside the
    folder `benchmarks`, and writes nothing.
    """
    from llmbench_cli.benchmark_view import ask, opened
    from llmbench_cli.console import terminal
    from llmbench_cli.rows import as_csv, as_json, as_table

    with opened(data) as connection:
        ask(connection, query)
        if format_ is RowFormat.TABLE:
            terminal().print(as_table(connection))
        else:
            for text in (as_json if format_ is RowFormat.JSON else as_csv)(connection):
                print(text, end="")
