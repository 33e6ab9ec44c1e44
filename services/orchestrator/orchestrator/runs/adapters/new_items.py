"""Read and check the cases of a new run, and create the run's items. Each item has a copy of its task or test case."""

from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, func, insert, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import Uuid

from llmbench.contracts.case import Case
from llmbench.contracts.dataset_words import VersionStatus
from llmbench.contracts.run_words import ItemStatus
from llmbench.db import tables as t
from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id
from orchestrator.kernel.adapters.overall import APPLIES
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.runs.adapters.clusters import SAMPLED, cases_of_new, keys, settle_clusters, typed

_IDS = (bindparam("collection_ids", type_=ARRAY(Uuid)), bindparam("version_ids", type_=ARRAY(Uuid)))

# Selects test cases as items store them: name, categories and snapshot.
TEST_CASES: Final = """
    SELECT test_case.id, 1 AS kind, test_case.name, said.category, said.subcategory,
           jsonb_strip_nulls(jsonb_build_object(
               'id', test_case.id, 'task_id', test_case.name, 'category', said.category,
               'subcategory', said.subcategory, 'question', test_case.input -> 'prompt',
               'context', test_case.input -> 'context', 'system_prompt', test_case.input -> 'system_prompt',
               'conversation', test_case.input -> 'conversation',
               'conversation_id', test_case.input -> 'conversation_id', 'turn', test_case.input -> 'turn',
               'expected_output', test_case.expected_output,
               -- A task that became a test case keeps its references there.
               'excellent', truth.value -> 'rubric' -> 'excellent', 'good', truth.value -> 'rubric' -> 'good',
               'pass', truth.value -> 'rubric' -> 'pass',
               'incorrect_answer_direction', truth.value -> 'rubric' -> 'incorrect_answer_direction'))
           || CASE WHEN truth.id IS NULL THEN '{}' ELSE jsonb_build_object('ground_truth', truth.value
               || jsonb_strip_nulls(jsonb_build_object('source', truth.source, 'confidence', truth.confidence)))
              END
           || CASE WHEN test_case.metadata = '{}' THEN '{}'
              ELSE jsonb_build_object('metadata', test_case.metadata) END
           || CASE WHEN test_case.checks = '[]' THEN '{}'
              ELSE jsonb_build_object('checks', test_case.checks) END AS "case"
    FROM test_case
    JOIN dataset_version ON dataset_version.id = test_case.version_id
    JOIN dataset ON dataset.id = dataset_version.dataset_id
    LEFT JOIN ground_truth truth ON truth.test_case_id = test_case.id
    CROSS JOIN LATERAL (SELECT
        coalesce(nullif(left(test_case.metadata ->> 'category', 255), ''), dataset.name) AS category,
        nullif(left(test_case.metadata ->> 'subcategory', 255), '') AS subcategory) said
"""

# The snapshot of a task, as an item stores it.
TASK_CASE: Final = """
    jsonb_strip_nulls(jsonb_build_object(
        'id', task.id, 'task_id', task.task_id, 'category', task.category, 'subcategory', task.subcategory,
        'question', task.question, 'excellent', task.excellent, 'good', task.good, 'pass', task.pass,
        'incorrect_answer_direction', task.incorrect_answer_direction, 'system_prompt', task.system_prompt))
    || CASE WHEN task.conversation = '[]' THEN '{}' ELSE jsonb_build_object('conversation', task.conversation) END
    || CASE WHEN task.accepted_answers = '[]' THEN '{}'
       ELSE jsonb_build_object('ground_truth', jsonb_build_object('acceptable_answers', task.accepted_answers)) END
    || CASE WHEN task.metadata = '{}' THEN '{}' ELSE jsonb_build_object('metadata', task.metadata) END
    || CASE WHEN task.checks = '[]' THEN '{}' ELSE jsonb_build_object('checks', task.checks) END
"""


