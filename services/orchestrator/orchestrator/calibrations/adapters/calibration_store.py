"""Store calibrations and their labelled answers in PostgreSQL."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Select, Uuid, bindparam, delete, exists, insert, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db import tables as t
from llmbench.ids import new_id
from orchestrator.calibrations.ports.schemas import (
    CalibrationFigures,
    CalibrationOut,
    CalibrationSummary,
    JudgeOfRuns,
    JudgeOut,
    LabelSource,
    ScaleOut,
)
from orchestrator.calibrations.ports.store import AnswerRow, CalibrationFilter, NewCalibration, RunGone
from orchestrator.kernel.adapters.primary_revision import primary_revisions

_FOREIGN_KEY_VIOLATION: Final = "23503"
_PAGE: Final = 1_000
_REVISION: Final = ("kind", "judge_model", "prompt_hash", "schema_name", "schema_version")
_FIGURES: Final = t.calibration.c.figures
# The figures include the texts of the judge's worst answers, which are large. So a list reads only some of the figures.
_SHOWN: Final = select(
    *(column for column in t.calibration.c if column is not _FIGURES),
    *(t.evaluator_revision.c[name].label(f"revision_{name}") for name in _REVISION),
    _FIGURES["judge"]["kappa"].label("kappa"),
    _FIGURES["judge"]["bias"].label("bias"),
    _FIGURES["people"]["kappa"].label("ceiling"),
    _FIGURES["corrected"].label("corrected"),
).join(t.evaluator_revision, t.evaluator_revision.c.id == t.calibration.c.evaluator_revision_id)

# Figures are based on the primary revisions that have a weight. Members of a panel have none of their own.
_JUDGES: Final = text(
    f"""
    SELECT judge.*, (
        SELECT id FROM calibration WHERE calibration.evaluator_revision_id = judge.evaluator_revision_id
        ORDER BY coalesce(calibration.run_id = ANY(:run_ids), false) DESC, id DESC LIMIT 1
    ) AS calibration_id
    FROM (
        SELECT DISTINCT ON (revision.id) revision.id AS evaluator_revision_id, scoring.title, scoring.run_id,
            coalesce(revision.judge_model, 'a panel of ' || cardinality(scoring.members), 'a panel') AS judge
        FROM ({primary_revisions("= ANY(:run_ids)", "title", "weight", "members", "corrects")}) AS scoring
        JOIN evaluator_revision AS revision ON revision.id = coalesce(scoring.corrects, scoring.evaluator_revision_id)
        WHERE scoring.weight > 0
            AND num_nonnulls(revision.judge_model, scoring.members, scoring.corrects) > 0
        ORDER BY revision.id, scoring.run_id DESC
    ) AS judge ORDER BY calibration_id NULLS FIRST, judge.title, judge.judge
    """  # noqa: S608  # made of constants
).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))


class PostgresCalibrationStore:
    """Implement the port `CalibrationStore` in PostgreSQL. Lists and exports are read through the engine `reading`."""

    def __init__(self, engine: AsyncEngine, reading: AsyncEngine) -> None:
        self._engine = engine
        self._reading = reading

    async def create(self, new: NewCalibration) -> UUID:
        id_ = new_id()
        values = {
            "id": id_,
            "name": new.name,
            "run_id": new.run.id,
            "run_name": new.run.name,
            "evaluator_revision_id": new.judge.revision_id,
            "evaluator_title": new.judge.title,
            "annotation_task_id": new.annotation_task_id,
            "source": new.source.model_dump(mode="json"),
            "scale": {"levels": list(new.scale.levels), "pass_mark": new.scale.pass_mark},
            "answers": len(new.answers),
            "labels": sum(len(each.labels) for each in new.answers),
            "annotators": len({name for each in new.answers for name in each.labels}),
            "figures": new.figures.model_dump(mode="json"),
        }
        answers = [{"calibration_id": id_, **vars(each), "labels": dict(each.labels)} for each in new.answers]
        try:
            async with self._engine.begin() as connection:
                await connection.execute(insert(t.calibration).values(values))
                for start in range(0, len(answers), _PAGE):
                    await connection.execute(insert(t.calibration_answer), answers[start : start + _PAGE])
        except IntegrityError as error:
            if getattr(error.orig, "sqlstate", None) == _FOREIGN_KEY_VIOLATION:
                raise RunGone from None
            raise
        return id_

    async def page(self, chosen: CalibrationFilter, *, before: UUID | None, limit: int) -> list[CalibrationSummary]:
        query = _chosen(chosen).order_by(t.calibration.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(t.calibration.c.id < before)
        async with self._reading.connect() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [_summary(row) for row in rows]

    async def judges(self, run_ids: Sequence[UUID]) -> list[JudgeOfRuns]:
        async with self._reading.connect() as connection:
            rows = (await connection.execute(_JUDGES, {"run_ids": list(run_ids)})).mappings()
            return [JudgeOfRuns.model_validate(dict(row)) for row in rows]

    async def get(self, id_: UUID) -> CalibrationOut | None:
        async with self._reading.connect() as connection:
            query = _SHOWN.add_columns(_FIGURES).where(t.calibration.c.id == id_)
            row = (await connection.execute(query)).mappings().one_or_none()
        if row is None:
            return None
        return CalibrationOut(**_fields(row), figures=CalibrationFigures.model_validate(row["figures"]))

    async def rename(self, id_: UUID, name: str) -> bool:
        changed = update(t.calibration).where(t.calibration.c.id == id_).values(name=name)
        async with self._engine.begin() as connection:
            return (await connection.execute(changed)).rowcount > 0

    async def delete(self, id_: UUID) -> bool:
        async with self._engine.begin() as connection:
            return (await connection.execute(delete(t.calibration).where(t.calibration.c.id == id_))).rowcount > 0

    async def answers(self, id_: UUID) -> AsyncIterator[AnswerRow]:
        answer = t.calibration_answer.c
        columns = [answer[name] for name in AnswerRow.__dataclass_fields__]
        query = select(*columns).where(answer.calibration_id == id_).order_by(answer.item_id).limit(_PAGE)
        after: UUID | None = None
        while True:
            page = query if after is None else query.where(answer.item_id > after)
            async with self._reading.connect() as connection:
                rows = (await connection.execute(page)).all()
            for row in rows:
                yield AnswerRow(*row)
            if len(rows) < _PAGE:
                return
            after = rows[-1].item_id


def _chosen(chosen: CalibrationFilter) -> Select[Any]:
    query = _SHOWN
    if chosen.run_id is not None:
        of_run = t.run_evaluator.c
        query = query.where(
            exists().where(
                of_run.run_id == chosen.run_id,
                of_run.evaluator_revision_id == t.calibration.c.evaluator_revision_id,
            )
        )
    if chosen.evaluator_revision_id is not None:
        query = query.where(t.calibration.c.evaluator_revision_id == chosen.evaluator_revision_id)
    if chosen.annotation_task_id is not None:
        query = query.where(t.calibration.c.annotation_task_id == chosen.annotation_task_id)
    return query


def _summary(row: RowMapping) -> CalibrationSummary:
    return CalibrationSummary(**_fields(row))


def _fields(row: RowMapping) -> Mapping[str, Any]:
    same = (
        *("id", "name", "run_id", "run_name", "annotation_task_id"),
        *("answers", "labels", "annotators", "created_at", "created_by"),
        *("kappa", "ceiling", "bias", "corrected"),
    )
    judge = JudgeOut(
        evaluator_revision_id=row["evaluator_revision_id"],
        title=row["evaluator_title"],
        **{name: row[f"revision_{name}"] for name in _REVISION},
    )
    return {name: row[name] for name in same} | {
        "judge": judge,
        "source": LabelSource.model_validate(row["source"]),
        "scale": ScaleOut.model_validate(row["scale"]),
    }
