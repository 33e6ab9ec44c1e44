"""Options that several commands have, so that they are called the same everywhere."""

from typing import Annotated

import typer

Url = Annotated[
    str | None, typer.Option(help="The platform's address; else LLMBENCH_URL, else the one that runs here.")
]
Run = Annotated[
    str,
    typer.Argument(metavar="RUN", help="An id, its beginning or end, the run's name, or `last`.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document; everything else goes to stderr.")]
MinScore = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Exit with 100 when a target's mean score (0 to 1) is below this."),
]
MinPassRate = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Exit with 100 when a target's pass rate (0 to 1) is below this."),
]
AllowPartial = Annotated[
    bool,
    typer.Option("--allow-partial", help="A run in which some items failed counts by those that were scored."),
]
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Print the run's id and URL, and do not wait.")]
