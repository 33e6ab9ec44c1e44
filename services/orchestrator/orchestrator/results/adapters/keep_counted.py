"""Compute the statistics of changed runs in the background, so that they are ready when a run is opened."""

import asyncio
import logging

from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.organisation import working_for
from orchestrator.results.adapters.blocks import Left, count_some, stale_runs
from orchestrator.results.adapters.ranking import rank, rankings_due

EVERY_S = 2.0
_log = logging.getLogger(__name__)


async def keep_counted(engine: AsyncEngine, everybody: AsyncEngine) -> None:
    """Update the statistics of changed runs until cancelled, and wait `EVERY_S` seconds between rounds. The errors of a
    round are logged, and the next round tries again.

    `everybody` reads from all organisations, and finds the runs. `engine` reads from one organisation at a time, and
    counts each run on behalf of its organisation.
    """
    while True:
        try:
            await _count(engine, everybody)
        except Exception as error:  # noqa: BLE001  # the next round repeats it
            _log.warning("counting failed: %r", error)
        await asyncio.sleep(EVERY_S)


async def _count(engine: AsyncEngine, everybody: AsyncEngine) -> None:
    for run_id, org_id in await stale_runs(everybody):
        with working_for(org_id):
            while await count_some(engine, run_id) is not Left.NOTHING:
                pass
    for run_id, org_id in await rankings_due(everybody):
        with working_for(org_id):
            await rank(engine, run_id)
