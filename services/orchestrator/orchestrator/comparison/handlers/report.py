"""Write a comparison as an HTML report for people: the verdicts in sentences first, then figures, then changed cases.

`kernel.domain.html_page` makes hostile texts safe.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from orchestrator.comparison.handlers import report_words as words
from orchestrator.comparison.handlers.column_names import unique_names
from orchestrator.comparison.handlers.verdicts_of_sets import ComparedSets
from orchestrator.comparison.ports.benchmarks import UnpairedTarget
from orchestrator.comparison.ports.cases import CaseQuery, CaseSort, Cell, ComparedCase, Show
from orchestrator.comparison.ports.comparison import (
    Column,
    ColumnComparison,
    Comparison,
    ComparisonReader,
)
from orchestrator.kernel.domain import html_page as page
from orchestrator.kernel.domain.html_page import safe
from orchestrator.results.domain.judge_agreement import JudgeAgreement
from orchestrator.results.ports.figure_schemas import Interval

MOST_CASES: Final = 100
"""The maximum number of worse cases, and also of better cases, that the report shows of each comparison."""


@dataclass(frozen=True)
class Compared:
    """The content of a report: sets of columns with their verdicts, the targets that are not compared, and the runs'
    judges. `baseline` is the index of the baseline in each set."""

    sets: Sequence[Sequence[Column]]
    baseline: int
    verdicts: ComparedSets
    unpaired: Sequence[UnpairedTarget]
    judges: Sequence[JudgeAgreement]

    @property
    def title(self) -> str:
        """The title of the report. If several runs are compared, it has their names. If there is only one run, it has
        the run's name and the number of its compared columns."""
        runs = list(dict.fromkeys(column.run_name for columns in self.sets for column in columns))
        if len(runs) == 1:
            return f"{runs[0]}: {len(self.sets[0])} columns compared"
        baseline = self.sets[0][self.baseline].run_name
        return f"{', '.join(name for name in runs if name != baseline) or baseline} compared with {baseline}"


async def write(reader: ComparisonReader, compared: Compared) -> AsyncIterator[str]:
    """Yield the parts of the report. The cases are read while the report is sent."""
    yield page.head(compared.title)
    yield page.lines(_about(compared))
    comparisons = compared.verdicts.comparisons
    for number, (columns, comparison) in enumerate(zip(compared.sets, comparisons, strict=True), start=1):
        names = unique_names(comparison.columns)
        yield page.lines(_verdicts(comparison, names, number if len(comparisons) > 1 else None))
        yield page.lines(_figures(comparison, names))
        if any(each.score is not None for each in comparison.comparisons):
            async for part in _cases(reader, columns, comparison, names):
                yield part
    yield page.END


def _about(compared: Compared) -> Iterator[str]:
    """Yield the HTML of the report's introduction: the runs, how far the judges agree with people, and the targets that
    are left out. With several comparisons, it also has the verdict on each run."""
    runs = {column.run_id: column for columns in compared.sets for column in columns}
    yield "<ul>"
    for column in runs.values():
        started = page.minute(column.run_created_at)
        yield f"<li>{safe(f'{column.run_name}: {column.run_status.value.lower()}, created {started}')}</li>"
    yield "</ul>"
    baseline = compared.sets[0][compared.baseline].run_name
    if len(compared.sets) > 1:
        for run in compared.verdicts.runs:
            yield f'<p class="lead">{safe(words.quality_words(run.run_name, baseline, run))}</p>'
    for judge in compared.judges:
        yield f'<p class="small">{safe(judge.in_words())}</p>'
    for target in compared.unpaired:
        yield f'<p class="small">{safe(f"{target.label} of {target.run_name} is left out: {target.reason}")}</p>'


def _verdicts(comparison: Comparison, names: Sequence[str], number: int | None) -> Iterator[str]:
    base = names[comparison.baseline]
    others = ", ".join(names[each.column] for each in comparison.comparisons)
    yield f"<h2>{safe(f'Pair {number}: {others} against {base}' if number else 'Verdict')}</h2>"
    for each in comparison.comparisons:
        here, baseline = comparison.columns[each.column], comparison.columns[comparison.baseline]
        one_run = here.run_id == baseline.run_id
        yield f'<p class="lead">{safe(words.quality_words(names[each.column], base, each))}</p>'
        sentences = (
            each.weighting,
            words.case_words(each.score, each.missing, one_run=one_run),
            words.pass_words(each.passes, names[each.column], base, one_run=one_run),
            words.cost_words(here, baseline),
            words.speed_words(here, baseline),
            words.zero_words(each),
        )
        yield f"<p>{safe(' '.join(filter(None, sentences)))}</p>"
        yield from _differences(each)
        yield from _evaluators(each)
    if len(comparison.columns) > 2:
        winner = comparison.winner
        said = comparison.winner_reason if winner is None else f"{names[winner]} is better than every other column."
        if said:
            yield f"<p>{safe(said)}</p>"


def _differences(compared: ColumnComparison) -> Iterator[str]:
    differences = list(words.difference_words(compared))
    if differences:
        yield '<ul class="small">'
        for each in differences:
            yield f"<li>{safe(each)}</li>"
        yield "</ul>"


