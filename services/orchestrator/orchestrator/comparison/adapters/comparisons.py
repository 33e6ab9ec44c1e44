"""Read the data of a comparison of targets. The database itself pairs the cases and sums the differences of their
scores, so only the cases of the requested page are loaded."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.base import preview
from llmbench.contracts.item_failure import ItemFailure
from orchestrator.comparison.adapters import evaluator_pairs, maps, paired_cells, pairing, standings
from orchestrator.comparison.adapters.maps import bin_of
from orchestrator.comparison.adapters.paired_cells import CHOSEN, SCORE
from orchestrator.comparison.adapters.suites_of_columns import SUITE_OF_COLUMN
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.target_pairs import settings_of
from orchestrator.comparison.ports.comparison import (
    CaseGroups,
    CasePage,
    CasePlace,
    CaseQuery,
    Cell,
    Column,
    ColumnRef,
    ComparedCase,
    ComparedJudge,
    Show,
)
from orchestrator.comparison.ports.maps import CategoryMap, ScorePairs
from orchestrator.comparison.ports.pairs import SCORE as OVERALL
from orchestrator.comparison.ports.pairs import (
    EvaluatorPairs,
    Metric,
    OwnValues,
    PairedColumn,
    PrimaryRevision,
    SharedScores,
)
from orchestrator.kernel.adapters.judged_by import judged_by
from orchestrator.kernel.adapters.primary_revision import primary_revisions
from orchestrator.kernel.adapters.rows import ANSWER_SQL
from orchestrator.results.adapters import figures
from orchestrator.results.adapters.blocks import freshen
from orchestrator.results.adapters.ranking import ranking_of
from orchestrator.results.ports.figure_schemas import Figures

PREVIEW_BYTES: Final = 1024

_COLUMN: Final = f"""
    SELECT run.id AS run_id, run.name AS run_name, run.status AS run_status, run.created_at AS run_created_at,
           run.cluster_by,
           target.id AS target_id, target.label, target.provider_name, target.model, target.params, target.epochs,
           (SELECT string_agg(name || ' ' || version_number, ', ' ORDER BY position)
            FROM run_dataset_version WHERE run_id = run.id) AS dataset_versions,
           (SELECT string_agg(name, ', ' ORDER BY name) FROM run_collection WHERE run_id = run.id) AS collections,
           judge.*, {SUITE_OF_COLUMN} AS suite
    FROM target JOIN run ON run.id = target.run_id CROSS JOIN LATERAL (
        SELECT CASE count(*) WHEN 1 THEN min(CAST(id AS text))
                    ELSE string_agg(id || '*' || weight, ', ' ORDER BY id) END AS scoring,
               string_agg(kind, ' + ' ORDER BY slot) AS kind, string_agg(DISTINCT judged_by, ', ') AS judge_model,
               CASE count(*) WHEN 1 THEN min(scale_min) ELSE 0 END AS scale_min,
               CASE count(*) WHEN 1 THEN max(scale_max) ELSE 1 END AS scale_max
        FROM (
            SELECT slot, weight, revision.*,
                   {judged_by("of_run", "revision")} AS judged_by
            FROM ({primary_revisions("= run.id", "slot", "weight", "members", "corrects")}) AS of_run
            JOIN evaluator_revision AS revision ON revision.id = evaluator_revision_id
        ) AS primary_revision WHERE weight > 0
    ) AS judge
    WHERE target.id = :target_id AND run.id = :run_id
