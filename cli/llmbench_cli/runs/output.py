"""What commands about runs print: a result on stdout, everything said beside it on stderr."""

import json
import sys
from typing import Any

from llmbench_cli.client import Client, Json
from llmbench_cli.console import terminal
from llmbench_cli.runs import result_tables
from llmbench_cli.safe_text import safe_line


def page(client: Client, run_id: str) -> str:
    """Return where the browser shows the run."""
    return f"{client.url}/runs/{run_id}"


def tell(text: str) -> None:
    """Say something beside the result."""
    terminal(stderr=True).print(safe_line(text), soft_wrap=True)


def print_json(document: Any) -> None:
    """Print one document. On a terminal nothing but ASCII: a terminal obeys more than it shows."""
    print(json.dumps(document, ensure_ascii=sys.stdout.isatty(), indent=2))


def show_result(run: Json, url: str) -> None:
    """Print the figures that matter first."""
    figures = (result_tables.quality(run), result_tables.speed(run), result_tables.throughput(run))
    result_tables.spaced(terminal(), [result_tables.title(run, url), *figures, result_tables.cost(run)])
