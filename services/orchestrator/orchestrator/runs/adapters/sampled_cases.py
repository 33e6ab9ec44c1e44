"""Sample the cases of a run that is being created."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Boolean, bindparam
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.errors import FieldError
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.sample import SampledCase, take, with_tags
from orchestrator.runs.adapters.clusters import Cases, cases_of_new, keys, typed

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


async def read_cases(
    connection: AsyncConnection, source: Cases, cluster_by: str | None, tags: Sequence[str] = ()
) -> list[SampledCase]:
    """Return all cases that the subquery `source` selects, the tasks of collections first. A case's `tagged` is true if
    the case has all `tags`."""
    query = typed(_CASES.format(keys=keys(source, cluster_by)), source).bindparams(_UNTAGGED, _TAGGED)
    # Every metadata contains the empty object.
    tagging = {"untagged": not tags, "tagged": {"tags": list(tags)} if tags else {}}
    rows = await connection.execute(query, source.parameters(cluster_by) | tagging)
    return [SampledCase(row.id, row.name, row.category, row.key, row.conversation, row.tagged) for row in rows]


async def _with_named(connection: AsyncConnection, new: NewRun) -> NewRun:
    """Return a copy of the run in which `sampled` has only the cases that the run's collections and dataset versions
    still contain. If `sampled` is null, the run is returned unchanged."""
    if new.sampled is None:
        return new
    source = cases_of_new(new)
    query = typed(f"SELECT id FROM ({source.source}) AS of_run", source)  # noqa: S608  # made of constants
    there = set((await connection.execute(query, source.parameters(None))).scalars())
    return replace(new, sampled=[case_id for case_id in new.sampled if case_id in there])


async def with_sample(connection: AsyncConnection, new: NewRun) -> tuple[NewRun, dict[str, Any] | None]:
    """Return a copy of the run with the ids of its sampled cases, and a description of the sample, which is stored with
    the run.

    The description is `None` if the request has no sample. The run then has all cases of its collections and dataset
    versions or, if the request names cases, those that still exist. Raises a 422 `Problem` if no case has all tags of
    the sample.
    """
    if new.sample is None:
        return await _with_named(connection, new), None
    tags = list(new.sample.tags)
    found = await read_cases(connection, cases_of_new(new), new.cluster_by, tags)
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
