"""Read answers of runs for people to label: the priority of each answer, and the content that people see."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.annotation_words import AnswerPriority
from llmbench.contracts.read_answers import AnswerOfRun, AnswersRead
from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import ANSWER_SQL
from orchestrator.results.domain.label_sample import Answer, CalledAnswer
from orchestrator.results.ports.labels import MOST_CANDIDATES

_REPLY_BYTES: Final = 4 * 1024 * 1024
"""The size of a reply in bytes. Answers that would exceed it are left for another request. A reply with a single answer
may be larger, up to `_LARGEST_BYTES`."""
_LARGEST_BYTES: Final = 7 * 1024 * 1024

# An answer was given: refused, failed and missing ones are left out.
_ANSWERED: Final = "(item.given_answer IS NOT NULL OR model_call.outcome ->> 'kind' = 'answered')"
_ANSWERS: Final = "FROM item LEFT JOIN model_call ON model_call.id = item.call_id"

_NONE: Final = f"""
    SELECT item.id, item.target_id, item."case" ->> 'id' AS case_id, item.epoch, NULL::float8 AS urgency
    {_ANSWERS}
    WHERE item.run_id = :run_id AND item.target_id = ANY(cast(:targets AS uuid[])) AND {_ANSWERED}
    LIMIT :most
"""  # made of constants

# Repeated verdicts have `self_agreement`. G-Eval has the shares of its levels, or several sampled levels.
_CONFIDENCE: Final = """
    SELECT score.item_id, 1 - min(coalesce(
        (score.details ->> 'self_agreement')::float8,
        (SELECT max(share.value::float8) FROM jsonb_each_text(
            CASE WHEN jsonb_typeof(score.details -> 'shares') = 'object'
                 THEN score.details -> 'shares' END) AS share),
        (SELECT max(level.times)::float8 / sum(level.times) FROM (
            SELECT count(*) AS times FROM jsonb_array_elements_text(
                CASE WHEN jsonb_typeof(score.details -> 'sampled') = 'array' THEN score.details -> 'sampled' END
            ) AS each(value) GROUP BY each.value) AS level)
    )) AS urgency
    FROM score WHERE score.run_id = :run_id AND score.status = 'SCORED' GROUP BY score.item_id
"""

# The spread of the judges' scores of an answer; with one judge, that of the scores of all targets in the same case.
_DISAGREEMENT: Final = """
    SELECT item.id AS item_id, coalesce(
        judged.spread,
        max(item.score_normalised) OVER same_case - min(item.score_normalised) OVER same_case
    ) AS urgency
    FROM item LEFT JOIN (
        SELECT score.item_id, max(score.normalised) - min(score.normalised) AS spread
        FROM score JOIN evaluator_revision ON evaluator_revision.id = score.evaluator_revision_id
        WHERE score.run_id = :run_id AND score.status = 'SCORED' AND evaluator_revision.judge_model IS NOT NULL
        GROUP BY score.item_id HAVING count(*) > 1
    ) AS judged ON judged.item_id = item.id
    WHERE item.run_id = :run_id
    WINDOW same_case AS (PARTITION BY item."case" ->> 'id', item.epoch)
"""

_NEAR_THE_MARK: Final = """
    SELECT score.item_id, -min(abs(
        score.normalised - (coalesce(run_evaluator.pass_threshold, run_evaluator.pass_mark)
            - evaluator_revision.scale_min) / (evaluator_revision.scale_max - evaluator_revision.scale_min)
    )) AS urgency
    FROM score
    JOIN run_evaluator USING (run_id, evaluator_revision_id)
    JOIN evaluator_revision ON evaluator_revision.id = score.evaluator_revision_id
    WHERE score.run_id = :run_id AND score.status = 'SCORED' AND run_evaluator."primary"
        AND evaluator_revision.scale_max > evaluator_revision.scale_min
    GROUP BY score.item_id
"""

_URGENCY: Final[Mapping[AnswerPriority, str]] = {
    AnswerPriority.CONFIDENCE: _CONFIDENCE,
    AnswerPriority.DISAGREEMENT: _DISAGREEMENT,
    AnswerPriority.PASS_MARK: _NEAR_THE_MARK,
}

_READ: Final = f"""
    SELECT item.id, item."case", item.epoch, target.label, {ANSWER_SQL} AS answer
    {_ANSWERS} JOIN target ON target.id = item.target_id
    WHERE item.run_id = :run_id AND item.id = ANY(cast(:ids AS uuid[])) AND {_ANSWERED}