"""  # noqa: S608  # made of constants

_SHOWN: Final[dict[Show, str]] = {
    Show.ALL: "true",
    Show.DIFFERING: "greatest > 0 OR least < 0",
    Show.BETTER: "greatest > 0",
    Show.WORSE: "least < 0",
    Show.EQUAL: "greatest = 0 AND least = 0",
    Show.MISSING: "known < cardinality(CAST(:looked_at AS integer[]))",
    Show.CHANGED: "reference_changed",
}
_COUNTED: Final = ",\n               ".join(
    f"count(*) FILTER (WHERE {_SHOWN[show]}) AS {show}" for show in map(Show, CaseGroups.model_fields)
)
# The SQL expression to sort a list by, ascending. Cases for which it is null come last. `group` puts losses first, the
# greatest first (from -3), then gains (from -1), then equal cases (1).
_SORTED: Final = {
    "position": "CAST(NULL AS numeric)",
    "delta": "least",
    "-delta": "-greatest",
    "group": "CASE WHEN least < 0 THEN least - 2 WHEN greatest > 0 THEN -greatest WHEN known > 0 THEN 1 END",
}
_SEARCH: Final = f"""
    AND task_id IN (
        SELECT item.task_id FROM chosen
        JOIN item ON item.run_id = chosen.run_id AND item.target_id = chosen.target_id
        LEFT JOIN model_call ON model_call.id = item.call_id
        WHERE item.task_id ILIKE :text OR item."case" ->> 'question' ILIKE :text
              OR {ANSWER_SQL} ILIKE :text OR item.reason ILIKE :text
    )
"""  # noqa: S608  # made of constants
_IN_BIN: Final = f"AND known = 1 AND {bin_of('there')} = :bin_baseline AND {bin_of('here')} = :bin_here"
_PAGE: Final = """
    WITH {cells}, one AS (
        SELECT task_id, (array_agg(category ORDER BY place <> :baseline, place))[1] AS category,
               coalesce(min(position) FILTER (WHERE place = :baseline), 1000000000 + min(position)) AS rank,
               min(question) < max(question) AS questions_differ, min(reference) < max(reference) AS reference_changed,
               min(difference) AS least, max(difference) AS greatest, count(difference) AS known,
               min(value) FILTER (WHERE place = ANY(CAST(:looked_at AS integer[]))) AS here, min(there) AS there
        FROM (
            SELECT cell.*, base.value AS there,
                   CASE WHEN fair AND cell.place = ANY(CAST(:looked_at AS integer[])) THEN cell.value - base.value END
                       AS difference
            FROM cell LEFT JOIN base USING (task_id)
        ) AS compared
        GROUP BY task_id
    ), eligible AS (
        SELECT * FROM one
        WHERE (cardinality(CAST(:categories AS text[])) = 0 OR category = ANY(:categories)) {search} {in_bin}
    ), found AS (
        SELECT task_id, category, rank, questions_differ, reference_changed, {sorted} AS sorted
        FROM eligible WHERE {shown}
    ), counted AS (
        SELECT {counted},
               (SELECT count(*) FROM found) AS total
        FROM eligible
    )
    SELECT * FROM counted LEFT JOIN (
        SELECT * FROM found WHERE {after} ORDER BY sorted NULLS LAST, rank, task_id LIMIT :limit
    ) AS page ON true ORDER BY sorted NULLS LAST, rank, task_id
"""
_LATER: Final = "(rank, task_id) > (:rank, :task_id)"
_BY_RANK: Final = f"sorted IS NULL AND {_LATER}"
_BY_VALUE: Final = (
    f"(sorted IS NULL OR sorted > CAST(:sorted AS numeric) OR (sorted = CAST(:sorted AS numeric) AND {_LATER}))"
)

# The displayed values of a page's cells. A cell with several epochs shows the answer of the first epoch with an answer.
_SHOWN_CELLS: Final = f"""
    WITH {CHOSEN}, cell AS (
        SELECT place, item.task_id, count(*) AS epochs, count(overall.value) AS scored,
               round(CAST(avg({SCORE.value}) AS numeric), 9) AS score_normalised,
               avg(CAST({SCORE.verdict} AS integer)) > 0.5 AS passed,
               avg(item.time_ms) AS time_ms, sum(item.cost_usd) AS cost_usd,
               (array_agg(item.id ORDER BY num_nonnulls(item.call_id, item.given_answer) = 0, item.epoch))[1] AS item_id
        FROM chosen
        JOIN item ON item.run_id = chosen.run_id AND item.target_id = chosen.target_id
        {SCORE.source}
        WHERE item.task_id = ANY(:task_ids)
        GROUP BY place, item.task_id
    )
    SELECT cell.*, item.status, item.failure, item."case" ->> 'question' AS question,
           left({ANSWER_SQL}, :characters) AS answer
    FROM cell JOIN item ON item.id = cell.item_id LEFT JOIN model_call ON model_call.id = item.call_id
