"""Assign each item of a run to a cluster: the results of one cluster depend on each other.

By default a cluster is the coarsest of document, conversation and case; the epochs of a case belong to its cluster. A
run may name a key of its cases' metadata instead. The column `item.cluster_key` has the value of this key or, without
such a key, the document. If it is null, the conversation or the case is the cluster. The SQL expression `CLUSTER` of
`orchestrator.kernel.adapters.overall` names the cluster in each of these cases.

The turns of a conversation are never in different clusters. A document counts only if all turns of the conversation
name the same one. If turns of a conversation differ in the named key, all of them get the smallest of its values. If
all cases share one document, the conversations (or cases) are the clusters, because a single cluster has no variance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Text, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import ClusterLevel
from llmbench.db import tables as t
from llmbench.errors import FieldError, Problem
from orchestrator.kernel.adapters.overall import CLUSTER
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.results.adapters.changes import hold_counts, recount_all

FIELD: Final = "cluster_by"
LONGEST_KEY: Final = 255
_SHOWN: Final = 3

# Tasks of collections have no document and no conversation, so each task is a cluster of its own.
_SOURCE_OF_NEW: Final = """
    SELECT id, name, metadata, input ->> 'conversation_id' AS conversation_id
    FROM test_case WHERE version_id = ANY (:version_ids) {sampled}
    UNION ALL
    SELECT id, task_id, NULL, NULL FROM task
    WHERE id IN (SELECT task_id FROM collection_task WHERE collection_id = ANY (:collection_ids)) {sampled}
"""
SAMPLED: Final = "AND {id} = ANY (:sampled)"
_SOURCE_OF_RUN: Final = """
    SELECT position AS id, task_id AS name, "case" -> 'metadata' AS metadata, conversation_id
    FROM item WHERE run_id = :run_id AND position < (SELECT case_count FROM run WHERE id = :run_id)
"""
_VALUE: Final = f"""
    CASE WHEN jsonb_typeof(metadata -> {{name}}) IN ({{types}})
              AND length(metadata ->> {{name}}) BETWEEN 1 AND {LONGEST_KEY}
         THEN metadata ->> {{name}} END
"""
_NAMED: Final = _VALUE.format(name=f"CAST(:{FIELD} AS text)", types="'string', 'number', 'boolean'")
_DOCUMENT: Final = "coalesce({})".format(
    ", ".join(_VALUE.format(name=f"'{name}'", types="'string', 'number'") for name in ("document_id", "document"))
)
# All turns of a conversation share a key; any other case has a key of its own.
_TOGETHER: Final = """
    WITH source AS (SELECT id, name, conversation_id, {value} AS key FROM ({source}) AS of_run),
    conversation AS (
        SELECT conversation_id, min(key) AS key FROM source
        WHERE conversation_id IS NOT NULL GROUP BY conversation_id {nested}
    ), together AS (
        SELECT id, name, source.key AS own,
               CASE WHEN source.conversation_id IS NULL THEN source.key ELSE conversation.key END AS key
        FROM source LEFT JOIN conversation USING (conversation_id)
    )
"""
_NESTED: Final = "HAVING count(key) = count(*) AND min(key) = max(key)"
_BY_NAME: Final = _TOGETHER.format(value=_NAMED, source="{source}", nested="")
_BY_DOCUMENT: Final = _TOGETHER.format(value=_DOCUMENT, source="{source}", nested=_NESTED)
_KEYS_NAMED: Final = f"{_BY_NAME} SELECT id, key FROM together"  # noqa: S608  # made of constants
_KEYS_OF_DOCUMENTS: Final = f"""
    {_BY_DOCUMENT}
    SELECT id, key FROM together
    WHERE key IS NOT NULL AND (
        SELECT count(DISTINCT key) > 1 OR count(key) BETWEEN 1 AND count(*) - 1 FROM together
    )
"""  # noqa: S608  # made of constants
_LACKING: Final = f"""
    {_BY_NAME}
    SELECT count(*) AS cases, count(*) - count(own) AS lacking, count(DISTINCT key) AS clusters,
           (array_agg(name ORDER BY id) FILTER (WHERE own IS NULL))[1:4] AS names
    FROM together
