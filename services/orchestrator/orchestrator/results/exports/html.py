"""Write a report for people: one HTML file without scripts, links or anything else that a browser would load.

Figures per target come first, then every item with question, references, answer and reasons. The items are read twice,
once for the figures, so that memory does not grow with the run. Texts are hostile: they are escaped, characters that
change how others are shown become visible, and a Content-Security-Policy in the file forbids everything but its styles.
"""

import re
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

from llmbench.contracts.base import rfc3339
from llmbench.contracts.case import Case
from llmbench.contracts.run_words import ItemStatus
from orchestrator.kernel.domain.overall import deciding_scores
from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, failure_text, of_epoch
from orchestrator.results.ports.queries import ExportLine, ExportScore, ExportSource
from orchestrator.results.ports.schemas import RunSummary

_UNSAFE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_NONE: Final = "none"
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --good: #1a7f37; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --good: #57c776; --bad: #ff8a80 } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1.5rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .5rem; text-align: left; vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .75rem 1rem }
h2 { margin-top: 2rem } h3 { margin: 0; font-size: 1rem } h4 { margin: .75rem 0 .15rem; font-size: .8rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0 }
.wide { overflow-x: auto } .good { color: var(--good) } .bad { color: var(--bad) } .small { font-size: .85rem }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt }
  article { break-inside: avoid-page } h2, h3 { break-after: avoid }
}
"""


@dataclass
class _Sums:
    """Sums over the items of a target. `scored` counts those with an overall score, `decided` those with a verdict."""

    items: int = 0
    answered: int = 0
    failed: int = 0
    scored: int = 0
    normalised: float = 0.0
    decided: int = 0
    passed: int = 0
    timed: int = 0
    time_ms: float = 0.0
    cost_usd: float | None = None

    def add(self, line: ExportLine) -> None:
        item = line.item
        self.items += 1
        self.answered += line.answer is not None
        self.failed += item.status == ItemStatus.FAILED
        if item.score_normalised is not None:
            self.scored += 1
            self.normalised += item.score_normalised
        if item.passed is not None:
            self.decided += 1
            self.passed += item.passed
        if item.figures.time_ms is not None and not item.figures.cached:
            self.timed += 1
            self.time_ms += item.figures.time_ms
        if item.figures.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + item.figures.cost_usd


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        sums: defaultdict[str, _Sums] = defaultdict(_Sums)
        async for line in source.lines():
            sums[line.item.target_label].add(line)
        yield _head(run)
        yield _lines(_figures(sums))
        yield "<h2>Answers</h2>\n"
        async for line in source.lines():
            yield _lines(_item(line))
        yield "</body>\n</html>\n"

    async for chunk in chunked(parts()):
        yield chunk


def _lines(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _text(value: object) -> str:
    """Return the value as text that a browser shows and never executes."""
    return escape(_UNSAFE.sub("\ufffd", str(value).replace("\r\n", "\n")))


def _head(run: RunSummary) -> str:
    judge = f"judged by {run.judge.model}" if run.judge else "scored by program"
    evaluators = ", ".join(dict.fromkeys(each.name for each in run.evaluators if each.primary)) or "no evaluator"
    facts = [
        f"{run.status.value.lower()}{f', {run.outcome.value}' if run.outcome else ''}",
        f"started {rfc3339(run.started_at or run.created_at)}",
        f"{evaluators}, {judge}",
        f"known cost {run.cost_usd:.6f} USD",
    ]
    warnings = "".join(f"<li>{_text(each.message)}</li>" for each in run.warnings)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{_text(run.name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{_text(run.name)}</h1>\n"
        f"<p>{_text(' · '.join(facts))}</p>\n"
        + (f"<p>{_text(run.description)}</p>\n" if run.description else "")
        + (f"<ul>{warnings}</ul>\n" if warnings else "")
    )


_COLUMNS: Final = ("Items", "Answered", "Failed", "Mean score", "Scored", "Passed", "Mean time", "Cost in USD")


def _figures(sums: defaultdict[str, _Sums]) -> Iterator[str]:
    """Yield the table of targets, the best mean score first. Scores are on 0 to 100 %, with their denominators."""
    yield "<h2>Targets</h2>"
    yield '<div class="wide"><table><thead><tr><th scope="col">Target</th>'
    yield "".join(f'<th scope="col" class="n">{name}</th>' for name in _COLUMNS) + "</tr></thead><tbody>"
    for label, each in sorted(sums.items(), key=lambda pair: -_mean(pair[1])):
        mean = f"{_mean(each):.1%}" if each.scored else _NONE
        passed = f"{each.passed / each.decided:.1%} of {each.decided}" if each.decided else _NONE
        cells = (each.items, each.answered, each.failed, mean, each.scored, passed, _time(each), _cost(each))
        yield (
            f'<tr><th scope="row">{_text(label)}</th>'
            + "".join(f'<td class="n">{cell}</td>' for cell in cells)
            + "</tr>"
        )
    yield "</tbody></table></div>"
    yield '<p class="small">Mean and passes count items with a score. Differences may be noise: the comparison of '
    yield "the runs shows intervals and a verdict.</p>"


def _mean(sums: _Sums) -> float:
    return sums.normalised / sums.scored if sums.scored else -1.0


def _time(sums: _Sums) -> str:
    return f"{sums.time_ms / sums.timed / 1000:.2f} s" if sums.timed else _NONE


def _cost(sums: _Sums) -> str:
    return _NONE if sums.cost_usd is None else f"{sums.cost_usd:.6f}"


def _item(line: ExportLine) -> Iterator[str]:
    item = line.item
    verdict = "" if item.passed is None else "passed" if item.passed else "not passed"
    look = {True: "good", False: "bad", None: ""}[item.passed]
    state = " · ".join(filter(None, (item.status.value.lower().replace("_", " "), _score_text(line), verdict)))
    yield f"<article>\n<h3>{_text(of_epoch(item.case.task_id, line))} · {_text(item.target_label)}</h3>"
    yield f'<p class="small {look}">{_text(state)}</p>'
    yield _part("Question", item.case.question)
    for name, reference in _references(item.case):
        yield _part(name, reference)
    if (failure := failure_text(line)) is not None:
        yield _part("Failure", failure)
    if line.answer is not None:
        yield _part("Answer", line.answer)
    for score in deciding_scores(line.scores):
        yield _part(score.evaluator, _reason(score))
    yield "</article>"


def _part(name: str, text: str) -> str:
    return f"<h4>{_text(name)}</h4><pre>{_text(text)}</pre>"


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
    description="One file to read, send or print: figures per target, then every answer. It needs no script.",
    media_type="text/html; charset=utf-8",
    extension="html",
    write=write,
)