# Each task occurs once, in the order of the requested collections and of the tasks in them. The test cases of the
# requested versions follow. Each combination of target, epoch and case gives one item. Python generates the ids,
# because PostgreSQL 15 to 17 cannot generate UUIDv7.
def _inserting(keys: str, *, sampled: bool) -> str:
    """Return the SQL statement that creates a run's items. `keys` is the query for the cluster keys of the test cases
    (see `clusters.keys`). With `sampled`, only the cases in the parameter `sampled` become items."""
    of_task, of_case = (SAMPLED.format(id=id_) if sampled else "" for id_ in ("ct.task_id", "test_case.id"))
    return f"""
    WITH chosen_task AS (
        SELECT ct.task_id AS id, min(ARRAY[named.position, ct.position]) AS rank
        FROM unnest(:collection_ids) WITH ORDINALITY AS named (id, position)
        JOIN collection_task ct ON ct.collection_id = named.id {of_task}
        GROUP BY ct.task_id
    ), chosen AS (
        SELECT id, 0 AS kind, row_number() OVER (ORDER BY rank, id) AS place FROM chosen_task
        UNION ALL
        SELECT test_case.id, 1, row_number() OVER (ORDER BY named.position, test_case.row_index)
        FROM unnest(:version_ids) WITH ORDINALITY AS named (id, position)
        JOIN test_case ON test_case.version_id = named.id {of_case}
    ), planned AS (
        SELECT chosen.id, chosen.kind, target.id AS target_id, target.group_id, epoch,
               row_number() OVER (ORDER BY target.position, epoch, kind, place) AS position
        FROM target
        CROSS JOIN LATERAL generate_series(1, target.epochs) AS epoch
        CROSS JOIN chosen
        WHERE target.run_id = :run_id
    ), snapshot AS (
        SELECT task.id, 0 AS kind, task.task_id AS name, task.category, task.subcategory,
               {TASK_CASE} AS "case"
        FROM task WHERE task.id IN (SELECT id FROM chosen_task)
        UNION ALL
        {TEST_CASES} WHERE test_case.version_id = ANY (:version_ids) {of_case}
    )
    INSERT INTO item
        (id, run_id, target_id, group_id, position, epoch, task_id, category, subcategory, "case", conversation_id,
         turn, cluster_key, status)
    SELECT fresh.id, :run_id, planned.target_id, planned.group_id, planned.position - 1, planned.epoch,
           snapshot.name, snapshot.category, snapshot.subcategory, snapshot."case",
           snapshot."case" ->> 'conversation_id', CAST(snapshot."case" ->> 'turn' AS integer),
           keyed.key, :status
    FROM planned
    JOIN snapshot ON snapshot.id = planned.id AND snapshot.kind = planned.kind
    LEFT JOIN ({keys}) AS keyed ON keyed.id = planned.id AND planned.kind = 1
    JOIN unnest(:ids) WITH ORDINALITY AS fresh (id, position) ON fresh.position = planned.position
    """  # noqa: S608  # made of constants


_QUESTION_CHARS: Final = 4_000
# The case with only the end of its question, and without the long fields that contain no references.
_FOR_REFERENCES: Final = (
    "{case} - 'context' - 'conversation' - 'system_prompt' - 'good' - 'pass' || "
    "jsonb_build_object('question', right({case} ->> 'question', :question_chars))"
)
_FIRST_TASKS = text(
    f"""
    SELECT {_FOR_REFERENCES.format(case='chosen."case"')}
    FROM (SELECT {TASK_CASE} AS "case" FROM task
          WHERE task.id IN (SELECT task_id FROM collection_task WHERE collection_id = ANY (:collection_ids))
          ORDER BY task.id LIMIT :limit) chosen
    """  # noqa: S608  # made of constants
).bindparams(_IDS[0])

_FIRST_TEST_CASES = text(
    f"""
    SELECT {_FOR_REFERENCES.format(case='chosen."case"')}
    FROM ({TEST_CASES} WHERE test_case.version_id = ANY (:version_ids)
          ORDER BY test_case.version_id, test_case.row_index LIMIT :limit) chosen
    """  # noqa: S608  # made of constants
).bindparams(_IDS[1])
_FIRST_ITEMS = text(
    f"""
    SELECT {_FOR_REFERENCES.format(case='item."case"')}
    FROM item JOIN target ON target.id = item.target_id
    WHERE item.run_id = :run_id AND target.position = 0 AND item.epoch = 1
    ORDER BY item.position LIMIT :limit
    """  # noqa: S608  # made of constants
)

# Each turn of a conversation except the first refers to the previous turn.
LINK_TURNS = text(
    """
    UPDATE item SET previous_id = before.id
    FROM item AS before
    WHERE item.run_id = :run_id AND item.turn > 1 AND before.target_id = item.target_id
      AND before.conversation_id = item.conversation_id AND before.epoch = item.epoch AND before.turn = item.turn - 1
    """
)

# A conversation id must not occur in several versions of a run, because it identifies the conversation.
_SAME_CONVERSATION = text(
    """
    SELECT input ->> 'conversation_id' AS name FROM test_case
    WHERE version_id = ANY (:version_ids) AND input -> 'conversation_id' IS NOT NULL
    GROUP BY 1 HAVING count(DISTINCT version_id) > 1 ORDER BY 1 LIMIT 1
    """
).bindparams(_IDS[1])

