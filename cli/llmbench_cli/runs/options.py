"""Options that several commands share, so that their names are the same everywhere."""

import math
from typing import Annotated, Any

import typer


def read_margin(text: Any) -> float:
    """Return a margin: a number from 0 up, or a percentage. Raises `typer.BadParameter` for anything else.

    >>> read_margin("0.05"), read_margin("5%"), read_margin("5 %")
    (0.05, 0.05, 0.05)
    """
    given = str(text).strip()
    try:
        value = float(given.removesuffix("%")) / (100 if given.endswith("%") else 1)
    except ValueError:
        raise typer.BadParameter(f"'{given}' is no number: write 0.05, or 5%") from None
    if not math.isfinite(value) or value < 0:
        raise typer.BadParameter(f"'{given}' is no margin: write a number from 0 up, such as 0.05 or 5%")
    return value


Url = Annotated[
    str | None, typer.Option(help="The platform's address; by default LLMBENCH_URL, or else the one that runs here.")
]
Run = Annotated[
    str,
    typer.Argument(metavar="RUN", help="An id, its beginning or end, the run's name, or `last`.", show_default=False),
]
Preset = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The preset whose runs are compared. `llmbench presets list` shows the names.",
        show_default=False,
    ),
]
Suite = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The suite whose runs are compared, in all its versions. `llmbench suites list` shows the names.",
        show_default=False,
    ),
]
Task = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Limit the gate to this task of the suite.", show_default=False),
]
Label = Annotated[str, typer.Option(metavar="LABEL", help="The baseline's label, such as main or v1.2.")]
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
    typer.Option("--allow-partial", help="Judge a run with failed items by its scored ones."),
]
MARGIN = typer.Option(
    parser=read_margin,
    metavar="MARGIN",
    help="The loss that does not matter: from 0 to 1 for scores and rates, a share (10%) for cost and latency.",
    show_default=False,
)
Gate = Annotated[
    str | None,
    typer.Option(
        "--gate",
        metavar="METRIC",
        help="Guard one metric by the margin: score, pass_rate, cost, latency, or an evaluator's name.",
        show_default=False,
    ),
]
ForceGate = Annotated[
    bool,
    typer.Option("--force", help="Decide even if an unchanged model is fine in fewer than 80 of 100 comparisons."),
]
ClusterBy = Annotated[
    str | None,
    typer.Option(
        metavar="KEY",
        help="A metadata key of the cases: cases with the same value are one cluster. By default the runs' own key.",
        show_default=False,
    ),
]
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Print the run's id and URL, and do not wait.")]
