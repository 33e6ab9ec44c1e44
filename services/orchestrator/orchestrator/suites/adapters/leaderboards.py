"""Read the data of a suite's leaderboard from PostgreSQL: runs, scores, and games (pairwise scores)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Text, Uuid, bindparam, exists, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.overall import CLUSTER
from orchestrator.kernel.adapters.primary_revision import primary_revisions
from orchestrator.results.adapters.blocks import freshen
from orchestrator.results.adapters.evaluator_figures import evaluator_refs
from orchestrator.results.adapters.figures import by_target
from orchestrator.results.adapters.ranking import ranking_of
from orchestrator.results.adapters.trends import cases_of_runs, counts, used
from orchestrator.results.ports.figure_schemas import TargetResult
from orchestrator.results.ports.schemas import EvaluatorRef
from orchestrator.suites.adapters.suite_results import TAGGED, suite_of_run
from orchestrator.suites.domain.bradley_terry import Game
from orchestrator.suites.domain.leaderboard import Candidate, Conditions
from orchestrator.suites.ports.leaderboards import REFERENCE, LeaderboardFilter, Listed, SuiteRuns
from orchestrator.suites.ports.schemas import SuiteOfRun

_ScoredUnder = tuple[Conditions, tuple[str, ...], tuple[str, ...]]
"""The conditions of a run's scores, the names of its evaluators, and the names of its judges' models."""

MOST_RUNS: Final = 100
"""A leaderboard reads at most this number of runs, the newest ones, because reading their scores takes time."""

_GAMES: Final = text(
    f"""
    WITH primary_revision AS ({primary_revisions("= ANY(:run_ids)")})
    SELECT item.target_id, item.suite_task || '/' || {CLUSTER} AS cluster, score.normalised, count(*) AS games
    FROM primary_revision
    JOIN evaluator_revision ON evaluator_revision.id = primary_revision.evaluator_revision_id
    JOIN score ON score.run_id = primary_revision.run_id
        AND score.evaluator_revision_id = primary_revision.evaluator_revision_id
    JOIN item ON item.id = score.item_id
    WHERE evaluator_revision.kind = 'pairwise' AND score.status = 'SCORED' AND score.normalised IS NOT NULL
        AND item.target_id = ANY(:target_ids) AND item.suite_task = ANY(:tasks) AND {TAGGED}
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """  # noqa: S608  # made of constants
).bindparams(
    bindparam("run_ids", type_=ARRAY(Uuid)),
    bindparam("target_ids", type_=ARRAY(Uuid)),
    bindparam("tasks", type_=ARRAY(Text)),
    bindparam("tags", type_=ARRAY(Text)),
)


class LeaderboardQueries:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def name_of(self, suite: str) -> str | None:
        try:
            by_id = select(t.suite.c.name).where(t.suite.c.id == UUID(suite))
        except ValueError:
            by_id = None
        known = exists().where(t.suite.c.name == suite) | exists().where(t.run_suite.c.name == suite)
        async with self._engine.connect() as connection:
            named: str | None = None if by_id is None else (await connection.execute(by_id)).scalar()
            if named is None and (await connection.execute(select(known))).scalar_one():
                return suite
            return named

    async def runs(self, name: str, chosen: LeaderboardFilter) -> SuiteRuns:
        finished = (
            select(t.run.c.id, t.run.c.finished_at, t.run_suite.c.suite_id, t.run_suite.c.version_number)
            .add_columns(t.run_suite.c.left_out)
            .join(t.run_suite, t.run_suite.c.run_id == t.run.c.id)
            .where(t.run_suite.c.name == name, t.run.c.status == RunStatus.FINISHED)
        )
        versions = finished.with_only_columns(t.run_suite.c.version_number).distinct()
        if chosen.version is not None:
            finished = finished.where(t.run_suite.c.version_number == chosen.version)
        if chosen.since is not None:
            finished = finished.where(t.run.c.finished_at >= chosen.since)
        of_provider = t.target.c.provider_id.in_(chosen.provider_ids) if chosen.provider_ids else None
        if of_provider is not None:
            finished = finished.where(exists().where(t.target.c.run_id == t.run.c.id, of_provider))
        newest = finished.order_by(t.run.c.finished_at.desc(), t.run.c.id.desc()).limit(MOST_RUNS + 1)
        async with self._engine.connect() as connection:
            numbers = sorted((await connection.execute(versions)).scalars(), reverse=True)
            found = await _all(connection, newest)
            runs = {row["id"]: row for row in found[:MOST_RUNS]}
            known = await _conditions_of(connection, list(runs.values()))
            targets = select(t.target).where(t.target.c.run_id.in_(runs)).order_by(t.target.c.position)
            if of_provider is not None:
                targets = targets.where(of_provider)
            listed = [_listed(row, runs[row["run_id"]], known) for row in await _all(connection, targets)]
        return SuiteRuns(name, listed, numbers, len(found) > MOST_RUNS)

    async def scores(self, run_id: UUID, tags: Sequence[str]) -> SuiteOfRun | None:
        async with self._engine.connect() as connection:
            return await suite_of_run(connection, run_id, tags=tags)

    async def figures(self, run_id: UUID) -> Mapping[UUID, TargetResult]:
        await freshen(self._engine, [run_id])
        ranking = await ranking_of(self._engine, run_id)
        async with self._engine.connect() as connection:
            return {result.target_id: result for result in await by_target(connection, run_id, ranking)}

    async def games(self, targets: Sequence[Candidate], tasks: Sequence[str], tags: Sequence[str]) -> Sequence[Game]:
        chosen = {
            "run_ids": [each.run_id for each in targets],
            "target_ids": [each.target_id for each in targets],
            "tasks": list(tasks),
            "tags": list(tags),
        }
        async with self._engine.connect() as connection:
            return [
                Game(row["cluster"], str(row["target_id"]), REFERENCE, row["normalised"], row["games"])
                for row in await _all(connection, _GAMES, chosen)
            ]


async def _conditions_of(connection: AsyncConnection, runs: Sequence[RowMapping]) -> dict[UUID, _ScoredUnder]:
    ids = [run["id"] for run in runs]
    refs = await evaluator_refs(connection, ids)
    # A version of a dataset never changes, so only runs with collections may differ within a version of the suite.
    with_collections = select(t.run_collection.c.run_id).where(t.run_collection.c.run_id.in_(ids)).distinct()
    changing = list((await connection.execute(with_collections)).scalars())
    cases = await cases_of_runs(connection, changing) if changing else {}
    return {run["id"]: _conditions(run, refs.get(run["id"], []), cases.get(run["id"], "")) for run in runs}


def _conditions(run: RowMapping, refs: Sequence[EvaluatorRef], cases: str) -> _ScoredUnder:
    evaluators = sorted((used(ref) for ref in refs if counts(ref)), key=lambda each: each.name)
    judges = {judge for each in evaluators for judge in each.judges}
    conditions = Conditions(
        version_number=run["version_number"],
        cases=cases,
        evaluators=tuple(f"{each.name}: {_written(each.settings)}" for each in evaluators),
        judges=tuple(sorted(judges)),
        revisions=tuple(each.revision for each in evaluators),
    )
    models = tuple(sorted(judge.partition(" ")[2] for judge in judges))
    return conditions, tuple(each.name for each in evaluators), models


def _written(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {settings[name]}" for name in sorted(settings) if settings[name] is not None)


def _listed(target: RowMapping, run: RowMapping, known: Mapping[UUID, _ScoredUnder]) -> Listed:
    conditions, evaluators, judges = known[run["id"]]
    return Listed(
        candidate=Candidate(run["id"], target["id"], target["label"], run["finished_at"], conditions),
        suite_id=run["suite_id"],
        model=target["model"],
        provider_id=target["provider_id"],
        provider_name=target["provider_name"],
        left_out=run["left_out"],
        evaluators=evaluators,
        judges=judges,
    )


async def _all(
    connection: AsyncConnection, query: Any, parameters: Mapping[str, Any] | None = None
) -> list[RowMapping]:
    return list((await connection.execute(query, parameters or {})).mappings())
