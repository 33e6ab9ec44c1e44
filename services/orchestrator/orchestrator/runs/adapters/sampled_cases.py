"""Sample the cases of a run that is being created."""

import asyncio
from dataclasses import replace
from typing import Any

from sqlalchemy import Boolean, bindparam
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.errors import FieldError
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.sample import SampledCase, take, with_tags
from orchestrator.runs.adapters.clusters import cases_of_new, keys, typed

_CASES = """
    SELECT source.id, source.name, source.category, source.conversation, source.tagged, keyed.key FROM (
        SELECT task.id, task.task_id AS name, task.category, NULL AS conversation, 0 AS kind, task.task_id AS place,
               :untagged AS tagged
        FROM task
        WHERE task.id IN (SELECT task_id FROM collection_task WHERE collection_id = ANY (:collection_ids))
        UNION ALL
        SELECT test_case.id, test_case.name,
               coalesce(nullif(left(test_case.metadata ->> 'category', 255), ''), dataset.name),
               test_case.input ->> 'conversation_id', 1, test_case.name, test_case.metadata @> :tagged
        FROM test_case
        JOIN dataset_version ON dataset_version.id = test_case.version_id
        JOIN dataset ON dataset.id = dataset_version.dataset_id
        WHERE test_case.version_id = ANY (:version_ids)
    ) AS source
    LEFT JOIN ({keys}) AS keyed ON keyed.id = source.id
    ORDER BY source.kind, source.place
"""

_UNTAGGED = bindparam("untagged", type_=Boolean)
_TAGGED = bindparam("tagged", type_=JSONB)


async def with_sample(connection: AsyncConnection, new: NewRun) -> tuple[NewRun, dict[str, Any] | None]:
    """Return the run with the cases of its sample, and the description of the sample that the run keeps.

    Without a sample, the run is unchanged and there is no description.
    """
    if new.sample is None:
        return new, None
    source = cases_of_new(new)
    query = typed(_CASES.format(keys=keys(source, new.cluster_by)), source).bindparams(_UNTAGGED, _TAGGED)
    tags = list(new.sample.tags)
    # Every metadata contains the empty object.
    tagging = {"untagged": not tags, "tagged": {"tags": tags} if tags else {}}
    rows = await connection.execute(query, source.parameters(new.cluster_by) | tagging)
    found = [SampledCase(row.id, row.name, row.category, row.key, row.conversation, row.tagged) for row in rows]
    cases = with_tags(found)
    if found and not cases:
        message = "no case of the run's sources has all of these tags in `metadata.tags`"
        raise invalid([FieldError("sample.tags", message)])
    # A thread, because a million cases take seconds.
    sampled = await asyncio.to_thread(take, cases, new.sample)
    return replace(new, sampled=sampled), {
        "size": new.sample.size or len(cases),
        "tags": tags,
        "strategy": new.sample.strategy,
        "seed": new.sample.seed,
        "seed_from": "name" if new.sample.derived else "request",
        "taken": len(sampled),
        "of": len(cases),
    }
