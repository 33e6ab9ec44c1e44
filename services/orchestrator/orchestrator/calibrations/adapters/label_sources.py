"""Read the sources of calibrations: runs with their judges, answers and scores, and the labels of annotation tasks.

Annotation tasks belong to config-api. A calibration refers to its task by a foreign key. So the orchestrator reads the
task from the database, as it reads the datasets and prompts of a run (decision 0057).
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.types import Uuid

from llmbench.contracts.annotation_words import AnnotatorStatus
from llmbench.contracts.run_words import RunStatus
from orchestrator.calibrations.domain.answers import JudgedAnswer
from orchestrator.calibrations.domain.scale import JudgeScale
from orchestrator.calibrations.ports.store import (
    MOST_ANSWERS_OF_RUN,
    AnnotationTask,
    GivenLabels,
    RunJudge,
    RunToMeasure,
    Texts,
)
from orchestrator.kernel.adapters.rows import ANSWER_SQL

_TEXT_CHARACTERS: Final = 3_000
_OVER: Final = (RunStatus.FINISHED, RunStatus.CANCELLED)
_IDS: Final = bindparam("ids", type_=ARRAY(Uuid()))

_JUDGES: Final = text(
    """
    SELECT revision.id, run_evaluator.title, revision.judge_model, revision.scale_min, revision.scale_max,
        coalesce(run_evaluator.pass_threshold, run_evaluator.pass_mark) AS mark, run_evaluator."primary"
    FROM run_evaluator JOIN evaluator_revision AS revision ON revision.id = run_evaluator.evaluator_revision_id
    WHERE run_evaluator.run_id = :run_id AND run_evaluator.corrects IS NULL ORDER BY run_evaluator.position, revision.id
    """
)
_LABELS: Final = text(
    """
    SELECT item.run_item_id, item.is_audit, item.gold IS NOT NULL AS is_gold, item.decision,
        annotation.labels, annotation.annotator_id, annotator.name
    FROM annotation_item AS item
    LEFT JOIN (human_annotation AS annotation JOIN annotator ON annotator.id = annotation.annotator_id)
        ON annotation.item_id = item.id AND NOT annotation.skipped AND NOT annotation.surplus
        AND annotator.status <> :blocked
    WHERE item.task_id = :task_id AND item.run_item_id IS NOT NULL
    ORDER BY item.position, annotation.id
    """
)
_ANSWERS: Final = text(
    """
    SELECT item.id, item.target_id, target.label, item.task_id, item.epoch,
        coalesce(item.cluster_key, item.conversation_id, item.task_id) AS cluster, item.category,
        score.normalised, score.passed
    FROM item JOIN target ON target.id = item.target_id
    LEFT JOIN score ON score.item_id = item.id AND score.evaluator_revision_id = :revision_id
        AND score.status = 'SCORED'
    WHERE item.run_id = :run_id ORDER BY item.position LIMIT :most
    """
)
_OF_ITEMS: Final = "FROM item LEFT JOIN model_call ON model_call.id = item.call_id"
_LENGTHS: Final = text(
    f"SELECT item.id, length({ANSWER_SQL}) AS length {_OF_ITEMS} "  # made of constants
    "WHERE item.run_id = :run_id AND item.id = ANY(:ids)"
).bindparams(_IDS)
_TEXTS: Final = text(
    f"""
    SELECT item.id, left(item."case" ->> 'question', :most) AS question, left({ANSWER_SQL}, :most) AS answer,
        left(score.reason, :most) AS reason
    {_OF_ITEMS}
    LEFT JOIN score ON score.item_id = item.id AND score.evaluator_revision_id = :revision_id
    WHERE item.run_id = :run_id AND item.id = ANY(:ids)
    """  # made of constants
).bindparams(_IDS)
_COST: Final = text(
    "SELECT avg(cost_usd) FROM score "
    "WHERE run_id = :run_id AND evaluator_revision_id = :revision_id AND status = 'SCORED'"
)


class LabelSources:
    """Implement the port `LabelReader` in SQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def run(self, run_id: UUID) -> RunToMeasure | None:
        query = text("SELECT name, status FROM run WHERE id = :run_id")
        async with self._engine.connect() as connection:
            run = (await connection.execute(query, {"run_id": run_id})).one_or_none()
            if run is None:
                return None
            rows = (await connection.execute(_JUDGES, {"run_id": run_id})).all()
        judges = [
            RunJudge(
                row.id, row.title, row.judge_model, JudgeScale(row.scale_min, row.scale_max, row.mark), row.primary
            )
            for row in rows
        ]
        return RunToMeasure(run_id, run.name, run.status in _OVER, judges)

    async def task(self, task_id: UUID) -> AnnotationTask | None:
        query = text("SELECT id, name, status, annotation_schema, source FROM annotation_task WHERE id = :id")
        async with self._engine.connect() as connection:
            row = (await connection.execute(query, {"id": task_id})).one_or_none()
        return None if row is None else AnnotationTask(row.id, row.name, row.status, row.annotation_schema, row.source)

    async def labels(self, task_id: UUID) -> list[GivenLabels]:
        values = {"task_id": task_id, "blocked": AnnotatorStatus.BLOCKED.value}
        async with self._engine.connect() as connection:
            rows = (await connection.execute(_LABELS, values)).all()
        people: dict[UUID, str] = {}
        for row in rows:
            if row.annotator_id is not None:
                people.setdefault(row.annotator_id, row.name)
        names = _unique(people)
        given: dict[UUID, GivenLabels] = {}
        for row in rows:
            of_item = given.setdefault(
                row.run_item_id,
                GivenLabels(row.run_item_id, row.is_audit, row.is_gold, row.decision, labels={}),
            )
            if row.annotator_id is not None:
                assert isinstance(of_item.labels, dict)
                of_item.labels[names[row.annotator_id]] = row.labels
        return list(given.values())

    async def answers(self, run_id: UUID, revision_id: UUID) -> list[JudgedAnswer]:
        values = {"run_id": run_id, "revision_id": revision_id, "most": MOST_ANSWERS_OF_RUN + 1}
        async with self._engine.connect() as connection:
            rows = (await connection.execute(_ANSWERS, values)).all()
        return [JudgedAnswer(*row) for row in rows]

    async def lengths(self, run_id: UUID, item_ids: Sequence[UUID]) -> dict[UUID, int]:
        async with self._engine.connect() as connection:
            rows = (await connection.execute(_LENGTHS, {"run_id": run_id, "ids": list(item_ids)})).all()
        return {row.id: row.length or 0 for row in rows}

    async def texts(self, run_id: UUID, revision_id: UUID, item_ids: Sequence[UUID]) -> dict[UUID, Texts]:
        values = {"run_id": run_id, "revision_id": revision_id, "ids": list(item_ids), "most": _TEXT_CHARACTERS}
        async with self._engine.connect() as connection:
            rows = (await connection.execute(_TEXTS, values)).all()
        return {row.id: Texts(row.question, row.answer, row.reason) for row in rows}

    async def verdict_cost(self, run_id: UUID, revision_id: UUID) -> float | None:
        async with self._engine.connect() as connection:
            cost: float | None = await connection.scalar(_COST, {"run_id": run_id, "revision_id": revision_id})
        return cost


def _unique(people: dict[UUID, str]) -> dict[UUID, str]:
    """Return the names of people by id. If several people have the same name, the end of each person's id is added
    to it."""
    names = list(people.values())
    return {id_: name if names.count(name) == 1 else f"{name} ({str(id_)[-4:]})" for id_, name in people.items()}
