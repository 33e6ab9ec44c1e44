"""What can be subscribed to."""

import re
from dataclasses import dataclass
from uuid import UUID

KINDS = ("status", "progress", "item", "log")
ALL_RUNS = "/topic/runs"
RUN_TOPIC = "/topic/run/{run_id}/{kind}"
ALL_RUNS_KINDS = frozenset({"status", "progress"})

_RUN_TOPIC = re.compile(
    r"/topic/run/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/(status|progress|item|log)",
    re.IGNORECASE | re.ASCII,
)


class UnknownDestination(ValueError):
    pass


@dataclass(frozen=True)
class Destination:
    """`run_id` is None for the topic of all runs."""

    run_id: UUID | None
    kinds: frozenset[str]


def parse_destination(text: str) -> Destination:
    """Raises `UnknownDestination`, naming what was asked for and what there is."""
    if text == ALL_RUNS:
        return Destination(run_id=None, kinds=ALL_RUNS_KINDS)
    match = _RUN_TOPIC.fullmatch(text)
    if match is None:
        raise UnknownDestination(
            f"There is no destination {text[:200]!r}. There are {ALL_RUNS} and /topic/run/<run id>/{'|'.join(KINDS)}."
        )
    return Destination(run_id=UUID(match[1]), kinds=frozenset({match[2].lower()}))
