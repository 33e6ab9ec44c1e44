"""Read the cases of a comparison of targets: one page of them, or all as a stream. A target in a comparison is called a
column."""

from collections.abc import AsyncIterator, Sequence
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.base import preview
from llmbench.contracts.item_failure import ItemFailure
from orchestrator.comparison.adapters import paired_cells, pairing
from orchestrator.comparison.adapters.maps import bin_of
from orchestrator.comparison.adapters.paired_cells import CHOSEN, SCORE
from orchestrator.comparison.ports.cases import CaseGroups, CasePage, CasePlace, CaseQuery, Cell, ComparedCase, Show
from orchestrator.comparison.ports.comparison import Column, ComparedJudge
from orchestrator.kernel.adapters.rows import ANSWER_SQL

PREVIEW_BYTES: Final = 1024
_UNCUT: Final = 2**31 - 1
"""The largest length that PostgreSQL's `left` takes. No text is as long."""
CELLS_AT_ONCE: Final = 250
"""The number of cells, with uncut answers, that are in memory at once while all cases are read."""
_Cells = dict[tuple[str, int], RowMapping]
"""The displayed values of cells, by task id and the index of the column."""

_SHOWN: Final[dict[Show, str]] = {
    Show.ALL: "true",
    Show.DIFFERING: "greatest > 0 OR least < 0",
    Show.BETTER: "greatest > 0",
    Show.WORSE: "least < 0",
    Show.EQUAL: "greatest = 0 AND least = 0",
    Show.MISSING: "known < cardinality(CAST(:looked_at AS integer[]))",
    Show.CHANGED: "reference_changed",
    Show.GAINED: "gained",
    Show.LOST: "lost",
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
_FOUND: Final = """
    WITH {cells}, one AS (
        SELECT task_id, (array_agg(category ORDER BY place <> :baseline, place))[1] AS category,
               coalesce(min(position) FILTER (WHERE place = :baseline), 1000000000 + min(position)) AS rank,
               min(question) < max(question) AS questions_differ, min(reference) < max(reference) AS reference_changed,
               min(difference) AS least, max(difference) AS greatest, count(difference) AS known,
               min(value) FILTER (WHERE place = ANY(CAST(:looked_at AS integer[]))) AS here, min(there) AS there,
               coalesce(bool_or(passes AND NOT base_passes), false) AS gained,
               coalesce(bool_or(base_passes AND NOT passes), false) AS lost
        FROM (
            SELECT compared.*, CASE WHEN is_compared THEN value - there END AS difference,
                   CASE WHEN is_compared THEN passed > 0.5 END AS passes
            FROM (
                SELECT cell.*, base.value AS there, base.passed > 0.5 AS base_passes,
                       fair AND cell.place = ANY(CAST(:looked_at AS integer[])) AS is_compared
                FROM cell LEFT JOIN base USING (task_id)
            ) AS compared
        ) AS paired
        GROUP BY task_id
    ), eligible AS (
        SELECT * FROM one
        WHERE (cardinality(CAST(:categories AS text[])) = 0 OR category = ANY(:categories)) {search} {in_bin}
    ), found AS (
        SELECT task_id, category, rank, questions_differ, reference_changed, {sorted} AS sorted
        FROM eligible WHERE {shown}
    )
"""
_PAGE: Final = """
    {found}, counted AS (
        SELECT {counted},
               (SELECT count(*) FROM found) AS total
        FROM eligible
    )
    SELECT * FROM counted LEFT JOIN (
        SELECT * FROM found WHERE {after} ORDER BY sorted NULLS LAST, rank, task_id LIMIT :limit
    ) AS page ON true ORDER BY sorted NULLS LAST, rank, task_id
"""
_EVERY: Final = "{found} SELECT * FROM found ORDER BY sorted NULLS LAST, rank, task_id"
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


async def page(connection: AsyncConnection, columns: Sequence[Column], query: CaseQuery) -> CasePage:
    """Implement `ComparisonReader.cases`."""
    wanted = _PAGE.format(found=_found(query), counted=_COUNTED, after=_after(query.after))
    given = _given(columns, query) | {"limit": query.limit}
    if query.after is not None:
        given |= {"rank": query.after.rank, "task_id": query.after.task_id}
        given |= {} if query.after.difference is None else {"sorted": Decimal(repr(query.after.difference))}
    counted, *_ = found = list((await connection.execute(text(wanted), given)).mappings())
    rows = [row for row in found if row["task_id"] is not None]
    cells = await _cells(connection, columns, query.baseline, rows, characters=PREVIEW_BYTES)
    return CasePage(
        cases=[(_place(row), _case(row, columns, cells, query.baseline, most_bytes=PREVIEW_BYTES)) for row in rows],
        total=counted["total"],
        groups=CaseGroups(**{show: counted[show] for show in CaseGroups.model_fields}),
    )


async def every(
    connection: AsyncConnection, columns: Sequence[Column], query: CaseQuery
) -> AsyncIterator[ComparedCase]:
    """Implement `ComparisonReader.every_case`. Only the names of the cases are sorted, because their texts are long."""
    wanted = text(_EVERY.format(found=_found(query)))
    found = await connection.stream(
        wanted, _given(columns, query), execution_options={"yield_per": max(1, CELLS_AT_ONCE // len(columns))}
    )
    async for rows in found.mappings().partitions():
        cells = await _cells(connection, columns, query.baseline, rows, characters=_UNCUT)
        for row in rows:
            yield _case(row, columns, cells, query.baseline)


def _found(query: CaseQuery) -> str:
    """Return the SQL whose last common table expression, `found`, has one row per case of the query. `_given` returns
    the values of its parameters."""
    return _FOUND.format(
        cells=paired_cells.cells(SCORE, by_key=False),
        sorted=_SORTED[query.sort],
        shown=_SHOWN[query.show],
        search=_SEARCH if query.text else "",
        in_bin="" if query.bin is None else _IN_BIN,
    )


def _given(columns: Sequence[Column], query: CaseQuery) -> dict[str, Any]:
    others = [at for at in range(len(columns)) if at != query.baseline]
    given = pairing.given(columns, [query.baseline] * len(columns)) | {"baseline": query.baseline}
    given |= {"looked_at": others if query.column is None else [query.column], "categories": list(query.categories)}
    given |= {"text": f"%{_literal(query.text)}%"} if query.text else {}
    return given | ({} if query.bin is None else {"bin_baseline": query.bin.baseline, "bin_here": query.bin.here})


async def _cells(
    connection: AsyncConnection,
    columns: Sequence[Column],
    baseline: int,
    cases: Sequence[RowMapping],
    *,
    characters: int,
) -> _Cells:
    """Return the displayed values of the cells of `cases`. Answers are cut to so many characters."""
    given = pairing.given(columns, [baseline] * len(columns))
    given |= {"task_ids": [case["task_id"] for case in cases], "characters": characters}
    cells = (await connection.execute(text(_SHOWN_CELLS), given)).mappings()
    return {(cell["task_id"], cell["place"]): cell for cell in cells}


def _case(
    row: RowMapping, columns: Sequence[Column], cells: _Cells, baseline: int, *, most_bytes: int = _UNCUT
) -> ComparedCase:
    task_id: str = row["task_id"]
    row_of_cells = [cells.get((task_id, at)) for at in range(len(columns))]
    base = row_of_cells[baseline]
    first_cell = base or next(cell for cell in row_of_cells if cell is not None)
    return ComparedCase(
        task_id=task_id,
        category=row["category"],
        question=preview(first_cell["question"], most_bytes)[0],
        questions_differ=row["questions_differ"],
        reference_changed=row["reference_changed"],
        cells=[
            None
            if cell is None
            else _cell(
                cell,
                columns[at].judge,
                base if at != baseline and _fair(columns, at, baseline) else None,
                most_bytes=most_bytes,
            )
            for at, cell in enumerate(row_of_cells)
        ],
    )


def _cell(row: RowMapping, judge: ComparedJudge | None, base: RowMapping | None, *, most_bytes: int) -> Cell:
    known = base is not None and None not in (row["score_normalised"], base["score_normalised"])
    answer, cut = (None, False) if row["answer"] is None else preview(row["answer"], most_bytes)
    return Cell.model_validate(
        dict(row)
        | {
            "score": judge.on_scale(row["score_normalised"]) if judge else None,
            "failure": ItemFailure.model_validate(row["failure"]) if row["failure"] else None,
            "difference": row["score_normalised"] - base["score_normalised"] if known and base else None,
            "answer": answer,
            "truncated": cut or len(row["answer"] or "") == most_bytes,
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
