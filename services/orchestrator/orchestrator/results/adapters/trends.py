"""Read how the scores of runs with one name, or of one suite, developed: the port `TrendReader` in PostgreSQL."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, Uuid, bindparam, exists, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import RunStatus, RunType
from llmbench.db import tables as t
from orchestrator.results.adapters.blocks import freshen
from orchestrator.results.adapters.evaluator_figures import evaluator_refs
from orchestrator.results.adapters.figures import by_target
from orchestrator.results.adapters.ranking import ranking_of
from orchestrator.results.domain.trend import Conditions, EvaluatorUsed, breaks
from orchestrator.results.ports.figure_schemas import Interval, TargetResult
from orchestrator.results.ports.schemas import EvaluatorRef
from orchestrator.results.ports.trends import Trend, TrendName, TrendPoint, TrendSeries

MOST_READ_CASES: Final = 5_000
"""The largest number of a run's cases that are read to compare them with another run's. In larger runs, only the
sources of the cases are compared, because reading the cases takes long."""
_FIELDS: Final = frozenset(TrendPoint.model_fields) - {"run_id", "at", "breaks", "completeness"}

_SHARED: Final = """
    SELECT {name} AS name, count(*) AS runs, max(created_at) AS last_at,
           (array_agg(run.id ORDER BY created_at DESC, run.id DESC))[1] AS last_run_id
    FROM {runs} WHERE run.status = 'FINISHED' AND run.type = 'BENCHMARK'
    GROUP BY 1 HAVING count(*) > 1 ORDER BY last_at DESC LIMIT :limit
"""
_NAMES: Final = text(_SHARED.format(name="run.name", runs="run"))
_SUITES: Final = text(_SHARED.format(name="run_suite.name", runs="run_suite JOIN run ON run.id = run_suite.run_id"))

# The first `case_count` items are those of the first target's first epoch, one per case. Ids are left out: the same
# cases may have been imported again.
_CASES: Final = text(
    """
    SELECT run.id AS run_id, coalesce(
        (SELECT array_agg(version_id::text ORDER BY version_id) FROM run_dataset_version WHERE run_id = run.id), '{}'
    ) AS versions, coalesce(
        (SELECT array_agg(collection_id::text ORDER BY collection_id) FROM run_collection WHERE run_id = run.id), '{}'
    ) AS collections, run.case_count, CASE WHEN run.case_count <= :most THEN (
        SELECT md5(string_agg(case_hash, '' ORDER BY case_hash))
        FROM (
            SELECT md5((item."case" - 'id')::text) AS case_hash FROM item
            WHERE item.run_id = run.id AND item.position < run.case_count
        ) AS hashed
    ) END AS content
    FROM run WHERE run.id = ANY(:run_ids)
    """
).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))


@dataclass(frozen=True)
class SuiteScore:
    """The score of a suite for one target. `missing` are its tasks without a score, and `completeness` is a sentence
    that names them."""

    value: float | None
    interval: Interval | None
    missing: Sequence[str]
    completeness: str | None


ReadSuiteScores = Callable[[AsyncConnection, UUID], Awaitable[Mapping[UUID, SuiteScore]]]
"""A function that reads the scores of a suite run, by target id."""


class TrendQueries:
    def __init__(self, engine: AsyncEngine, suite_scores: ReadSuiteScores) -> None:
        self._engine = engine
        self._suite_scores = suite_scores

    async def names(self, limit: int) -> list[TrendName]:
        async with self._engine.connect() as connection:
            return [TrendName.model_validate(dict(row)) for row in await _all(connection, _NAMES, {"limit": limit})]

    async def suites(self, limit: int) -> list[TrendName]:
        async with self._engine.connect() as connection:
            return [TrendName.model_validate(dict(row)) for row in await _all(connection, _SUITES, {"limit": limit})]

    async def trend(self, name: str, limit: int) -> Trend:
        return await self._trend(name, t.run.c.name == name, limit, of_suite=False)

    async def trend_of_suite(self, suite: str, limit: int) -> Trend:
        in_suite = exists().where(t.run_suite.c.run_id == t.run.c.id, t.run_suite.c.name == suite).correlate(t.run)
        return await self._trend(suite, in_suite, limit, of_suite=True)

    async def _trend(self, name: str, chosen: ColumnElement[bool], limit: int, *, of_suite: bool) -> Trend:
        finished = (chosen, t.run.c.status == RunStatus.FINISHED, t.run.c.type == RunType.BENCHMARK)
        newest = select(t.run).where(*finished).order_by(t.run.c.created_at.desc(), t.run.c.id.desc())
        async with self._engine.connect() as connection:
            runs = await _all(connection, newest.limit(limit + 1))
        more = len(runs) > limit
        runs = runs[:limit][::-1]
        series = await self._series(runs, of_suite=of_suite)
        points = [TrendSeries(label=label, points=of_label) for label, of_label in series.items()]
        return Trend(name=name, runs=len(runs), more=more, series=points)

    async def _series(self, runs: Sequence[RowMapping], *, of_suite: bool) -> dict[str, list[TrendPoint]]:
        ids = [run["id"] for run in runs]
        await freshen(self._engine, ids)
        rankings = {id_: await ranking_of(self._engine, id_) for id_ in ids}
        series: dict[str, list[TrendPoint]] = {}
        last: dict[str, Conditions] = {}
        async with self._engine.connect() as connection:
            targets = await _targets(connection, ids)
            evaluators = await evaluator_refs(connection, ids)
            cases = await cases_of_runs(connection, ids)
            suites = await _suites(connection, ids)
            for run in runs:
                of_run = [used(one) for one in evaluators.get(run["id"], []) if counts(one)]
                scores = await self._suite_scores(connection, run["id"]) if of_suite else {}
                for result in await by_target(connection, run["id"], rankings[run["id"]]):
                    score = scores.get(result.target_id)
                    suite = _suite(suites.get(run["id"]), score)
                    now = _conditions(run, targets[result.target_id], cases[run["id"]], of_run, suite)
                    before = last.get(result.label)
                    last[result.label] = now
                    point = _point(run, result, score, now if before is None else before, now)
                    series.setdefault(result.label, []).append(point)
        return series


def _point(
    run: RowMapping, result: TargetResult, score: SuiteScore | None, before: Conditions, now: Conditions
) -> TrendPoint:
    figures = result.model_dump(include=set(_FIELDS))
    if score is not None:
        figures |= {"mean_score": score.value, "mean_score_interval": score.interval}
    return TrendPoint(
        **figures,
        run_id=run["id"],
        at=run["created_at"],
        breaks=breaks(before, now),
        completeness=None if score is None else score.completeness,
    )


async def _suites(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, RowMapping]:
    rows = await _all(connection, select(t.run_suite).where(t.run_suite.c.run_id.in_(run_ids)))
    return {row["run_id"]: row for row in rows}


def _suite(suite: RowMapping | None, score: SuiteScore | None) -> str:
    """Return a text that is equal for two scores of the same suite version over the same tasks. It is empty without a
    suite."""
    if suite is None:
        return ""
    missing = suite["left_out"] if score is None else score.missing
    return f"{suite['name']} v{suite['version_number']} {sorted(missing)}"


async def _targets(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, RowMapping]:
    rows = await _all(connection, select(t.target).where(t.target.c.run_id.in_(run_ids)))
    return {row["id"]: row for row in rows}


async def cases_of_runs(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return a key for each run's set of cases, by run id. Runs over the same cases have equal keys. For a run of more
    than `MOST_READ_CASES` cases, the key has only the sources and the number of the cases."""
    rows = await _all(connection, _CASES, {"run_ids": list(run_ids), "most": MOST_READ_CASES})
    return {
        row["run_id"]: row["content"] or f"{row['versions']} {row['collections']} {row['case_count']}" for row in rows
    }


