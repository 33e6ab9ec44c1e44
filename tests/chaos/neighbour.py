"""Let a second organisation run a benchmark during the run of a plan, and gather what each was shown of the other."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from random import Random
from uuid import UUID

import asyncpg

from llmbench.db.tables import metadata
from llmbench.ids import DEFAULT_ORG_ID, new_id
from tests.chaos.browser import View, watching
from tests.chaos.evidence import Neighbours
from tests.chaos.plan import Model
from tests.chaos.stage import Stage
from tests.platform import Platform

TASKS = 2
WAITS_S = 60.0
"""The seconds by which a run may end later, because it waits for the other organisation's models. Each model in turn
looks every five seconds whether the machine is free."""


@dataclass(frozen=True)
class Neighbour:
    """The second organisation: the stage of its run, and the view of a client there that watches the first run."""

    stage: Stage
    org_id: UUID
    overheard: View


@contextlib.asynccontextmanager
async def second_organisation(stack: Platform) -> AsyncIterator[tuple[UUID, Platform]]:
    """Make another organisation with tasks and the local provider. Yields its id, and the platform as it sees it."""
    org_id = new_id()
    connection = await asyncpg.connect(stack.database_url)
    try:
        await connection.execute("INSERT INTO organisation (id, name) VALUES ($1, $2)", org_id, f"Second {org_id}")
    finally:
        await connection.close()
    async with stack.of_organisation(org_id) as second:
        await second.seed(TASKS)
        yield org_id, second


@contextlib.asynccontextmanager
async def neighbour(first: Stage, org_id: UUID, stack: Platform) -> AsyncIterator[Neighbour]:
    """Start a run of the second organisation, and let it watch the first run until the block is left."""
    plan = first.plan
    target, judge = (Model(name=f"mock-{ms}ms-s{plan.seed}n{ms}", concurrency=1) for ms in (60, 20))
    run_id = await stack.start_run(target.name, judge=judge.name, name=f"second run of seed {plan.seed}")
    second_run = Stage(stack, replace(plan, targets=(target,), judges=(judge,), breaks=()), run_id)
    async with watching(stack.url, first.run_id, Random(plan.seed)) as overheard:  # reproducible
        yield Neighbour(second_run, org_id, overheard)


async def gather_neighbours(first: Stage, second: Neighbour) -> Neighbours:
    """Return the evidence about both organisations. Both runs are over."""
    second_run = second.stage
    owners = {first.run_id: DEFAULT_ORG_ID, second_run.run_id: second.org_id}
    shown = [
        text
        for mine, theirs in ((first, second_run), (second_run, first))
        for text in await _shown(mine, theirs.run_id)
    ]
    shown += [f"{len(seqs)} events of {kind} were heard" for kind, seqs in second.overheard.seqs.items() if seqs]
    return Neighbours(
        run=await second_run.stack.get(f"/api/runs/{second_run.run_id}"),
        items=await second_run.stack.items(second_run.run_id),
        ledger=await second_run.ledger(),
        misplaced=await _misplaced(first.stack.database_url, owners),
        shown=shown,
    )


async def _shown(mine: Stage, run_id: str) -> list[str]:
    """Return what one organisation is shown of the other one's run."""
    found = []
    for what in ("", "/items", "/events", "/log", "/export?format=json"):
        response = await mine.stack.http.get(f"/api/runs/{run_id}{what}")
        if response.status_code != 404:
            found.append(f"{response.request.url.path} answered {response.status_code}")
    listed = await mine.stack.http.get("/api/runs", params={"limit": 200})
    if run_id in listed.text:
        found.append("the list of runs has it")
    return found


async def _misplaced(database_url: str, owners: dict[str, UUID]) -> dict[str, int]:
    """Return the number of rows of the runs that belong to another organisation, by table, where there are some."""
    of_runs = [name for name, table in metadata.tables.items() if {"run_id", "org_id"} <= set(table.columns.keys())]
    connection = await asyncpg.connect(database_url)
    try:
        found = {
            # The names come from the metadata.
            name: [
                await connection.fetchval(
                    f"SELECT count(*) FROM {name} WHERE run_id = $1 AND org_id <> $2", UUID(run_id), owner
                )
                for run_id, owner in owners.items()
            ]
            for name in of_runs
        }
    finally:
        await connection.close()
    return {name: sum(counts) for name, counts in found.items() if any(counts)}
