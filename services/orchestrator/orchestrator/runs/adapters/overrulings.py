"""Store the scores that people give instead of a judge's.

These scores belong to a separate evaluator revision, "corrected by people" (docs/decisions/0067). The revision has one
score for each score of the judge: the person's score if there is one, else a copy of the judge's score.
"""

from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, Uuid, bindparam, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import ScoreStatus
from llmbench.db import tables as t
from llmbench.ids import new_id
from orchestrator.kernel.domain.revision import corrected_identity
from orchestrator.runs.adapters.new_scores import create_scores_of
from orchestrator.runs.ports.overrulings import ItemOverrulings, NewOverruling, OverrulingOut
from orchestrator.runs.ports.transaction import RunEvaluator

_ITEMS_AT_ONCE: Final = 10_000
_ADD_REVISION: Final = text(
    """
    INSERT INTO evaluator_revision (id, kind, identity, prompt_hash, schema_name, schema_version, scale_min, scale_max,
                                    params)
    SELECT :id, kind, :identity, prompt_hash, schema_name, schema_version, scale_min, scale_max,
           params || jsonb_build_object('corrects', identity)
    FROM evaluator_revision WHERE id = :revision_id
    ON CONFLICT (org_id, identity) DO NOTHING
    """
).bindparams(bindparam("id", type_=Uuid), bindparam("revision_id", type_=Uuid))
_ADD_TO_RUN: Final = text(
    """
    INSERT INTO run_evaluator (run_id, evaluator_revision_id, position, slot, title, whole, weight, required,
                               pass_threshold, pass_mark, members, quorum, "only", unless, corrects)
    SELECT run_id, corrected.id, (SELECT max(position) + 1 FROM run_evaluator WHERE run_id = :run_id), slot,
           title || ', corrected by people', whole, weight, required, pass_threshold, pass_mark, ARRAY[:revision_id], 1,
           "only", unless, :revision_id
    FROM run_evaluator JOIN evaluator_revision AS corrected ON corrected.identity = :identity
    WHERE run_id = :run_id AND evaluator_revision_id = :revision_id
    ON CONFLICT (run_id, evaluator_revision_id) DO NOTHING
    RETURNING evaluator_revision_id
    """
).bindparams(bindparam("run_id", type_=Uuid), bindparam("revision_id", type_=Uuid))
_FOLLOW_WHOLE: Final = text(
    """
    UPDATE run_evaluator AS corrected SET whole = judge.whole
    FROM run_evaluator AS judge
    WHERE corrected.run_id = :run_id AND corrected.corrects = judge.evaluator_revision_id AND judge.run_id = :run_id
      AND corrected.whole <> judge.whole
    """
).bindparams(bindparam("run_id", type_=Uuid))
# While a judge's score has not ended, its results are null.
_COPY: Final = """
    UPDATE score SET status = CASE WHEN judge.status = 'IN_PROGRESS' THEN 'NEW' ELSE judge.status END,
                     outcome = judge.outcome, raw = judge.raw, normalised = judge.normalised,
                     passed = judge.passed, reason = judge.reason, error = judge.error,
                     error_cause = judge.error_cause, by_person = false, details = '{}', updated_at = now()
    FROM run_evaluator AS corrected, score AS judge
    WHERE corrected.run_id = :run_id AND corrected.corrects IS NOT NULL AND score.run_id = :run_id
      AND score.evaluator_revision_id = corrected.evaluator_revision_id AND judge.item_id = score.item_id
      AND judge.evaluator_revision_id = corrected.corrects
"""
_COPY_MISSING: Final = text(f"{_COPY} AND score.status = 'NEW' AND judge.status IN ('SCORED', 'FAILED')").bindparams(
    bindparam("run_id", type_=Uuid)
)
_COPY_ONE: Final = text(f"{_COPY} AND score.id = :score_id").bindparams(
    bindparam("run_id", type_=Uuid), bindparam("score_id", type_=Uuid)
)
_SHOWN: Final = (
    "evaluator_revision_id",
    "number",
    "judge_score",
    "score",
    "reason",
    "given_name",
    "created_at",
    "created_by",
)


async def add_corrected(connection: AsyncConnection, run_id: UUID, judge: RunEvaluator) -> bool:
    """Add a revision "corrected by people" to the run, and copy the judge's scores into it. Return `False` if the run
    already has this revision."""
    of_judge = {"revision_id": judge.revision_id, "identity": corrected_identity(judge.identity)}
    await connection.execute(_ADD_REVISION, of_judge | {"id": new_id()})
    added = (await connection.execute(_ADD_TO_RUN, of_judge | {"run_id": run_id})).first()
    if added is not None:
        await follow_judges(connection, run_id)
    return added is not None