"""  # noqa: S608


class ComparisonQueries:
    """Implement the port `ComparisonReader` in SQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def columns(self, refs: Sequence[ColumnRef]) -> list[Column | None]:
        async with self._engine.connect() as connection:
            return [await _column(connection, ref) for ref in refs]

    async def figures(self, columns: Sequence[Column]) -> list[Figures]:
        run_ids = list(dict.fromkeys(column.run_id for column in columns))
        await freshen(self._engine, run_ids)
        rankings = {run_id: await ranking_of(self._engine, run_id) for run_id in run_ids}
        async with self._engine.connect() as connection:
            results: dict[UUID, Figures] = {
                result.target_id: result
                for run_id, ranking in rankings.items()
                for result in await figures.by_target(connection, run_id, ranking)
            }
        return [results[column.target_id] for column in columns]

    async def pairs(
        self, columns: Sequence[Column], *, baseline: int, metric: Metric = OVERALL, cluster_by: str | None = None
    ) -> tuple[int, dict[int, PairedColumn]]:
        async with self._engine.connect() as connection:
            return await pairing.paired(connection, columns, baseline=baseline, metric=metric, cluster_by=cluster_by)

    async def evaluator_pairs(
        self, columns: Sequence[Column], *, baseline: int, cluster_by: str | None = None
    ) -> dict[int, list[EvaluatorPairs]]:
        async with self._engine.connect() as connection:
            return await evaluator_pairs.paired(connection, columns, baseline=baseline, cluster_by=cluster_by)

    async def evaluators(self, column: Column) -> dict[str, PrimaryRevision]:
        async with self._engine.connect() as connection:
            return await evaluator_pairs.evaluators(connection, column.run_id)

    async def own_values(
        self, column: Column, *, metric: Metric, cluster_by: str | None, most_clusters: int
    ) -> OwnValues:
        async with self._engine.connect() as connection:
            return await pairing.own_values(
                connection, column, metric=metric, cluster_by=cluster_by, most_clusters=most_clusters
            )

    async def shared_scores(self, columns: Sequence[Column]) -> SharedScores:
        async with self._engine.connect() as connection:
            return await standings.shared_scores(connection, columns)

    async def pooled(
        self,
        columns: Sequence[Column],
        *,
        baselines: Sequence[int],
        metrics: Sequence[Metric],
        cluster_by: str | None = None,
    ) -> ClusterSums:
        async with self._engine.connect() as connection:
            return await pairing.pooled(
                connection, columns, baselines=baselines, metrics=metrics, cluster_by=cluster_by
            )

    async def cases(self, columns: Sequence[Column], query: CaseQuery) -> CasePage:
        chosen = pairing.given(columns, [query.baseline] * len(columns))
        given = chosen | {"baseline": query.baseline, "limit": query.limit}
        page = _PAGE.format(
            cells=paired_cells.cells(SCORE, by_key=False),
            sorted=_SORTED[query.sort],
            shown=_SHOWN[query.show],
            search=_SEARCH if query.text else "",
            in_bin="" if query.bin is None else _IN_BIN,
            counted=_COUNTED,
            after=_after(query.after),
        )
        others = [at for at in range(len(columns)) if at != query.baseline]
        given |= {"looked_at": others if query.column is None else [query.column], "categories": list(query.categories)}
        given |= {"text": f"%{_literal(query.text)}%"} if query.text else {}
        given |= {} if query.bin is None else {"bin_baseline": query.bin.baseline, "bin_here": query.bin.here}
        if query.after is not None:
            given |= {"rank": query.after.rank, "task_id": query.after.task_id}
            given |= {} if query.after.difference is None else {"sorted": Decimal(repr(query.after.difference))}
        async with self._engine.connect() as connection:
            counted, *_ = found = await _all(connection, page, given)
            rows = [row for row in found if row["task_id"] is not None]
            shown = chosen | {"task_ids": [row["task_id"] for row in rows], "characters": PREVIEW_BYTES}
            cells = {(cell["task_id"], cell["place"]): cell for cell in await _all(connection, _SHOWN_CELLS, shown)}
        return CasePage(
            cases=[(_place(row), _case(row, columns, cells, query.baseline)) for row in rows],
            total=counted["total"],
            groups=CaseGroups(**{show: counted[show] for show in CaseGroups.model_fields}),
        )

    async def category_map(self, columns: Sequence[Column], *, baseline: int, limit: int) -> CategoryMap:
        async with self._engine.connect() as connection:
            return await maps.categories(connection, columns, baseline=baseline, limit=limit)

    async def score_pairs(self, columns: Sequence[Column], *, baseline: int, column: int) -> ScorePairs:
        async with self._engine.connect() as connection:
            return await maps.score_pairs(connection, columns, baseline=baseline, column=column)


