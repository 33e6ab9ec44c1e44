"""Let a second organisation run a benchmark at the same time as the plan's run. Record what each organisation could see
of the other's run."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from random import Random
from uuid import UUID

import asyncpg

from benchmarks.mock_provider.ledger import key_digest
from llmbench.db.tables import metadata
from llmbench.ids import DEFAULT_ORG_ID, new_id
from tests.chaos.browser import View, watching
from tests.chaos.evidence import Neighbours
from tests.chaos.plan import Model
from tests.chaos.stage import Stage
from tests.platform import Platform

TASKS = 2
KEY = "Bearer of the second organisation"
"""The second organisation's provider has this header `Authorization`; those of the first one have none."""
WAITS_S = 60.0
"""The additional seconds in which a run may end, because it waits for the other organisation's models. Each model in
turn checks every five seconds whether the machine is free."""


@dataclass(frozen=True)
class Neighbour:
    """The second organisation, its run (`stage`), and what it overhears of the first organisation's run.

    `overheard` is the view of a client of the second organisation that tries to watch the first run.
    """

    stage: Stage
    org_id: UUID
    overheard: View


@contextlib.asynccontextmanager
async def second_organisation(stack: Platform) -> AsyncIterator[tuple[UUID, Platform]]:
    """Create another organisation with tasks and the local provider. Yield its id, and a `Platform` that sends its
    requests on behalf of this organisation."""
    org_id = new_id()
    connection = await asyncpg.connect(stack.database_url)
    try:
        await connection.execute("INSERT INTO organisation (id, name) VALUES ($1, $2)", org_id, f"Second {org_id}")
    finally:
        await connection.close()
    async with stack.of_organisation(org_id) as second:
        await second.seed(TASKS)
        header = {"header_key": "Authorization", "header_value": KEY, "is_secret": True}
        keyed = {"type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": second.provider_url, "headers": [header]}
        changed = await second.http.put(f"/api/providers/{second.provider_id}", json={"name": "Keyed", **keyed})
        changed.raise_for_status()
        yield org_id, second


@contextlib.asynccontextmanager
async def neighbour(first: Stage, org_id: UUID, stack: Platform) -> AsyncIterator[Neighbour]:
    """Start a run of the second organisation. Until the block is left, let a client of this organisation try to watch
    the first run."""
    plan = first.plan
    target, judge = (Model(name=f"mock-{ms}ms-s{plan.seed}n{ms}", concurrency=1) for ms in (60, 20))
    run_id = await stack.start_run(target.name, judge=judge.name, name=f"second run of seed {plan.seed}")
    second_run = Stage(stack, replace(plan, targets=(target,), judges=(judge,), breaks=()), run_id)
    async with watching(stack.url, first.run_id, Random(plan.seed)) as overheard:  # reproducible
        yield Neighbour(second_run, org_id, overheard)


async def gather_neighbours(first: Stage, second: Neighbour) -> Neighbours:
    """Return the evidence about both organisations, after both runs have ended."""
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
        key=key_digest(KEY),
        misplaced=await _misplaced(first.stack.database_url, owners),
        shown=shown,
    )


async def _shown(mine: Stage, run_id: str) -> list[str]:
    """Return a description of each part of the run `run_id` that the organisation of `mine` can see, although the run
    belongs to another one."""
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
    """Return the number of rows of the runs that belong to another organisation than their run. Tables without such
    rows are left out."""
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