async def follow_judges(connection: AsyncConnection, run_id: UUID) -> None:
    """Create the missing scores of each revision "corrected by people", which needs one score for each score of its
    judge. If the judge's score has a result, copy it."""
    evaluator = t.run_evaluator.c
    query = select(evaluator.evaluator_revision_id, evaluator.corrects)
    query = query.where(evaluator.run_id == run_id, evaluator.corrects.is_not(None))
    corrected = (await connection.execute(query)).all()
    if not corrected:
        return
    await connection.execute(_FOLLOW_WHOLE, {"run_id": run_id})
    for revision_id, judge_id in corrected:
        missing = _without_copy(run_id, revision_id, judge_id)
        while ids := list((await connection.execute(missing)).scalars()):
            await create_scores_of(connection, run_id, revision_id, None, ids)
    await connection.execute(_COPY_MISSING, {"run_id": run_id})


def _without_copy(run_id: UUID, revision_id: UUID, judge_id: UUID) -> Select[Any]:
    copy = t.score.alias()
    copied = select(copy.c.id).where(copy.c.item_id == t.score.c.item_id, copy.c.evaluator_revision_id == revision_id)
    of_judge = select(t.score.c.item_id).where(
        t.score.c.run_id == run_id, t.score.c.evaluator_revision_id == judge_id, ~copied.exists()
    )
    return of_judge.limit(_ITEMS_AT_ONCE)


async def add_overruling(connection: AsyncConnection, run_id: UUID, new: NewOverruling) -> None:
    values = {
        "id": new_id(),
        "run_id": run_id,
        "item_id": new.item_id,
        "evaluator_revision_id": new.revision_id,
        "number": new.number,
        "judge_score": new.judge_score,
        "score": None if new.given is None else new.given.raw,
        "reason": None if new.given is None else new.given.reason,
        "given_name": new.author.name,
        "created_by": new.author.person_id,
    }
    await connection.execute(insert(t.overruling).values(values))


async def replace_score(connection: AsyncConnection, run_id: UUID, score_id: UUID, new: NewOverruling) -> None:
    """Write the person's score into the score `score_id` of the revision "corrected by people".

    If the person's score was withdrawn (`new.given` is null), copy the judge's score instead. As long as the judge's
    score is not finished, the copy has the status NEW.
    """
    if new.given is None:
        await connection.execute(_COPY_ONE, {"run_id": run_id, "score_id": score_id})
        return
    await connection.execute(
        update(t.score)
        .where(t.score.c.id == score_id)
        .values(
            status=ScoreStatus.SCORED,
            outcome="scored",
            raw=new.given.raw,
            normalised=new.given.normalised,
            passed=new.given.passed,
            reason=new.given.reason,
            error=None,
            error_cause=None,
            by_person=True,
            details={},
        )
    )


async def overrulings_of(connection: AsyncConnection, run_id: UUID, item_id: UUID) -> list[OverrulingOut]:
    """Return the overrulings of an item's scores, the newest first."""
    overruling = t.overruling.c
    later = t.overruling.alias()
    superseded = select(later.c.id).where(
        later.c.item_id == overruling.item_id,
        later.c.evaluator_revision_id == overruling.evaluator_revision_id,
        later.c.number > overruling.number,
    )
    query = (
        select(*(overruling[name] for name in _SHOWN), (~superseded.exists()).label("holds"), t.run_evaluator.c.slot)
        .join(
            t.run_evaluator,
            (t.run_evaluator.c.run_id == overruling.run_id)
            & (t.run_evaluator.c.evaluator_revision_id == overruling.evaluator_revision_id),
        )
        .where(overruling.run_id == run_id, overruling.item_id == item_id)
        .order_by(overruling.created_at.desc(), overruling.number.desc())
    )
    return [
        OverrulingOut.model_validate(dict(row) | {"evaluator": row["slot"]})
        for row in (await connection.execute(query)).mappings()
    ]


class OverrulingQueries:
    """Read the overrulings of an item's scores: the port `OverrulingReader` in SQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def of_item(self, run_id: UUID, item_id: UUID) -> ItemOverrulings | None:
        is_item = select(t.item.c.id).where(t.item.c.run_id == run_id, t.item.c.id == item_id)
        async with self._engine.connect() as connection:
            if (await connection.execute(is_item)).first() is None:
                return None
            return ItemOverrulings(items=await overrulings_of(connection, run_id, item_id))
