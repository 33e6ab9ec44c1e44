"""Say what a run cost, and for what."""

from typing import Final

from rich.text import Text

from llmbench_cli.client import Json
from llmbench_cli.runs.words import dollars

_PARTS: Final = (("answers", "answers_usd"), ("judging", "judging_usd"), ("other calls", "other_usd"))


def cost(run: Json) -> Text:
    """Return the cost of a run and its parts, its limit if there is one, and the number of calls without a known
    price."""
    unpriced = run["unpriced_calls"]
    known = not unpriced or run["cost_usd"] > 0
    text = f"Cost {dollars(run['cost_usd']) if known else 'unknown'}"
    if run["max_cost_usd"] is not None:
        text += f" of at most {dollars(run['max_cost_usd'])}"
    parts = [f"{name} {dollars(usd)}" for name, usd in _parts(run["cost_parts"])]
    if len(parts) > 1:
        text += f": {', '.join(parts)}"
    if unpriced:
        text += f"; no price is known for {unpriced} calls"
    return Text(text)


def _parts(parts: Json | None) -> list[tuple[str, float]]:
    """Return the parts of a cost that are not zero, by name.

    >>> _parts({"answers_usd": 2.0, "judging_usd": 0.0, "other_usd": 0.5})
    [('answers', 2.0), ('other calls', 0.5)]
    >>> _parts(None)
    []
    """
    named = [] if parts is None else [(name, parts[field]) for name, field in _PARTS]
    return [(name, usd) for name, usd in named if usd > 0]