def _evaluators(compared: ColumnComparison) -> Iterator[str]:
    """Yield a table of the verdicts by evaluator. Yield nothing if the overall verdict is the only one."""
    if not compared.evaluators:
        return
    yield from _table_head("Evaluator", ("Verdict", "Points", "95% interval", "Cases"))
    for each in compared.evaluators:
        score = each.score
        cells = (
            page.NONE if score.verdict is None else score.verdict.value,
            page.NONE if score.mean is None else words.points(score.mean),
            _points_between(score.simultaneous),
            f"{score.cases:,}",
        )
        yield _row(each.name, cells)
    yield "</tbody></table></div>"


def _figures(comparison: Comparison, names: Sequence[str]) -> Iterator[str]:
    """Yield the table of the columns (targets of runs), each over all of its items."""
    yield from _table_head(
        "Column", ("Mean score", "95% interval", "Scored", "Passed", "p50 time", "Cost of an answer in USD")
    )
    for at, column in enumerate(comparison.columns):
        figures = column.figures
        cost = words.per_answer(column)
        between = figures.mean_score_interval
        cells = (
            page.percent(figures.mean_score),
            page.NONE if between is None else page.interval(between.low, between.high),
            f"{figures.scored:,} of {figures.items:,}",
            page.percent(figures.pass_rate),
            page.seconds(figures.p50_time_ms),
            page.NONE if cost is None else f"{cost:.6f}",
        )
        yield _row(f"{names[at]}{' (baseline)' if at == comparison.baseline else ''}", cells)
    yield "</tbody></table></div>"
    yield (
        '<p class="small">The table counts all items of each column. The verdicts count only the cases that are scored '
        "in both, and a point is a hundredth of the scale.</p>"
    )


async def _cases(
    reader: ComparisonReader, columns: Sequence[Column], comparison: Comparison, names: Sequence[str]
) -> AsyncIterator[str]:
    """Yield the cases that changed most: first the worse ones, then the better ones."""
    shown: tuple[tuple[Show, CaseSort], ...] = ((Show.WORSE, "delta"), (Show.BETTER, "-delta"))
    for show, sort in shown:
        query = CaseQuery(baseline=comparison.baseline, show=show, sort=sort, limit=MOST_CASES)
        found = await reader.cases(columns, query)
        limit = f": the {MOST_CASES} with the greatest change of {found.total:,}" if found.total > MOST_CASES else ""
        yield f"<h2>{show.value.capitalize()} cases ({len(found.cases):,}{limit})</h2>\n"
        for _, case in found.cases:
            yield page.lines(_case(case, comparison.baseline, names))


def _case(case: ComparedCase, baseline: int, names: Sequence[str]) -> Iterator[str]:
    yield f"<article>\n<h3>{safe(case.task_id)} · {safe(case.category)}</h3>"
    yield page.part("Question", case.question)
    if case.questions_differ:
        yield '<p class="small">The question differs between the columns.</p>'
    if case.reference_changed:
        yield '<p class="small">The reference differs between the columns.</p>'
    for at, (name, cell) in enumerate(zip(names, case.cells, strict=True)):
        if cell is None:
            yield page.part(name, "This column does not have the case.")
            continue
        look = "" if not cell.difference else "good" if cell.difference > 0 else "bad"
        yield f"<h4>{safe(name)}</h4>"
        yield f'<p class="small {look}">{safe(_result(cell, is_baseline=at == baseline))}</p>'
        yield f"<pre>{safe(_answer(cell))}</pre>"
    yield "</article>"


def _result(cell: Cell, *, is_baseline: bool) -> str:
    """Return the score of a cell, whether it passed, and its difference from the baseline."""
    parts = [
        "no score" if cell.score_normalised is None else f"score {page.percent(cell.score_normalised)}",
        {True: "passed", False: "not passed", None: ""}[cell.passed],
        "baseline" if is_baseline else "" if cell.difference is None else f"{words.points(cell.difference)} points",
        f"mean of {cell.epochs} epochs" if cell.epochs > 1 else "",
    ]
    return " · ".join(filter(None, parts))


def _answer(cell: Cell) -> str:
    if cell.answer is not None:
        return f"{cell.answer}… (shortened)" if cell.truncated else cell.answer
    return cell.failure.message if cell.failure is not None else "There is no answer."


def _table_head(first: str, others: Sequence[str]) -> Iterator[str]:
    names = "".join(f'<th scope="col" class="n">{name}</th>' for name in others)
    yield f'<div class="wide"><table><thead><tr><th scope="col">{first}</th>{names}</tr></thead><tbody>'


def _row(name: str, cells: Sequence[str]) -> str:
    figures = "".join(f'<td class="n">{cell}</td>' for cell in cells)
    return f'<tr><th scope="row">{safe(name)}</th>{figures}</tr>'


def _points_between(interval: Interval | None) -> str:
    return page.NONE if interval is None else f"{words.points(interval.low)} to {words.points(interval.high)}"