"""  # noqa: S608
_COMMON: Final = """
    SELECT word FROM ({source}) AS of_run CROSS JOIN LATERAL jsonb_object_keys(metadata) AS word
    GROUP BY word HAVING count(*) = :cases ORDER BY word LIMIT 20
"""


@dataclass(frozen=True)
class Cases:
    """An SQL subquery (`source`) that selects a run's cases, and the values of its parameters (`given`). The subquery
    reads collections and dataset versions before the run is created, and the run's items afterwards."""

    source: str
    given: dict[str, Any] = field(default_factory=dict)

    def parameters(self, cluster_by: str | None) -> dict[str, Any]:
        return self.given if cluster_by is None else self.given | {FIELD: cluster_by}


def cases_of_sources(collection_ids: Sequence[UUID], version_ids: Sequence[UUID]) -> Cases:
    given = {"version_ids": list(version_ids), "collection_ids": list(collection_ids)}
    return Cases(_SOURCE_OF_NEW.format(sampled=""), given)


def cases_of_new(new: NewRun) -> Cases:
    if new.sampled is None:
        return cases_of_sources(new.collection_ids, new.dataset_version_ids)
    given = {"version_ids": list(new.dataset_version_ids), "collection_ids": list(new.collection_ids)}
    return Cases(_SOURCE_OF_NEW.format(sampled=SAMPLED.format(id="id")), given | {"sampled": list(new.sampled)})


def cases_of_run(run_id: UUID) -> Cases:
    return Cases(_SOURCE_OF_RUN, {"run_id": run_id})


def keys(cases: Cases, cluster_by: str | None) -> str:
    """Return the SQL query that selects the `id` and the cluster `key` of each case. `cluster_by` names a metadata key;
    `None` means the default rule. The query's parameters are `cases.parameters(cluster_by)`."""
    query = _KEYS_OF_DOCUMENTS if cluster_by is None else _KEYS_NAMED
    return query.format(source=cases.source)


async def require_key(connection: AsyncConnection, cases: Cases, cluster_by: str) -> None:
    """Raise a 422 `Problem` if the cases cannot be clustered by the metadata key `cluster_by`.

    Every case needs a text, number or boolean of 1 to 255 characters under this key. The values have to form at least
    two clusters.
    """
    query = typed(_LACKING.format(source=cases.source), cases)
    row = (await connection.execute(query, cases.parameters(cluster_by))).one()
    if row.lacking:
        names = ", ".join(row.names[:_SHOWN]) + (" …" if row.lacking > _SHOWN else "")
        shared = typed(_COMMON.format(source=cases.source), cases)
        common = list((await connection.execute(shared, cases.given | {"cases": row.cases})).scalars())
        have = f"; all of them have: {', '.join(common)}" if common else ""
        raise _refused(
            f"{row.lacking:,} of {row.cases:,} cases have no '{cluster_by}' in their metadata that is a text, a number "
            f"or a boolean of at most {LONGEST_KEY} characters ({names}){have}"
        )
    if row.clusters < 2:
        raise _refused(f"all cases have the same '{cluster_by}' in their metadata: one cluster has no spread")


async def settle_clusters(connection: AsyncConnection, run_id: UUID, cluster_by: str | None) -> None:
    """Store what kind of clusters the run has: values of a metadata key, documents, conversations or cases. Add a row
    to the table `spanning_cluster` for each cluster whose items lie in several blocks. A block is a range of cases
    whose statistics are stored together.

    `cluster_by` is the metadata key; `None` means the default rule. The run's items must already have their cluster
    keys, and the run must not have rows in `spanning_cluster` yet.
    """
    await connection.execute(_SETTLE, {"run_id": run_id, FIELD: cluster_by})
    await connection.execute(_SPANNING, {"run_id": run_id})