# Results are matched by the case's name, also between runs, so the name has to be unique in a run.
_SAME_NAME = text(
    """
    SELECT name FROM (
        SELECT task.task_id AS name FROM task
        WHERE task.id IN (SELECT task_id FROM collection_task WHERE collection_id = ANY (:collection_ids))
        UNION ALL
        SELECT name FROM test_case WHERE version_id = ANY (:version_ids)
    ) named
    GROUP BY name HAVING count(*) > 1 ORDER BY name LIMIT 1
    """
).bindparams(*_IDS)


_WITH_CHECKS = text(
    """
    SELECT count(*) AS cases, count(*) FILTER (WHERE checks <> '[]') AS checked FROM (
        SELECT checks FROM task
        WHERE id IN (SELECT task_id FROM collection_task WHERE collection_id = ANY (:collection_ids))
        UNION ALL
        SELECT checks FROM test_case WHERE version_id = ANY (:version_ids)
    ) cases
    """
).bindparams(*_IDS)

# Finds cases that no evaluator with a weight scores. If such an evaluator scores all cases, no case is checked.
_UNSCORED = text(
    f"""
    SELECT count(DISTINCT item.task_id) AS cases, min(item.task_id) AS first FROM item
    WHERE item.run_id = :run_id AND NOT EXISTS (
        SELECT FROM run_evaluator AS every WHERE every.run_id = :run_id AND every.weight > 0 AND NOT every.member
               AND every."only" IS NULL AND every.unless IS NULL
    ) AND NOT EXISTS (
        SELECT FROM run_evaluator AS every WHERE every.run_id = :run_id AND every.weight > 0 AND NOT every.member
               AND {APPLIES.format(case='item."case"')}
    )
    """  # noqa: S608  # made of constants
)


async def hold_versions(connection: AsyncConnection, new: NewRun) -> None:
    """Lock the run's dataset versions, so that none is deprecated or deleted before the run is committed. Does nothing
    for a run without dataset versions.

    Raises a 422 `Problem` if a version is no longer PUBLISHED. Also raises one if two cases of the run have the same
    name, or if a conversation id occurs in two versions. In the run of a suite, names need no check: they begin with
    their task.
    """
    if not new.dataset_version_ids:
        return
    version = t.dataset_version
    query = select(version.c.id).where(
        version.c.id.in_(new.dataset_version_ids), version.c.status == VersionStatus.PUBLISHED
    )
    held = set((await connection.execute(query.order_by(version.c.id).with_for_update(read=True))).scalars())
    if held != set(new.dataset_version_ids):
        raise _refused("a version was deprecated or deleted at the same moment")
    if new.suite is not None:
        # The names of the run's cases and conversations begin with their task, so they are unique.
        return
    values = {"collection_ids": list(new.collection_ids), "version_ids": list(new.dataset_version_ids)}
    duplicate = (await connection.execute(_SAME_NAME, values)).scalar()
    if duplicate is not None:
        raise _refused(f"two cases of this run are called '{duplicate}': leave out one of the versions or collections")
    if len(new.dataset_version_ids) > 1:
        only_versions = {"version_ids": list(new.dataset_version_ids)}
        duplicate = (await connection.execute(_SAME_CONVERSATION, only_versions)).scalar()
        if duplicate is not None:
            raise _refused(f"two of the versions have a conversation '{duplicate}': leave one of them out")


async def first_cases(connection: AsyncConnection, new: NewRun, limit: int) -> list[Case]:
    """Return up to `limit` cases of a run that is not created yet, tasks of collections first. They have what
    evaluators need to check references: no long texts such as contexts, and only the end of a long question."""
    values = {
        "collection_ids": list(new.collection_ids),
        "version_ids": list(new.dataset_version_ids),
        "limit": limit,
        "question_chars": _QUESTION_CHARS,
    }
    cases: list[Case] = []
    for query, named in ((_FIRST_TASKS, new.collection_ids), (_FIRST_TEST_CASES, new.dataset_version_ids)):
        if named and len(cases) < limit:
            cases += [Case.model_validate(case) for case in (await connection.execute(query, values)).scalars()]
    return cases[:limit]


async def first_cases_of_run(connection: AsyncConnection, run_id: UUID, limit: int) -> list[Case]:
    """Return up to `limit` cases of an existing run. They have what evaluators need to check references: no long texts
    such as contexts, and only the end of a long question."""
    values = {"run_id": run_id, "limit": limit, "question_chars": _QUESTION_CHARS}
    return [Case.model_validate(case) for case in (await connection.execute(_FIRST_ITEMS, values)).scalars()]