async def _column(connection: AsyncConnection, ref: ColumnRef) -> Column | None:
    rows = await _all(connection, _COLUMN, {"run_id": ref.run_id, "target_id": ref.target_id})
    if not rows:
        return None
    row = dict(rows[0])
    drawn = {"dataset versions": row["dataset_versions"], "collections": row["collections"]}
    settings = settings_of(row["params"]) | {name: names for name, names in drawn.items() if names}
    settings["epochs"] = str(row["epochs"])
    return Column.model_validate(row | {"judge": row if row["scoring"] else None, "settings": settings})


def _case(
    row: RowMapping, columns: Sequence[Column], cells: dict[tuple[str, int], RowMapping], baseline: int
) -> ComparedCase:
    task_id: str = row["task_id"]
    row_of_cells = [cells.get((task_id, at)) for at in range(len(columns))]
    base = row_of_cells[baseline]
    first_cell = base or next(cell for cell in row_of_cells if cell is not None)
    return ComparedCase(
        task_id=task_id,
        category=row["category"],
        question=preview(first_cell["question"], PREVIEW_BYTES)[0],
        questions_differ=row["questions_differ"],
        reference_changed=row["reference_changed"],
        cells=[
            None
            if cell is None
            else _cell(cell, columns[at].judge, base if at != baseline and _fair(columns, at, baseline) else None)
            for at, cell in enumerate(row_of_cells)
        ],
    )


def _cell(row: RowMapping, judge: ComparedJudge | None, base: RowMapping | None) -> Cell:
    known = base is not None and None not in (row["score_normalised"], base["score_normalised"])
    answer, cut = (None, False) if row["answer"] is None else preview(row["answer"], PREVIEW_BYTES)
    return Cell.model_validate(
        dict(row)
        | {
            "score": judge.on_scale(row["score_normalised"]) if judge else None,
            "failure": ItemFailure.model_validate(row["failure"]) if row["failure"] else None,
            "difference": row["score_normalised"] - base["score_normalised"] if known and base else None,
            "answer": answer,
            "truncated": cut or len(row["answer"] or "") == PREVIEW_BYTES,
        }
    )


def _fair(columns: Sequence[Column], at: int, baseline: int) -> bool:
    here, there = columns[at].judge, columns[baseline].judge
    return here is not None and there is not None and here.scoring == there.scoring


def _place(row: RowMapping) -> CasePlace:
    value = row["sorted"]
    return CasePlace(None if value is None else float(value), row["rank"], row["task_id"])


def _after(place: CasePlace | None) -> str:
    if place is None:
        return "true"
    return _BY_RANK if place.difference is None else _BY_VALUE


def _literal(text_: str) -> str:
    """Escape the wildcards of LIKE, so that the pattern matches the text literally."""
    return text_.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")


async def _all(connection: AsyncConnection, query: str, given: dict[str, Any]) -> list[RowMapping]:
    return list((await connection.execute(text(query), given)).mappings())
