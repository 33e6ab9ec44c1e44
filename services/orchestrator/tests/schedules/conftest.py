from collections.abc import AsyncIterator

import pytest
from run_world import World, open_world
from schedule_world import ScheduleWorld
from wound_clock import WoundClock, utc


@pytest.fixture
def clock() -> WoundClock:
    """Return a clock that shows a Monday noon."""
    return WoundClock(utc("2026-11-23 12:00"))


@pytest.fixture
async def world(postgres_url: str, nats_url: str, clock: WoundClock) -> AsyncIterator[World]:
    async with open_world(postgres_url, nats_url, clock=clock) as opened:
        yield opened


@pytest.fixture
def schedules(world: World, clock: WoundClock) -> ScheduleWorld:
    return ScheduleWorld(world, clock)
