"""What is known of a run when it is over: rows, events, calls and what lies on the broker, as plain values."""

from dataclasses import dataclass, field
from typing import Any

from tests.chaos.browser import View

Row = dict[str, Any]


@dataclass(frozen=True)
class Broken:
    """A fault that was carried out; times are seconds since the epoch. `loses`: so many times whatever was under way
    may have been lost. `forgets`: messages that had been sent are gone."""

    fault: str
    params: Row
    began_at: float
    ended_at: float
    loses: int
    forgets: bool = False


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """`stream`: the run's events as they lie on the broker, each with `kind` and `body`.
    `to_count` is what the figures of `detail` are counted from again. `ledger`: every call that the provider saw.
    `commands`: how many lie in the stream; `consumers`: what is pending in each; `outbox`: rows not published.
    `finished_at`: seconds since the epoch, None where the run did not end."""

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
