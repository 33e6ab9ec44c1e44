"""Compute the statistics of changed runs in the background, so that they are ready when a run is opened."""

import asyncio
import logging

from sqlalchemy.ext.asyncio import AsyncEngine

from orchestrator.results.adapters.blocks import Left, count_some, stale_runs
from orchestrator.results.adapters.ranking import rank, rankings_due

EVERY_S = 2.0
_log = logging.getLogger(__name__)


async def keep_counted(engine: AsyncEngine) -> None:
    """Update the statistics of changed runs until cancelled, with a pause of `EVERY_S` seconds between rounds. The
    errors of a round are logged, and the next round tries again."""
    while True:
        try:
            await _count(engine)
        except Exception as error:  # noqa: BLE001  # the next round repeats it
            _log.warning("counting failed: %r", error)
        await asyncio.sleep(EVERY_S)


async def _count(engine: AsyncEngine) -> None:
    for run_id in await stale_runs(engine):
        while await count_some(engine, run_id) is not Left.NOTHING:
            pass
    for run_id in await rankings_due(engine):
        await rank(engine, run_id)