async def cluster_items(connection: AsyncConnection, run_id: UUID, cluster_by: str | None) -> None:
    """Set the cluster key of each item of an existing run: its value of the metadata key `cluster_by`, or the key of
    the default rule if `cluster_by` is `None`.

    The caller then has to call `settle_clusters`. The run must not have rows in the table `spanning_cluster` yet.
    """
    cases = cases_of_run(run_id)
    update = _UPDATE.format(keys=keys(cases, cluster_by))
    await connection.execute(typed(update, cases), cases.parameters(cluster_by))
    await settle_clusters(connection, run_id, cluster_by)


async def change_clusters(connection: AsyncConnection, run_id: UUID, cluster_by: str | None) -> None:
    """Cluster a run by another metadata key, or by the default rule if `cluster_by` is null. Mark the run's statistics
    as outdated.

    Does nothing if there is no such run or the key is unchanged. Raises a 422 `Problem` if the key does not suit the
    cases (see `require_key`). The run is locked, because the transactions of `RunStore.lead` write the same items.
    """
    await hold_counts(connection, run_id)
    run = t.run.select().where(t.run.c.id == run_id).with_for_update()
    row = (await connection.execute(run)).mappings().one_or_none()
    if row is None or row["cluster_by"] == cluster_by:
        return
    if cluster_by is not None:
        await require_key(connection, cases_of_run(run_id), cluster_by)
    await connection.execute(t.spanning_cluster.delete().where(t.spanning_cluster.c.run_id == run_id))
    await cluster_items(connection, run_id, cluster_by)
    await recount_all(connection, run_id)


# A case has the same key for each target and epoch. Only keys that change are written.
_UPDATE: Final = """
    WITH changed AS (
        SELECT source.position, keyed.key
        FROM (
            SELECT position FROM item
            WHERE run_id = :run_id AND position < (SELECT case_count FROM run WHERE id = :run_id)
        ) AS source LEFT JOIN ({keys}) AS keyed ON keyed.id = source.position
    )
    UPDATE item SET cluster_key = changed.key FROM changed, run
    WHERE run.id = :run_id AND item.run_id = :run_id AND item.position % run.case_count = changed.position
          AND item.cluster_key IS DISTINCT FROM changed.key
"""
_SETTLE: Final = text(
    f"""
    UPDATE run SET cluster_by = :{FIELD}, cluster_level = CASE
        WHEN CAST(:{FIELD} AS text) IS NOT NULL THEN '{ClusterLevel.METADATA}'
        WHEN EXISTS (
            SELECT FROM item WHERE run_id = :run_id AND position < case_count AND cluster_key IS NOT NULL
        ) THEN '{ClusterLevel.DOCUMENT}'
        WHEN EXISTS (
            SELECT FROM item WHERE run_id = :run_id AND position < case_count AND conversation_id IS NOT NULL
        ) THEN '{ClusterLevel.CONVERSATION}'
        ELSE '{ClusterLevel.CASE}' END
    WHERE id = :run_id
    """  # noqa: S608  # made of constants
).bindparams(bindparam("run_id", type_=Uuid), bindparam(FIELD, type_=Text))
_SPANNING: Final = text(
    f"""
    INSERT INTO spanning_cluster (run_id, cluster)
    SELECT :run_id, cluster FROM (
        SELECT {CLUSTER} AS cluster, position / run.block_cases AS block
        FROM item JOIN run ON run.id = item.run_id
        WHERE run.id = :run_id AND position < run.case_count AND (
            -- In a run of a suite, the epochs of a case have several positions.
            run.cluster_level <> '{ClusterLevel.CASE}' OR EXISTS (SELECT FROM run_suite WHERE run_suite.run_id = run.id)
        )
    ) AS placed GROUP BY cluster HAVING min(block) < max(block)
    """  # noqa: S608
).bindparams(bindparam("run_id", type_=Uuid))


def typed(query: str, cases: Cases) -> Any:
    """Return `query` as a statement that declares the types of its parameters, which are those in `cases.given`."""
    kinds: dict[str, Any] = {"run_id": Uuid}
    return text(query).bindparams(*(bindparam(name, type_=kinds.get(name, ARRAY(Uuid))) for name in cases.given))


def _refused(message: str) -> Problem:
    return Problem(422, "Invalid run", f"{FIELD}: {message}", errors=[FieldError(FIELD, message)])
