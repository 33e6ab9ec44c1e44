"""Say what a run cost, and for what."""

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from llmbench_cli.client import Json
from llmbench_cli.runs.words import dollars

_LEAST_USD: Final = 1e-6


def cost(run: Json) -> Text:
    """Return the cost of a run and its parts, its limit if there is one, and the number of calls without a known
    price."""
    unpriced = run["unpriced_calls"]
    known = not unpriced or run["cost_usd"] > 0
    text = f"Cost {dollars(run['cost_usd']) if known else 'unknown'}"
    if run["max_cost_usd"] is not None:
        text += f" of at most {dollars(run['max_cost_usd'])}"
    parts = [f"{name} {dollars(usd)}" for name, usd in cost_parts(run)]
    if len(parts) > 1:
        text += f": {', '.join(parts)}"
    if unpriced:
        text += f"; no price is known for {unpriced} calls"
    return Text(text)


def cost_parts(run: Json) -> list[tuple[str, float]]:
    """Return the parts of a run's cost that are known and not zero. They add up to the cost of the run.

    Other calls warmed up a model or failed, or their answer or score was replaced. There are no parts while the run is
    active, because the figures of its answers lag behind its cost; nor if it did not pay for all its answers.

    >>> judges = [{"cost_usd": 1}, {"cost_usd": None}]
    >>> finished = {"status": "FINISHED", "totals": {"cost_usd": 2.0}, "evaluators": judges}
    >>> cost_parts(finished | {"cost_usd": 3.5})
    [('answers', 2.0), ('judging', 1), ('other calls', 0.5)]
    >>> cost_parts(finished | {"cost_usd": 1, "totals": {"cost_usd": 3e-7}})
    [('answers', 3e-07), ('judging', 1)]
    >>> cost_parts(finished | {"cost_usd": 2.5})
    []
    >>> cost_parts(finished | {"cost_usd": 3.5, "status": "RUNNING"})
    []
    """
    return list(_parts(run)) if run["status"] in ("FINISHED", "CANCELLED") else []


def _parts(run: Json) -> Iterator[tuple[str, float]]:
    answers = run["totals"]["cost_usd"] or 0
    judging = sum(evaluator["cost_usd"] or 0 for evaluator in run["evaluators"])
    other = run["cost_usd"] - answers - judging
    if other < -_LEAST_USD:
        return
    # Less may be an error of rounding.
    for name, usd in (("answers", answers), ("judging", judging), ("other calls", 0 if other < _LEAST_USD else other)):
        if usd > 0:
            yield name, usd
