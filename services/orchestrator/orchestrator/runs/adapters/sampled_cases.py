"""Sample the cases of a run that is being created."""

import asyncio
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.kernel.domain.sample import SampledCase, take
from orchestrator.runs.adapters.clusters import cases_of_new, keys, typed

_CASES = """
    SELECT source.id, source.name, source.category, source.conversation, keyed.key FROM (
        SELECT task.id, task.task_id AS name, task.category, NULL AS conversation, 0 AS kind, task.task_id AS place
        FROM task
        WHERE task.id IN (SELECT task_id FROM collection_task WHERE collection_id = ANY (:collection_ids))
        UNION ALL
        SELECT test_case.id, test_case.name,
               coalesce(nullif(left(test_case.metadata ->> 'category', 255), ''), dataset.name),
               test_case.input ->> 'conversation_id', 1, test_case.name
        FROM test_case
        JOIN dataset_version ON dataset_version.id = test_case.version_id
        JOIN dataset ON dataset.id = dataset_version.dataset_id
        WHERE test_case.version_id = ANY (:version_ids)
    ) AS source
    LEFT JOIN ({keys}) AS keyed ON keyed.id = source.id
    ORDER BY source.kind, source.place
"""


async def with_sample(connection: AsyncConnection, new: NewRun) -> tuple[NewRun, dict[str, Any] | None]:
    """Return the run with the cases of its sample, and the description of the sample that the run keeps.

    Without a sample, the run is unchanged and there is no description.
    """
    if new.sample is None:
        return new, None
    source = cases_of_new(new)
    query = typed(_CASES.format(keys=keys(source, new.cluster_by)), source)
    rows = await connection.execute(query, source.parameters(new.cluster_by))
    cases = [SampledCase(row.id, row.name, row.category, row.key, row.conversation) for row in rows]
    # A thread, because a million cases take seconds.
    sampled = await asyncio.to_thread(take, cases, new.sample)
    return replace(new, sampled=sampled), {
        "size": new.sample.size,
        "strategy": new.sample.strategy,
        "seed": new.sample.seed,
        "seed_from": "name" if new.sample.derived else "request",
        "taken": len(sampled),
        "of": len(cases),
    }
