"""Write a report for people: one HTML file without scripts, links or anything else that a browser would load.

The ranking and the figures of the run's page come first, then every item with question, references, answer and reasons.
Texts may be hostile: `kernel.domain.html_page` makes them safe.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Final

from llmbench.contracts.case import Case
from llmbench.contracts.run_words import ClusterLevel, RunStatus
from orchestrator.kernel.domain import html_page as page
from orchestrator.kernel.domain.html_page import safe
from orchestrator.kernel.domain.overall import deciding_scores
from orchestrator.results.domain.separable import Ranked, ranking_sentence
from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, failure_text, of_epoch
from orchestrator.results.ports.figure_schemas import Interval, TargetResult
from orchestrator.results.ports.filter_query import in_words
from orchestrator.results.ports.queries import ExportLine, ExportResults, ExportScore, ExportSource
from orchestrator.results.ports.schemas import RunSummary

_ORDER: Final = (
    "The worst come first, after those without a score. The turns of a conversation stay together, where the worst of "
    "them belongs."
)


_FIGURES: Final = "The figures above are those of the whole run."


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        results = await source.results()
        yield _head(run, results)
        # Repeated looks at a running test would present chance as a difference.
        over = run.status in (RunStatus.FINISHED, RunStatus.CANCELLED)
        yield page.lines(_figures(run, results, over=over, ranking=await source.ranking() if over else None))
        yield f'<h2>Answers</h2>\n<p class="small">{_ORDER}</p>\n'
        if not results.is_whole:
            yield f'<p class="small">These answers are a selection{_filter(run, source)}. {_FIGURES}</p>\n'
        async for line in source.lines(worst_first=True):
            yield page.lines(_item(line))
        yield page.END

    async for chunk in chunked(parts()):
        yield chunk


def _filter(run: RunSummary, source: ExportSource) -> str:
    words = in_words(source.items, {target.id: target.label for target in run.targets})
    return safe(f" ({'; '.join(f'{name}: {value}' for name, value in words.items())})") if words else ""


def _head(run: RunSummary, results: ExportResults) -> str:
    judge = f"judged by {run.judge.model}" if run.judge else "scored by program"
    evaluators = ", ".join(dict.fromkeys(each.name for each in run.evaluators if each.primary)) or "no evaluator"
    unpriced = f", and {run.unpriced_calls:,} calls without a price" if run.unpriced_calls else ""
    facts = [
        f"{run.status.value.lower()}{f', {run.outcome.value}' if run.outcome else ''}",
        f"started {page.minute(run.started_at or run.created_at)}",
        f"{evaluators}, {judge}",
        f"cost {page.dollars(run.cost_usd)}{unpriced}",
    ]
    warnings = "".join(f"<li>{safe(each.message)}</li>" for each in results.warnings)
    return (
        page.head(run.name)
        + f"<p>{safe(' · '.join(facts))}</p>\n"
        + (f"<p>{safe(run.description)}</p>\n" if run.description else "")
        + (f"<ul>{warnings}</ul>\n" if warnings else "")
    )


_CLUSTERS: Final = {
    ClusterLevel.CASE: "cases",
    ClusterLevel.CONVERSATION: "conversations",
    ClusterLevel.DOCUMENT: "documents",
    ClusterLevel.METADATA: "values of the metadata key",
}
_COLUMNS: Final = (
    "Mean score",
    "95% interval",
    "",
    "Scored",
    "Passed",
    "Failed",
    "p50 time",
    "p95 time",
    "Cost in USD",
)


def _figures(run: RunSummary, results: ExportResults, *, over: bool, ranking: str | None) -> Iterator[str]:
    """Yield a sentence that ranks the targets, and the table of the targets, the best first.

    `ranking` is the sentence if the targets were compared case by case. Without it, the sentence ranks them by their
    intervals. If the run is not `over`, the first sentence is a note instead: the figures will change.
    """
    yield "<h2>Result</h2>"
    if over:
        yield f'<p class="lead">{safe(ranking or ranking_sentence([_ranked(each) for each in results.targets]))}</p>'
    else:
        yield '<p class="lead">The run is not over: the figures will change.</p>'
    if run.gate is not None and run.gate.sentence:
        yield f"<p>{safe(run.gate.sentence)}</p>"
    yield '<div class="wide"><table><thead><tr><th scope="col">Target</th>'
    yield "".join(f'<th scope="col" class="n">{name}</th>' for name in _COLUMNS) + "</tr></thead><tbody>"
    for each in sorted(results.targets, key=lambda each: (each.mean_score is None, -(each.mean_score or 0))):
        yield _row(each)
    yield "</tbody></table></div>"
    total = results.totals
    yield (
        f'<p class="small">Scores are in percent of their scale. Intervals count the {total.clusters:,} '
        f"{_CLUSTERS[run.cluster_level]} with a score as independent. {total.scored:,} of {total.items:,} items have "
        "a score; means and passes leave the others out.</p>"
    )
    for each in results.targets:
        if each.zeros is not None:
            yield f'<p class="small">{safe(each.label)}: {safe(each.zeros.note)}</p>'
    for judge in results.judges:
        yield f'<p class="small">{safe(judge.in_words())}</p>'


def _row(each: TargetResult) -> str:
    cells = (
        page.percent(each.mean_score),
        _interval(each.mean_score_interval),
        _drawn(each),
        f"{each.scored:,} of {each.items:,}",
        " ".join(filter(None, (page.percent(each.pass_rate), _bracketed(each.pass_rate_interval)))),
        f"{each.failed:,}",
        page.seconds(each.p50_time_ms),
        page.seconds(each.p95_time_ms),
        page.NONE if each.cost_usd is None else f"{each.cost_usd:.6f}",
    )
    figures = "".join(f'<td class="n">{cell}</td>' for cell in cells)
    return f'<tr><th scope="row">{safe(each.label)}</th>{figures}</tr>'


def _ranked(each: TargetResult) -> Ranked:
    interval = each.mean_score_interval
    return Ranked(
        label=each.label,
        items=each.items,
        scored=each.scored,
        mean=each.mean_score,
        interval=(interval.low, interval.high) if interval else None,
    )


def _interval(interval: Interval | None) -> str:
    return page.NONE if interval is None else page.interval(interval.low, interval.high)


def _bracketed(interval: Interval | None) -> str:
    return "" if interval is None else f"({_interval(interval)})"


def _drawn(each: TargetResult) -> str:
    """Return an SVG drawing of the mean and its interval on a scale from 0 to 100 %; empty without a mean."""
    if each.mean_score is None:
        return ""
    interval = each.mean_score_interval
    line = (
        f'<line x1="{interval.low * 100:.1f}" x2="{interval.high * 100:.1f}" y1="6" y2="6" stroke="currentColor" />'
        if interval
        else ""
    )
    return (
        '<svg viewBox="-3 0 106 12" width="106" height="12" aria-hidden="true">'
        '<line x1="0" x2="100" y1="6" y2="6" stroke="currentColor" opacity=".25" />'
        f'{line}<circle cx="{each.mean_score * 100:.1f}" cy="6" r="3" fill="currentColor" /></svg>'
    )


def _item(line: ExportLine) -> Iterator[str]:
    item = line.item
    verdict = "" if item.passed is None else "passed" if item.passed else "not passed"
    look = {True: "good", False: "bad", None: ""}[item.passed]
    state = " · ".join(filter(None, (item.status.value.lower().replace("_", " "), _score_text(line), verdict)))
    yield f"<article>\n<h3>{safe(of_epoch(item.case.task_id, line))} · {safe(item.target_label)}</h3>"
    yield f'<p class="small {look}">{safe(state)}</p>'
    yield page.part("Question", item.case.question)
    for name, reference in _references(item.case):
        yield page.part(name, reference)
    if (failure := failure_text(line)) is not None:
        yield page.part("Failure", failure)
    if line.answer is not None:
        yield page.part("Answer", line.answer)
    for score in deciding_scores(line.scores):
        yield page.part(score.evaluator, _reason(score))
    yield "</article>"


def _score_text(line: ExportLine) -> str:
    value = line.item.score_normalised
    return "" if value is None else f"score {value:.1%}"


def _reason(score: ExportScore) -> str:
    raw = score.outcome or score.status.value.lower() if score.raw is None else f"{score.raw:g}"
    return f"{raw}: {score.reason or score.error or 'no reason given'}"


def _references(case: Case) -> Iterator[tuple[str, str]]:
    truth = case.ground_truth
    for name, value in (
        ("Expected", case.expected_output),
        ("Excellent", case.excellent),
        ("True", truth.answer if truth else None),
        ("Accepted", "\n".join(truth.acceptable_answers) if truth else None),
    ):
        if value:
            yield name, value


FORMAT = ExportFormat(
    name="report-html",
    title="Report in HTML",
    description="One file to read, send or print: the ranking, figures with intervals, every answer.",
    media_type="text/html; charset=utf-8",
    extension="html",
    write=write,
)