"""  # made of constants


_CALLED: Final = f"""
    SELECT item.id, item."case" ->> 'task_id' AS name, target.label, item.epoch
    {_ANSWERS} JOIN target ON target.id = item.target_id
    WHERE item.run_id = :run_id AND item.target_id = ANY(cast(:targets AS uuid[])) AND {_ANSWERED}
        AND item."case" ->> 'task_id' = ANY(cast(:names AS text[]))
    ORDER BY item.id
"""  # made of constants


class LabelQueries:
    """Implement the port `AnswerReader` in SQL: read answers for people to label."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def about(self, run_id: UUID) -> tuple[str, RunStatus, dict[UUID, str]] | None:
        async with self._engine.connect() as connection:
            run = (await connection.execute(select(t.run.c.name, t.run.c.status).where(t.run.c.id == run_id))).first()
            if run is None:
                return None
            query = select(t.target.c.id, t.target.c.label).where(t.target.c.run_id == run_id)
            targets = await connection.execute(query.order_by(t.target.c.position))
            return run.name, RunStatus(run.status), {row.id: row.label for row in targets}

    async def candidates(
        self, run_id: UUID, target_ids: Sequence[UUID], priority: AnswerPriority | None
    ) -> list[Answer]:
        query = _NONE
        if priority is not None:
            query = (
                f"WITH urgent AS ({_URGENCY[priority]}), answered AS ({_NONE})"  # noqa: S608  # made of constants
                " SELECT answered.id, answered.target_id, answered.case_id, answered.epoch, urgent.urgency"
                " FROM answered LEFT JOIN urgent ON urgent.item_id = answered.id"
            )
        values = {"run_id": run_id, "targets": list(target_ids), "most": MOST_CANDIDATES + 1}
        async with self._engine.connect() as connection:
            rows = (await connection.execute(text(query), values)).all()
        return [Answer(row.id, row.target_id, (row.case_id, row.epoch), row.urgency) for row in rows]

    async def called(self, run_id: UUID, target_ids: Sequence[UUID], cases: Sequence[str]) -> list[CalledAnswer]:
        values = {"run_id": run_id, "targets": list(target_ids), "names": list(cases)}
        async with self._engine.connect() as connection:
            rows = (await connection.execute(text(_CALLED), values)).all()
        return [CalledAnswer(*row) for row in rows]

    async def read(self, run_id: UUID, item_ids: Sequence[UUID]) -> AnswersRead:
        async with self._engine.connect() as connection:
            rows = (await connection.execute(text(_READ), {"run_id": run_id, "ids": list(item_ids)})).mappings().all()
        by_id = {row["id"]: row for row in rows}
        answers: list[AnswerOfRun] = []
        left: list[UUID] = []
        too_large: list[UUID] = []
        room = _REPLY_BYTES
        for item_id in item_ids:
            if (row := by_id.get(item_id)) is None:
                continue
            answer = _answer(row)
            size = len(answer.model_dump_json().encode())
            if size > _LARGEST_BYTES:
                too_large.append(item_id)
            elif answers and size > room:
                left.append(item_id)
            else:
                answers.append(answer)
                room -= size
        return AnswersRead(answers=tuple(answers), left=tuple(left), too_large=tuple(too_large))


def _answer(row: RowMapping) -> AnswerOfRun:
    case: Mapping[str, Any] = row["case"]
    shown = {"prompt": case["question"], **{name: case.get(name) for name in ("context", "system_prompt")}}
    if turns := case.get("conversation"):
        shown["conversation"] = turns
    truth = case.get("ground_truth") or {}
    return AnswerOfRun(
        item_id=row["id"],
        case_id=case["id"],
        case=case["task_id"],
        epoch=row["epoch"],
        target=row["label"],
        input={name: value for name, value in shown.items() if value is not None},
        answer=row["answer"],
        reference=case.get("expected_output") or truth.get("answer") or case.get("excellent"),
    )
