"""Create the view `benchmarks` over benchmark records, in a DuckDB database that may read only the files in the folder
of these records.

The columns are those of the SQL statement in the documentation of the record format, with three mistakes corrected.
First, `data` is read as JSON: a type inferred by DuckDB would not work with the operator `->`. Second, `avg_score` and
`pass_rate` are numbers: as text, 0.5 would sort before 1e-05. Third, every row has the benchmark id and the timestamp,
which only the metadata line of a file contains.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from llmbench_cli.errors import CommandFailed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FILES = "benchmarks/*/*.jsonl"
# The limit for one line is above DuckDB's default, because a line contains an entire answer.
_LONGEST_RECORD_BYTES = 64 * 1024 * 1024
_VIEW = f"""
CREATE VIEW benchmarks AS
WITH record AS (
    SELECT filename, type, data
    FROM read_json('{_FILES}', format = 'newline_delimited', columns = {{type: 'VARCHAR', data: 'JSON'}},
                   maximum_object_size = {_LONGEST_RECORD_BYTES}, filename = true)
), head AS (
    SELECT filename, any_value(data->>'benchmark_id') AS benchmark_id,
           any_value(data->>'timestamp') AS benchmark_timestamp
    FROM record WHERE type = 'metadata' GROUP BY filename
)
SELECT regexp_extract(filename, 'benchmarks[/\\\\]([^/\\\\]+)[/\\\\]', 1) AS ts,
       regexp_extract(filename, '([^/\\\\]+)\\.jsonl$', 1) AS suite,
       type,
       head.benchmark_id,
       head.benchmark_timestamp,
       data->'provider_config'->>'provider' AS provider,
       data->'provider_config'->>'model' AS model,
       data->'sample'->>'tag' AS sample_tag,
       CAST(data->'summary'->>'avg_score' AS DOUBLE) AS avg_score,
       CAST(data->'summary'->>'pass_rate' AS DOUBLE) AS pass_rate,
       data
FROM record LEFT JOIN head USING (filename)
"""  # noqa: S608  # made of constants
# With these settings DuckDB loads no extension and reads no file outside the folder, and no query can change them.
_LOCKS = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET allowed_directories = ['benchmarks/']",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


@contextmanager
def opened(data: Path) -> Iterator["DuckDBPyConnection"]:
    """Yield a connection that has the view over `data`/benchmarks/*/*.jsonl. The working directory is `data` until the
    block ends. Raises `CommandFailed` if there are no such files."""
    import duckdb

    if next(data.glob(_FILES), None) is None:
        raise CommandFailed(f"{data} has no benchmark records: `llmbench report RUN` writes one")
    here = Path.cwd()
    # Use paths relative to the folder: DuckDB would expand wildcards in the folder's own name.
    os.chdir(data)
    try:
        with duckdb.connect(":memory:") as connection:
            for lock in _LOCKS:
                connection.execute(lock)
            connection.execute(_VIEW)
            yield connection
    finally:
        os.chdir(here)


def ask(connection: "DuckDBPyConnection", question: str) -> None:
    """Execute the query `question`; its rows can then be fetched from the connection. Raises `CommandFailed` if the
    text is not exactly one query, if the query would change something, or if it fails."""
    import duckdb

    try:
        statements = connection.extract_statements(question)
        if len(statements) != 1:
            raise CommandFailed("one query at a time" if statements else "the query is empty")
        if statements[0].type != duckdb.StatementType.SELECT:
            raise CommandFailed("only queries are run here: SELECT, WITH, DESCRIBE, SUMMARIZE")
        connection.execute(statements[0])
    except duckdb.Error as failed:
        raise CommandFailed(str(failed)) from failed