def _conditions(
    run: RowMapping, target: RowMapping, cases: str, used: Sequence[EvaluatorUsed], suite: str
) -> Conditions:
    params = dict(target["params"])
    prompt = {"system_prompt": params.pop("system_prompt", None), "show_choices": run["show_choices"]}
    if target["prompt"] is not None:
        prompt["template"] = target["prompt"]["content_hash"]
    return Conditions(
        model=f"{target['provider_id']} {target['model']}",
        prompt=prompt,
        parameters=params,
        cases=cases,
        evaluators=used,
        suite=suite,
    )


def counts(evaluator: EvaluatorRef) -> bool:
    """Return whether the evaluator's scores count in the overall score."""
    return evaluator.primary and evaluator.weight > 0 and not evaluator.member


def used(evaluator: EvaluatorRef) -> EvaluatorUsed:
    """Return the evaluator's settings, judges and revision, on which its scores depend."""
    members = evaluator.panel.judges if evaluator.panel else []
    judges = [f"{judge.provider_id} {judge.model}" for judge in members]
    if evaluator.judge_model is not None:
        judges.append(f"{evaluator.judge_provider_id} {evaluator.judge_model}")
    settings: Mapping[str, Any] = evaluator.model_dump(
        mode="json", include={"kind", "weight", "pass_threshold", "scale_min", "scale_max", "only", "unless"}
    )
    return EvaluatorUsed(evaluator.name, settings, judges, str(evaluator.revision_id))


async def _all(
    connection: AsyncConnection, query: Any, parameters: Mapping[str, Any] | None = None
) -> list[RowMapping]:
    return list((await connection.execute(query, parameters or {})).mappings())