async def case_count(connection: AsyncConnection, new: NewRun) -> int:
    if new.case is not None:
        return 1
    if new.sampled is not None:
        return len(new.sampled)
    tasks = select(func.count(t.collection_task.c.task_id.distinct())).where(
        t.collection_task.c.collection_id.in_(new.collection_ids)
    )
    cases = select(func.coalesce(func.sum(t.dataset_version.c.row_count), 0)).where(
        t.dataset_version.c.id.in_(new.dataset_version_ids)
    )
    return int((await connection.execute(tasks)).scalar_one() + (await connection.execute(cases)).scalar_one())


async def insert_items(connection: AsyncConnection, run_id: UUID, new: NewRun, *, items: int) -> None:
    values = {
        "collection_ids": list(new.collection_ids),
        "version_ids": list(new.dataset_version_ids),
        "ids": [new_id() for _ in range(items)],
        "run_id": run_id,
        "status": ItemStatus.NEW.value,
    }
    cases = cases_of_new(new)
    query = typed(_inserting(keys(cases, new.cluster_by), sampled=new.sampled is not None), cases)
    query = query.bindparams(bindparam("ids", type_=ARRAY(Uuid)))
    await connection.execute(query, values | cases.parameters(new.cluster_by))
    if new.dataset_version_ids:
        await connection.execute(LINK_TURNS, {"run_id": run_id})
        await settle_clusters(connection, run_id, new.cluster_by)


async def insert_items_of_case(connection: AsyncConnection, run_id: UUID, case: Case) -> None:
    """Create the items of a run that has only this case: one item per target, in the order of the targets."""
    targets = select(t.target.c.id, t.target.c.group_id).where(t.target.c.run_id == run_id)
    rows = [
        {
            "id": new_id(),
            "run_id": run_id,
            "target_id": target.id,
            "group_id": target.group_id,
            "position": position,
            "task_id": case.task_id,
            "category": case.category,
            "case": case.model_dump(mode="json", exclude_none=True),
            "status": ItemStatus.NEW,
        }
        for position, target in enumerate(await connection.execute(targets.order_by(t.target.c.position)))
    ]
    await connection.execute(insert(t.item), rows)


async def require_evaluators(connection: AsyncConnection, run_id: UUID) -> None:
    """Raise a 422 `Problem` if there is a case that no evaluator with a weight scores: its answers would have no
    overall score."""
    row = (await connection.execute(_UNSCORED, {"run_id": run_id})).one()
    if row.cases:
        many = "1 case" if row.cases == 1 else f"{row.cases:,} cases"
        message = (
            f"{many} of this run, {row.first!r} the first, {'has' if row.cases == 1 else 'have'} no evaluator with a "
            "weight that is asked about it. Widen `only` and `unless`, or add an evaluator for the rest, for instance "
            '{"kind": "rubric", "unless": {"checks": [{}]}}'
        )
        raise Problem(422, "Invalid run", f"evaluators: {message}", errors=[FieldError("evaluators", message)])


async def count_checks(connection: AsyncConnection, new: NewRun) -> tuple[int, int]:
    """Return how many cases of the requested run have checks of their own, and how many have none. A check is a
    condition that a program tests on the answer."""
    values = {"collection_ids": list(new.collection_ids), "version_ids": list(new.dataset_version_ids)}
    row = (await connection.execute(_WITH_CHECKS, values)).one()
    return row.checked, row.cases - row.checked


async def insert_sources(connection: AsyncConnection, run_id: UUID, new: NewRun) -> None:
    """Store the run's collections and dataset versions, with their current names."""
    await connection.execute(
        insert(t.run_collection).from_select(
            ["run_id", "collection_id", "name"],
            select(bindparam("run_id", run_id, Uuid), t.collection.c.id, t.collection.c.name).where(
                t.collection.c.id.in_(new.collection_ids)
            ),
        )
    )
    if not new.dataset_version_ids:
        return
    positions = {id_: position for position, id_ in enumerate(new.dataset_version_ids)}
    query = (
        select(t.dataset_version.c.id, t.dataset.c.id.label("dataset_id"), t.dataset.c.name)
        .add_columns(t.dataset_version.c.version_number)
        .join(t.dataset, t.dataset.c.id == t.dataset_version.c.dataset_id)
        .where(t.dataset_version.c.id.in_(new.dataset_version_ids))
    )
    rows = [
        {
            "run_id": run_id,
            "version_id": row.id,
            "position": positions[row.id],
            "dataset_id": row.dataset_id,
            "name": row.name,
            "version_number": row.version_number,
        }
        for row in await connection.execute(query)
    ]
    await connection.execute(insert(t.run_dataset_version), rows)


def _refused(message: str) -> Problem:
    fault = FieldError("dataset_version_ids", message)
    return Problem(422, "Invalid run", f"dataset_version_ids: {message}", errors=[fault])
