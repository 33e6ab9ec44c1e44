"""The evidence of a finished run: rows, events, calls and the broker's content, as plain values."""

from dataclasses import dataclass, field
from typing import Any

from tests.chaos.browser import View

Row = dict[str, Any]


@dataclass(frozen=True)
class Broken:
    """A fault that was carried out; times are seconds since the epoch.

    `loses`: how many times the calls in flight may have been lost. `forgets`: published messages may be gone.
    """

    fault: str
    params: Row
    began_at: float
    ended_at: float
    loses: int
    forgets: bool = False


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The evidence of a finished run.

    - `stream`: the run's events on the broker, each with `kind` and `body`.
    - `to_count`: the rows from which the figures in `detail` are counted again.
    - `ledger`: every call that the provider received.
    - `commands`: the number of messages in the stream; `consumers`: the pending messages of each; `outbox`: unpublished
      rows.
    - `finished_at`: seconds since the epoch, None if the run did not end.
    """

    run: Row
    items: list[Row]
    scores: list[Row]
    evaluators: list[Row]
    calls: list[Row]
    events: list[Row]
    groups: list[Row]
    stream: list[Row]
    to_count: dict[str, list[Row]]
    detail: Row
    ledger: list[Row]
    view: View
    broken: list[Broken]
    finished_at: float | None
    commands: int
    consumers: dict[str, int]
    outbox: int
    notes: list[str] = field(default_factory=list)
