"""Check that queued runs start in the order of the queue, each soon after the run before it, and that a schedule fires
once."""

from collections.abc import Iterator
from itertools import pairwise

from tests.chaos.checks import check
from tests.chaos.evidence import Evidence
from tests.chaos.plan import Plan

_STARTS_WITHIN_S = 30.0


@check
def queue(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that each run in the queue starts after the end of the run before it, and within 30 seconds of it."""
    if evidence.queue is None:
        return
    for before, after in pairwise(evidence.queue.rows):
        if (before["status"], before["outcome"]) != ("FINISHED", "complete"):
            yield f"'{before['name']}' is {before['status']}, {before['outcome']}"
        elif after["started_at"] is None:
            yield f"'{after['name']}' has not started"
        elif after["started_at"] < before["finished_at"]:
            yield f"'{after['name']}' started before the end of '{before['name']}'"
        elif (waited := _waited(evidence, before["finished_at"], after["started_at"])) > _STARTS_WITHIN_S:
            yield f"'{after['name']}' started {waited:.1f} s after the end of '{before['name']}'"


def _waited(evidence: Evidence, ended_at: float, started_at: float) -> float:
    """Return the seconds from the end of one run to the start of the next. If a fault ended in between, count from the
    end of the last such fault."""
    return started_at - max([ended_at, *(one.ended_at for one in evidence.broken if one.ended_at < started_at)])


@check
def schedule(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that a schedule that was due once has fired once, and that its only run is the run that is audited."""
    if evidence.queue is None or evidence.queue.schedule_id is None:
        return
    run_id = evidence.queue.runs[-1]
    statuses = [(firing["status"], firing["run_id"] == run_id) for firing in evidence.queue.firings]
    if statuses != [("STARTED", True)]:
        yield f"the schedule was due once, and its firings are {evidence.queue.firings}"
    if evidence.queue.scheduled != [run_id]:
        yield f"the schedule has started {len(evidence.queue.scheduled)} runs"
