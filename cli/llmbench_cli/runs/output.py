"""Output of commands about runs: the result goes to stdout, everything else to stderr."""

import json
import sys
from typing import Any

from llmbench_cli.client import Client, Json
from llmbench_cli.console import terminal
from llmbench_cli.runs import cost_view, failures, result_tables
from llmbench_cli.safe_text import safe_line


def page(client: Client, run_id: str) -> str:
    """Return the URL of the run in the web application."""
    return f"{client.url}/runs/{run_id}"


def print_note(text: str) -> None:
    """Print a message as one line on stderr, so that stdout has only the result."""
    terminal(stderr=True).print(safe_line(text), soft_wrap=True)


def print_json(document: Any) -> None:
    """Print an indented JSON document. On a terminal it is ASCII only, because a terminal interprets control
    characters."""
    print(json.dumps(document, ensure_ascii=sys.stdout.isatty(), indent=2))


def show_result(run: Json, url: str, why: Json | None = None) -> None:
    """Print a run's results: quality, speed and throughput, then why items failed, then the cost. `why` is the API's
    list of failures, or None to omit them."""
    figures = (result_tables.quality(run), result_tables.speed(run), result_tables.throughput(run))
    causes = [failures.by_cause(why)] if why else []
    result_tables.spaced(terminal(), [result_tables.title(run, url), *figures, *causes, cost_view.cost(run)])
