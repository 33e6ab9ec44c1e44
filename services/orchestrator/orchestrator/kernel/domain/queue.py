"""The queue of an organisation's runs: the order of turns, changes of the order, and when each turn is expected.

A queue is a sequence of runs in the order of their turns. Priorities never increase in it. Runs of one priority start
first in, first out, unless a user moves one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

MAX_PRIORITY = 100
"""The bound of priorities: they lie between -100 and 100, and are 0 by default."""


@dataclass(frozen=True)
class Queued:
    """A queued run. `work_s` is how long it is expected to take in seconds; null if one of its models was never
    measured."""

    id: UUID
    priority: int = 0
    work_s: float | None = None


@dataclass(frozen=True)
class Turn:
    """A run's position in the queue, counted from 1. `starts_at` is the expected start; null if the work before it
    cannot be estimated."""

    position: int
    priority: int
    starts_at: datetime | None


def moved(queue: Sequence[Queued], run_id: UUID, position: int) -> list[Queued]:
    """Return the queue with the run at `position`, counted from 1. A position behind the end counts as the last.

    The priority of the run changes only if its new neighbours require it, and then as little as possible: priorities
    must not increase along the queue.
    """
    run, others = _without(queue, run_id)
    index = min(max(position, 1) - 1, len(others))
    highest = others[index - 1].priority if index else MAX_PRIORITY
    lowest = others[index].priority if index < len(others) else -MAX_PRIORITY
    changed = replace(run, priority=max(lowest, min(highest, run.priority)))
    return [*others[:index], changed, *others[index:]]


def prioritised(queue: Sequence[Queued], run_id: UUID, priority: int) -> list[Queued]:
    """Return the queue with the run's new priority. The run becomes the last one of this priority. If the priority is
    the old one, the queue stays as it is."""
    run, others = _without(queue, run_id)
    if run.priority == priority:
        return list(queue)
    index = sum(other.priority >= priority for other in others)
    return [*others[:index], replace(run, priority=priority), *others[index:]]


def turns(queue: Sequence[Queued], *, active_s: float | None, now: datetime) -> Mapping[UUID, Turn]:
    """Return the position of each run in the queue, and its expected start. `active_s` is the expected remaining time
    of the active run in seconds. It is 0 without an active run, and null if it cannot be estimated."""
    planned: dict[UUID, Turn] = {}
    before_s = active_s
    for position, run in enumerate(queue, start=1):
        starts_at = None if before_s is None else now + timedelta(seconds=before_s)
        planned[run.id] = Turn(position, run.priority, starts_at)
        before_s = None if before_s is None or run.work_s is None else before_s + run.work_s
    return planned


def _without(queue: Sequence[Queued], run_id: UUID) -> tuple[Queued, list[Queued]]:
    """Return the run, and the other runs in their order. Raises `LookupError` if the run is not in the queue."""
    run = next((each for each in queue if each.id == run_id), None)
    if run is None:
        raise LookupError(run_id)
    return run, [each for each in queue if each.id != run_id]
