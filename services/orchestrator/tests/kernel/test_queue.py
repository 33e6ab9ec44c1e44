"""Test the order of the queue, changes of this order, and when each queued run is expected to start."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.kernel.domain.queue import MAX_PRIORITY, Queued, moved, prioritised, turns

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
PRIORITIES = st.integers(-MAX_PRIORITY, MAX_PRIORITY)


@st.composite
def queues(draw: st.DrawFn) -> list[Queued]:
    priorities = sorted(draw(st.lists(PRIORITIES, min_size=1, max_size=8)), reverse=True)
    work = st.one_of(st.none(), st.floats(0, 1e6))
    return [Queued(UUID(int=place), priority, draw(work)) for place, priority in enumerate(priorities)]


def ids(queue: list[Queued]) -> list[int]:
    return [run.id.int for run in queue]


def in_order(queue: list[Queued]) -> bool:
    return all(first.priority >= second.priority for first, second in pairwise(queue))


@given(queues(), st.data())
def test_moved_run_has_its_position_and_the_others_keep_their_order(queue: list[Queued], data: st.DataObject) -> None:
    run = data.draw(st.sampled_from(queue))
    position = data.draw(st.integers(1, len(queue) + 3))
    after = moved(queue, run.id, position)
    assert ids(after).index(run.id.int) == min(position, len(queue)) - 1
    assert [each for each in after if each.id != run.id] == [each for each in queue if each.id != run.id]
    assert in_order(after)
    assert moved(after, run.id, position) == after


@given(queues(), st.data(), PRIORITIES)
def test_run_with_a_new_priority_is_the_last_of_it(queue: list[Queued], data: st.DataObject, priority: int) -> None:
    run = data.draw(st.sampled_from(queue))
    after = prioritised(queue, run.id, priority)
    assert [each for each in after if each.id != run.id] == [each for each in queue if each.id != run.id]
    assert in_order(after)
    if run.priority == priority:
        assert after == queue
    else:
        assert [each.id for each in after if each.priority >= priority][-1] == run.id


@given(queues(), st.one_of(st.none(), st.floats(0, 1e6)))
def test_turns_are_numbered_and_no_run_starts_before_the_one_ahead_of_it(
    queue: list[Queued], active_s: float | None
) -> None:
    planned = turns(queue, active_s=active_s, now=NOW)
    starts = [planned[run.id].starts_at for run in queue]
    assert [planned[run.id].position for run in queue] == list(range(1, len(queue) + 1))
    known = [start for start in starts if start is not None]
    assert starts[: len(known)] == known == sorted(known)


def test_turn_behind_a_run_of_unknown_length_has_no_time() -> None:
    queue = [Queued(UUID(int=1), work_s=60), Queued(UUID(int=2)), Queued(UUID(int=3), work_s=5)]
    planned = turns(queue, active_s=30, now=NOW)
    assert [planned[run.id].starts_at for run in queue] == [
        NOW + timedelta(seconds=30),
        NOW + timedelta(seconds=90),
        None,
    ]


def test_run_that_is_not_in_the_queue_cannot_be_moved() -> None:
    with pytest.raises(LookupError):
        moved([Queued(UUID(int=1))], UUID(int=2), 1)
