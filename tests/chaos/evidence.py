"""The data from which a finished run is audited: rows, events, calls and the broker's content."""

from dataclasses import dataclass, field
from typing import Any

from tests.chaos.browser import View

Row = dict[str, Any]


@dataclass(frozen=True)
class Broken:
    """A fault that was carried out. Times are seconds since the epoch.

    `loses` is how often each call in flight may be repeated because of the fault. `forgets` is true if published
    messages may be lost.
    """

    fault: str
    params: Row
    began_at: float
    ended_at: float
    loses: int
    forgets: bool = False


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """The data about two organisations that had runs at the same time.

    - `run`, `items`, `ledger`: the second organisation's run, its items, and the provider's record of its calls.
    - `key`: the digest of the second organisation's key for the provider; the first organisation calls without a key.
    - `misplaced`: the number of rows of both runs that belong to another organisation than their run, by table.
    - `shown`: what one organisation was shown of the other one's run, in words.
    """

    run: Row
    items: list[Row]
    ledger: list[Row]
    key: str | None
    misplaced: dict[str, int]
    shown: list[str]


@dataclass(frozen=True, kw_only=True)
class Queue:
    """The runs of a plan in the queue, in the order in which they have to start. The run that the plan is about comes
    last.

    - `rows`: the rows of these runs, in the same order.
    - `schedule_id`: the schedule that started the plan's run; None if a request did.
    - `firings`: the firings of the schedule. `scheduled`: the ids of the runs that it started.
    """

    runs: list[str]
    schedule_id: str | None = None
    rows: list[Row] = field(default_factory=list)
    firings: list[Row] = field(default_factory=list)
    scheduled: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The data from which a run is audited, after the run has ended or the harness has given up waiting for its end.

    - `stream`: the run's events on the broker, each with `kind` and `body`.
    - `to_count`: the rows for a recount of the statistics in `detail`, the API's response.
    - `ledger`: every call that the provider received for this run.
    - `view`: the run's page in the browser that watches the run.
    - `commands`: the number of messages in the command stream; -1 if the stream is missing.
    - `consumers`: the number of pending messages by consumer.
    - `outbox`: the number of unpublished rows, plus one for each finished run whose verdict is due.
    - `gates`: the gates between the tasks of a suite.
    - `verdicts`: the run's verdicts by the gates of the suite's baseline.
    - `queue`: None unless the run had to wait in the queue.
    - `finished_at`: seconds since the epoch, None if the run did not end.
    - `notes`: errors of the test harness, which count as violations.
    - `neighbours`: None unless a second organisation had a run.
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
    gates: list[Row] = field(default_factory=list)
    verdicts: list[Row] = field(default_factory=list)
    queue: Queue | None = None
    notes: list[str] = field(default_factory=list)
    neighbours: Neighbours | None = None
